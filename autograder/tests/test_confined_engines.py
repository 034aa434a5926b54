"""An honest engine works in confinement as it does at home; what is forbidden raises an ordinary Python exception."""

import os
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("workers are confined on Linux only", allow_module_level=True)

from autograder.assignment import Limits
from autograder.model import Level
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

MODULES = ("os", "sys", "math", "random", "time", "threading", "uuid", "decimal", "socket")
LEVELS = [level for level in (Level.STRONG, Level.STANDARD) if level <= isolation.strongest()]
MODULE, RESULT = 1, 2000


@pytest.fixture(scope="module", params=LEVELS, ids=lambda level: level.name.lower())
def sandbox(request):
    with Sandbox(request.param, Limits(memory_mb=384), at_least=request.param) as sandbox:
        sandbox.preload(MODULES)
        yield sandbox


@pytest.fixture
def run(sandbox, tmp_path_factory):
    """Give a function that runs the text of an engine's `main` in a worker, and returns what it returns."""
    with isolation_directory() as directory:

        def run(body):
            lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
            (directory / "engine.py").write_text(f"import {', '.join(MODULES)}\ndef main():\n{lines}", "utf-8")
            worker = sandbox.spawn(directory, ["engine.py"], MODULES)
            try:
                loaded = worker.exchange(encode_batch([(wire.LOAD, MODULE, ("engine",))]), 10)
                assert type(loaded) is dict, loaded.message
                return worker.exchange(encode_batch([(wire.METHOD, RESULT, (wire.Handle(MODULE), "main", [], {}))]), 10)
            finally:
                sandbox.end(worker)

        yield run


def isolation_directory():
    from autograder.grading import fresh_directory

    return fresh_directory()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return math.tanh(0.0)", 0.0),
        ("return random.Random(1).random() == random.Random(1).random()", True),
        ("return len(os.urandom(8))", 8),
        ("return len(str(uuid.uuid4()))", 36),
        ("time.sleep(0.001)\nreturn time.perf_counter() > 0 and time.time() > 0", True),
        ("return float(decimal.Decimal(1) / 8)", 0.125),
        ("return sum(1 for _ in range(100_000))", 100_000),
        ("print('seen')\nreturn 1", 1),
        ("return open('engine.py').readline()[:6]", "import"),
        ("return os.listdir('.')", ["engine.py"]),
    ],
)
def test_what_an_engine_may_do_works(run, body, expected):
    assert run(body) == expected


def test_a_backward_in_a_thread_with_a_large_stack_works(run):
    deep = """
sys.setrecursionlimit(10**6)
threading.stack_size(128 << 20)
found = []
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
thread = threading.Thread(target=lambda: found.append(depth(20_000)))
thread.start()
thread.join()
return found[0]
"""
    assert run(deep) == 20_000


def test_too_deep_a_recursion_is_a_recursion_error(run):
    assert run("def f():\n    return f()\nreturn f()").kind == "RecursionError"


def test_too_much_memory_is_a_memory_error(run):
    assert run("return len([0] * 10**9)").kind == "MemoryError"


def test_a_worker_lives_on_after_a_memory_error(run):
    assert run("try:\n    bytearray(10**10)\nexcept MemoryError:\n    return 'caught'") == "caught"


@pytest.mark.parametrize(
    "body",
    [
        "open('left', 'w')",
        "open('/etc/passwd').read()",
        "os.fork()",
        "os.kill(os.getppid(), 9)",
        "os.system('true') and os.fork()",
        "socket.socket()",
        "os.mkdir('left')",
        "os.remove('engine.py')",
        "os.listdir('/proc')",
        "os.execv('/bin/true', ['true'])",
        "os.setuid(0)",
    ],
)
def test_what_it_may_not_do_is_an_os_error(run, body):
    assert run(body).kind in {"PermissionError", "FileNotFoundError"}


def test_more_threads_than_are_good_for_it_are_a_runtime_error(run):
    body = """
stop = threading.Event()
threading.stack_size(32 << 20)
try:
    for _ in range(200):
        threading.Thread(target=stop.wait, daemon=True).start()
finally:
    stop.set()
"""
    assert run(body).kind == "RuntimeError"


def test_the_environment_holds_no_word_of_the_grader(run):
    ours = {"PATH", "LANG", "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "LC_CTYPE"}
    assert set(run("return list(os.environ)")) <= ours


def test_five_descriptors_are_open_and_no_more(run):
    count = """
found = []
for number in range(32):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
return found
"""
    assert run(count) == [0, 1, 2, 3, 4]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a worker a user of its own")
def test_no_two_workers_share_a_user():
    with Sandbox(Level.STRONG, Limits()) as sandbox, isolation_directory() as directory:
        (directory / "engine.py").write_text("import os\ndef main():\n    return os.getuid()\n", "utf-8")
        found = []
        for _ in range(2):
            worker = sandbox.spawn(directory, ["engine.py"], ["os"])
            worker.exchange(encode_batch([(wire.LOAD, MODULE, ("engine",))]), 10)
            call = encode_batch([(wire.METHOD, RESULT, (wire.Handle(MODULE), "main", [], {}))])
            found.append(worker.exchange(call, 10))
            sandbox.end(worker)
    assert len({0, *found}) == 3
