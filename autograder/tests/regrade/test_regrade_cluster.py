"""A cluster does the same work as the lanes of one machine, to the byte, even when a worker dies in the middle."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from ..support.course import make_course
from ..support.exports import RIGHT, write_folder

pytestmark = pytest.mark.slow

pytest.importorskip("distributed")  # the extra `cluster`: without it there is nothing to promise

ROOT = Path(__file__).parents[3]
PATIENCE = 90  # seconds for a cluster of three processes to start, on a machine that does other things
LEAVING = 2  # seconds for one of them to end
TABLES = ("grades.csv", "failures.csv", "run.json", "class.json")


def started(*command, log, temporary):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "TMPDIR": temporary}
    program = [sys.executable, "-m", *command]
    with log.open("wb") as file:
        return subprocess.Popen(program, cwd=log.parent, env=environment, stdout=file, stderr=subprocess.STDOUT)


def waited(condition, process, log):
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return value


@pytest.fixture(scope="module")
def temporary():
    """A temporary folder for processes that are killed, which cannot empty their own."""
    with tempfile.TemporaryDirectory(prefix="autograder-test-", ignore_cleanup_errors=True) as own:
        Path(own).chmod(0o711)  # the users of workers pass through it
        yield own


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, temporary):
    """A scheduler on this machine: its address, and what has a worker join, each a process."""
    directory = tmp_path_factory.mktemp("cluster")
    file, log = directory / "scheduler.json", directory / "scheduler.log"
    scheduler = started(
        *("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
        *("--scheduler-file", str(file)),
        log=log,
        temporary=temporary,
    )
    address = json.loads(waited(lambda: file.exists() and file.read_text(), scheduler, log))["address"]
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(directory)]
    workers: list[subprocess.Popen[bytes]] = []

    def join():
        log = directory / f"worker{len(workers)}.log"
        workers.append(started("distributed.cli.dask_worker", address, *options, log=log, temporary=temporary))
        waited(lambda: "Registered to" in log.read_text(), workers[-1], log)
        return workers[-1]

    yield address, join
    for process in (*workers, scheduler):  # in peace: one that is killed leaves the course's files behind
        process.terminate()
    for process in (*workers, scheduler):
        try:
            process.wait(LEAVING)
        except subprocess.TimeoutExpired:  # distributed waits for what it lost with the worker that was killed
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = make_course(tmp_path_factory.mktemp("course"))
    course.edit("pyproject.toml", 'imports = ["math"]', 'imports = ["math", "time"]')
    return course


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    slow = "import time\ntime.sleep(0.05)\n" + RIGHT
    files = {f"s{n}/doubling.py": slow + f"# {n}\n" for n in range(28)} | {"bad/doubling.py": "def\n"}
    return write_folder(tmp_path_factory.mktemp("source") / "class", files)


def regrade(course, source, out, *options):
    command = ["-m", "autograder", "regrade", str(source), "--out", str(out), "--root", str(course.root), *options]
    return subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def ended(process):
    """Wait for a regrade; return its exit status and what it said."""
    output = process.communicate(timeout=PATIENCE)[0].decode()
    return process.returncode, output


def test_a_cluster_that_loses_a_worker_and_gets_one_gives_the_same_to_the_byte(cluster, course, source, tmp_path):
    address, join = cluster
    here, there = tmp_path / "here", tmp_path / "there"
    first, _ = join(), join()
    process = regrade(course, source, there, "--scheduler", address)
    deadline = time.monotonic() + PATIENCE
    while not any((there / "records").glob("[!.]*.json")) and time.monotonic() < deadline:
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)
    join()
    status, output = ended(process)
    assert status == 0, output
    assert "29 submissions graded;" in output  # each once: none is kept from before, none is left
    assert ended(regrade(course, source, here))[0] == 0
    assert [(here / name).read_bytes() for name in TABLES] == [(there / name).read_bytes() for name in TABLES]
    assert results(here) == results(there)


def test_without_a_scheduler_the_command_says_so(course, source, tmp_path):
    status, output = ended(regrade(course, source, tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9"))
    assert status == 3
    assert "no scheduler answers at tcp://127.0.0.1:9" in output


def results(out):
    """Return every results.json by name."""
    files = sorted((out / "results").iterdir())
    return {file.name: json.loads(file.read_bytes()) for file in files}
