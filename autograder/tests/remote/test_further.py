"""What is worth no points costs no points: parts that are missing, untouched, slow, or made of arrays."""

import json
from typing import Any

import pytest

from autograder.errors import MisuseError
from autograder.interface import RemoteInterface
from autograder.remote.proxy import arrived
from autograder.wire import format as wire

from ..support.course import RIGHT, make_course

NOWHERE: Any = None  # a tape that nothing is asked of
CONFIGURATION = """
[tool.autograder.modules.matrices]
file = "matrices.py"
scored = false
arrays = "numpy"
packages = ["numpy.typing"]

[tool.autograder.limits]
request_seconds = 1
submission_seconds = 2
"""

FURTHER = """
import pytest

pytestmark = pytest.mark.unscored


def test_triple(extra):
    assert extra.triple(2) == 6


def test_quadruple(extra):
    assert extra.quadruple(2) == 8


def test_quintuple(extra):
    assert extra.quintuple(2) == 10
"""

MATRICES = """
import importlib

import pytest

pytestmark = pytest.mark.unscored


@pytest.fixture
def np(matrices):
    return importlib.import_module("numpy")


def test_product(np, matrices):
    product = matrices.product(np.array([[1.0, 2.0]]), {"b": np.array([[3], [4]])})
    assert product.dtype == np.float64
    assert product.tolist() == [[11.0]]


def test_mean(np, matrices):
    assert matrices.mean(np.array([1.0, 2.0, 6.0])) == 3.0


def test_large_array(np, matrices):
    assert matrices.product(np.ones((400, 1)), {"b": np.ones((1, 500))}).sum() == 200_000


def test_function_of_an_array(np, matrices):
    assert matrices.applied(matrices.mean, np.array([2, 4])) == 3.0


def test_array_where_a_number_belongs(extra):
    assert extra.number() == 0.0
"""

TRIPLE = "def triple(x):\n    return 3 * x\n"
PRODUCT = """
import numpy as np
from numpy.typing import NDArray

def product(a: NDArray, named):
    return a @ named["b"]

def mean(a):
    return a.mean()

def applied(f, a):
    return f(a)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a course with two modules that are worth no points."""
    course = make_course(tmp_path_factory.mktemp("course"))
    with (course.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(CONFIGURATION)
    course.edit("pyproject.toml", 'imports = ["math"]', 'imports = ["math", "sys"]')
    (course.root / "tests_public/test_further.py").write_text(FURTHER, "utf-8")
    (course.root / "tests_public/test_matrices.py").write_text(MATRICES, "utf-8")
    assert course.run("manifest").returncode == 0
    return course


@pytest.fixture
def graded(course, tmp_path):
    """Return a function that grades files, and answers with the score and each test's status by name."""

    def grade(**files):
        for name, text in {"doubling": RIGHT, **files}.items():
            (tmp_path / f"{name}.py").write_text(text, "utf-8")
        answer = course.run("grade", str(tmp_path), "--json")
        assert answer.returncode == 0, answer.stderr
        results = json.loads(answer.stdout)
        score = sum(test.get("score", 0) for test in results["tests"])
        untouched = {
            test: {"extra_data": {"status": "not_attempted"}} for test in results["extra_data"]["not_attempted"]
        }
        ran = {test["extra_data"]["id"]: test for test in results["tests"]}
        return score, {test.rpartition("::")[2]: entry for test, entry in (untouched | ran).items()}

    return grade


def statuses(tests, *names):
    return [tests[name]["extra_data"]["status"] for name in names]


def test_a_part_without_its_file_is_not_attempted(graded):
    score, tests = graded()
    assert score == 4
    assert set(statuses(tests, "test_triple", "test_quadruple", "test_product", "test_mean")) == {"not_attempted"}


def test_a_task_that_is_untouched_or_absent_is_not_attempted(graded):
    score, tests = graded(extra=TRIPLE + 'def quadruple(x):\n    raise NotImplementedError("task 3.1")\n')
    assert score == 4
    assert statuses(tests, "test_triple", "test_quadruple", "test_quintuple") == [
        "passed",
        "not_attempted",
        "not_attempted",
    ]


def test_a_part_that_is_wrong_fails_and_costs_nothing(graded):
    score, tests = graded(extra="def triple(x):\n    return x\n")
    assert score == 4
    assert statuses(tests, "test_triple") == ["failed"]


def test_the_time_of_unscored_tests_is_their_own(graded):
    loops = "".join(f"def {name}(x):\n    while True:\n        pass\n" for name in ("triple", "quadruple", "quintuple"))
    score, tests = graded(extra=loops)
    assert score == 4  # the hidden test comes after them, and the submission's time is shorter than theirs
    assert statuses(tests, "test_triple", "test_quintuple") == ["timed_out", "blocked"]


def test_arrays_cross_by_value(graded):
    _, tests = graded(matrices=PRODUCT)
    assert (
        statuses(tests, "test_product", "test_mean", "test_large_array", "test_function_of_an_array") == ["passed"] * 4
    )


def test_an_array_may_not_come_from_another_module(graded):
    source = "import matrices\n\ndef number():\n    return matrices.np.zeros(2)\n"
    _, tests = graded(matrices=PRODUCT, extra=source)
    assert "extra.py returned an array" in tests["test_array_where_a_number_belongs"]["output"]


def test_only_the_modules_of_arrays_may_import_numpy(graded):
    score, tests = graded(matrices=PRODUCT, doubling="import numpy\n" + RIGHT)
    assert score == 0
    assert statuses(tests, "test_double") == ["errored"]


def test_a_product_that_numpy_would_spread_over_threads_works(graded):  # threat 79
    large = "import numpy\n\nassert (numpy.ones((600, 600)) @ numpy.ones((600, 600)))[0, 0] == 600\n"
    _, tests = graded(matrices=PRODUCT + large)
    assert {test["status"] for name, test in tests.items() if "product" in name} == {"passed"}


@pytest.mark.parametrize(("files", "status"), [({}, "passed"), ({"matrices": PRODUCT}, "failed")], ids=["none", "one"])
def test_numpy_is_loaded_only_beside_a_module_of_arrays(graded, files, status):
    source = "import sys\n\ndef double(x):\n    return None if 'numpy' in sys.modules else x + x\n"
    _, tests = graded(doubling=source, **files)
    assert statuses(tests, "test_double") == [status]


@pytest.mark.parametrize(
    ("shape", "data"), [((3,), bytes(8)), ((1 << 31, 1 << 31), bytes(8)), ((1,), bytes(7))], ids=["few", "huge", "torn"]
)
def test_an_array_whose_shape_does_not_fit_is_refused(shape, data):
    interface = RemoteInterface(file="matrices.py", arrays="numpy")
    with pytest.raises(MisuseError, match="shape"):
        arrived(NOWHERE, interface, wire.Array("float64", shape, data), "product")


def test_a_file_for_the_students_machine_is_not_collected(tmp_path):
    course = make_course(tmp_path)
    (tmp_path / "tests_public/test_local.py").write_text("raise SystemExit('no torch here')\n", "utf-8")
    course.edit("pyproject.toml", "points = 3\n", 'points = 3\nlocal_only = ["test_local.py"]\n')
    assert course.run("grade", str(tmp_path / "solution")).returncode == 0


def test_a_local_file_that_does_not_exist_is_named(tmp_path):
    course = make_course(tmp_path)
    course.edit("pyproject.toml", "points = 3\n", 'points = 3\nlocal_only = ["test_locl.py"]\n')
    answer = course.run("manifest")
    assert answer.returncode == 2
    assert "tests_public/test_locl.py, named in local_only, does not exist" in answer.stderr
