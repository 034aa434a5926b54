"""What isolation a container, a namespace or an ordinary user has."""

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

from autograder.sandbox import users

from ..support.levels import REPOSITORY, expected, needs_linux, needs_root

CONTAINER = Path(__file__).parents[1] / "support" / "container.py"
SOMEBODY = 12345


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
    found = levels([*command, python, "-B"], **options)
    assert (found["level"], found["neighbours"]) == ("STANDARD", "partial"), found  # no process namespace is left again


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
