"""A module's names are what the configuration declares, and so is what its functions return."""

import json

import numpy as np
import pytest

from autograder.errors import MisuseError
from autograder.interface import RemoteInterface
from autograder.remote.declared import check_name, check_returned, check_shape, with_article
from autograder.wire import format as wire

from ..support.course import make_course


class Remote:
    """Stands for a remote object, which looks its attributes up in the worker: here, that is a failure."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise LookupError(f"the worker was asked for {name}")


INTERFACE = RemoteInterface(file="engine.py", classes=("Value",), returns={"grad": "list of object"}, max_elements=1000)


@pytest.mark.parametrize(("name", "kind"), [("Value", wire.CLASS), ("grad", wire.CALLABLE), ("other", wire.OTHER)])
def test_what_is_declared_is_taken(name, kind):
    check_name(name, kind, INTERFACE)


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("Value", wire.CALLABLE, "`Value` must be a class; in engine.py it is a function"),
        ("Value", wire.OTHER, "`Value` must be a class; in engine.py it is neither a class nor a function"),
        ("grad", wire.CLASS, "`grad` must be a function; in engine.py it is a class"),
    ],
)
def test_a_name_of_another_kind_is_refused_in_words(name, kind, says):
    with pytest.raises(MisuseError, match=f"^{says}$"):
        check_name(name, kind, INTERFACE)


@pytest.mark.parametrize(
    ("value", "declared"),
    [
        (1, "number"),
        (2.5, "number"),
        (np.float64(7.5), "number"),
        (np.zeros(())[()], "number"),
        (True, "flag"),
        (None, "nothing"),
        ("agrees", "text"),
        (np.zeros(3), "array"),
        (np.zeros(3), "number | array"),
        ([1, 2.0], "list of number"),
        ([], "list of object"),
        ({"w": np.zeros(2)}, "dict of array"),
        ((1.0, {"w": np.zeros(2)}), ("number", "dict of array")),
        ([Remote()], "list of object"),
    ],
)
def test_a_value_of_the_declared_kind_is_taken(value, declared):
    check_returned(value, declared, "f", Remote)


@pytest.mark.parametrize(
    ("value", "declared"),
    [
        (True, "number"),
        ("a" * 4096, "number"),
        ("a" * 4096, "object"),
        (np.zeros((1500, 1)), "number"),
        (np.zeros(1), "number"),
        (None, "array"),
        ([1, "2"], "list of number"),
        ((1.0, 2.0, 3.0), ("number", "number")),
        (1.0, ("number", "number")),
        ({"w": 1.0}, "dict of array"),
        ([np.zeros(2)], "dict of array"),
        (Remote(), "array"),
        (Remote(), "number | text"),
    ],
)
def test_a_value_of_another_kind_is_refused(value, declared):
    with pytest.raises(MisuseError, match=r"^`f` must return an? "):
        check_returned(value, declared, "f", Remote)


@pytest.mark.parametrize("shape", [(), (1000,), (10, 100), (0, 1000)])
def test_an_array_of_a_size_that_may_come_back_is_taken(shape):
    check_shape(shape, INTERFACE)


@pytest.mark.parametrize("shape", [(1001,), (1, 1500), (0, 1 << 31), (2,) * 10])
def test_an_array_that_is_larger_is_refused(shape):
    with pytest.raises(MisuseError, match="at most"):
        check_shape(shape, INTERFACE)


TEXT = "def double(x):\n    return 'a' * 4096\n"
DOUBLING = "    y = doubling.double(2)\n    for _ in range(13):\n        y = y + y\n    assert len(str(y)) < 5\n"


@pytest.mark.parametrize(("declared", "status"), [(True, "returns"), (False, "assertion")])
def test_a_function_whose_text_a_test_would_double_is_refused_where_it_came_back(tmp_path, declared, status):
    """The control: without the declaration the test doubles the text thirteen times, to 32 MiB."""
    course = make_course(tmp_path)
    course.edit("tests_public/test_double.py", "    assert doubling.double(2) == 4\n", DOUBLING)
    if declared:
        course.edit("pyproject.toml", 'file = "doubling.py"', 'file = "doubling.py"\nreturns = { double = "number" }')
    (tmp_path / "handed").mkdir()
    (tmp_path / "handed/doubling.py").write_text(TEXT, "utf-8")
    answer = course.run("grade", str(tmp_path / "handed"))
    assert ("`double` must return a number; it returned a str" in answer.stdout) is declared


def test_a_kind_that_nobody_knows_is_an_error_of_the_configuration(tmp_path):
    course = make_course(tmp_path)
    course.edit("pyproject.toml", 'file = "doubling.py"', 'file = "doubling.py"\nreturns = { double = "numbr" }')
    answer = course.run("grade", str(tmp_path / "solution"))
    assert answer.returncode == 2
    assert "double = 'numbr': write number, flag, text" in answer.stderr


@pytest.mark.parametrize(
    "grows",
    ["y = y + y", "y = [y, y] * len(y)", "y = y.encode() * len(y); y = y.decode()"],
)
def test_what_grows_without_end_on_our_side_costs_that_test_alone(tmp_path, grows):
    course = make_course(tmp_path)
    course.edit(
        "tests_public/test_double.py",
        "    assert doubling.double(2) == 4\n",
        f"    y = doubling.double(2)\n    for _ in range(60):\n        {grows}\n    assert y == 4\n",
    )
    course.edit("pyproject.toml", "[tool.autograder]\n", "[tool.autograder]\nlimits = { grader_mb = 128 }\n")
    (tmp_path / "handed").mkdir()
    (tmp_path / "handed/doubling.py").write_text(
        "def double(x):\n    return 'a' * 4096 if x == 2 else x + x\n", "utf-8"
    )
    answer = course.run("grade", str(tmp_path / "handed"), "--json")
    statuses = {test["extra_data"]["id"]: test["extra_data"]["status"] for test in json.loads(answer.stdout)["tests"]}
    assert statuses["public/test_double.py::test_double"] in ("errored", "timed_out")
    assert statuses["hidden/test_negative.py::test_double_of_a_negative"] == "passed"


@pytest.mark.parametrize(("noun", "shown"), [("int", "an int"), ("float", "a float"), ("Value", "a Value")])
def test_a_type_is_named_with_its_article(noun, shown):
    assert with_article(noun) == shown
