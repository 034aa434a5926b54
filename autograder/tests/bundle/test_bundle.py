"""The zips hold what they must and nothing else, and the same files give the same bytes."""

import io
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from textwrap import dedent

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import gradescope_members, handout_members
from autograder.bundle.lint import handout_problems, image_problems, zip_problems
from autograder.bundle.lock import absent_packages, lock_text
from autograder.bundle.wheel import grader_wheel
from autograder.bundle.zip_file import ZipMember, members_of, zip_bytes
from autograder.errors import AssignmentError

from ..support.course import Course, make_course

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)
SOLUTION = "def double(x):  # task 1.1\n    # ANSWER\n    twice_the_number = x + x\n    return twice_the_number\n"
STARTER = 'def double(x):  # task 1.1\n    raise NotImplementedError("task 1.1")\n'


@pytest.fixture
def course(tmp_path):
    """Give a course that is ready to be built."""
    course = make_course(tmp_path)
    (tmp_path / "solution/doubling.py").write_text(SOLUTION, encoding="utf-8")
    (tmp_path / "solution/README.md").write_text("Double numbers.\n", encoding="utf-8")
    shutil.copytree(tmp_path / "solution", tmp_path / "starter")
    (tmp_path / "starter/doubling.py").write_text(STARTER, encoding="utf-8")
    return course


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# Any zip.


def test_the_order_of_the_files_does_not_change_a_zip():
    members = [ZipMember("b", b"2"), ZipMember("a/c", b"1", executable=True)]
    assert zip_bytes(members) == zip_bytes(reversed(members))


def test_an_exec_bit_is_said_as_unix_reads_it():
    with zipfile.ZipFile(
        io.BytesIO(zip_bytes([ZipMember("run", b"", executable=True), ZipMember("text", b"")]))
    ) as archive:
        modes = {entry.filename: stat.filemode(entry.external_attr >> 16) for entry in archive.infolist()}
    assert modes == {"run": "-rwxr-xr-x", "text": "-rw-r--r--"}


def test_caches_and_hidden_files_stay_at_home(tmp_path):
    for name in ("kept.py", ".secret", "__pycache__/kept.pyc", ".git/config"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    assert members_of(tmp_path, "suite/") == [ZipMember("suite/kept.py", b"")]


def test_a_link_is_refused(tmp_path):
    (tmp_path / "oracle.py").symlink_to("/etc/hostname")
    with pytest.raises(AssignmentError, match=r"oracle\.py is a link"):
        members_of(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "wrong"),
    [
        ("../engine.py", b"", "would be unpacked outside the folder"),
        ("/engine.py", b"", "would be unpacked outside the folder"),
        ("deploy/id_ed25519", b"", "looks like a key or a password"),
        ("notes.txt", b"-----BEGIN OPENSSH PRIVATE KEY-----", "looks like a key or a password"),
    ],
)
def test_no_zip_holds_what_nobody_should_unpack(name, content, wrong):
    assert zip_problems(zip_bytes([ZipMember(name, content)]))[0].endswith(
        wrong + ("" if "out" in wrong else ": no zip may hold it")
    )


def test_two_files_whose_names_differ_in_capitals_alone_are_refused():
    assert "capitals aside" in zip_problems(zip_bytes([ZipMember("Engine.py", b""), ZipMember("engine.py", b"")]))[0]


# The zip for Gradescope.


def image(**changes):
    """Return a zip with the scripts, each as `changes` say: (content, exec bit) or None."""
    sound = {
        "setup.sh": (b"#!/bin/sh\n", True),
        "run_autograder": (b"#!/bin/sh\n", True),
        "pyproject.toml": (b"", False),
    }
    files = sound | {{"setup": "setup.sh", "run": "run_autograder"}[key]: value for key, value in changes.items()}
    return zip_bytes([ZipMember(name, *file) for name, file in files.items() if file])


