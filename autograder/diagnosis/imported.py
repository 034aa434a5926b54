"""Why the submission could not be imported. Nothing of a test has run by then, so its own words may be used."""

from __future__ import annotations

import re

from ..errors import RemoteError, WorkerCrash, WorkerError, WorkerTimeout
from ..model import Diagnosis
from .codes import diagnosed

_NO_NAME = re.compile(r"name '(\w+)' is not defined")
_MODULES = ("math", "random")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def why_not_imported(problem: WorkerError) -> Diagnosis:
    """Return why importing the submission ended with `problem`; in the end, that it did."""
    if isinstance(problem, WorkerTimeout):
        return diagnosed("import-too-long")
    if isinstance(problem, WorkerCrash):
        return diagnosed("import-crashed")
    return diagnosed(*_of_an_exception(problem)) if isinstance(problem, RemoteError) else diagnosed("import-fails")


def _of_an_exception(problem: RemoteError) -> tuple[str, str]:
    """Return the code and the subject of an exception that the import raised."""
    if problem.kind in _SYNTAX:
        return "syntax", ""
    if problem.class_name == "RefusedImport" and problem.message.isidentifier():
        return "import-not-allowed", problem.message
    name = _NO_NAME.match(problem.message) if problem.kind == "NameError" else None
    if name and name[1] in _MODULES:
        return "module-not-imported", name[1]
    in_its_own_body = name is not None and problem.frames and problem.frames[-1][2] == name[1]
    return ("names-itself" if in_its_own_body else "import-fails"), ""
