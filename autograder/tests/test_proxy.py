"""A remote object computes like the student's, and refuses what would hand an expected value over."""

import math
import operator
import types

import pytest
from pytest import approx

from autograder import wire
from autograder.assignment import RemoteInterface
from autograder.errors import MisuseError, RemoteError, WorkerCrash
from autograder.proxy import RemoteModule
from autograder.reader import decode_reply
from autograder.tape import Tape
from autograder.worker import Worker

from .attacks import RIGHT

INTERFACE = RemoteInterface(
    file="engine.py", numbers=("data", "grad"), deferred=("operators", "tanh", "exp", "backward")
)
MORE = """
class Odd:
    truth, text, nothing, pair, huge = True, "1.0", None, (1, [2.0]), 10 ** 400
    data = True

    def __call__(self):
        return 5


def double(number):
    return 2 * number


def fail(message):
    raise LookupError(message)


LIMIT = 3
"""


class Near:
    """A worker in this process: it answers as the real one does, and counts how often it was asked."""

    def __init__(self, source):
        self._progress = bytearray(8)
        self._worker, self._sequence, self.requests = Worker("/", [], self._progress), 0, []
        module = types.ModuleType("engine")
        exec(source, vars(module))
        self._worker._objects[1] = module
        self.names = {name: self._kind(value) for name, value in vars(module).items() if not name.startswith("__")}
        self.crash: Exception | None = None

    @staticmethod
    def _kind(value):
        return wire.CLASS if isinstance(value, type) else wire.CALLABLE if callable(value) else wire.OTHER

    def exchange(self, operations, seconds):
        self._sequence += 1
        self.requests.append(operations)
        if self.crash is not None:
            raise self.crash
        return decode_reply(wire.LENGTH.pack(self._sequence) + self._worker.answer(operations), self._sequence)

    @property
    def position(self):
        return int.from_bytes(self._progress[0:4], "little")


@pytest.fixture
def near():
    return Near(RIGHT + MORE)


@pytest.fixture
def tape(near):
    return Tape(near, lambda: 1.0)


@pytest.fixture
def engine(tape, near):
    return RemoteModule(tape, INTERFACE, 1, near.names)


# --- what it does


def test_operators_and_methods_compute_over_there(engine):
    x, y = engine.Value(3.0), engine.Value(2.0)
    z = (x * y + x).tanh()
    z.backward()
    assert z.data == approx(math.tanh(9.0))
    assert x.grad == approx(3 * (1 - math.tanh(9.0) ** 2))


def test_operations_wait_until_a_number_is_read(engine, near):
    x = engine.Value(3.0)
    y = x * x + x
    y.backward()
    assert near.requests == []
    assert [y.data, x.grad] == [12.0, 7.0]


def test_an_attribute_can_be_set(engine):
    x = engine.Value(3.0)
    x.grad = 1.5
    assert x.grad == 1.5


def test_a_function_of_the_module_returns_a_plain_value(engine):
    assert engine.double(4) == 8


def test_a_constant_of_the_module_is_a_plain_value(engine):
    assert engine.LIMIT == 3


@pytest.mark.parametrize(("name", "value"), [("truth", True), ("text", "1.0"), ("nothing", None), ("pair", (1, [2.0]))])
def test_other_attributes_arrive_with_their_types(engine, name, value):
    assert getattr(engine.Odd(), name) == value


# --- what it refuses

OTHER = object()
REFUSED = {
    "==": lambda x: x == 1.0,
    "!=": lambda x: x != 1.0,
    "== approx": lambda x: x == approx(1.0),
    "approx ==": lambda x: approx(1.0) == x,
    "<": lambda x: x < 1.0,
    ">=": lambda x: x >= 1.0,
    "max": lambda x: max(x, 1.0),
    "bool": bool,
    "if": lambda x: 1 if x else 0,
    "not": operator.not_,
    "float": float,
    "int": int,
    "complex": complex,
    "index": lambda x: [1][x],
    "round": round,
    "math.tanh": math.tanh,
    "math.isclose": lambda x: math.isclose(x, 1.0),
    "hash": hash,
    "set": lambda x: {x},
    "iter": list,
    "in": lambda x: 1.0 in x,
    "in a list": lambda x: x in [1.0, 2.0],
    "len": len,
    "unpacking": lambda x: [*x],
}


@pytest.mark.parametrize("use", REFUSED.values(), ids=REFUSED.keys())
def test_what_would_tell_the_expected_value_is_refused_here(use, engine, near):
    x = engine.Value(1.0)
    with pytest.raises(TypeError, match=r"read a plain number of it, such as \.data"):
        use(x)
    assert near.requests == []


@pytest.mark.parametrize("value", [1j, {1.0}, b"1", OTHER, lambda: 1, (1.0).__add__, range(3), float])
def test_only_plain_values_cross(value, engine, near):
    with pytest.raises(MisuseError, match="may not cross"):
        engine.Value(value)
    assert near.requests == []


def test_a_number_that_is_none_is_a_misuse(engine):
    with pytest.raises(MisuseError, match=r"`\.data` is a bool; it must be a plain float or int"):
        _ = engine.Odd().data


def test_an_integer_beyond_the_wire_is_no_plain_value(engine):
    x = engine.Value(1.0)
    x.grad = engine.Odd().huge
    with pytest.raises(MisuseError, match="must be a plain float or int"):
        _ = x.grad


def test_an_unknown_name_is_an_attribute_error(engine):
    with pytest.raises(AttributeError, match=r"engine\.py defines no Tensor"):
        _ = engine.Tensor


@pytest.mark.parametrize("name", ["__wrapped__", "__array__", "__float__", "__dict__"])
def test_names_of_pythons_protocols_are_not_looked_up_over_there(name, engine, near):
    with pytest.raises((AttributeError, TypeError)):
        getattr(engine.Value(1.0), name)(1) if name == "__float__" else getattr(engine.Value(1.0), name)
    assert near.requests == []


# --- errors


def failing_line(problem):
    """Return the number of the innermost line of this file in a traceback."""
    return [entry.lineno + 1 for entry in problem.traceback if str(entry.path) == __file__][-1]


def test_a_queued_error_points_at_the_line_that_queued_it(engine):
    x = engine.Value(800.0)
    y = x.exp()  # math range error, found out below
    with pytest.raises(RemoteError) as problem:
        _ = (y + x).data
    assert problem.value.kind == "OverflowError"
    assert problem.value.operation == "`exp`"
    assert failing_line(problem) == test_a_queued_error_points_at_the_line_that_queued_it.__code__.co_firstlineno + 2


def test_a_remote_error_is_the_builtin_that_it_was(engine):
    with pytest.raises(OverflowError, match="math range error"):
        _ = engine.Value(800.0).exp().data
    with pytest.raises(RemoteError):
        _ = engine.Value(800.0).data


def test_an_error_of_a_family_keeps_its_message(engine):
    with pytest.raises(LookupError, match=r"^LookupError: not there$"):
        engine.fail("not there")


def test_after_an_error_nothing_more_is_asked(engine, near):
    x = engine.Value(1.0)
    with pytest.raises(LookupError):
        engine.fail("first")
    asked = len(near.requests)
    with pytest.raises(LookupError, match="first"):
        _ = x.data
    assert len(near.requests) == asked


def test_a_crash_names_the_operation_that_was_under_way(engine, near):
    x = engine.Value(0.5)
    _ = x.data
    near.crash = WorkerCrash("the worker's process ended")
    with pytest.raises(WorkerCrash) as problem:
        _ = x.tanh().data
    assert problem.value.operation == "`tanh`"
