"""The self-test's findings become a verdict and a level: of this machine, of a container, of an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.assignment import Limits
from autograder.cli import main
from autograder.errors import IsolationError
from autograder.model import Level
from autograder.sandbox import isolation, users
from autograder.sandbox.commands import Findings, Tried
from autograder.sandbox.isolation import LAYERS, judged
from autograder.sandbox.sandbox import Sandbox

REPOSITORY = Path(__file__).parents[3]
CONTAINER = Path(__file__).parents[1] / "support" / "container.py"
SOMEBODY = 12345

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the self-test runs on Linux only")
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)


def findings(worker, control=None, more=()):
    """Return findings with one attack for each layer, stopped unless `worker` says otherwise, and `more` attacks."""

    def tried(results, extra):
        return (*(Tried(layer, f"attack_{layer}", result) for layer, result in results.items()), *extra)

    return Findings(
        mechanisms=("limits", "user", "chroot", "seccomp"),
        control=tried({**dict.fromkeys(LAYERS, 0), **(control or {})}, more),
        worker=tried({**dict.fromkeys(LAYERS, 1), **worker}, more),
    )


def verdict(verified, layer):
    return next(each for each in verified.layers if each.layer == layer)


# --- From results to a verdict ---


def test_a_worker_that_was_stopped_everywhere_is_strong():
    assert judged(findings({})).level is Level.STRONG


@pytest.mark.parametrize("layer", ["user", "syscalls"])
def test_without_a_user_of_its_own_or_a_list_of_calls_it_is_standard(layer):
    assert judged(findings({layer: 0})).level is Level.STANDARD


@pytest.mark.parametrize("layer", ["files", "report", "grader", "processes", "network", "traces", "limits"])
def test_without_any_other_layer_it_is_a_process_and_no_more(layer):
    assert judged(findings({layer: 0})).level is Level.PROCESS


def test_an_attack_that_fails_in_the_control_proves_nothing():
    assert verdict(judged(findings({}, control={"network": 101})), "network").verdict == "broken"


def test_a_layer_that_could_not_be_tried_does_not_count():
    assert judged(findings({}, control={"network": 101})).level is Level.PROCESS


def test_an_attack_without_a_clear_outcome_breaks_its_layer():
    assert verdict(judged(findings({"files": -1})), "files").verdict == "broken"


def test_a_self_test_that_did_not_answer_leaves_nothing_verified():
    assert judged(Findings()).level is Level.PROCESS


def test_a_layer_that_stops_some_attacks_is_partial():
    found = judged(findings({}, more=[Tried("network", "send_a_datagram", 0)]))
    assert verdict(found, "network").verdict == "partial"


def test_what_got_through_is_said():
    assert "attack network" in verdict(judged(findings({"network": 0})), "network").mechanism


def test_later_workers_must_have_what_the_self_test_had():
    assert judged(findings({})).mechanisms == ("limits", "user", "chroot", "seccomp")


def test_a_layer_that_no_level_needs_is_said_to_be_unprotected():
    found = verdict(judged(findings({"neighbours": 0})), "neighbours")
    assert found.mechanism == "not protected; a worker could attack neighbours"


# --- This machine ---


def may_make_a_process_namespace():
    tried = subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True, check=False)
    return tried.returncode == 0


def expected(*absent, neighbours="partial"):
    """Return the verdict of each layer: where no namespace may be made, process numbers are the machine's."""
    return dict.fromkeys(LAYERS, "verified") | dict.fromkeys(absent, "absent") | {"neighbours": neighbours}


@needs_linux
@needs_root
def test_root_reaches_strong():
    neighbours = "verified" if may_make_a_process_namespace() else "partial"
    with Sandbox(isolation.strongest(), Limits()) as sandbox:
        found = {each.layer: each.verdict for each in sandbox.verified.layers}
    assert found == expected(neighbours=neighbours)


