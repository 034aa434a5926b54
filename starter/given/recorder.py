"""Given: writes down what a test does with your values, for `pytest --diagnose`."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .reasoning.program import BINARY, LEAF, UNARY, UNKNOWN, Node, Operand, Place, TracedProgram, symbol
from .reasoning.raised import Halt

MOST = 2_000  # values of a test that are written down
NUMBERS = (int, float)
METHODS = (*(f"__{name}__" for name in (*BINARY, "neg")), *UNARY[1:], "backward")
REFLECTED = tuple(f"__r{name}__" for name in BINARY if name != "pow")
IN_PLACE = tuple(f"__i{name}__" for name in BINARY)
UNSUPPORTED = re.compile(r"unsupported operand type\(s\) for (\S+?)(?: or pow\(\))?=?: '(\w+)' and '\w+'")
NO_METHOD = re.compile(r"'\w+' object has no attribute '(\w+)'")


class Recorder:
    """Writes down what a test does with the values of one module."""

    def __init__(self, module: ModuleType) -> None:  # given
        """Watch the class `Value` of `module`."""
        self.module, self.value = module, module.Value
        self.Value = self.watched("Value", self.value)  # for a test, it stands for the class
        self.nodes: list[Node] = []
        self.objects: list[Any] = []  # what each node gave
        self.places: dict[int, Place] = {}  # of each object, by its identity
        self.outputs: list[Place] = []  # where backward() was called
        self.touched = False  # the test itself set a number
        self.halted: Halt | None = None
        self.depth = 0  # operators that call one another count as one
        self.own = dict(vars(self.value))
        self.patched: list[str] = []

    def __getattr__(self, name: str) -> Any:  # given
        """Return what the module holds: for a test, this is the module."""
        return getattr(self.module, name)

    @property
    def program(self) -> TracedProgram:  # given
        """Return what was written down."""
        return TracedProgram(tuple(self.nodes), tuple(self.outputs), self.touched)

    def __enter__(self) -> Recorder:  # given
        """Begin to watch."""
        for name in (*METHODS, *REFLECTED, *IN_PLACE):
            method = getattr(self.value, name, None)
            if method is not None:
                self.patch(name, self.watched(name.strip("_"), method))
        self.patch("__setattr__", self.watched_setting(self.value.__setattr__))
        return self

    def __exit__(self, *_: object) -> None:  # given
        """Leave the class as it was."""
        for name in self.patched:
            if name in self.own:
                setattr(self.value, name, self.own[name])
            else:
                delattr(self.value, name)

    def patch(self, name: str, method: Callable[..., Any]) -> None:  # given
        """Put `method` in the place of one of the class."""
        setattr(self.value, name, method)
        self.patched.append(name)

    def watched(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:  # given
        """Return the method, but written down whenever the test itself calls it."""

        def watching(*operands: Any, **named: Any) -> Any:  # given
            if self.depth or self.halted or len(self.nodes) > MOST:
                return method(*operands, **named)
            self.depth += 1
            try:
                result = method(*operands, **named)
            except BaseException as problem:
                self.halted = halt_of(name, operands, problem)
                raise
            finally:
                self.depth -= 1
            if result is not NotImplemented:
                self.note(name, operands, result, usual=not named)
            return result

        return watching

    def watched_setting(self, method: Callable[..., None]) -> Callable[..., None]:  # given
        """Return `__setattr__`, but with a note if the test itself calls it."""

        def setting(this: Any, name: str, value: Any) -> None:  # given
            self.touched = self.touched or not self.depth
            method(this, name, value)

        return setting

    def note(self, name: str, operands: tuple[Any, ...], result: Any, *, usual: bool) -> None:  # given
        """Write one step down."""
        if name == "backward":
            if id(operands[0]) in self.places:
                self.outputs.append(self.places[id(operands[0])])
            return
        if name == "Value":
            known = usual and len(operands) == 1 and type(operands[0]) in NUMBERS
            self.add(LEAF if known else UNKNOWN, operands if known else (), result)
            return
        plain, reflected, in_place = parts(name)
        steps = [self.operand(each) for each in (operands[::-1] if reflected else operands)]
        known = usual and None not in steps and len(steps) == (2 if plain in BINARY else 1)
        if plain == "pow":
            known = known and type(steps[0]) is Place and type(steps[1]) is not Place
        self.add(plain if known else UNKNOWN, tuple(each for each in steps if each is not None), result, in_place)

    def operand(self, each: Any) -> Operand | None:  # given
        """Return a value as its place and a number as it is; None for anything else."""
        if id(each) in self.places:
            return self.places[id(each)]
        return each if type(each) in NUMBERS and abs(each) < float("inf") else None

    def add(self, name: str, operands: tuple[Operand, ...], result: Any, in_place: bool = False) -> None:  # given
        """Append a node."""
        place = Place(len(self.nodes))
        self.nodes.append(Node(place, name, () if name == UNKNOWN else operands, int(place), in_place))
        self.objects.append(result)
        if isinstance(result, self.value):
            self.places[id(result)] = place

    def halt(self, problem: BaseException) -> Halt | None:  # given
        """Return the step of the test that raised: one of your methods, or an operator that has none."""
        if self.halted is not None or not isinstance(problem, (TypeError, AttributeError)):
            return self.halted
        kind, message = type(problem).__name__, str(problem)
        if found := UNSUPPORTED.match(message):
            name = next((name for name in BINARY if symbol(name) == found[1]), "")
            reflected = found[2] in ("int", "float", "bool")
            return Halt(kind, message, f"__r{name}__" if reflected else symbol(name), reflected) if name else None
        if message.startswith("bad operand type for unary -"):
            return Halt(kind, message, symbol("neg"))
        found = NO_METHOD.match(message)
        return Halt(kind, message, found[1]) if found and found[1] in METHODS else None


def parts(name: str) -> tuple[str, bool, bool]:  # given
    """Return the operation of a method, whether the operands stand the other way round, and whether it is in place."""
    for letter in ("r", "i"):
        if name[0] == letter and name[1:] in BINARY:
            return name[1:], letter == "r", letter == "i"
    return name, False, False


def halt_of(name: str, operands: tuple[Any, ...], problem: BaseException) -> Halt:  # given
    """Return what is known of a step that raised."""
    plain, reflected, _ = parts(name)
    subject = f"__r{plain}__" if reflected else symbol(plain)
    builtin = next(kind.__name__ for kind in type(problem).__mro__ if kind.__module__ == "builtins")
    number = any(type(each) in NUMBERS for each in operands)
    return Halt(builtin, str(problem), subject, reflected, number, innermost(problem))


def innermost(problem: BaseException) -> str:  # given
    """Return the name of the function that raised."""
    trace, name = problem.__traceback__, ""
    while trace is not None:
        name, trace = trace.tb_frame.f_code.co_name, trace.tb_next
    return name