@pytest.mark.parametrize(
    ("zip_", "problem"),
    [
        (image(setup=None), "setup.sh is not at the root"),
        (image(run=(b"#!/bin/sh\r\necho\r\n", True)), "run_autograder has Windows line endings"),
        (image(run=(b"import autograder\n", True)), "run_autograder has no #! line"),
        (image(setup=(b"#!/bin/sh\n", False)), "setup.sh has no exec bit"),
    ],
)
def test_an_image_that_would_not_build_is_refused(zip_, problem):
    assert [found.partition(":")[0] for found in image_problems(zip_)] == [problem]


def test_the_zip_for_gradescope_has_what_grading_needs_and_no_solution():
    names = {member.name for member in gradescope_members(ASSIGNMENT)}
    assert {"setup.sh", "run_autograder", "pyproject.toml", "requirements.txt", grader_wheel().name} <= names
    assert {name.partition("/")[0] for name in names if "/" in name} == {"tests_public", "tests_hidden", "starter"}
    assert {"tests_hidden/manifest.txt", "tests_hidden/oracle.py", "tests_public/manifest.txt"} <= names


def test_the_zip_for_gradescope_keeps_its_own_rules():
    data = zip_bytes(gradescope_members(ASSIGNMENT))
    assert zip_problems(data) + image_problems(data) == []


def test_the_grader_travels_without_its_tests_and_knows_its_needs():
    files = opened(grader_wheel().content)
    assert not [name for name in files if name.startswith("autograder/tests/")]
    assert {"autograder/cli.py", "autograder/suites/suites.ini", "autograder/worker/serve.py"} <= files.keys()
    metadata = next(content for name, content in files.items() if name.endswith("METADATA")).decode()
    assert re.search(r"^Requires-Dist: pytest\b", metadata, re.MULTILINE)
    assert "extra" not in metadata


def test_every_file_of_the_wheel_is_in_its_record():
    files = opened(grader_wheel().content)
    record = next(content for name, content in files.items() if name.endswith("RECORD")).decode()
    assert sorted(line.partition(",")[0] for line in record.splitlines()) == sorted(files)


def test_every_pin_of_the_image_has_its_hashes():
    pins = re.findall(r"^\S.*\n(?: .*\n)*", lock_text(ASSIGNMENT), re.MULTILINE)
    assert len(pins) >= 10
    assert [pin for pin in pins if "--hash=sha256:" not in pin] == []


def test_a_pin_without_a_hash_is_refused(tmp_path):
    (tmp_path / "lock.txt").write_text("pytest==9.2.0\n", encoding="utf-8")
    with pytest.raises(AssignmentError, match=r"pytest==9\.2\.0 is not pinned with hashes"):
        lock_text(ASSIGNMENT, tmp_path / "lock.txt")


def test_an_assignment_without_arrays_installs_no_numpy(course):
    assert "numpy" not in lock_text(load_assignment(course.root))
    course.edit("tests_hidden/test_negative.py", "import pytest", "import numpy as np\nimport pytest")
    assert "\nnumpy==" in lock_text(load_assignment(course.root))


COURSES_LOCK = "# made by hand\nPyYAML==6.0.3 \\\n    --hash=sha256:00\npytest==8.0.0 \\\n    --hash=sha256:00\n"


def test_an_image_installs_what_the_courses_own_lock_pins_besides(course):
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text(COURSES_LOCK, encoding="utf-8")
    text = lock_text(load_assignment(course.root))
    assert "PyYAML==6.0.3" in text
    assert "pytest==9" in text  # the grader's own version of what it needs itself
    assert "pytest==8" not in text


def test_a_package_is_found_in_the_courses_lock_by_the_name_of_its_distribution(course):
    course.edit("tests_hidden/test_negative.py", "import pytest", "import yaml\nimport pytest")
    assert "no image has the package yaml: pin it in a file" in absent_packages(load_assignment(course.root))[0]
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text(COURSES_LOCK, encoding="utf-8")
    assert absent_packages(load_assignment(course.root)) == []