@needs_linux
def test_the_mechanisms_of_a_user_reach_standard_and_say_what_is_absent():
    with Sandbox(Level.STANDARD, Limits()) as sandbox:
        assert (sandbox.verified.level, verdict(sandbox.verified, "user").verdict) == (Level.STANDARD, "absent")


@needs_linux
def test_a_mere_process_is_seen_to_be_one():
    with Sandbox(Level.PROCESS, Limits()) as sandbox:
        found = sandbox.verified
    assert {each.verdict for each in found.layers if each.layer != "limits"} == {"absent"}


@needs_linux
def test_less_than_was_insisted_on_is_refused_with_the_table():
    with Sandbox(Level.PROCESS, Limits(), at_least=Level.STANDARD) as sandbox, pytest.raises(IsolationError) as refusal:
        sandbox.preload(["math"])
    assert "STANDARD is required" in str(refusal.value)
    assert "a worker could" in str(refusal.value)


@needs_linux
def test_the_self_test_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Sandbox(Level.PROCESS, Limits()) as sandbox:
        assert sandbox.verified.layers
        assert list(tmp_path.iterdir()) != []
    assert list(tmp_path.iterdir()) == []


# --- A container, an ordinary user ---

SCRIPT = """
import json, sys
from autograder.sandbox import isolation
from autograder.assignment import Limits
from autograder.sandbox.sandbox import Sandbox
with Sandbox(isolation.strongest(), Limits()) as sandbox:
    found = sandbox.verified
print(json.dumps({"level": found.level.name, **{each.layer: each.verdict for each in found.layers}}))
"""


def levels(command, **options):
    """Return what the self-test finds when a Python is started with `command`."""
    ended = subprocess.run([*command, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False, **options)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def interpreter_for(uid):
    """Return a Python like this one that the user can run."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        try:
            subprocess.run([candidate, "-c", ""], user=uid, group=uid, cwd="/", check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return candidate
    return pytest.skip(f"user {uid} can run no {version} here")


@pytest.fixture(scope="module")
def readable():
    """Give a directory that every user may read, with the package and what it imports."""
    directory = Path(tempfile.mkdtemp(prefix="autograder-readable-"))
    directory.chmod(0o755)
    shutil.copytree(REPOSITORY / "autograder", directory / "autograder", ignore=shutil.ignore_patterns("tests"))
    packages = Path(sysconfig.get_paths()["purelib"])
    for name in ("msgspec", "tomli"):
        if (packages / name).is_dir():
            shutil.copytree(packages / name, directory / name)
    yield directory
    shutil.rmtree(directory)


@needs_linux
@needs_root
def test_root_in_a_container_reaches_strong():
    pytest.importorskip("pyseccomp")
    found = levels([sys.executable, str(CONTAINER), sys.executable], cwd=REPOSITORY)
    assert found == {"level": "STRONG", **expected()}


@needs_linux
@needs_root
def test_an_ordinary_user_reaches_standard(readable):
    python = interpreter_for(SOMEBODY)
    found = levels(
        [python, "-B"], user=SOMEBODY, group=SOMEBODY, extra_groups=[], cwd="/", env={"PYTHONPATH": str(readable)}
    )
    assert found == {"level": "STANDARD", **expected("user", "names")}


@needs_linux
@needs_root
def test_root_of_a_namespace_with_a_single_user_reaches_standard(readable):
    python = interpreter_for(SOMEBODY)
    command = ["unshare", "--user", "--map-root-user"]
    options = {
        "user": SOMEBODY,
        "group": SOMEBODY,
        "extra_groups": [],
        "cwd": "/",
        "env": {"PYTHONPATH": str(readable)},
    }
    if subprocess.run([*command, "true"], check=False, capture_output=True, user=SOMEBODY, group=SOMEBODY).returncode:
        pytest.skip("this machine lets no user make a namespace")
    assert levels([*command, python, "-B"], **options)["level"] == "STANDARD"


THREADS = """
import sys
from pathlib import Path
from autograder.assignment import Limits
from autograder.model import Level
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

if "unbounded" in sys.argv:
    isolation._THREADS = 1 << 20
with Sandbox(Level.STANDARD, Limits(memory_mb=4096), at_least=Level.STANDARD) as sandbox:
    worker = sandbox.spawn(Path(sys.argv[1]), ["engine.py"], ["threading"])
    worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 10)
    print(worker.exchange(encode_batch([(wire.METHOD, 2000, (wire.Handle(1), "started", [], {}))]), 10))
    sandbox.end(worker)
