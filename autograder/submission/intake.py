"""What may come in: which of the names that were handed in are read at all, and how much of them.

A folder and a zip both become a list of `UploadEntry`; `filter_entries` keeps what could be a student's Python source.
Caps hold before anything is read, and names alone decide, so that a bomb stays folded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

import msgspec

from ..errors import SubmissionError
from ..text import counted, one_line

MAX_ENTRIES = 50_000  # a virtual environment handed in by mistake has tens of thousands
MAX_SOURCES = 300
MAX_SOURCE_BYTES = 1 << 20
MAX_TOTAL_BYTES = 8 << 20
MAX_DEPTH = 12
MAX_NAME_BYTES = 128
MAX_PATH_BYTES = 512
MAX_MARKS = 30  # combining characters in a row: the bound of Unicode's Stream-Safe Text Format (UAX #15)

LINK = "a link"
SPECIAL = "not a regular file"
OUTSIDE = "a path that leads out of the submission"
DEEP = f"nested more than {MAX_DEPTH} folders deep, or a name that is too long"
LARGE = f"larger than {MAX_SOURCE_BYTES >> 20} MiB"
TWICE = "handed in twice: the last one counts"
CACHE = "compiled Python: only source is graded"
BINARY = "compiled code, or a file that changes how Python starts"
SETTINGS = "settings of tools: the grader has its own"

_SUSPICIOUS = (LINK, SPECIAL, OUTSIDE, TWICE, BINARY)
_JUNK = {"__macosx", "venv", "site-packages", "node_modules", "thumbs.db", "desktop.ini", "ehthumbs.db"}
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".rar", ".7z", ".gz", ".tar.bz2", ".tar.xz")


class UploadEntry(msgspec.Struct, frozen=True):
    """One name as a folder or a zip lists it. `read(limit)` returns at most `limit` + 1 bytes."""

    path: str
    size: int
    read: Callable[[int], bytes]
    refusal: str = ""  # why it may not be read: LINK, SPECIAL …


class UploadedFile(msgspec.Struct, frozen=True):
    """One source file as it was handed in: its relative POSIX path and its bytes."""

    path: str
    data: bytes


class LeftOut(msgspec.Struct, frozen=True):
    """One name that was not taken, and why."""

    path: str
    why: str

    @property
    def suspicious(self) -> bool:
        """Return True if staff should hear of it: honest work seldom holds such a file."""
        return self.why in _SUSPICIOUS


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of a submission that is worth a second look."""

    names: tuple[str, ...]  # of every file but junk
    files: tuple[UploadedFile, ...]
    left_out: tuple[LeftOut, ...]
    archives: tuple[UploadEntry, ...]


def tidy(path: str) -> str:
    """Return `path` as a clean relative POSIX path, or "" if it is absolute or climbs out.

    Backslashes separate, as in zips made on Windows; names are composed (NFC), as zips made on a Mac are not. Blanks
    at either end of a name are slips that no file manager shows.
    """
    path = path.replace("\\", "/").strip()
    parts = [part for each in path.split("/") if (part := each.strip()) not in ("", ".")]
    outside = path.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", path)
    return "" if outside else _composed("/".join(parts))


def _composed(path: str) -> str:
    """Return `path` in NFC. One that is too long is cut instead, to a length that is refused.

    Composing sorts the marks that follow each other, in quadratic time: more than any name has are left as they are.
    """
    if path.isascii() or len(path) > MAX_PATH_BYTES:
        return path[: MAX_PATH_BYTES + 1]
    marks = "".join("x" if unicodedata.combining(character) else " " for character in path).split()
    return path if max(map(len, marks), default=0) > MAX_MARKS else unicodedata.normalize("NFC", path)


def is_junk(name: str) -> bool:
    """Return True if a file or folder of this name is left by a system or a tool, never written by a student."""
    return name.startswith(".") or name.casefold() in _JUNK


