"""The frames of a film: the state before the backward pass, then one for each number that the engine changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .graph import DATA, GRAD, Box, Change, Held, arrows_of, close, number, total
from .judging import Judge, Kind, Verdict

MOST_BOXES = 60
MOST_FRAMES = 400


@dataclass(frozen=True)
class Frame:
    """One step: what changed, the arrows along which it came, what to say, and whether it is the first wrong step."""

    says: str
    line: int = 0  # 0 before the pass, and after it
    place: int | None = None
    attribute: str = GRAD
    after: Held = None
    arrows: tuple[int, ...] = ()
    expected: Held = None
    is_wrong: bool = False
    file: str = ""  # that the line is in, if the engine has several


@dataclass(frozen=True)
class Film:
    """A program, the numbers at the start, and the frames."""

    title: str
    boxes: tuple[Box, ...]
    data: tuple[Held, ...]  # that the engine computed
    grads: tuple[Held, ...]  # before the pass
    frames: tuple[Frame, ...]
    note: str = ""  # above the graph: a diagnosis
    file: str = "engine.py"
    lines: tuple[tuple[int, str], ...] = ()  # of the file, with their numbers

    @property
    def first_wrong(self) -> int | None:
        """Return the position of the first wrong frame."""
        return next((i for i, frame in enumerate(self.frames) if frame.is_wrong), None)

    def is_beside(self, frame: Frame) -> bool:
        """Return True if the line of a frame is in the file that the film shows."""
        return bool(frame.line) and frame.file in ("", self.file)

    @property
    def main_file(self) -> str:
        """Return the file in which most lines ran; "" if none is named."""
        files = [frame.file for frame in self.frames if frame.line]
        return max(sorted(set(files)), key=files.count, default="")

    def with_lines(self, file: str, lines: tuple[tuple[int, str], ...]) -> Film:
        """Return the film with lines of the engine's file beside it."""
        return replace(self, file=file, lines=lines)


def film_of(
    title: str, boxes: Sequence[Box], data: Sequence[Held], changes: Sequence[Change], raised: str = ""
) -> Film:
    """Return the film of a backward pass from the last of `boxes`; `raised` says how it broke off, if it did."""
    start = _start(boxes, data)
    judge = Judge(boxes)
    last = {change.place: change.after for change in changes if change.attribute == GRAD}
    right = {place for place, held in last.items() if close(held, boxes[place].gradient)}
    frames = [start]
    for change in changes[:MOST_FRAMES]:
        verdict = judge.verdict(change)
        harmless = change.attribute == GRAD and change.place in right  # it may have been taken for another share
        if verdict.kind is Kind.WRONG and (harmless or any(frame.is_wrong for frame in frames)):
            verdict = Verdict(Kind.UNKNOWN)  # what follows from a wrong number is not wrong for a reason of its own
        frames.append(_frame(change, verdict, boxes))
    frames.append(_end(frames, judge, raised, cut=len(changes) > MOST_FRAMES))
    return Film(title, tuple(boxes), tuple(data), (0.0,) * len(boxes), tuple(frames))


def _start(boxes: Sequence[Box], data: Sequence[Held]) -> Frame:
    """Return the state before the pass, which is wrong if a value is."""
    for place, (box, held) in enumerate(zip(boxes, data, strict=True)):
        if held is not None and box.value is not None and not close(held, box.value):
            says = f"{box.name} = {box.formula} is {number(held)}; {number(box.value)} was expected."
            return Frame(says, place=place, attribute=DATA, after=held, expected=box.value, is_wrong=True)
    return Frame("All values are computed, and no gradient has been passed on yet.")


def _frame(change: Change, verdict: Verdict, boxes: Sequence[Box]) -> Frame:
    frame = Frame("", change.line, change.place, change.attribute, change.after, verdict.arrows, file=change.file)
    if verdict.kind is Kind.WRONG:
        return replace(frame, says=verdict.why, expected=verdict.expected, is_wrong=True)
    name = boxes[change.place].name
    before, after = number(change.before), number(change.after)
    if verdict.kind is Kind.SEED:
        return replace(frame, says=f"The output changes as fast as itself: the gradient of {name} is 1.")
    if verdict.kind is Kind.CLEARED:
        return replace(frame, says=f"The gradient of {name} is set to {after}.")
    if verdict.kind is Kind.UNKNOWN:
        return replace(frame, says=f"The {_word(change)} of {name} goes from {before} to {after}.")
    return replace(frame, says=_shares(change, verdict, boxes))


def _word(change: Change) -> str:
    return "value" if change.attribute == DATA else "gradient"


def _shares(change: Change, verdict: Verdict, boxes: Sequence[Box]) -> str:
    """Return the chain rule in numbers, such as `1 + 3 · 1 = 4`, and whose gradient is passed on."""
    arrows = [arrows_of(boxes)[i] for i in verdict.arrows]
    names = " and ".join(dict.fromkeys(boxes[arrow.child].name for arrow in arrows))
    terms = [f"{number(arrow.slope, 4)} · {number(boxes[arrow.child].gradient, 4)}" for arrow in arrows]
    if change.before:
        terms.insert(0, number(change.before, 4))
    verb = "passes its gradient" if len({arrow.child for arrow in arrows}) == 1 else "pass their gradients"
    to = boxes[change.place].name
    return f"{names} {verb} on to {to}, times the local derivative: {total(terms)} = {number(change.after, 4)}."


def _end(frames: Sequence[Frame], judge: Judge, raised: str, *, cut: bool) -> Frame:
    if cut:
        return Frame(f"The film ends here, after {MOST_FRAMES} changes; the pass went on.")
    if raised:
        return Frame(raised, is_wrong=not any(frame.is_wrong for frame in frames))
    if any(frame.is_wrong for frame in frames):
        return Frame("The pass is over. What followed the first wrong step rests on it.")
    missing = judge.missing()
    if missing:
        place, verdict = missing
        held = judge.held[place]
        return Frame(verdict.why, 0, place, GRAD, held, verdict.arrows, verdict.expected, is_wrong=True)
    return Frame("The pass is over: every input has its gradient.")
