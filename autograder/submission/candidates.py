"""Which of the handed-in files is meant as engine.py, when its name is not quite that."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

import msgspec

_LMS_PREFIX = re.compile(
    r"^(?:[^/]+?_\d+_\d+_"  # Canvas: smithbob_340934_208490284_engine-1.py
    r"|(?:late_)?anon_[0-9a-z]+_(?:\d+_)?"  # Canvas, graded anonymously
    r"|[^/]+?_\d+_assignsubmission_file_+"  # Moodle, without folders
    r"|[^/]+?_attempt_[0-9-]+_)"  # Blackboard
)
_COPY_PREFIX = re.compile(r"^(?:copy of |kopie von |copie de |copia de )")
_COPY_WORD = re.compile(r"copy|kopie|copie|copia|final|new|v?\d+")
_STALE = {"old", "backup", "bak", "previous", "archive", "starter", "handout"}


class Distance(enum.IntEnum):
    """How far a file's name is from the right one."""

    EXACT = 0
    CASE = 1  # Engine.py
    COPY = 2  # engine (1).py, engine-2.py, engine_v2.py, engine copy.py, engine.py.txt
    LMS = 3  # what a learning management system puts before a name
    WORD = 4  # ada_engine.py
    NONE = 5


class Candidate(msgspec.Struct, frozen=True, order=True):
    """One file that may be meant; the smallest is the best.

    Fields are in the order of comparison: the name, whether it lies in another folder than the main module, whether
    its folder is called old or the like, depth, the newest copy first.
    """

    distance: Distance
    elsewhere: bool
    stale: bool
    depth: int
    age: int
    path: str


def candidates(paths: Iterable[str], file: str, *, beside: str = "", loosely: bool = False) -> list[Candidate]:
    """Return the files of `paths` that may be meant as `file`, best first.

    `beside` is a folder to prefer, "" for none; `loosely` also takes names that hold the word, as ada_engine.py does.
    """
    found = []
    for path in paths:
        distance, number = _distance(PurePosixPath(path).name, file, loosely)
        if distance is Distance.NONE:
            continue
        folders = PurePosixPath(path).parts[:-1]
        found.append(
            Candidate(
                distance=distance,
                elsewhere=bool(beside) and "/".join(folders) != beside,
                stale=any(folder.casefold() in _STALE for folder in folders),
                depth=len(folders),
                age=-number,
                path=path,
            )
        )
    return sorted(found)


def _distance(name: str, file: str, loosely: bool) -> tuple[Distance, int]:
    """Return how far `name` is from `file`, and the number of the copy that it claims to be."""
    if name == file:
        return Distance.EXACT, 0
    if name.casefold() == file.casefold():
        return Distance.CASE, 0
    stem, full = _stem(file), _stem(name)
    number = _copy_number(full, stem)
    if number >= 0:
        return Distance.COPY, number
    number = _copy_number(_LMS_PREFIX.sub("", full, count=1), stem)
    if number >= 0:
        return Distance.LMS, number
    words = re.split(r"[^a-z0-9]+", full)
    is_word = loosely and stem in words and not {"test", "tests"} & set(words)
    return (Distance.WORD if is_word else Distance.NONE), 0


def _copy_number(name: str, stem: str) -> int:
    """Return which copy of `stem` the name says it is, 0 if it gives no number, -1 if it is not one."""
    name = _COPY_PREFIX.sub("", name, count=1)
    suffix = name[len(stem) :]
    if not name.startswith(stem) or _COPY_WORD.sub("", suffix).strip(" ._-()"):
        return -1
    numbers = re.findall(r"\d{1,9}", suffix)
    return int(numbers[-1]) if numbers else 0


def _stem(name: str) -> str:
    """Return `name` without .py, .py.txt or .py.py, in lower case."""
    return re.sub(r"\.pyw?(?:\.txt|\.py)?$", "", name.casefold())