def test_a_pin_of_the_course_without_a_hash_is_refused(course):
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text("PyYAML==6.0.3\n", encoding="utf-8")
    with pytest.raises(AssignmentError, match=r"pins\.txt: PyYAML==6\.0\.3 is not pinned with hashes"):
        lock_text(load_assignment(course.root))


# The handout.


def test_the_handout_is_one_folder_with_the_starter_and_the_public_tests():
    names = {member.name for member in handout_members(ASSIGNMENT)}
    assert {name.partition("/")[0] for name in names} == {"micro-autograd"}
    assert {"micro-autograd/README.md", "micro-autograd/engine.py", "micro-autograd/conftest.py"} <= names
    assert "micro-autograd/tests_public/test_reuse.py" in names
    assert not [name for name in names if re.search("hidden|solution|manifest|pyproject|oracle", name)]


def lines_of(folder):
    """Return the lines of a folder's files that say something, without indentation; what is imported says nothing."""
    text = "\n".join(member.content.decode() for member in members_of(ROOT / folder))
    return {line for line in map(str.strip, text.splitlines()) if len(line) > 30 and not line.startswith("from ")}


HANDED_OUT = "\n".join(member.content.decode() for member in handout_members(ASSIGNMENT))


@pytest.mark.parametrize(("folder", "published"), [("tests_hidden", "tests_public"), ("solution", "starter")])
def test_no_line_that_only_staff_have_is_in_the_handout(folder, published):
    secret = lines_of(folder) - lines_of(published)
    assert len(secret) > 50
    assert sorted(line for line in secret if line in HANDED_OUT) == []


def test_the_terms_seed_is_not_in_the_handout():
    assert str(ASSIGNMENT.seed) not in HANDED_OUT


def test_the_handout_keeps_its_own_rules():
    data = zip_bytes(handout_members(ASSIGNMENT))
    assert zip_problems(data) + handout_problems(data, ASSIGNMENT) == []


def test_a_hidden_test_among_the_public_ones_is_found(course):
    copied = "def test_copied(doubling):\n    if True:\n        assert doubling.double(-3) == -6\n"
    (course.root / "tests_public/test_copied.py").write_text(copied, encoding="utf-8")
    assignment = load_assignment(course.root)
    found = handout_problems(zip_bytes(handout_members(assignment)), assignment)
    assert found == [
        "doubling/tests_public/test_copied.py holds the body of test_double_of_a_negative from test_negative.py"
    ]


def test_an_answer_in_the_readme_is_found(course):
    readme = "Hint:\n\n    twice_the_number = x + x\n    return twice_the_number\n"
    (course.root / "starter/README.md").write_text(readme, encoding="utf-8")
    assignment = load_assignment(course.root)
    found = handout_problems(zip_bytes(handout_members(assignment)), assignment)
    assert found == ["doubling/README.md holds the body of double from doubling.py"]


def test_a_student_can_run_the_handout_with_pytest_alone(tmp_path):
    with zipfile.ZipFile(io.BytesIO(zip_bytes(handout_members(ASSIGNMENT)))) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "micro-autograd"
    shutil.copy(ROOT / "solution/engine.py", folder)
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests_public/test_known_values.py"]
    answer = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
    assert "public score: " in answer.stdout


# The command.


def test_both_zips_are_built_and_named(course):
    answer = course.run("bundle")
    assert answer.returncode == 0, answer.stderr
    assert [line.split()[0] for line in answer.stdout.splitlines()] == [
        str(course.root / "dist/autograder.zip"),
        str(course.root / "dist/handout.zip"),
    ]


def test_two_builds_and_two_places_give_the_same_bytes(course, tmp_path_factory):
    course.run("bundle")
    first = {file.name: file.read_bytes() for file in (course.root / "dist").iterdir()}
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "copy"
    shutil.copytree(course.root, elsewhere)
    shutil.rmtree(elsewhere / "dist")
    Course(elsewhere).run("bundle")
    assert {file.name: file.read_bytes() for file in (elsewhere / "dist").iterdir()} == first


