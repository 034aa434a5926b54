"""The zip, unpacked and run as Gradescope does it: in a container, as root, without a network."""

import io
import json
import os
import shutil
import stat
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import gradescope_members
from autograder.bundle.zip_file import zip_bytes
from autograder.results.contract import problems

from ..support.course import make_course

if sys.platform != "linux" or os.geteuid() != 0:
    pytest.skip("an image is built by root on Linux", allow_module_level=True)

from ..support.rootfs import Container, half_a_processor
from ..support.wheelhouse import make_wheelhouse

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
BASE = f"{sys.base_prefix}/bin/python{sys.version_info[0]}.{sys.version_info[1]}"  # outside the repository
RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return x * x\n"  # right for 2 and 0, which is what the public tests try
STARTER = 'def double(x):  # task 1.1\n    raise NotImplementedError("task 1.1")\n'
METADATA: dict[str, Any] = {
    "id": 341022871,
    "users": [{"id": 4410021, "email": "ada@example.edu", "name": "Ada Example", "sid": "30412345"}],
    "created_at": "2026-10-15T21:44:07.140363-07:00",
    "assignment_id": None,
    "assignment": {
        "id": 6841200,
        "title": "Doubling",
        "due_date": "2026-10-15T23:59:00.000000-07:00",
        "total_points": "4.0",
        "outline": [{"id": 55120001, "type": "ProgrammingQuestion", "title": "Autograder", "weight": "4.0"}],
    },
    "submission_method": "upload",
    "previous_submissions": [{"id": 340990112, "score": "1.0", "autograder_error": False, "results": {"tests": []}}],
}