def filter_entries(entries: Iterable[UploadEntry]) -> Upload:
    """Return what of `entries` could be a student's source, read and capped.

    Raises SubmissionError if there are more files or bytes than any homework holds.
    """
    found, left_out = _named(entries)
    wanted: dict[str, UploadEntry] = {}
    archives: list[UploadEntry] = []
    for path, entry in found:
        why = entry.refusal or _too_far(path) or _reason(path)
        if why:
            left_out.append(LeftOut(path, why))
        elif path.casefold().endswith((".py", ".py.txt", ".pyw")):
            if path in wanted:
                left_out.append(LeftOut(path, TWICE))
            wanted[path] = entry
        elif path.casefold().endswith(_ARCHIVES):
            archives.append(entry)
    files, large = _read_all(wanted)
    left_out += large
    names = sorted({path for path, _ in found})
    return Upload(names=tuple(names), files=tuple(files), left_out=tuple(left_out), archives=tuple(archives))


def _named(entries: Iterable[UploadEntry]) -> tuple[list[tuple[str, UploadEntry]], list[LeftOut]]:
    """Return the entries that are not junk with their tidy paths, and those whose paths are refused."""
    listing = [(tidy(entry.path), entry) for entry in islice(entries, MAX_ENTRIES + 1)]
    if len(listing) > MAX_ENTRIES:
        raise SubmissionError(
            f"more than {MAX_ENTRIES} files were handed in; hand in your own .py files, without a virtual environment"
        )
    environments = {path.rpartition("/")[0] for path, _ in listing if path.endswith("/pyvenv.cfg")}
    left_out = [LeftOut(entry.path[:MAX_PATH_BYTES], OUTSIDE) for path, entry in listing if not path]
    named = [(path, entry) for path, entry in listing if path and not _is_in_junk(path, environments)]
    return sorted(named, key=lambda pair: pair[0]), left_out


def _is_in_junk(path: str, environments: set[str]) -> bool:
    parts = path.split("/")
    if any(is_junk(part) for part in parts):
        return True
    return bool(environments) and any("/".join(parts[:depth]) in environments for depth in range(1, len(parts)))


def _too_far(path: str) -> str:
    parts = [part.encode("utf-8", "surrogatepass") for part in path.split("/")]
    too_long = any(len(part) > MAX_NAME_BYTES for part in parts) or sum(map(len, parts)) > MAX_PATH_BYTES
    return DEEP if too_long or len(parts) > MAX_DEPTH else ""


def _reason(path: str) -> str:
    """Return why a file of this name is never read, or ""."""
    *folders, name = path.casefold().split("/")
    if "__pycache__" in folders:
        return CACHE
    if name.endswith((".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib", ".pth")) or ".so." in name:
        return BINARY
    if re.match(r"(?:site|user)customize\b", name) or {"sitecustomize", "usercustomize"} & set(folders):
        return BINARY
    return SETTINGS if name.endswith((".ini", ".cfg", ".toml")) else ""


def _read_all(wanted: Mapping[str, UploadEntry]) -> tuple[list[UploadedFile], list[LeftOut]]:
    """Return the files by their paths, and those that are too large; never unfold more than the caps allow."""
    if len(wanted) > MAX_SOURCES:
        raise SubmissionError(
            f"more than {counted(MAX_SOURCES, 'Python file')} were handed in; hand in your own work alone"
        )
    files, large, total = list[UploadedFile](), list[LeftOut](), 0
    for path, entry in wanted.items():
        data = b"" if entry.size > MAX_SOURCE_BYTES else entry.read(MAX_SOURCE_BYTES)
        if max(entry.size, len(data)) > MAX_SOURCE_BYTES:
            large.append(LeftOut(path, LARGE))
        else:
            files.append(UploadedFile(path, data))
        total += len(data)
        if total > MAX_TOTAL_BYTES:
            raise SubmissionError(
                f"the Python files add up to more than {MAX_TOTAL_BYTES >> 20} MiB, counted up to "
                f"{one_line(entry.path)}; hand in your own work alone"
            )
    return files, large
