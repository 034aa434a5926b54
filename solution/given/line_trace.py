# Copied by `autograder starter` from autograder/worker/line_trace.py: edit that file.
"""Performs a small program while watching its numbers: which line of the submission changed which of them.

After every line of the submission's files, `.data` and `.grad` of the program's values are read, in whatever way the
engine keeps them: closures, a tape, slots and properties alike. Everything here runs beside the student's code, which
may lie, or set a trace of its own: it can only make the answers about itself wrong. What is answered is numbers alone.
The handout has a copy of this file, which a student's own machine runs.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import CodeType, FrameType
    from typing import Any

MOST_EVENTS = 5_000  # lines, calls and returns that are looked at
MOST_ROWS = 600  # of a log: it has to fit into one reply
MOST_SIGHTINGS = 60
DATA, GRAD, SEEN = range(3)  # what a row is about: two attributes, or a number that was looked for
_NAMES = ("data", "grad")
_BY_ACCESS = ("__setattr__", "__getattribute__", "__getattr__")
_MAKING = ("__init__", "__new__")
_TOLERANCE = 1e-9
_DEPTH, _WIDTH = 3, 8  # of the containers in which a number is looked for

Line = tuple[int, int]  # the position of a file, and a line of it; line 0 if none is known
Row = list[
    "float | None"
]  # file, line, place, what, before, after; of a number seen, `before` is how deep the calls are


class LineTrace:
    """The log of one small program."""

    def __init__(self, files: Mapping[str, str], sought: Iterable[float] = ()) -> None:
        """Watch lines of `files`, whose keys are paths; note where a number of `sought` first appears in a frame."""
        self._files = {path: position for position, path in enumerate(files)}
        self._sought = tuple(sought)
        self._rows: list[Row] = []
        self._sightings: list[Row] = []
        self._watched: list[tuple[int, Any, list[float | None]]] = []  # place, value, its numbers as last read
        self._accessors: set[CodeType] = set()
        self._made: dict[int, Line] = {}  # by the identity of a value: the outermost line under way as it was made
        self._seen: dict[int, dict[int, float]] = {}  # by the identity of a frame: the numbers sought that it holds
        self._now: Line = (0, 0)
        self._left = MOST_EVENTS

    def log(self, perform: Callable[[Any], Any], steps: Sequence[Any]) -> list[Any]:
        """Return whether every step was performed and watched to its end, and the rows, those of sightings last."""
        complete = True
        try:
            for place, step in enumerate(steps):
                self._perform(place, perform, step)
        except BaseException:  # noqa: BLE001 - the student's code may raise anything at all
            complete = False
        return [complete and self._left > 0 and len(self._rows) < MOST_ROWS, self._rows + self._sightings]

    def _perform(self, place: int, perform: Callable[[Any], Any], step: Any) -> None:
        """Perform a step; what it gives is watched from then on."""
        before, self._now = sys.gettrace(), (0, 0)
        sys.settrace(self._entered)
        try:
            value = perform(step)
        finally:
            sys.settrace(before)
            self._read()
        if isinstance(value, type):
            return
        numbers = _numbers_of(value)
        self._row(self._made.get(id(value), self._now), place, DATA, None, numbers[DATA])
        if value is not None:
            self._watched.append((place, value, numbers))
            self._accessors.update(_accessors_of(type(value)))

    def _entered(self, frame: FrameType, _event: str, _: Any) -> Any:
        """Return what to do at the events of a new frame: the trace function of the interpreter, for calls."""
        if self._left <= 0:
            sys.settrace(None)
            return None
        code = frame.f_code
        if code.co_name in _MAKING and code.co_argcount:
            self._note_making(frame)
            self._look(frame, None)
        if code.co_filename not in self._files or code in self._accessors:
            return None  # what a property does, the line that uses it does
        self._read()
        self._look(frame, None)
        self._now = (self._files[code.co_filename], frame.f_lineno)
        return self._inside

    def _inside(self, frame: FrameType, event: str, result: Any) -> Any:
        """Look, after a line of the submission, at what it did."""
        self._left -= 1
        if self._left <= 0:
            sys.settrace(None)
            return None
        if event not in ("line", "return"):
            return self._inside
        self._read()
        self._look(frame, result if event == "return" else None)
        if event == "line":
            self._now = (self._files[frame.f_code.co_filename], frame.f_lineno)
        else:
            self._now = self._line_of(frame.f_back) or self._now
            self._seen.pop(id(frame), None)
        return self._inside

    def _line_of(self, frame: FrameType | None, *, outermost: bool = False) -> Line | None:
        """Return the line that is under way in the nearest frame of the submission, or in the outermost."""
        found = None
        while frame is not None:
            code = frame.f_code
            if code.co_filename in self._files and code not in self._accessors:
                found = (self._files[code.co_filename], frame.f_lineno)
                if not outermost:
                    return found
            frame = frame.f_back
        return found

    def _depth(self, frame: FrameType | None) -> int:
        """Return how many frames of the submission are under way."""
        depth = 0
        while frame is not None:
            depth += frame.f_code.co_filename in self._files
            frame = frame.f_back
        return depth

    def _note_making(self, frame: FrameType) -> None:
        value = frame.f_locals.get(frame.f_code.co_varnames[0])
        line = self._line_of(frame.f_back, outermost=True)
        self._made[id(value)] = line or (0, 0)  # the program itself made it

    def _read(self) -> None:
        """Note what has changed since the numbers were read before."""
        for place, value, known in self._watched:
            for which, number in enumerate(_numbers_of(value)):
                if number != known[which] and (number == number or known[which] == known[which]):  # noqa: PLR0124 - NaN
                    self._row(self._now, place, which, known[which], number)
                    known[which] = number

    def _row(self, line: Line, place: int, which: int, before: float | None, after: float | None) -> None:
        if len(self._rows) < MOST_ROWS:
            self._rows.append([*line, place, which, before, after])

    def _look(self, frame: FrameType, result: Any) -> None:
        """Note the line that has just run if it brought a number that is looked for into the frame, or returns it."""
        if not self._sought or len(self._sightings) >= MOST_SIGHTINGS:
            return
        seen: dict[int, float] = {}
        for number in _numbers_in((*frame.f_locals.values(), result), _DEPTH):
            for place, sought in enumerate(self._sought):
                if abs(number - sought) <= _TOLERANCE * abs(sought):
                    seen[place] = number
        before = self._seen.get(id(frame), {})
        self._seen[id(frame)] = seen
        for place in seen.keys() - before.keys():
            self._sightings.append([*self._now, place, SEEN, float(self._depth(frame.f_back)), seen[place]])


def _numbers_of(value: Any) -> list[float | None]:
    """Return the two numbers of a value, as they are read; None for what is not a number, or raises."""
    found: list[float | None] = []
    for name in _NAMES:
        try:
            number = getattr(value, name)
            found.append(float(number) if type(number) in (int, float, bool) else None)
        except BaseException:  # noqa: BLE001 - the student's property may raise anything at all
            found.append(None)
    return found


def _accessors_of(class_: type) -> Iterator[CodeType]:
    """Yield the code that runs where an attribute of the class is read or set."""
    for each in class_.__mro__:
        for name, member in vars(each).items():
            found = [member] if name in _BY_ACCESS else [getattr(member, part, None) for part in ("fget", "fset")]
            kept = vars(type(member))
            found += [kept[part] for part in ("__get__", "__set__") if part in kept]
            for function in found:
                code = getattr(function, "__code__", None)
                if code is not None:
                    yield code


def _numbers_in(values: Iterable[Any], depth: int) -> Iterator[float]:
    """Yield the plain numbers among values and within small containers."""
    for value in values:
        kind = type(value)
        if kind is float or (kind is int and abs(value) < 1 << 53):
            yield float(value)
        elif depth and kind in (tuple, list, dict) and len(value) <= _WIDTH:
            yield from _numbers_in(value.values() if kind is dict else value, depth - 1)
