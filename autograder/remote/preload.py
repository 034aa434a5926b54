"""What the zygote imports before a submission's workers are forked, so that none of them pays for it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..interface import RemoteInterface
from ..sandbox.sandbox import Sandbox


def preload(sandbox: Sandbox, directory: Path, files: Iterable[str], assignment: Assignment, *, packages: bool) -> None:
    """Have the zygote import the allowed modules that `files` import; with `packages`, those of the modules among them.

    A worker finds the standard library in its memory; what is imported before spares each of them the import. The
    lines that say `import` are searched for words, which runs nothing of the submission. Its own modules come first.
    A package cannot be imported later at all: AssignmentError names one that cannot be imported now.
    """
    files = tuple(files)
    words = _imported_words(directory / name for name in files if name.endswith(".py"))
    own = {Path(name).parts[0].removesuffix(".py") for name in files}
    sandbox.preload(name for name in assignment.importable if name.encode("ascii") in words and name not in own)
    for interface in assignment.among(files) if packages else ():
        _load_packages(sandbox, interface, assignment)


def _imported_words(files: Iterable[Path]) -> set[bytes]:
    """Return the words of the lines that say `import`."""
    text = b"\n".join(file.read_bytes() for file in files)
    lines = [line for line in text.splitlines() if b"import" in line]  # not one regular expression: that took 9 ms
    return set(re.findall(rb"[A-Za-z_]\w*", b"\n".join(lines)))


def _load_packages(sandbox: Sandbox, interface: RemoteInterface, assignment: Assignment) -> None:
    if not interface.loaded:
        return
    homes = dict.fromkeys(home for name in interface.importable for home in _homes(name, assignment))
    if absent := sandbox.preload(interface.loaded, beside=homes):
        package = absent[0].partition(".")[0]
        given = assignment.given(package)
        remedy = f"{given} says so when it is imported" if given else f"pip install {package}"
        raise AssignmentError(
            f"{assignment.root_path / 'pyproject.toml'}, [tool.autograder]: {interface.file} may import {absent[0]}, "
            f"which cannot be imported here: {remedy}"
        )


def _homes(package: str, assignment: Assignment) -> list[Path]:
    """Return the directory to import a package from, without importing it here; none if it is nowhere."""
    if given := assignment.given(package):
        words = _imported_words([given] if given.is_file() else given.rglob("*.py"))
        if written := [each.file for each in assignment.modules.values() if Path(each.file).stem.encode() in words]:
            raise AssignmentError(
                f"{given} imports {written[0]}, which students write: what is loaded before a submission may not"
            )
        return [given.parent]
    found = importlib.util.find_spec(package)
    if found is None:
        return []
    folders = [Path(each).parent for each in found.submodule_search_locations or ()]
    return folders or ([Path(found.origin).parent] if found.origin else [])
