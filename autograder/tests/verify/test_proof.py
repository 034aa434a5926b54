"""What was proved is proved again if anything that decides it has changed, and only then."""

import io
import shutil

import pytest

from autograder.assignment import load_assignment
from autograder.verify.bank import load_bank
from autograder.verify.proof import FOLDER, Proof
from autograder.verify.proving import proved, showing
from autograder.verify.trials import cases_of

from ..support.course import Course, make_course
from .test_verify import BANK

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def proved_course(tmp_path_factory):
    """A course with a bank, all of which was proved once."""
    root = tmp_path_factory.mktemp("proved")
    course = make_course(root)
    course.edit("pyproject.toml", 'solution = "solution"\n', 'solution = "solution"\nmistakes = "mistakes"\n')
    for name, text in {
        "solution/doubling.py": "def double(x):  # task 1.1\n    return x + x\n",
        "starter/doubling.py": 'def double(x):  # task 1.1\n    raise NotImplementedError("task 1.1")\n',
        "mistakes/arithmetic.toml": BANK,
        "mistakes/correct/product.py": "def double(x):\n    return 2 * x\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    prove(course)
    return course


@pytest.fixture
def course(proved_course, tmp_path):
    """The same, to be changed: where a course lies decides nothing."""
    shutil.copytree(proved_course.root, tmp_path, dirs_exist_ok=True)
    return Course(tmp_path)


def prove(course):
    """Prove the whole bank; return the trials."""
    assignment = load_assignment(course.root)
    return proved(assignment, cases_of(assignment, load_bank(assignment)), jobs=1)


def waiting(course):
    """Return the names of the engines that would be tried now."""
    assignment = load_assignment(course.root)
    proof = Proof(assignment)
    return [case.name for case in cases_of(assignment, load_bank(assignment)) if proof.trial(case) is None]


EVERYTHING = ["solution", "starter", "product", "triples", "never-negative", "never-zero"]


def test_what_did_not_change_is_not_tried_again(course):
    assert waiting(course) == []


def test_what_was_remembered_says_what_was_found(course):
    remembered = {trial.case.name: (trial.lost, trial.diagnoses) for trial in prove(course)}
    (course.root / FOLDER / "proof").unlink()
    assert {trial.case.name: (trial.lost, trial.diagnoses) for trial in prove(course)} == remembered


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tests_hidden/test_negative.py", "Negative numbers double too.", "Try a number below zero."),
        ("tests_hidden/test_negative.py", "import pytest\n", "import pytest  # the library of the tests\n\n"),
        (
            "mistakes/arithmetic.toml",
            'loses = ["test_double_of_zero"]',
            'loses = ["test_double_of_zero", "test_double"]',
        ),
        ("mistakes/arithmetic.toml", "The sign is lost.", "It forgets the sign."),
    ],
    ids=["the words of a hint", "a comment", "what a row says that it loses", "the words of a row"],
)
def test_what_no_engine_can_notice_changes_nothing(course, file, old, new):
    course.edit(file, old, new)
    assert waiting(course) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tests_hidden/test_negative.py", "double(-3) == -6", "double(-4) == -8"),
        ("tests_hidden/test_negative.py", "points(1)", "points(2)"),
        ("tests_hidden/test_negative.py", "def test_double_of_a_negative", "def test_double_of_minus_three"),
        ("pyproject.toml", 'name = "doubling"\n', 'name = "doubling"\nseed = 7\n'),
        ("solution/doubling.py", "x + x", "2 * x + 0"),
        ("starter/doubling.py", "task 1.1", "task 1.2"),
    ],
    ids=["an input", "points", "a test's name", "the seed", "the solution", "the starter"],
)
def test_what_decides_every_trial_lets_all_be_tried_again(course, file, old, new):
    edits = (course.root / "mistakes/arithmetic.toml").read_text("utf-8")
    course.edit(file, old, new)
    if file.startswith("solution"):
        (course.root / "mistakes/arithmetic.toml").write_text(edits.replace("x + x", "2 * x + 0", 1), "utf-8")
        course.edit("mistakes/arithmetic.toml", 'edits = [["x + x",', 'edits = [["2 * x + 0",')
    assert waiting(course) == EVERYTHING


