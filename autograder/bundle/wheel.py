"""The grader as the image installs it: a wheel made from its own files, without a build backend or a network."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import metadata
from pathlib import Path

from .. import __version__
from ..errors import AssignmentError
from ..installation import DISTRIBUTION
from .lock import pinned_names
from .zip_file import ZipMember, members_of, zip_bytes

_PACKAGE = Path(__file__).parents[1]
_WHEEL = "Wheel-Version: 1.0\nGenerator: autograder bundle\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_SCRIPTS = "[console_scripts]\nautograder=autograder.cli:main\n"


def grader_wheel() -> ZipMember:
    """Return the wheel of the grader that is running, without its tests."""
    stem = f"{DISTRIBUTION.replace('-', '_')}-{__version__}"
    members = package_members()
    info = f"{stem}.dist-info"
    members += [
        ZipMember(f"{info}/METADATA", _metadata().encode()),
        ZipMember(f"{info}/WHEEL", _WHEEL.encode()),
        ZipMember(f"{info}/entry_points.txt", _SCRIPTS.encode()),
    ]
    record = "".join(_record_line(member) for member in members) + f"{info}/RECORD,,\n"
    return ZipMember(f"{stem}-py3-none-any.whl", zip_bytes([*members, ZipMember(f"{info}/RECORD", record.encode())]))


def package_members() -> list[ZipMember]:
    """Return the files of the grader that is running, without its tests."""
    members = members_of(_PACKAGE, f"{_PACKAGE.name}/")
    return [member for member in members if not member.name.startswith(f"{_PACKAGE.name}/tests/")]


def _metadata() -> str:
    """Return what an installer must know: name, version, and of what it needs, what the image's lock pins."""
    try:
        installed = metadata.distribution(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        raise AssignmentError(
            f"{DISTRIBUTION} is not installed in this environment: run `pip install` there, or `make bundle`"
        ) from None
    pinned = pinned_names()
    needs = [need for need in installed.requires or () if "extra ==" not in need and _name_of(need) in pinned]
    lines = ["Metadata-Version: 2.1", f"Name: {DISTRIBUTION}", f"Version: {__version__}", "Requires-Python: >=3.10"]
    return "\n".join([*lines, *(f"Requires-Dist: {need}" for need in needs)]) + "\n"


def _name_of(requirement: str) -> str:
    """Return the name of the distribution that a requirement such as `click<9,>=8.5` asks for, as a lock writes it."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def _record_line(member: ZipMember) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(member.content).digest()).rstrip(b"=").decode()
    return f"{member.name},sha256={digest},{len(member.content)}\n"