class Image:
    """One zip, unpacked in a container; `setup` builds the image, `grade` does what happens to a submission."""

    def __init__(self, directory):
        self.container = Container(directory, hidden=[ROOT])  # what runs must come from the zip
        if not self.container.works():
            pytest.skip("this machine lets nobody mount: it is a container itself")
        self.root = self.container.autograder
        self.lock = None

    def unpack(self, assignment):
        wheels = self.root.parent / "wheels"
        wheels.mkdir()
        self.lock = make_wheelhouse(wheels)
        with zipfile.ZipFile(io.BytesIO(zip_bytes(gradescope_members(assignment, self.lock)))) as archive:
            archive.extractall(self.root / "source")
            for entry in archive.infolist():
                (self.root / "source" / entry.filename).chmod(entry.external_attr >> 16)
        shutil.copy(self.root / "source/run_autograder", self.root)

    def setup(self, **environment):
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "AUTOGRADER_PYTHON": BASE}
        return self.container.run(["/autograder/source/setup.sh"], environment=offline | environment)

    def grade(self, files, metadata=None, cgroups=(), through=()):
        """Grade a submission; return the finished run and the content of results.json, {} without one.

        `through` is a program that starts the run, such as one that takes rights away.
        """
        for name in ("submission", "results"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            (self.root / name).mkdir()
        for name, data in files.items():
            (self.root / "submission" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "submission" / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        (self.root / "submission_metadata.json").unlink(missing_ok=True)
        if metadata is not None:
            (self.root / "submission_metadata.json").write_text(metadata, encoding="utf-8")
        run = self.container.run([*through, "/autograder/run_autograder"], cgroups=cgroups)
        results = self.root / "results/results.json"
        if not results.exists():
            return run, {}
        assert problems(results.read_bytes()) == []
        return run, json.loads(results.read_bytes())


@pytest.fixture(scope="module")
def doubling(tmp_path_factory):
    """Give a small course, ready to be bundled."""
    course = make_course(tmp_path_factory.mktemp("course"))
    (course.root / "starter").mkdir()
    (course.root / "starter/doubling.py").write_text(STARTER, encoding="utf-8")
    (course.root / "starter/README.md").write_text("Double numbers.\n", encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def image(doubling, tmp_path_factory):
    """Give the small course's image, built on a bare Ubuntu: its Python lacks ensurepip until apt-get was asked."""
    image = Image(tmp_path_factory.mktemp("image"))
    image.unpack(load_assignment(doubling.root))
    tools = {
        "python": '#!/bin/sh\n[ "$*" = "-c import ensurepip" ] && [ ! -e /asked ] && exit 1\n' + f'exec {BASE} "$@"\n',
        "apt-get": '#!/bin/sh\necho "$@" >> /asked\n',
    }
    for name, text in tools.items():
        (image.root.parent / name).write_text(text, encoding="utf-8")
        (image.root.parent / name).chmod(0o755)
    built = image.setup(AUTOGRADER_PYTHON="/python", PATH="/:/usr/sbin:/usr/bin:/sbin:/bin")
    assert built.returncode == 0, built.stdout
    assert built.stdout.endswith("autograder: the image is ready\n")
    return image


def scores(results):
    return [(entry["score"], entry["max_score"]) for entry in results["tests"] if "score" in entry]


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


FULL = [(2.0, 2.0), (1.0, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"doubling.py": RIGHT}, id="one file"),
        pytest.param({"doubling/doubling.py": RIGHT, "doubling/README.md": "Double numbers.\n"}, id="the whole folder"),
        pytest.param(
            {"hw/doubling.py": RIGHT, "__MACOSX/hw/._doubling.py": b"\0", "hw/.DS_Store": b"\0"}, id="from a Mac"
        ),
        pytest.param({"doubling.py": b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode()}, id="from Windows"),
        pytest.param({"doubling (1).py": RIGHT}, id="downloaded twice"),
        pytest.param({"doubling-2.py": RIGHT}, id="handed in again through Canvas"),
        pytest.param({"exampleada_4410021_55120001_doubling.py": RIGHT}, id="from Canvas"),
        pytest.param({"Ada Example_4410021_assignsubmission_file/doubling.py": RIGHT}, id="from Moodle"),
        pytest.param({"Doubling.PY": RIGHT}, id="capitals"),
        pytest.param({"doubling.py": RIGHT, ".git/config": "[core]\n", ".github/x.yml": ""}, id="a git repository"),
        pytest.param({"submission.zip": zipped({"hw/doubling.py": RIGHT})}, id="a zip that was not unpacked"),
        pytest.param(
            {"doubling.py": RIGHT, "tests_hidden/test_negative.py": "", "conftest.py": "1/0"}, id="tests of its own"
        ),
    ],
)
def test_a_correct_submission_of_any_shape_earns_everything(image, files):
    run, results = image.grade(files, json.dumps(METADATA))
    assert run.returncode == 0, run.stdout
    assert scores(results) == FULL


@pytest.mark.parametrize("files", [{}, {"essay.txt": "Dear grader"}, {"doubling.py": "def double(x:\n"}])
def test_what_cannot_be_graded_lists_every_test_and_says_why(image, files):
    run, results = image.grade(files)
    assert run.returncode == 0, run.stdout
    assert scores(results) == [(0.0, 2.0), (0.0, 1.0), (0.0, 1.0)]
    assert results["output"]


def test_a_wrong_submission_loses_what_it_breaks(image):
    _, results = image.grade({"doubling.py": WRONG})
    assert scores(results) == [(2.0, 2.0), (1.0, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param(None, id="none"),
        pytest.param("", id="empty"),
        pytest.param('{"id": ', id="cut off"),
        pytest.param("[" * 100_000, id="nested"),
        pytest.param(json.dumps({**METADATA, "assignment": None, "users": 7}), id="of other types"),
        pytest.param(json.dumps({**METADATA, "assignment": {"total_points": "1e999"}}), id="infinite"),
    ],
)
def test_metadata_changes_nothing(image, metadata):
    _, usual = image.grade({"doubling.py": RIGHT}, json.dumps(METADATA))
    run, results = image.grade({"doubling.py": RIGHT}, metadata)
    assert run.returncode == 0, run.stdout
    assert results == usual


def test_other_points_on_gradescope_are_told_to_staff_alone(image):
    metadata = {**METADATA, "assignment": {**METADATA["assignment"], "total_points": "40.0"}}
    run, results = image.grade({"doubling.py": RIGHT}, json.dumps(metadata))
    assert "set it to 4 in the assignment's settings" in run.stdout
    assert results["stdout_visibility"] == "hidden"
    assert "settings" not in json.dumps(results)


def test_isolation_is_strong_and_every_layer_was_tried(image):
    _, results = image.grade({"doubling.py": RIGHT})
    isolation = results["extra_data"]["isolation"]
    assert isolation["level"] == "strong"
    assert {each["layer"] for each in isolation["layers"] if each["verdict"] != "verified"} == {"neighbours"}


def test_where_the_required_isolation_does_not_hold_nothing_is_graded_and_staff_read_why(image):
    without_capabilities = ["/usr/bin/setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
    run, results = image.grade({"doubling.py": RIGHT}, through=without_capabilities)
    assert (run.returncode, results) == (3, {})
    assert "isolation STRONG is required, and this machine gives" in run.stdout


def test_nobody_but_root_may_look_at_the_tests_the_results_or_the_metadata(image):
    image.grade({"doubling.py": RIGHT}, json.dumps(METADATA))
    modes = {name: stat.S_IMODE((image.root / name).stat().st_mode) for name in ("source", "results")}
    assert modes == {"source": 0o700, "results": 0o700}
    assert stat.S_IMODE((image.root / "submission_metadata.json").stat().st_mode) == 0o600


def test_what_ubuntu_leaves_out_was_installed(image):
    asked = (image.root.parent / "asked").read_text("utf-8").splitlines()
    assert [line.split()[-1] for line in asked] == ["python3-venv"]


def test_the_image_stays_small(image):
    packages = next((image.root / "source/venv/lib").glob("python3*/site-packages"))
    size = sum(file.stat().st_size for file in packages.rglob("*") if file.is_file())
    distributions = sorted(path.name for path in packages.glob("*.dist-info"))
    backports = [name for name in distributions if name.startswith(("tomli", "exceptiongroup", "typing_extensions"))]
    assert size <= 30e6
    assert len(distributions) - len(backports) <= 10
    assert (backports == []) == (sys.version_info >= (3, 11))


def test_when_the_whole_runs_time_is_up_the_result_is_complete(image):
    file = image.root / "source/pyproject.toml"
    usual = file.read_text("utf-8")
    patient = "request_seconds = 100\ntest_seconds = 100\nsubmission_seconds = 200\nrun_seconds = 4\n"
    file.write_text(f"{usual}\n[tool.autograder.limits]\n{patient}", encoding="utf-8")
    started = time.monotonic()
    try:
        run, results = image.grade({"doubling.py": "def double(x):\n    while True: pass\n"})
    finally:
        file.write_text(usual, encoding="utf-8")
    assert run.returncode == 0, run.stdout
    assert scores(results) == [(0.0, 2.0), (0.0, 1.0), (0.0, 1.0)]
    assert results["extra_data"]["complete"]
    assert time.monotonic() - started < 50  # of the 100 that one question alone might take


# An image that would not grade.


@pytest.fixture
def unbuilt(doubling, tmp_path):
    """Give an image of the small course that is unpacked but not built."""
    image = Image(tmp_path / "image")
    image.unpack(load_assignment(doubling.root))
    return image


def test_a_package_that_is_not_the_locked_one_stops_the_build(unbuilt):
    file = unbuilt.root / "source/requirements.txt"
    file.write_text(file.read_text("utf-8").replace("sha256:", "sha256:0000", 1)[:-1], encoding="utf-8")
    built = unbuilt.setup()
    assert built.returncode == 1
    assert "autograder: setup FAILED: the packages could not be installed" in built.stdout


def test_suites_that_do_not_grade_stop_the_build_and_every_run_says_so(unbuilt):
    manifest = unbuilt.root / "source/tests_hidden/manifest.txt"
    manifest.write_text(manifest.read_text("utf-8").replace("::", "::gone_"), encoding="utf-8")
    built = unbuilt.setup()
    assert built.returncode == 1
    assert "the suites are not what their manifests say" in built.stdout
    assert "setup FAILED: the starter could not be graded in this image" in built.stdout
    run, results = unbuilt.grade({"doubling.py": RIGHT})
    assert (run.returncode, results) == (3, {})
    assert "setup.sh did not finish when this image was built" in run.stdout


def test_a_python_that_is_too_old_stops_the_build_with_the_remedy(unbuilt):
    old = unbuilt.root / "python"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo Python 3.8.10;; *) exit 1;; esac\n', encoding="utf-8")
    old.chmod(0o755)
    built = unbuilt.setup(AUTOGRADER_PYTHON="/autograder/python")
    assert built.returncode == 1
    assert "Python 3.8.10 is too old, 3.10 is needed: choose the base image Ubuntu 22.04" in built.stdout


# This homework, in what Gradescope gives by default.


def test_this_homework_is_graded_in_half_a_processor_and_768_mb(tmp_path):
    image = Image(tmp_path / "image")
    image.unpack(load_assignment(ROOT))
    built = image.setup()
    assert built.returncode == 0, built.stdout
    with half_a_processor() as groups:
        if not groups:
            pytest.skip("this machine lets nobody make control groups")
        run, results = image.grade({"engine.py": (ROOT / "solution/engine.py").read_bytes()}, cgroups=groups)
    assert run.returncode == 0, run.stdout
    assert sum(score for score, _ in scores(results)) == 100
    assert sum(possible for _, possible in scores(results)) == 100