def test_a_new_file_beside_the_tests_lets_all_be_tried_again(course):
    (course.root / "tests_hidden/data.csv").write_text("1,2\n", encoding="utf-8")
    assert waiting(course) == EVERYTHING


def test_another_python_or_package_lets_all_be_tried_again(course, monkeypatch):
    monkeypatch.setattr("autograder.verify.proof.metadata.version", lambda name: "0")
    assert waiting(course) == EVERYTHING


def test_an_engine_that_changed_is_tried_alone(course):
    course.edit("mistakes/arithmetic.toml", "max(x, 0)", "max(x, 1)")
    course.edit("mistakes/correct/product.py", "2 * x", "x * 2")
    assert waiting(course) == ["product", "triples"]


@pytest.mark.parametrize(
    "line",
    [
        "TEXT = open(__file__).read()",
        "import inspect",
        "from linecache import getline",
        "def hints(request): return request.node.get_closest_marker('hint')",
    ],
)
def test_a_suite_that_may_read_its_own_text_or_marks_is_compared_to_the_byte(course, line):
    course.edit("tests_public/test_double.py", "import pytest\n", f"import pytest\n{line}\n")
    prove(course)
    assert waiting(course) == []
    course.edit("tests_hidden/test_negative.py", "Negative numbers double too.", "Try a number below zero.")
    assert waiting(course) == EVERYTHING


def test_a_trial_with_a_gap_is_not_kept(course):
    course.edit("mistakes/correct/product.py", "2 * x", "abs(2 * x)")
    prove(course)
    assert waiting(course) == ["product"]


def test_a_row_that_a_kept_trial_does_not_bear_out_is_a_gap_at_once(course):
    course.edit("mistakes/arithmetic.toml", 'loses = ["test_double_of_zero"]', 'loses = ["test_double"]')
    answer = course.run("bundle", "gradescope")
    assert answer.returncode == 2
    assert "mistakes/arithmetic.toml:17: never-zero should lose public/test_double.py::test_double" in answer.stderr


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-1], lambda data: b"", lambda data: data[:40] + b"x" + data[41:]],
    ids=["cut off", "empty", "another byte"],
)
def test_a_damaged_file_proves_nothing(course, damage):
    file = course.root / FOLDER / "proof"
    file.write_bytes(damage(file.read_bytes()))
    assert waiting(course) == EVERYTHING


def test_a_file_that_changes_while_the_engines_are_tried_proves_nothing(course):
    assignment = load_assignment(course.root)
    done, proof = prove(course), Proof(assignment)
    (course.root / FOLDER / "proof").unlink()
    course.edit("tests_hidden/test_negative.py", "-3", "-4")
    proof.keep(done)
    course.edit("tests_hidden/test_negative.py", "-4", "-3")
    assert waiting(course) == EVERYTHING


def test_the_second_build_grades_nothing_and_says_so(course):
    (course.root / FOLDER / "proof").unlink()
    first, second = course.run("bundle", "gradescope"), course.run("bundle", "gradescope")
    assert "as in the last proof" not in first.stderr
    assert "6 of 6 engines as in the last proof: nothing changed" in second.stderr
    assert first.stdout == second.stdout


def test_git_is_told_to_leave_the_cache_alone(course):
    assert (course.root / FOLDER / ".gitignore").read_text("utf-8") == "*\n"


def test_a_terminal_shows_which_engine_is_proved(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    drawn = Terminal()
    monkeypatch.setattr("sys.stderr", drawn)
    with showing(["triples", "never-zero"]) as advance:
        before = drawn.getvalue()
        advance()
        between = drawn.getvalue().removeprefix(before)
        advance()
    assert "triples" in before
    assert "1/2" in between
    assert "never-zero" in between
    assert "2/2" in drawn.getvalue()
