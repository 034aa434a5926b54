"""Given: the graph and the film of an expression, with the numbers of your engine and its lines as they ran."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from .expression import UnreadableError, numbers_of, steps_of
from .film.drawing import svg_of
from .film.excerpt import excerpt_of
from .film.frames import Film, film_of
from .film.graph import DATA, GRAD, Box, Change, Held, number, total
from .film.page import page_of
from .line_trace import DATA as VALUE
from .line_trace import LineTrace
from .steps import Step, gradient_of, values_of

ASSETS = Path(__file__).parent / "film"
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "·": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
    "abs": abs,
}
EXAMPLE = ("a*a + a", "a=3")


class Run:
    """One run of your engine over the steps of an expression, and then backwards, under the line trace."""

    def __init__(self, engine: ModuleType, steps: Sequence[Step]) -> None:  # given
        """Compute the steps and the gradients."""
        self.values: list[Any] = []
        self.problem: BaseException | None = None
        file = engine.__file__ or ""
        trace = LineTrace({file: Path(file).name})
        actions = [*[self.forward(engine, step) for step in steps], self.backward]
        _, rows = trace.log(self.perform, actions)
        inside = [row for row in rows if row[2] < len(steps)]
        made = {row[2]: row[5] for row in inside if row[3] == VALUE and row[4] is None}
        self.data: list[Held] = [made.get(place) for place in range(len(steps))]
        self.changes = [
            Change(line, place, DATA if which == VALUE else GRAD, before, after)
            for _, line, place, which, before, after in inside
            if which != VALUE or before is not None
        ]

    def forward(self, engine: ModuleType, step: Step) -> Callable[[], Any]:  # given
        """Return what computes one step."""

        def computing() -> Any:  # given
            operands = [self.values[each[0]] if isinstance(each, tuple) else each for each in step.operands]
            if not step.sign:
                result = engine.Value(*operands)
            elif step.sign in OPERATORS:
                result = OPERATORS[step.sign](*[whole(each) for each in operands])
            else:
                result = getattr(operands[0], step.sign)()
            self.values.append(result)
            return result

        return computing

    def backward(self) -> None:  # given
        """Pass back from the last value."""
        self.values[-1].backward()

    def perform(self, action: Callable[[], Any]) -> Any:  # given
        """Perform one action; keep what it raises."""
        try:
            return action()
        except BaseException as problem:
            self.problem = problem
            raise

    @property
    def grads(self) -> list[Held]:  # given
        """Return the gradients after the pass."""
        held: list[Held] = [0.0] * len(self.data)
        for change in self.changes:
            if change.attribute == GRAD:
                held[change.place] = change.after
        return held


def whole(operand: Any) -> Any:  # given
    """Return a plain number without a fraction as an int: `a ** 2` and not `a ** 2.0`."""
    return int(operand) if type(operand) is float and operand.is_integer() else operand


def boxes_of(steps: Sequence[Step]) -> list[Box]:  # given
    """Return the steps with their right numbers: plain arithmetic, and central differences of it."""
    values = values_of(steps)
    boxes = []
    for place, step in enumerate(steps):
        uses = [(i, each[0]) for i, each in enumerate(step.operands) if isinstance(each, tuple)]
        slopes = tuple(step.slope(values, i) for i, _ in uses)
        operands = tuple(operand for _, operand in uses)
        gradient = gradient_of(steps, values, place)
        boxes.append(Box(step.name, formula(step, steps), operands, slopes, values[place], gradient))
    return boxes


def formula(step: Step, steps: Sequence[Step]) -> str:  # given
    """Return how a value is made: `a · a`."""
    shown = [steps[each[0]].name if isinstance(each, tuple) else number(each) for each in step.operands]
    if not step.sign:
        return shown[0]
    if step.sign == "neg":
        return f"-{shown[0]}"
    return f" {step.sign} ".join(shown) if len(shown) == 2 else f"{step.sign}({shown[0]})"


def read(arguments: Sequence[str]) -> tuple[list[Step], list[Box], str]:  # given
    """Return the steps, the boxes and the title of an expression and its numbers; end the program if it has none."""
    expression, *given = arguments or EXAMPLE
    try:
        steps = steps_of(expression, numbers_of(given))
        boxes = boxes_of(steps)
    except UnreadableError as problem:
        sys.exit(f"{problem}.")
    except (ArithmeticError, ValueError) as problem:
        sys.exit(f"`{expression}` has no value or no slope there: {problem}.")
    return steps, boxes, f"y = {expression}" + (f" at {', '.join(given)}" if given else "")


def run(engine: ModuleType, steps: Sequence[Step]) -> Run:  # given
    """Return the run of an expression, or raise what a task that is not written yet raises."""
    done = Run(engine, steps)
    if isinstance(done.problem, (NotImplementedError, KeyboardInterrupt)):
        raise done.problem
    if done.problem is not None and len(done.values) < len(steps):
        step = steps[len(done.values)]
        sys.exit(f"{step.name} = {formula(step, steps)}: your engine raises {raised(done.problem)}.")
    return done


def raised(problem: BaseException) -> str:  # given
    """Return an exception in a line."""
    return f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__


def film_page(engine: ModuleType, arguments: Sequence[str]) -> str:  # given
    """Return the page of the film of an expression."""
    steps, boxes, title = read(arguments)
    done = run(engine, steps)
    broke = f"The pass broke off: {raised(done.problem)}." if done.problem is not None else ""
    return page_of(with_source(film_of(title, boxes, done.data, done.changes, broke), engine), ASSETS)


def with_source(film: Film, engine: ModuleType, note: str = "") -> Film:  # given
    """Return the film with the lines of the engine's file that it is about, and a note above."""
    file = Path(engine.__file__ or "")
    source = file.read_text("utf-8-sig", "replace")
    lines = excerpt_of(source, {frame.line for frame in film.frames if frame.line})
    return replace(film.with_lines(file.name, lines), note=note)


def graph(engine: ModuleType, arguments: Sequence[str]) -> str:  # given
    """Return the graph of an expression as SVG, and below it how the first input gets its gradient."""
    steps, boxes, title = read(arguments)
    done = run(engine, steps)
    if done.problem is not None:
        sys.exit(f"backward() raises {raised(done.problem)}.")
    shares = [
        f"{number(slope, 4)} · {number(done.grads[place], 4)}"
        for place, box in enumerate(boxes)
        for operand, slope in zip(box.operands, box.slopes, strict=True)
        if operand == 0
    ]
    caption = f"gradient of {boxes[0].name}: {total(shares)} = {number(done.grads[0])}" if shares else ""
    return svg_of(boxes, done.data, done.grads, title, caption=caption)
