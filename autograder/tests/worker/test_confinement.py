"""Each mechanism alone stops what it is there for; the same attack succeeds without it."""

import os
import signal
import sys
from pathlib import Path

import msgspec
import pytest

if sys.platform != "linux":
    pytest.skip("workers are confined on Linux only", allow_module_level=True)

from autograder.assignment import Limits
from autograder.sandbox import isolation
from autograder.sandbox.decoys import DecoyFiles
from autograder.sandbox.users import reserve_users
from autograder.wire import format as wire
from autograder.wire.reader import Reader
from autograder.worker import attacks, confinement, landlock, self_test

LIMITS = Limits(memory_mb=256)
ATTACKS = {attack.__name__.strip("_"): attack for _, attack in attacks.ATTACKS}

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may change its root directory or its user")
needs_landlock = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")


@pytest.fixture
def decoys():
    files = DecoyFiles()
    yield files.described(LIMITS)
    files.close()


@pytest.fixture
def users():
    users = reserve_users()
    assert users, "root finds a block of ids"
    yield users
    users.close()


def in_a_child(act):
    """Return what `act` returns in a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, wire.encode(act()))
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    answer = os.read(reader, 1 << 16)
    os.close(reader)
    return Reader(answer).value()


def plan(decoys, mechanisms, uid=None, *, insist=True):
    """Return the plan of a confinement to the decoys' submission, as a worker reads it."""
    chosen = isolation.plan(mechanisms, Path(decoys.submission), LIMITS, uid, insist=insist)
    return msgspec.to_builtins(chosen)


def attacked(name, mechanisms, decoys, uid=None):
    """Return the result of one attack by a process with these mechanisms alone: 0 is success, else an errno."""
    described = msgspec.to_builtins(msgspec.structs.replace(decoys, hidden=(decoys.secret,)))
    targets, kept = self_test.set_up(described)

    def act():
        os.chdir(decoys.submission)
        if mechanisms:
            confinement.confine(plan(decoys, mechanisms, uid))
        return self_test.result_of(ATTACKS[name], targets)

    try:
        return in_a_child(act)
    finally:
        os.kill(targets["process"], signal.SIGKILL)  # not by the attacker: once confined, it could not
        os.waitpid(targets["process"], 0)
        for socket in kept:
            socket.close()


LANDLOCK = ("no_new_privileges", "landlock")
LANDLOCKED = (
    "read_a_secret_file",
    "list_a_secret_directory",
    "read_a_file_that_all_may_read",
    "change_the_report",
    "add_a_file_beside_the_report",
    "read_the_arguments_of_a_process",
    "leave_a_file",
    "leave_a_file_in_memory",
    "leave_a_file_beside_the_submission",
)
FILTERED = (
    "signal_the_grader",
    "lower_the_limits_of_a_process",
    "run_a_program",
    "fork",
    "make_a_memory_file",
    "watch_files",
    "have_a_descriptor_send_signals",
    "connect",
    "send_a_datagram",
    "reach_an_abstract_socket",
    "leave_shared_memory",
    "leave_a_message",
    "leave_a_file",
    "change_the_report",
    "learn_that_a_process_exists",
    "read_how_much_a_process_works",
    "read_how_busy_the_machine_is",
)
ROOTED = (
    "read_a_secret_file",
    "learn_that_a_file_exists",
    "read_a_file_that_all_may_read",
    "change_the_report",
    "read_the_arguments_of_a_process",
)
ANOTHER_USERS = (
    "read_a_secret_file",
    "list_a_secret_directory",
    "change_the_report",
    "signal_the_grader",
    "lower_the_limits_of_a_process",
    "read_the_environment_of_a_process",
    "be_the_graders_user",
)


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - {"make_a_user_namespace", "leave_a_key"}))
def test_every_attack_succeeds_if_nothing_stops_it(name, decoys):
    assert attacked(name, (), decoys) == self_test.SUCCEEDED


