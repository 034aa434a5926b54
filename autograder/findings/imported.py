"""Why the submission could not be imported, in any homework.

Nothing of a test has run by then, so the submission's own words may be used.
"""

from __future__ import annotations

import re

from ..errors import RemoteError, WorkerCrash, WorkerError, WorkerTimeout
from ..model import Diagnosis
from ..wording import Wording

SAYS_ALL = ("notebook-line", "markdown-fence", "input-at-import", "leaves-at-import")  # Python's words add nothing
_MAIN = '`if __name__ == "__main__":`'
_SENTENCES = {  # the most fundamental first; for two of them, a general one too
    "import-not-allowed": (
        "The file imports a module that is not there when it is graded.",
        "The file imports {it}, which is not there when it is graded.",
    ),
    "names-itself": ("An annotation names its own class before the class is there: quote it.",),
    "notebook-line": ("This line is a command of a notebook, not Python: delete the line.",),
    "markdown-fence": ("This line is a fence of Markdown, not Python: delete the line.",),
    "syntax": ("Python cannot read the file.",),
    "input-at-import": (f"The file waits for `input()` when it is imported: move that line below {_MAIN}.",),
    "leaves-at-import": (f"The file ends Python when it is imported: move that line below {_MAIN}.",),
    "import-too-long": ("Importing the file does not end: leave training and plots out of it.",),
    "import-crashed": ("Importing the file ends the process: nothing in it may leave Python.",),
    "import-fails": ("Importing the file raises an exception.",),
    "module-not-imported": (
        "The code uses a module, but does not import it.",
        "The code uses {it}, but does not import it.",
    ),
}
WORDINGS = {code: Wording(rank=-1, general=said[0], one=said[-1]) for code, said in _SENTENCES.items()}
_NO_NAME = re.compile(r"name '(\w+)' is not defined")
_MODULES = ("math", "random")
_NOTEBOOK = re.compile(r"(?:[\w., \t]*=[ \t]*)?[!%]{1,2}[ \t]*[\w./{$-]|\?{1,2}\w")  # !pip, %%time, files = !ls, ?name
_FENCE = re.compile(r"```|~~~")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def why_not_imported(problem: WorkerError, line: str = "", section: str = "") -> Diagnosis:
    """Return why importing the submission ended with `problem` at `line`, a line of it; in the end, that it did.

    `section` is the anchor in the handout under which a student reads on.
    """
    code, subject = _named(problem, line.strip())
    wording = WORDINGS[code]
    said = wording.of([subject] if subject else [])
    return Diagnosis(code=code, sentence=said, subject=subject, section=section, wording=wording)


def _named(problem: WorkerError, line: str) -> tuple[str, str]:
    """Return the code and the subject of what ended an import."""
    if isinstance(problem, WorkerTimeout):
        return "import-too-long", ""
    if isinstance(problem, WorkerCrash):
        return "import-crashed", ""
    return _of_an_exception(problem, line) if isinstance(problem, RemoteError) else ("import-fails", "")


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