def test_the_instructor_is_told_the_points_and_what_students_will_see(course):
    told = course.run("bundle", "gradescope").stderr
    assert "On Gradescope, set the assignment to 4 points.\n" in told
    assert "Students see 1 of the 4 points once you publish the grades.\n" in told
    assert "Gradescope shows them no total score either" in told


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("starter/doubling.py", "task 1.1", "task 1.2", "starter/ is stale"),
        ("tests_public/test_double.py", "test_double_of_zero", "test_renamed", "manifests"),
        ("tests_hidden/test_negative.py", "== -6", "== 6", "solution earns 3 / 4"),
        ("tests_public/test_double.py", "doubling.double(2) == 4", "doubling", "starter earns"),
        ("pyproject.toml", "points = 3", "points = 4", "points"),
        (
            "tests_public/test_double.py",
            "import pytest",
            "import yaml",
            "test_double.py:2: no image has the package yaml",
        ),
    ],
)
def test_what_would_not_grade_is_not_built(course, file, old, new, why):
    course.edit(file, old, new)
    answer = course.run("bundle")
    assert answer.returncode == 2
    assert why in answer.stderr
    assert not (course.root / "dist").exists()


def test_a_course_without_a_readme_is_not_handed_out(course):
    (course.root / "solution/README.md").unlink()
    (course.root / "starter/README.md").unlink()
    answer = course.run("bundle", "handout")
    assert answer.returncode == 2
    assert "solution/README.md does not exist" in answer.stderr


def test_two_pythons_make_the_same_zips():
    program = dedent("""
        import hashlib, sys
        from pathlib import Path
        from autograder.assignment import load_assignment
        from autograder.bundle.contents import gradescope_members
        from autograder.bundle.zip_file import zip_bytes
        print(hashlib.sha256(zip_bytes(gradescope_members(load_assignment(Path(sys.argv[1]))))).hexdigest())
    """)
    others = [path for path in ROOT.glob(".venv*/bin/python") if (path.parent / "autograder").exists()]
    digests = {
        subprocess.run([str(python), "-c", program, str(ROOT)], capture_output=True, text=True, check=True).stdout
        for python in [Path(sys.executable), *others]
    }
    assert len(digests) == 1


# The script that Gradescope runs, with a grader that says what it was given.


@pytest.fixture
def laid_out(tmp_path):
    """Give a directory laid out as /autograder, whose image was built."""
    for name in ("source/venv/bin", "submission"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "source/ready").touch()
    (tmp_path / "source/venv/bin/python").write_text('#!/bin/sh\necho "$@"\nenv\n', encoding="utf-8")
    (tmp_path / "source/venv/bin/python").chmod(0o755)
    for place in (tmp_path, tmp_path / "source"):
        shutil.copy(ROOT / "autograder/bundle/image/run_autograder", place)
    return tmp_path


def run_autograder(root, place="."):
    program = [str(root / place / "run_autograder")]
    environment = {"PATH": "/usr/bin:/bin", "TOKEN": "4711"}
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
@pytest.mark.parametrize("place", [".", "source"])
def test_a_run_starts_the_grader_of_the_image_on_its_directory(laid_out, place):
    arguments = run_autograder(laid_out, place).stdout.splitlines()[0]
    assert arguments == f"-I -m autograder gradescope --root {laid_out}"


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
def test_the_environment_of_the_harness_reaches_nobody(laid_out):
    given = run_autograder(laid_out).stdout
    assert "LANG=C.UTF-8" in given
    assert "4711" not in given


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
def test_a_run_in_an_image_that_was_not_built_says_so(laid_out):
    (laid_out / "source/ready").unlink()
    answer = run_autograder(laid_out)
    assert answer.returncode == 3
    assert "setup.sh did not finish when this image was built" in answer.stderr
