"""Given: why the tests cannot use `engine.py`, in one line with the line that is to blame."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

from .grader_imports import refused_import

MAIN = '`if __name__ == "__main__":`'
NOTEBOOK = "is a command of a notebook, not Python. Delete the line"


def problem_of(file: Path) -> str:  # given
    """Return in one line why the tests cannot use `file`, or "" if they can."""
    if not file.is_file():
        return f"there is no {file.name} in {file.parent}: the tests need it beside conftest.py"
    try:
        module = importlib.import_module(file.stem)
    except SyntaxError as problem:
        place = f"{Path(problem.filename or file).name}, line {problem.lineno or 1}"
        return f"{place}: {not_python(problem)}. No test can run before that."
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - the student's code may raise anything
        return f"{place_of(problem, file)}: {why_raised(problem)}. No test can run before that."
    return elsewhere(module, file) or refused_import(file)


def elsewhere(module: ModuleType, file: Path) -> str:  # given
    """Return in one line that the import found something else, or a file without the class, or ""."""
    found = Path(module.__file__ or "").resolve()
    if found != file:
        return f"`import {file.stem}` finds {found} instead of {file.name}: rename that one."
    if not hasattr(module, "Value"):
        return f"{file.name} defines no class `Value`: is it the file that you mean, and is it saved?"
    return ""


def not_python(problem: SyntaxError) -> str:  # given
    """Return what is wrong with a line that is not Python: often it is a notebook's."""
    text = (problem.text or "").strip()
    if re.match(r"[!%]", text):
        return f"`{text}` {NOTEBOOK}"
    if text.startswith("```"):
        return f"`{text}` is a fence of Markdown, not Python. Delete the line"
    return f"{type(problem).__name__}: {problem.msg}"


def why_raised(problem: BaseException) -> str:  # given
    """Return why the import of a file ended."""
    text = str(problem)
    if (isinstance(problem, OSError) and "reading from stdin" in text) or isinstance(problem, EOFError):
        return f"the file waits for `input()` when it is imported. Move that line below {MAIN}"
    if isinstance(problem, SystemExit):
        return f"the file ends Python when it is imported. Move that line below {MAIN}"
    if isinstance(problem, NameError) and "get_ipython" in text:
        return f"`get_ipython()` {NOTEBOOK}"
    return f"{type(problem).__name__}: {text}"


def place_of(problem: BaseException, file: Path) -> str:  # given
    """Return the file and the last of its lines that an exception passed."""
    lines, trace = [0], problem.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f"{file.name}, line {lines[-1]}"


def unread_files(file: Path) -> list[str]:  # given
    """Return a line on each file beside `file` that may be the one that was meant, such as `engine (1).py`."""
    others = sorted(each.name for each in file.parent.glob("*.py") if file.stem in each.stem.lower() and each != file)
    notebooks = sorted(each.name for each in file.parent.glob("*.ipynb"))
    return [f"note: the tests read {file.name} alone, not {name}" for name in [*others, *notebooks]]
