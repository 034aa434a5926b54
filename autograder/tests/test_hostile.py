"""Every attack loses at most the tests that it breaks, reveals no hidden input, and ends with its submission.

Each is graded once, in a grader that stays; after it the same grader grades a correct engine.
"""

import base64
import re
import runpy
import shutil

import pytest

from autograder.sandbox import isolation

from .support.attacks import ASSIGNMENT, ATTACKS, RIGHT
from .support.lane import Lane

pytestmark = pytest.mark.slow

SECRETS = runpy.run_path(str(ASSIGNMENT / "tests_hidden/inputs.py"))
INPUTS = SECRETS["inputs"](7193)
LEVEL = isolation.strongest()
TESTS = [
    *(f"public/test_public.py::test_{name}" for name in ("sum", "reuse", "tanh")),
    *(f"hidden/test_hidden.py::test_{name}" for name in ("product", "tanh", "exp")),
]


def spellings(number):
    """Return the ways in which a submission might spell a number that it wants to reveal."""
    digits = re.sub(r"\D", "", repr(number))
    encoded = base64.b64encode(repr(number).encode()).decode().rstrip("=")[:12]
    return [repr(number), digits, digits[1:], number.hex()[4:], repr(number).replace(".", "p"), encoded, digits[:6]]


WORDS = [SECRETS["CANARY"], *(word for number in INPUTS for word in spellings(number))]


@pytest.fixture(scope="session")
def control(tmp_path_factory):
    folder = tmp_path_factory.mktemp("control")
    (folder / "engine.py").write_text(RIGHT, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def run(lane, control, tmp_path_factory):
    """Grade an attack, then a correct engine; once for all tests that ask."""
    known = {}

    def attacked(attack):
        if attack.needs > LEVEL:
            pytest.skip(f"only isolation {attack.needs.name} stops it; this machine gives {LEVEL.name}")
        if attack.name not in known:
            folder = attack.written_to(tmp_path_factory.mktemp("attack"))
            known[attack.name] = lane.grade(folder), lane.grade(control)
        return known[attack.name]

    return attacked


each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)


@each_attack
def test_an_attack_costs_what_it_breaks_and_earns_nothing(attack, run):
    graded, _ = run(attack)
    assert graded.failed == attack.failing(TESTS)
    assert graded.imported == (attack.expects not in ("no import", "refused"))


@each_attack
def test_the_next_submission_is_graded_as_ever(attack, run):
    _, following = run(attack)
    assert following.statuses == dict.fromkeys(TESTS, "passed")


@each_attack
def test_the_result_is_complete_and_keeps_the_contract(attack, run):
    graded, _ = run(attack)
    assert list(graded.statuses) == TESTS
    assert [entry["max_score"] for entry in graded.results["tests"] if "max_score" in entry] == [10.0] * 6
    assert graded.problems == []
    assert graded.complete


@each_attack
def test_nothing_hidden_is_told(attack, run):
    graded, following = run(attack)
    assert [word for word in WORDS if word in graded.shown + following.shown] == []


@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack.says], ids=lambda attack: attack.name)
def test_a_student_reads_what_happened(attack, run):
    graded, _ = run(attack)
    failed = sorted(graded.failed & set(TESTS[:3]))
    assert attack.says in (graded.output(failed[0]) if graded.imported else graded.results["output"])


@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack.flag], ids=lambda attack: attack.name)
def test_staff_are_told(attack, run):
    graded, _ = run(attack)
    assert attack.flag in graded.flags


def test_most_of_the_listed_threats_have_an_attack():
    assert len({threat for attack in ATTACKS for threat in attack.threats if 1 <= threat <= 90}) >= 70


TELLING = [attack for attack in ATTACKS if 46 in attack.threats]


@pytest.fixture(scope="session")
def other_lane(lane, tmp_path_factory):
    """A lane of the same tests with other hidden inputs, and the same environment."""
    folder = tmp_path_factory.mktemp("other") / "assignment"
    shutil.copytree(ASSIGNMENT, folder)
    file = folder / "pyproject.toml"
    file.write_text(file.read_text("utf-8").replace("seed = 7193", "seed = 2611"), encoding="utf-8")
    other = Lane(folder)
    yield other
    other.close()


@pytest.mark.parametrize("attack", TELLING, ids=lambda attack: attack.name)
def test_what_a_student_reads_is_the_same_for_other_hidden_inputs(attack, run, other_lane, tmp_path):
    graded, _ = run(attack)
    other = other_lane.grade(attack.written_to(tmp_path))
    assert graded.shown.replace(graded.digest, "") == other.shown.replace(other.digest, "")


def named(name):
    return next(attack for attack in ATTACKS if attack.name == name)


def test_no_submission_finds_what_another_one_left(lane, tmp_path):
    if named("t47_collect_what_was_left").needs > LEVEL:
        pytest.skip(f"only isolation STANDARD stops it; this machine gives {LEVEL.name}")
    lane.grade(named("t47_leave_inputs_behind").written_to(tmp_path))
    collected = lane.grade(named("t47_collect_what_was_left").written_to(tmp_path))
    assert "found nothing" in collected.output("public/test_public.py::test_tanh")
