"""The graders that are compared, each with an assignment generated from the same checks.

A peer says what to install, writes its assignment once, and gives the command that grades one submission. The score is
read from what the grader itself leaves behind: a results.json, a report or a gradebook.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from checks import ROOT, TOLERANCE, Check
from measure import run


@dataclass(frozen=True)
class Peer:
    """One grader. `python` is that of its own environment; `home` is where its assignment is written."""

    home: Path
    python: str
    name = ""
    packages: ClassVar[tuple[str, ...]] = ()
    slow = False
    limit = 90.0  # seconds for a bad submission, after which it counts as hung
    result = "results.json"  # the file whose size a submission can drive, below the folder of the run

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the assignment."""
        raise NotImplementedError

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return what grades `submission`, a folder with engine.py, from within the folder `out`."""
        raise NotImplementedError

    def score(self, out: Path) -> float | None:
        """Return the points that a run left in `out`; None if it left none."""
        file = out / self.result
        try:
            content = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return self.points(content)

    def points(self, content: dict) -> float | None:
        """Return the points in a result in Gradescope's form."""
        tests = content.get("tests", [])
        return content.get("score", sum(test.get("score") or 0 for test in tests) if tests else None)

    def _write(self, name: str, text: str) -> None:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")


def body_of(check: Check, close: str) -> str:
    """Return a check as the body of a function; `close` says how two numbers are compared."""
    lines = [*check.lines, *(close.format(got=got, expected=repr(expected)) for got, expected in check.numbers)]
    return "".join(f"    {line}\n" for line in lines)


class Ours(Peer):
    """This grader: pytest's tests here, the engine in a confined worker."""

    name = "this grader"

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write a course of one suite, and its manifest."""
        self._write(
            "pyproject.toml",
            f"""
            [tool.autograder]
            name = "comparison"
            isolation = "strong"

            [[tool.autograder.suites]]
            name = "public"
            path = "tests_public"
            points = {len(checks)}

            [tool.autograder.modules.engine]
            file = "engine.py"
            numbers = ["data", "grad"]
            deferred = ["operators", "tanh", "relu", "exp", "backward"]
            classes = ["Value"]
            """,
        )
        tests = [
            f"@pytest.mark.points(1)\ndef test_{check.name}(engine):\n    Value = engine.Value\n"
            + body_of(check, "assert {got} == approx({expected})")
            for check in checks
        ]
        self._write("tests_public/test_checks.py", "import pytest\nfrom pytest import approx\n\n" + "\n\n".join(tests))
        done = run([self.python, "-m", "autograder", "manifest", "--root", str(self.home)], ROOT)
        assert done.status == 0, done.said

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return `autograder grade`."""
        where = ["--root", str(self.home), "--results", str(out / "results.json")]
        return [self.python, "-m", "autograder", "grade", str(submission), *where]


class PlainPytest(Peer):
    """pytest in one process with the submission, and a conftest that counts the points: what most courses write."""

    name = "plain pytest"
    packages = ("pytest>=9.2,<10",)
    limit = 20.0  # it has none of its own

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the tests and the conftest."""
        tests = [
            f"def test_{check.name}():\n" + body_of(check, "assert {got} == approx({expected})") for check in checks
        ]
        self._write("test_checks.py", "from engine import Value\nfrom pytest import approx\n\n" + "\n\n".join(tests))
        self._write(
            "conftest.py",
            """
            import json, os, sys

            sys.path.insert(0, os.environ["SUBMISSION"])
            passed = 0

            def pytest_runtest_logreport(report):
                global passed
                passed += report.when == "call" and report.passed

            def pytest_sessionfinish(session):
                with open(os.environ["RESULTS"], "w") as file:
                    json.dump({"score": passed}, file)
            """,
        )

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return pytest."""
        options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(self.home), str(self.home)]
        return [self.python, "-m", "pytest", *options]


class GradescopeUtils(Peer):
    """Gradescope's own helper: unittest in one process with the submission."""

    name = "gradescope-utils"
    packages = ("gradescope-utils==0.5.0",)
    limit = 20.0  # it has none of its own

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the tests and what runs them."""
        tests = [
            f"@weight(1)\ndef test_{check.name}(self):\n"
            + body_of(check, f"self.assertAlmostEqual({{got}}, {{expected}}, delta={TOLERANCE})")
            for check in checks
        ]
        self._write(
            "tests/test_checks.py",
            "import unittest\nfrom gradescope_utils.autograder_utils.decorators import weight\n"
            "from engine import Value\n\n"
            "class Checks(unittest.TestCase):\n" + textwrap.indent("\n".join(tests), "    "),
        )
        self._write(
            "run_tests.py",
            """
            import os, sys, unittest
            from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

            sys.path.insert(0, os.environ["SUBMISSION"])
            here = os.path.dirname(os.path.abspath(__file__))
            suite = unittest.defaultTestLoader.discover(os.path.join(here, "tests"))
            with open(os.environ["RESULTS"], "w") as file:
                JSONTestRunner(visibility="visible", stream=file).run(suite)
            """,
        )

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return the runner."""
        return [self.python, str(self.home / "run_tests.py")]


class Check50(Peer):
    """CS50's check50: a process for each check, from a pool."""

    name = "check50"
    packages = ("check50==3.5.0",)
    result = "out.json"

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the checks, each with a limit of 2 seconds."""
        close = f"if not abs({{got}} - {{expected}}) <= {TOLERANCE}: raise check50.Failure('another number')"
        made = [
            f"@check50.check(imported, timeout=2)\ndef test_{check.name}():\n"
            f'    """{check.name}"""\n    Value = engine_here().Value\n' + body_of(check, close)
            for check in checks
        ]
        head = (
            "import sys\nimport check50\n\ndef engine_here():\n    sys.path.insert(0, '.')\n    import engine\n"
            "    return engine\n\n@check50.check(timeout=2)\ndef imported():\n"
            '    """engine.py can be imported"""\n    engine_here()\n\n'
        )
        self._write("__init__.py", head + "\n\n".join(made))
        self._write(".cs50.yml", "check50:\n  files:\n    - !include engine.py\n")

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return check50, run where the submission was copied to."""
        tool = str(Path(self.python).with_name("check50"))
        copy = f"cp {submission}/engine.py . && exec {tool} --dev --output json --output-file out.json {self.home}"
        return ["sh", "-c", copy]

    def points(self, content: dict) -> float | None:
        """Return how many checks passed, without the import."""
        results = content.get("results")
        if results is None:
            return None
        return sum(result["passed"] is True and result["name"] != "imported" for result in results)