"""
MANY = """
import threading
def started():
    stop, count = threading.Event(), 0
    threading.stack_size(1 << 18)
    try:
        for count in range(200):
            threading.Thread(target=stop.wait, daemon=True).start()
    except RuntimeError:
        pass
    stop.set()
    return count
"""


@needs_linux
@needs_root
@pytest.mark.parametrize(("bound", "most"), [("bounded", 64), ("unbounded", 199)])
def test_a_worker_that_shares_its_user_starts_few_threads_and_without_the_limit_many(readable, bound, most):
    python = interpreter_for(SOMEBODY)
    folder = readable / bound
    folder.mkdir()
    (folder / "engine.py").write_text(MANY, "utf-8")
    answer = subprocess.run(
        [python, "-B", "-c", THREADS, str(folder), bound],
        user=SOMEBODY,
        group=SOMEBODY,
        extra_groups=[],
        cwd="/",
        env={"PYTHONPATH": str(readable)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    started = int(answer.stdout)
    assert started == most if bound == "unbounded" else 8 < started <= most


@needs_linux
def test_the_tasks_of_a_user_are_counted_with_their_threads():
    stop = threading.Event()
    before = users.tasks_of(os.getuid())
    threads = [threading.Thread(target=stop.wait) for _ in range(20)]
    for thread in threads:
        thread.start()
    during = users.tasks_of(os.getuid())
    stop.set()
    for thread in threads:
        thread.join()
    assert during >= before + 10  # other processes of this user may end meanwhile


# --- User ids ---


def reserved():
    block = users.reserve_users()
    assert block is not None
    return block


@pytest.mark.parametrize(
    ("mapped", "found"),
    [
        (range(4294967295), (0x70000000, 0x80000000)),
        (range(65536), (20_000, 60_000)),
        (range(1), None),
        (range(500), None),
    ],
)
def test_ids_come_from_where_nobody_is(mapped, found):
    assert users.unused_range([mapped], [mapped]) == found


def test_an_id_must_be_mapped_for_users_and_for_groups():
    assert users.unused_range([range(4294967295)], [range(1)]) is None


@needs_linux
@needs_root
def test_two_graders_never_share_an_id():
    one, other = reserved(), reserved()
    assert not {one.next() for _ in range(users.BLOCK)} & {other.next() for _ in range(users.BLOCK)}
    one.close()
    other.close()


@needs_linux
@needs_root
def test_a_block_that_is_taken_is_not_given_again(monkeypatch):
    one_block = (1 << 29, (1 << 29) + users.BLOCK)
    monkeypatch.setattr(users, "unused_range", lambda *_: one_block)
    block = reserved()
    assert users.reserve_users() is None
    block.close()
    reserved().close()


@needs_linux
@needs_root
def test_a_block_with_a_running_process_is_not_given(monkeypatch):
    first = 1 << 28
    monkeypatch.setattr(users, "unused_range", lambda *_: (first, first + users.BLOCK))
    with subprocess.Popen(["sleep", "60"], user=first + 7) as running:
        assert users.reserve_users() is None
        running.kill()
    reserved().close()


# --- The command ---


@needs_linux
def test_the_verb_prints_a_line_for_every_layer():
    shown = CliRunner().invoke(main, ["isolation", "--root", str(REPOSITORY)])
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["isolation:", *LAYERS]


@needs_linux
def test_a_machine_reads_the_same():
    shown = CliRunner().invoke(main, ["isolation", "--json", "--root", str(REPOSITORY)])
    assert [layer["layer"] for layer in json.loads(shown.stdout)["layers"]] == list(LAYERS)
