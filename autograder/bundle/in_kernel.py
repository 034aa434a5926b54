"""What the tests of a bundle for otter-grader call: the verdict on one test, out of one run of the grader.

It runs in otter's kernel, where the submission ran before it. So it imports the standard library alone, and grades in a
process of its own, from a private copy of everything: the submitted bytes, the grader and the assignment, which travel
in the zip that this module was imported from.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, NoReturn

_ARCHIVE = Path(__file__).parents[2].absolute()  # the zip; its path was relative to the directory of the first import
_EXIT = 3  # something could not be graded, as for every command


def run_case(test: str, *, submission: str) -> None:
    """Return if the submission passes the test of this id; raise AssertionError with a student's text if it does not.

    `submission` is the file to grade. If it does not exist, the only Python file beside it is graded.

    If nothing can be said about the submission, this process ends, and otter writes no result. An exception would be a
    failed test to otter, and so a failure to grade would become a zero.
    """
    try:
        file = _submitted(Path(submission))
        text = _failures(file.name, file.read_bytes())[test]
    except BaseException as problem:  # noqa: BLE001 - whatever it is, it says nothing about the submission
        _end(problem)
    if text is not None:
        raise AssertionError(text)


def _submitted(file: Path) -> Path:
    if file.is_file():
        return file
    others = [other for other in file.parent.glob("*.py") if other.name != "__init__.py"]  # that one is otter's
    if len(others) != 1:
        raise FileNotFoundError(f"no {file.name} was handed in")
    return others[0]


@functools.lru_cache(maxsize=1)  # otter asks test by test; the submission is graded once
def _failures(name: str, source: bytes) -> dict[str, str | None]:
    """Return what a student may read of each test by its id, None for a test that passed."""
    content = _graded(name, source)
    entries = [entry for entry in content["tests"] if "id" in entry.get("extra_data", {})]
    texts = {
        entry["extra_data"]["id"]: None if entry["status"] == "passed" else entry.get("output", "Not passed.")
        for entry in entries
    }
    texts |= dict.fromkeys(content["extra_data"]["not_attempted"])  # optional and not begun: not a failure
    if not content["extra_data"]["imported"]:  # otter has no place above the tests, so the first one explains
        texts[entries[0]["extra_data"]["id"]] = content["output"]
    return texts


def _graded(name: str, source: bytes) -> dict[str, Any]:
    """Return the content of results.json for a submission of one file, graded by a process of its own."""
    with tempfile.TemporaryDirectory(prefix="autograder-otter-") as home:
        grader, file = Path(home) / "grader", Path(home) / name
        with zipfile.ZipFile(_ARCHIVE) as archive:
            archive.extractall(grader)
        file.write_bytes(source)
        arguments = ["grade", str(file), "--json", "--root", str(grader / "assignment")]
        done = subprocess.run(
            [sys.executable, "-I", str(grader), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def _end(problem: BaseException) -> NoReturn:
    """End this process, and with it otter's run; write the reason to otter's log and to standard error."""
    reason = f"autograder: nothing was graded: {type(problem).__name__}: {problem}"
    logging = sys.modules.get("otter.logging")  # reaches the log of the run; what a kernel prints does not
    if logging is not None:
        logging.get_logger("autograder").error(reason)
    print(reason, file=sys.stderr, flush=True)  # noqa: T201 - the command line's libraries are not for the kernel
    os._exit(_EXIT)
