"""Why the submission could not be imported. Nothing of a test has run by then, so its own words may be used."""

from __future__ import annotations

import re

from ..errors import RemoteError, WorkerCrash, WorkerError, WorkerTimeout
from ..model import Diagnosis
from .codes import diagnosed

_NO_NAME = re.compile(r"name '(\w+)' is not defined")
_MODULES = ("math", "random")
_NOTEBOOK = re.compile(r"(?:[\w., \t]*=[ \t]*)?[!%]{1,2}[ \t]*[\w./{$-]|\?{1,2}\w")  # !pip, %%time, files = !ls, ?name
_FENCE = re.compile(r"```|~~~")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def why_not_imported(problem: WorkerError, line: str = "") -> Diagnosis:
    """Return why importing the submission ended with `problem` at `line`, a line of it; in the end, that it did."""
    if isinstance(problem, WorkerTimeout):
        return diagnosed("import-too-long")
    if isinstance(problem, WorkerCrash):
        return diagnosed("import-crashed")
    return (
        diagnosed(*_of_an_exception(problem, line.strip()))
        if isinstance(problem, RemoteError)
        else diagnosed("import-fails")
    )


def _of_an_exception(problem: RemoteError, line: str) -> tuple[str, str]:
    """Return the code and the subject of an exception that the import raised."""
    if problem.kind in _SYNTAX:
        return _not_python(line), ""
    if problem.kind == "NameError" and (name := _NO_NAME.match(problem.message)):
        return _no_name(name[1], problem)
    if problem.class_name == "RefusedImport" and problem.message.isidentifier():
        return "import-not-allowed", problem.message
    if problem.kind == "EOFError" or (problem.kind == "OSError" and "reading from stdin" in problem.message):
        return "input-at-import", ""
    return ("leaves-at-import" if problem.kind == "SystemExit" else "import-fails"), ""


def _no_name(name: str, problem: RemoteError) -> tuple[str, str]:
    if name in _MODULES:
        return "module-not-imported", name
    if name == "get_ipython":
        return "notebook-line", ""
    in_its_own_body = problem.frames and problem.frames[-1][2] == name
    return ("names-itself" if in_its_own_body else "import-fails"), ""


def _not_python(line: str) -> str:
    """Return the code of what a line that Python cannot read is."""
    if _NOTEBOOK.match(line):
        return "notebook-line"
    return "markdown-fence" if _FENCE.match(line) else "syntax"
