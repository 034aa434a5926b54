"""Whatever a machine refuses, a verb ends with the right result or in a sentence, status 2 or 3: never in a zero."""

import csv
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..support.course import Course, make_course
from ..support.exports import RIGHT, write_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the conditions are made with Linux' own tools"),
]

VERBS = ["grade", "gradescope", "regrade"]
NAMESPACE = ["unshare", "-m", "true"]


@dataclass
class Scene:
    """A course, a right submission, and where the results of each verb go."""

    root: Path
    course: Course

    def run(self, verb: str, condition: str = "{}", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a verb in a shell, with its command in the place of `{}` in `condition`."""
        options = {
            "grade": f"{self.root}/class/ada --root {self.course.root} --results {self.root}/out/results.json",
            "gradescope": f"--root {self.root}",
            "regrade": f"{self.root}/class --root {self.course.root} --out {self.root}/out --jobs 1",
        }
        command = condition.replace("{}", f"{sys.executable} -m autograder {verb} {options[verb]}")
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env={**os.environ, **environment},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def results(self) -> list[Path]:
        """Return the results that are there."""
        return [*self.root.glob("results/results.json"), *self.root.glob("out/**/results.json"), *self.of_a_class()]

    def of_a_class(self) -> list[Path]:
        return [*self.root.glob("out/results/*.json")]

    def points(self) -> list[float]:
        return [sum(test["score"] for test in json.loads(file.read_bytes())["tests"]) for file in self.results()]


@pytest.fixture
def scene(tmp_path):
    course = make_course(tmp_path / "source")
    write_folder(tmp_path / "class/ada", {"doubling.py": RIGHT})
    write_folder(tmp_path / "submission", {"doubling.py": RIGHT})
    for name in ("out", "results", "full"):
        (tmp_path / name).mkdir()
    return Scene(tmp_path, course)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "condition",
    [
        *("{} <&-", "{} >&-", "{} 2>&-", "{} <&- >&- 2>&-"),
        *("env -u HOME {}", "LC_ALL=C {}", "LANG=xx LC_ALL=xx {}", "PYTHONUTF8=0 PYTHONIOENCODING=ascii {}"),
        *("umask 0777; {}", "umask 0; {}", "ulimit -n 64; {}", "TMPDIR=/nonexistent {}"),
    ],
)
def test_it_grades_where_a_machine_is_odd(scene, verb, condition):
    done = scene.run(verb, condition)
    assert (done.returncode, scene.points()) == (0, [4]), done.stderr


def told(done: subprocess.CompletedProcess[str]) -> str:
    """Return the sentence that a verb ended in, with status 2 or 3 and without a traceback."""
    assert done.returncode in (2, 3), (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    assert "the grader itself failed" not in done.stderr
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("verb", ["grade", "gradescope"])
def test_a_reader_that_leaves_costs_the_report_and_not_the_results(scene, verb):
    done = scene.run(verb, "set -o pipefail; {} | true")
    assert told(done) == "autograder: standard output was closed before all of it was written"
    assert scene.points() == [4]


@pytest.fixture(scope="module")
def unkept(tmp_path_factory):
    """Return an environment in which the grader keeps no file of the standard library beside itself, and has none."""
    home = tmp_path_factory.mktemp("unkept")
    source = Path(__file__).parents[2]
    shutil.copytree(source, home / "autograder", ignore=shutil.ignore_patterns("tests", "library-*"))
    return {"PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "unkept"])
def test_without_descriptors_it_says_how_many_it_wants(scene, unkept, verb, is_kept):
    done = scene.run(verb, "ulimit -n 12; {}", **({} if is_kept else unkept))
    assert told(done)
    assert "ulimit -n 256" in done.stderr
    assert scene.results() == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_system_that_takes_no_byte_is_named(scene, verb):
    done = scene.run(verb, "ulimit -f 0; {}")
    assert "No usable temporary directory found" in told(done)
    assert scene.results() == []


namespaced = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run(NAMESPACE, check=False, capture_output=True).returncode != 0,
    reason="no file system can be mounted here",
)


def mounted(commands: str) -> str:
    """Return a condition in which `commands` were run before, in a name space of their own."""
    return f"unshare -m bash -c '{commands} && {{}}'"


@namespaced
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kilobytes", [4, 12, 16, 20, 24])
def test_a_full_temporary_folder_is_nobodys_zero(scene, verb, kilobytes):
    mount = f"mount -t tmpfs -o size={kilobytes}k none {scene.root}/full"
    done = scene.run(verb, mounted(mount), TMPDIR=str(scene.root / "full"))
    if done.returncode == 0:
        assert scene.points() == [4]
    else:
        assert "No space left on device" in told(done)
        assert "set TMPDIR" in done.stderr
        assert scene.results() == []


@namespaced
@pytest.mark.parametrize("verb", VERBS)
def test_the_standard_library_needs_no_room_in_the_temporary_folder(scene, unkept, verb):
    mount = f"mount -t tmpfs -o size=1m none {scene.root}/full"
    done = scene.run(verb, mounted(mount), TMPDIR=str(scene.root / "full"), **unkept)
    assert (done.returncode, scene.points()) == (0, [4]), done.stderr


@namespaced
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("options", ["size=4k", "ro"])
def test_where_no_results_can_be_written_it_says_so(scene, verb, options):
    mounts = [f"mount -t tmpfs -o {options} none {scene.root}/{name}" for name in ("out", "results")]
    words = told(scene.run(verb, mounted(" && ".join(mounts))))
    assert any(reason in words for reason in ("No space left on device", "Read-only file system"))


@namespaced
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("hidden", "missing"), [("/proc", "/proc/self"), ("/dev", "")])
def test_a_machine_without_a_part_of_linux_is_named(scene, verb, hidden, missing):
    assert missing in told(scene.run(verb, mounted(f"mount -t tmpfs none {hidden}")))
    assert scene.results() == []


@namespaced
@pytest.mark.parametrize("verb", VERBS)
def test_it_needs_no_shared_memory_folder(scene, verb):
    done = scene.run(verb, mounted("mount -t tmpfs -o ro none /dev/shm"))
    assert (done.returncode, scene.points()) == (0, [4]), done.stderr


# Root without the right to read whatever it likes: as anybody else.
ORDINARY = "setpriv --bounding-set -dac_override,-dac_read_search {}" if os.geteuid() == 0 else "{}"


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("unreadable", "mode"), [("doubling.py", 0), ("", 0o444), ("", 0)], ids=str)
def test_what_the_grader_may_not_read_is_nobodys_zero_and_costs_nobody_else(scene, verb, unreadable, mode):
    write_folder(scene.root / "class/bob", {"doubling.py": RIGHT})
    closed = [scene.root / folder / unreadable for folder in ("class/ada", "submission")]
    for path in closed:
        path.chmod(mode)
    try:
        words = told(scene.run(verb, ORDINARY))
    finally:
        for path in closed:
            path.chmod(0o755)
    table = scene.root / "out/grades.csv"
    if verb == "regrade":
        ada, bob = csv.DictReader(table.read_text("utf-8").splitlines())
        assert (ada["score"], bob["score"]) == ("", "4")
        assert "Permission denied" in ada["notes"]
    else:
        assert any(reason in words for reason in ("Permission denied", "is not readable", "run the grader as root"))
        assert scene.results() == []