@needs_landlock
@pytest.mark.parametrize("name", LANDLOCKED)
def test_landlock_alone_stops(name, decoys):
    assert attacked(name, LANDLOCK, decoys) > 0


@needs_landlock
def test_landlock_protects_contents_and_not_names(decoys):
    assert attacked("learn_that_a_file_exists", LANDLOCK, decoys) == self_test.SUCCEEDED


@needs_landlock
@pytest.mark.skipif(landlock.version() < 6, reason="this kernel's Landlock knows neither signals nor abstract sockets")
@pytest.mark.parametrize("name", ["connect", "signal_the_grader"])
def test_a_later_landlock_alone_stops(name, decoys):
    assert attacked(name, LANDLOCK, decoys) > 0


@needs_landlock
def test_landlock_does_not_stop_a_datagram_so_that_it_cannot_stand_alone(decoys):
    assert attacked("send_a_datagram", LANDLOCK, decoys) == self_test.SUCCEEDED


@pytest.mark.parametrize("name", FILTERED)
def test_the_filter_alone_stops(name, decoys):
    assert attacked(name, ("no_new_privileges", "seccomp"), decoys) > 0


@needs_root
@pytest.mark.parametrize("name", ROOTED)
def test_another_root_directory_alone_stops(name, decoys):
    assert attacked(name, ("chroot",), decoys) > 0


@needs_root
@pytest.mark.parametrize("name", ANOTHER_USERS)
def test_another_user_alone_stops(name, decoys, users):
    assert attacked(name, ("user",), decoys, users.next()) > 0


@pytest.mark.parametrize("name", ["take_more_memory", "fill_a_file"])
def test_the_limits_alone_stop(name, decoys):
    assert attacked(name, ("limits",), decoys) > 0


@needs_root
def test_a_worker_is_the_first_that_the_kernel_ends_when_memory_runs_out(decoys, users):
    def score():
        confinement.confine(plan(decoys, ("oom", "user"), users.next()))
        return int(Path("/proc/self/oom_score_adj").read_text("ascii"))

    assert in_a_child(score) == 1000


@needs_root
def test_a_worker_has_no_group_and_no_capability(decoys, users):
    uid = users.next()

    def identity_of_worker():
        confinement.confine(plan(decoys, ("user", "no_new_privileges"), uid))
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        return [
            os.getresuid(),
            os.getresgid(),
            os.getgroups(),
            status["CapEff"],
            status["CapPrm"],
            status["NoNewPrivs"],
        ]

    nothing = "0" * 16
    assert in_a_child(identity_of_worker) == [(uid,) * 3, (uid,) * 3, [], nothing, nothing, "1"]


def test_a_mechanism_that_is_insisted_on_and_fails_stops_the_worker(decoys):
    def refusal():
        try:
            confinement.confine(plan(decoys, ("user",)))  # it has no id to become
        except confinement.ConfinementError as problem:
            return str(problem)
        return "started"

    assert in_a_child(refusal).startswith("user")


def test_a_mechanism_that_fails_in_the_self_test_is_not_among_those_that_hold(decoys):
    tried = plan(decoys, ("limits", "user"), insist=False)
    assert in_a_child(lambda: confinement.confine(tried)[1]) == ["limits"]


def test_a_lower_limit_than_ours_is_kept(decoys):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
        confinement.confine(plan(decoys, ("limits",)))
        return resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    assert in_a_child(limit) == 16


@needs_root
def test_what_a_worker_left_running_ends_with_it(users):
    uid = users.next()
    orphan = os.fork()
    if orphan == 0:
        os.setresuid(uid, uid, uid)
        os.read(os.pipe()[0], 1)  # for ever
    while Path(f"/proc/{orphan}").stat().st_uid != uid:
        os.sched_yield()
    confinement.sweep(uid, {orphan})
    _, status = os.waitpid(orphan, 0)
    assert os.waitstatus_to_exitcode(status) == -9
