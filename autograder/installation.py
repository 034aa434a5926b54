"""Checks the installation: another distribution has a package of the same name, and the two cannot share a folder."""

from __future__ import annotations

from pathlib import Path

from .errors import InstallationError

DISTRIBUTION = "micro-autograd-autograder"
_PLACE = Path(__file__).parents[1]  # site-packages, or the repository of an editable install
_MARK = b"\n%s/__init__.py," % Path(__file__).parent.name.encode()  # how a RECORD begins the line of that file


def check_installation(place: Path = _PLACE) -> None:
    """Raise InstallationError if another distribution has installed a package of this name in the same folder.

    An installer writes the files of one over those of the other, and neither is whole then.
    """
    for record in sorted(place.glob("*.dist-info/RECORD")):
        name, _, version = record.parent.name.removesuffix(".dist-info").partition("-")
        if name.replace("_", "-") != DISTRIBUTION and _MARK in b"\n" + _content(record):
            raise InstallationError(
                f"{name} {version} is installed in {place} too, and both have a package called `autograder`, so their "
                "files are mixed. Make an environment for the grader alone (python3 -m venv grader). To keep this one: "
                f"pip uninstall {name} {DISTRIBUTION}, then install {DISTRIBUTION} again"
            )


def _content(record: Path) -> bytes:
    try:
        return record.read_bytes()
    except OSError:  # another user's: it says nothing
        return b""
