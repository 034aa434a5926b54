"""The diagnoses of a homework: a module that its configuration names, by what it must offer.

    [tool.autograder]
    diagnosis = "fractions_diagnosis"  # a module of the grader, or a file of the course beside pyproject.toml

It is asked after a test with points has failed, once no test is left that could learn from the questions.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

from ..assignment import Assignment
from ..errors import AssignmentError
from ..model import Diagnosis
from ..remote.replay import Replay

if TYPE_CHECKING:
    from ..film.frames import Film


FAILED = "A diagnosis failed"  # the title of the flag that tells staff so


class DiagnosisPlugin(Protocol):
    """What the module must define: `diagnose`, and `film_of_test` if it can show what a test did."""

    def diagnose(self, tape: Replay, anew: Callable[[str, str], Replay | None], /) -> Diagnosis | None:
        """Return what is wrong with the submission that failed a test; None if nothing can be said for sure.

        `tape` holds the recorded program of the test: its `steps`, how many were `performed`, and the error `broken`
        that ended it. `tape.ask` puts questions to a worker that has performed the same, which is the evidence.
        The `section` of the answer is a key of `sections` in the configuration, which says where students read on. If
        the line is wanted that makes the mistake of a code and a subject, `anew` returns the same program with a
        worker that has performed nothing. Nothing that the worker answers may appear in a sentence.
        """

    def film_of_test(self, title: str, anew: Replay, /) -> Film | None:
        """Return what the failed test did, step by step; None if it cannot be shown."""


def plugin_of(assignment: Assignment) -> DiagnosisPlugin | None:
    """Return the plugin that the configuration names; None if it names none.

    Raise AssignmentError if it is not there, or defines no `diagnose`.
    """
    name = assignment.diagnosis
    if not name:
        return None
    place = f"{assignment.root_path / 'pyproject.toml'}, [tool.autograder]: diagnosis = {name!r}"
    try:
        found = _imported(assignment)
    except Exception as problem:  # noqa: BLE001 - a file of the course may raise anything
        raise AssignmentError(f"{place}: the module cannot be imported: {_in_words(problem, assignment)}") from None
    if not callable(getattr(found, "diagnose", None)):
        raise AssignmentError(f"{place}: the module must define a function `diagnose(tape, anew)`")
    return cast(DiagnosisPlugin, found)


def _in_words(problem: Exception, assignment: Assignment) -> str:
    """Return what an import raised, with the line of the course's own file that did."""
    said = f"{type(problem).__name__}: {problem}"
    lines = [each.lineno for each in traceback.extract_tb(problem.__traceback__) if _is_own(each.filename, assignment)]
    return f"{assignment.diagnosis_file}:{lines[-1]}: {said}" if lines else said


def _is_own(file: str, assignment: Assignment) -> bool:
    return assignment.diagnosis_file is not None and Path(file) == assignment.diagnosis_file


def _imported(assignment: Assignment) -> ModuleType:
    """Return the module: a file of the course, which other courses do not see, or one that is installed."""
    if assignment.diagnosis_file is None:
        return importlib.import_module(assignment.diagnosis)
    specification = importlib.util.spec_from_file_location(assignment.diagnosis, assignment.diagnosis_file)
    assert specification is not None, "a .py file always has a specification"
    assert specification.loader is not None, "and a loader"
    module = importlib.util.module_from_spec(specification)
    sys.modules[assignment.diagnosis] = module  # where dataclasses and msgspec look their module up
    specification.loader.exec_module(module)
    return module
