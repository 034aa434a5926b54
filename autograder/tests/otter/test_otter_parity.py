"""otter-grader, asking our grader by a built bundle, says of every test what our grader says itself.

`make otter` runs this in an environment of its own, where otter-grader is installed; `make test` does not collect it.
"""

import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from autograder.assignment import load_assignment
from autograder.bundle.otter import GRADER, generated, otter_members, questions
from autograder.bundle.zip_file import ZipMember, zip_bytes
from autograder.model import GradedTest
from autograder.tests.support.course import RIGHT, make_course
from autograder.verify.bank import load_bank

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)
# Ten mistakes of the bank: wrong numbers and orders, and what ends a grader that imports submissions. None hangs on the
# order of a set: where it does, two runs of a wrong engine differ, whoever grades.
MISTAKES = [
    "every-rule-overwrites",
    "tape-read-forwards",
    "relu-leaks",
    "rsub-swapped",
    "add-multiplies",
    "pow-missing",
    "exp-ends-the-process",
    "tanh-never-ends",
    "script-at-the-end",
    "syntax-error",
]
PATIENCE = 300  # seconds for one run: far above the time that a submission is given

COLLECT = """
import msgspec, sys
from pathlib import Path
from autograder.assignment import load_assignment
from autograder.suites.runner import collected_suites
with collected_suites(load_assignment(Path("."))) as suites:
    Path(sys.argv[1]).write_bytes(msgspec.json.encode(suites.tests))
"""
OTTER_RUN = """
import json, sys
from pathlib import Path
from otter.run import main  # what the command `otter run` calls
results = main(sys.argv[1], autograder=sys.argv[2], output_dir=sys.argv[3], no_logo=True)
cases = [case for question in results.results.values() for case in question.test_case_results]
found = [(case.passed, case.test_case.points, case.test_case.hidden, case.message) for case in cases]
Path(sys.argv[3], "cases.json").write_text(json.dumps(found), encoding="utf-8")
"""
OTTER = [sys.executable, "-m", "otter", "run"]


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)


@pytest.fixture(scope="session")
def members(tmp_path_factory):
    """Give the bundle's files and the ids of its cases, in otter's order."""
    file = tmp_path_factory.mktemp("collected") / "tests.json"
    run(sys.executable, "-c", COLLECT, str(file)).check_returncode()
    tests = msgspec.json.decode(file.read_bytes(), type=tuple[GradedTest, ...])
    return otter_members(ASSIGNMENT, tests), [test.id for question in questions(tests) for test in question.tests]


@pytest.fixture(scope="session")
def bundle(members, tmp_path_factory):
    """Give the zip that `otter generate` made."""
    file = tmp_path_factory.mktemp("bundle") / "autograder.zip"
    file.write_bytes(generated(members[0]))
    return file


@pytest.fixture(scope="module", params=["solution", "starter", *MISTAKES])
def submission(request, tmp_path_factory):
    """Give one engine as it is handed in."""
    file = tmp_path_factory.mktemp("submission") / "engine.py"
    if request.param == "starter":
        shutil.copy(ASSIGNMENT.starter_path / "engine.py", file)
        return file
    bank = load_bank(ASSIGNMENT)
    texts = {**bank.correct, **{mistake.name: bank.text(mistake) for mistake in bank.mistakes}}
    file.write_text(texts[request.param], encoding="utf-8")
    return file


def test_otter_says_of_every_test_what_our_grader_says(submission, bundle, members, tmp_path):
    run(sys.executable, "-c", OTTER_RUN, str(submission), str(bundle), str(tmp_path)).check_returncode()
    cases = dict(zip(members[1], json.loads((tmp_path / "cases.json").read_text("utf-8")), strict=True))
    content = json.loads(run(sys.executable, "-m", "autograder", "grade", str(submission), "--json").stdout)
    entries = {entry["extra_data"]["id"]: entry for entry in content["tests"] if "max_score" in entry}
    ours = {
        test: [entry["status"] == "passed", entry["max_score"], entry["visibility"] != "visible"]
        for test, entry in entries.items()
    }
    assert {test: case[:3] for test, case in cases.items()} == ours
    told = content["extra_data"]["imported"] * [entry.get("output", "") for entry in entries.values()]
    assert [text for text in told if text not in "".join(message for *_, message in cases.values())] == []


def test_the_same_files_give_the_same_zip_to_the_byte(members, bundle):
    assert generated(reversed(members[0])) == bundle.read_bytes()


def test_a_failure_to_grade_leaves_no_result_and_says_why(bundle, tmp_path):
    """A manifest is missing from the bundle, so that the grader refuses the suites."""
    with zipfile.ZipFile(bundle) as outer, zipfile.ZipFile(io.BytesIO(outer.read(f"files/{GRADER}"))) as inner:
        kept = [
            ZipMember(name, inner.read(name)) for name in inner.namelist() if not name.endswith("hidden/manifest.txt")
        ]
        others = [ZipMember(name, outer.read(name)) for name in outer.namelist() if name != f"files/{GRADER}"]
    (tmp_path / "broken.zip").write_bytes(zip_bytes([*others, ZipMember(f"files/{GRADER}", zip_bytes(kept))]))
    answer = run(*OTTER, str(ROOT / "solution/engine.py"), "-a", "broken.zip", cwd=tmp_path)
    assert answer.returncode != 0
    assert "nothing was graded" in answer.stderr
    assert "tests_hidden/manifest.txt does not name" in answer.stderr
    assert not (tmp_path / "results.json").exists()


def test_the_command_builds_what_the_command_otter_run_grades_with(tmp_path):
    course = make_course(tmp_path)
    (tmp_path / "solution/doubling.py").write_text(RIGHT.replace(":", ":  # task 1.1", 1), encoding="utf-8")
    course.run("starter")
    (tmp_path / "half.py").write_text("def double(x):\n    return abs(x + x)\n", encoding="utf-8")
    built = course.run("bundle", "otter")
    assert built.returncode == 0, built.stderr
    answer = run(*OTTER, str(tmp_path / "half.py"), "-a", str(tmp_path / "dist/otter.zip"), cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    tests = json.loads((tmp_path / "results.json").read_text("utf-8"))["tests"]
    assert {test["name"]: test["score"] for test in tests if "score" in test} == {
        "q1_public_double": 3,
        "q2_hidden_negative": 0,
    }
    assert "Negative numbers double too." in tests[-1]["output"]
