"""A worker's memory, all of it, names none of the files that the self-test aimed at.

A submission may read its own memory: it knows where its objects lie, and the kernel tells it which addresses exist.
"""

import os
import sys
from pathlib import Path

import pytest

if sys.platform != "linux" or os.geteuid() != 0:
    pytest.skip("only root may read the memory of a worker", allow_module_level=True)

from autograder.assignment import Limits
from autograder.grading import fresh_directory
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

HIDDEN = "/srv/course-5d1f0b/tests_hidden"  # what the assignment hides, in this test
CONTROL = "control_77c2e1"  # a module that the zygote itself is told to import, and so keeps


def memory_of(pid):
    """Return what a process can read of its own memory."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text("ascii").splitlines():
            span, rights, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("r") and not line.endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                memory.seek(start)
                found.append(memory.read(end - start))
    return b"".join(found)


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    """The memory of a worker that has loaded a submission."""
    beside = tmp_path_factory.mktemp("modules")
    (beside / f"{CONTROL}.py").write_text("", "utf-8")
    with (
        Sandbox(isolation.strongest(), Limits(), hidden=[Path(HIDDEN)]) as sandbox,
        fresh_directory() as directory,
        sandbox.forked_zygote(),
    ):
        assert sandbox.preload(["math", CONTROL], beside=[beside]) == ()
        (directory / "engine.py").write_text("marker = 'of-the-submission-' + '9a41'\n", "utf-8")
        worker = sandbox.spawn(directory, ["engine.py"], ["math"])
        worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 20)
        content = memory_of(worker.pid)
        sandbox.end(worker)
    return content


def test_the_search_finds_what_the_submission_made(memory):
    assert b"of-the-submission-9a41" in memory


def test_what_the_zygote_itself_is_given_stays_in_its_workers_memory(memory):
    assert CONTROL.encode() in memory


@pytest.mark.parametrize("name", [HIDDEN, "secret/test", "results/results.json"])
def test_what_the_self_test_aims_at_is_not_in_a_workers_memory(memory, name):
    assert name.encode() not in memory
