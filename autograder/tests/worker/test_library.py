"""What works at home works in a worker: everything in the standard library, and what it loads later."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("workers are confined on Linux only", allow_module_level=True)

from autograder.assignment import Limits
from autograder.grading import fresh_directory
from autograder.model import Level
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.standard_library import IMPORTABLE
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

SYSTEM = Path("/usr/bin/python3")
LEVELS = [level for level in (Level.STRONG, Level.STANDARD) if level <= isolation.strongest()]
EVERYTHING = '''
import importlib, sys

def failures(names):
    """Import each module of each package by its name, and return those that fail."""
    failed = []
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as problem:
            failed.append(f"{name}: {problem}")
    return failed
'''


@pytest.fixture(scope="module", params=LEVELS, ids=lambda level: level.name.lower())
def level(request):
    return request.param


@pytest.fixture(scope="module", params=[sys.executable, str(SYSTEM)], ids=["this-python", "the-systems-python"])
def sandbox(request, level):
    if not Path(request.param).exists() or not modern(request.param):
        pytest.skip(f"there is no {request.param} of at least 3.10")
    with Sandbox(level, Limits(), at_least=level, python=request.param) as sandbox:
        yield sandbox


def modern(python):
    return os.spawnv(os.P_WAIT, python, [python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]) == 0


@pytest.fixture
def run(sandbox):
    """Give a function that calls `main` of an engine in a worker, and returns what it returns."""

    def run(text, *, imports=IMPORTABLE, beside=""):
        with fresh_directory() as directory, sandbox.forked_zygote():
            (directory / "engine.py").write_text(text, "utf-8")
            (directory / "statistics.py").write_text(beside, "utf-8")
            worker = sandbox.spawn(directory, ["engine.py", "statistics.py"], imports)
            try:
                loaded = worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 20)
                assert type(loaded) is dict, loaded.message
                call = encode_batch([(wire.METHOD, 2000, (wire.Handle(1), "main", [], {}))])
                return worker.exchange(call, 20)
            finally:
                sandbox.end(worker)

    return run


def submodules():
    """Name every public module that may be imported, and every module below it, by the files of this Python."""
    home = Path(os.__file__).parent
    for name in IMPORTABLE:
        if name.startswith("_"):
            continue
        yield name
        for file in sorted((home / name).rglob("*.py")):
            parts = file.relative_to(home).with_suffix("").parts
            if parts[-1] not in ("__init__", "__main__") and not {"test", "tests"} & set(parts):
                yield ".".join(parts)


def missing_at_home(names):
    """Return those that this Python cannot import where nothing is confined: other systems' modules."""
    program = f"{EVERYTHING}\nprint(*[line.partition(':')[0] for line in failures({names!r})])"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(answer.stdout.splitlines()[-1].split())


def test_every_submodule_of_every_module_that_may_be_imported_is_there(level):
    wanted = sorted(submodules())
    with Sandbox(level, Limits(), at_least=level) as sandbox, fresh_directory() as directory:
        (directory / "engine.py").write_text(EVERYTHING, "utf-8")
        worker = sandbox.spawn(directory, ["engine.py"], IMPORTABLE)
        assert type(worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 20)) is dict
        call = encode_batch([(wire.METHOD, 2000, (wire.Handle(1), "failures", [wanted], {}))])
        failed = worker.exchange(call, 60)
        sandbox.end(worker)
    assert len(wanted) > 300
    assert {line.partition(":")[0] for line in failed} - missing_at_home(wanted) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def main():\n    δ = 2.0\n    return δ\n", 2.0),
        ("from collections.abc import Callable\ndef main():\n    return Callable.__name__\n", "Callable"),
        ("def main():\n    return 'é'.encode('cp1252')[0]\n", 233),
        ("def main():\n    return '\\N{DEGREE SIGN}'\n", "°"),
        ("import time\ndef main():\n    return time.strptime('2024', '%Y').tm_year\n", 2024),
        ("import logging.handlers\ndef main():\n    return logging.handlers.MemoryHandler(3).capacity\n", 3),
        ("from unittest import mock\ndef main():\n    return mock.Mock(return_value=5)()\n", 5),
        ("import importlib.resources\ndef main():\n    return importlib.resources.__name__\n", "importlib.resources"),
        ("import datetime\ndef main():\n    return datetime.datetime.strptime('3', '%d').day\n", 3),
        ("def main():\n    return __import__('deci' + 'mal').Decimal(4).__float__()\n", 4.0),
        ("def main():\n    return __import__('hash' + 'lib').sha256(b'').hexdigest()[:4]\n", "e3b0"),
        ("import xml.etree.ElementTree as t\ndef main():\n    return t.fromstring('<a>6</a>').text\n", "6"),
        (
            "def main():\n    return __import__('sqlite' + '3').Row.__name__\n",
            "Row",
        ),
    ],
)
def test_what_is_loaded_later_is_there(run, text, expected):
    assert run(text) == expected


def test_what_python_imports_by_itself_is_not_refused_by_a_closed_list(run):
    text = "import time\ndef main():\n    return time.strptime('2024', '%Y').tm_year\n"
    assert run(text, imports=["time"]) == 2024


def test_an_import_outside_a_closed_list_is_refused(run):
    text = "def main():\n    import json\n"
    assert run(text, imports=["time"]).class_name == "RefusedImport"


def test_a_submissions_own_file_comes_before_one_of_the_library(run):
    text = "import statistics\ndef main():\n    return statistics.own\n"
    assert run(text, beside="own = 2") == 2


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_may_be_given_another_encoding(run, stream):
    text = (
        f"import sys\ndef main():\n    sys.{stream}.reconfigure(encoding='utf-16')\n    return sys.{stream}.encoding\n"
    )
    assert run(text) == "utf-16"


def test_the_importer_holds_nothing_but_the_standard_library(run):
    text = """
import sys
def main():
    library = sys.meta_path[-1]
    return sorted({name.partition('.')[0] for name in library._index} - set(sys.stdlib_module_names))
"""
    ours = {name for name in run(text) if "autograder" in name}
    assert ours == set()


def test_bytecode_is_only_read(run):
    text = """
import sys
def main():
    try:
        sys.meta_path[-1]._data[0] = 0
    except TypeError:
        return 'refused'
"""
    assert run(text) == "refused"


def test_no_module_of_ours_is_reachable_by_name(run):
    text = """
import sys
def main():
    try:
        import autograder
    except ImportError:
        return sorted(name for name in sys.modules if name.startswith('autograder'))
"""
    assert run(text, imports=[*IMPORTABLE, "autograder"]) == []


def test_the_main_module_holds_nothing_of_ours(run):
    text = """
import sys
def main():
    named = vars(sys.modules['__main__'])
    return sorted(name for name in named if str(getattr(named[name], '__module__', '')).startswith('autograder'))
"""
    assert run(text) == []
