"""Every exception that Python has comes home as what it was, from wherever the submission raised it."""

import builtins
import json

import pytest

from autograder.errors import RemoteError
from autograder.remote.errors import remote_error
from autograder.wire.format import RaisedError

from ..support.course import make_course

pytestmark = pytest.mark.slow

KINDS = sorted(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
ORDINARY = [kind for kind in KINDS if issubclass(getattr(builtins, kind), Exception)]
MADE = """
kind = {kind}
if issubclass(kind, getattr(__builtins__, "BaseExceptionGroup", ()) if not isinstance(__builtins__, dict) else
              __builtins__.get("BaseExceptionGroup", ())):
    problem = kind("several", [ValueError("one")])
else:
    problem = kind.__new__(kind)  # without the constructor: some want arguments of their own

class Mine(kind):
    def __init__(self, *_):
        pass
"""
PLACES = {  # where the submission raises
    "import": "raise problem\n",
    "operation": "def double(x):\n    raise problem\n",
    "repr": (
        "class Odd:\n    def __repr__(self):\n        raise problem\n    __str__ = __repr__\n\n"
        "def double(x):\n    raise ValueError(Odd())\n"
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_remote_error_is_made_of_every_builtin_exception_and_keeps_its_words(kind):
    error = remote_error(RaisedError(0, kind, "Mine", "text", ()))
    assert isinstance(error, RemoteError)
    assert (error.kind, str(error)) == (kind, "Mine: text")


@pytest.mark.parametrize("kind", ORDINARY)
def test_a_test_may_expect_the_builtin_that_was_raised(kind):
    with pytest.raises(getattr(builtins, kind)):
        raise remote_error(RaisedError(0, kind, kind, "", ()))


@pytest.fixture(scope="module", params=PLACES)
def results(request, tmp_path_factory):
    """The results of a class in which every submission raises another exception at one place."""
    folder = tmp_path_factory.mktemp("class")
    course = make_course(folder / "course")
    for kind in KINDS:  # an id may not begin with "_", as one of Python 3.13's kinds does
        (folder / "all" / f"raises-{kind}").mkdir(parents=True)
        text = MADE.format(kind=kind) + PLACES[request.param]
        (folder / "all" / f"raises-{kind}" / "doubling.py").write_text(text, "utf-8")
    answer = course.run("regrade", str(folder / "all"), "--out", str(folder / "out"), "--jobs", "2")
    assert answer.returncode == 0, answer.stderr
    files = {file.stem: json.loads(file.read_bytes()) for file in (folder / "out/results").glob("*.json")}
    return {kind: files[f"raises-{kind}"] for kind in KINDS}


def test_no_exception_of_a_submission_costs_it_its_result(results):
    scores = {kind: sum(test.get("score", 0) for test in content["tests"]) for kind, content in results.items()}
    assert scores == dict.fromkeys(KINDS, 0)


def test_nobody_reads_of_the_graders_own_constructors(results):
    told = {kind: json.dumps(content) for kind, content in results.items()}
    assert [kind for kind, text in told.items() if "required positional" in text or "takes exactly" in text] == []


def test_a_run_that_fails_on_our_side_leaves_no_provisional_zeros(tmp_path):
    course = make_course(tmp_path)
    results = tmp_path / "results.json"
    (tmp_path / "tests_hidden/manifest.txt").write_text("", "utf-8")
    answer = course.run("grade", str(tmp_path / "solution"), "--results", str(results))
    assert (answer.returncode, results.exists()) == (2, False)
