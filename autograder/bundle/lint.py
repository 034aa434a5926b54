"""What must not be in a zip, and what must: looked for in the finished bytes, as the reader will unpack them."""

from __future__ import annotations

import ast
import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from ..assignment import Assignment
from ..handout.copies import is_copy
from ..handout.tasks import headers_of
from .contents import SCRIPTS

_SECRET_NAMES = re.compile(r"(^|/)(\.env|\.netrc|\.pypirc|\.git|id_(rsa|ed25519|ecdsa)|.*\.(pem|key|p12))(/|$)")
_SECRET_TEXT = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(ghp|gho|github_pat|glpat|sk|xox[bp])[-_][A-Za-z0-9_-]{20,}"
)
_MAX_MB = 100  # Gradescope's own limit for an upload, all files together


def zip_problems(data: bytes) -> list[str]:
    """Return what is wrong with any zip that leaves the repository, a sentence each."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        names = Counter(entry.filename.casefold() for entry in entries)
        found = [f"{name} is in it {many} times, capitals aside" for name, many in names.items() if many > 1]
        for entry in entries:
            path = PurePosixPath(entry.filename)
            if path.is_absolute() or ".." in path.parts or "\\" in entry.filename:
                found.append(f"{entry.filename} would be unpacked outside the folder")
            if _SECRET_NAMES.search(entry.filename) or _SECRET_TEXT.search(archive.read(entry)):
                found.append(f"{entry.filename} looks like a key or a password: no zip may hold it")
    if len(data) > _MAX_MB << 20:
        found.append(f"it has {len(data) >> 20} MB; more than {_MAX_MB} cannot be uploaded")
    return found


def image_problems(data: bytes) -> list[str]:
    """Return what would keep Gradescope from building or running an image of the zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
        found = [f"{name} is not at the root" for name in (*SCRIPTS, "pyproject.toml") if name not in entries]
        for name in SCRIPTS:
            if name in entries:
                found += [f"{name} {wrong}" for wrong in _script_problems(archive.read(name), entries[name])]
    return found


def _script_problems(content: bytes, entry: zipfile.ZipInfo) -> Iterator[str]:
    if not content.startswith(b"#!/"):
        yield "has no #! line: Gradescope would report an exec format error"
    if b"\r" in content:
        yield "has Windows line endings: Linux would look for an interpreter whose name ends in them"
    if not (entry.external_attr >> 16) & stat.S_IXUSR:
        yield "has no exec bit"


def handout_problems(data: bytes, assignment: Assignment) -> list[str]:
    """Return what of the staff's the zip would give away: hidden tests and the solution's tasks.

    Each function that students may not see is looked for as a whole in every file, whatever its indentation.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        texts = {name: _squeezed(archive.read(name).decode("utf-8", "replace")) for name in archive.namelist()}
    secrets = [*_hidden_functions(assignment), *_tasks(assignment)]
    return [f"{name} holds {what}" for name, text in texts.items() for what, body in secrets if body in text]


def _hidden_functions(assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield every function of the secret suites: where it stands, and its body."""
    for suite in assignment.suites:
        for file in sorted((assignment.root_path / suite.path).rglob("*.py")) if suite.secret else ():
            source = file.read_text("utf-8")
            functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
            yield from _bodies(functions, source, file)


def _tasks(assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield every task of the solution: where it stands, and its body."""
    for file in sorted(assignment.solution_path.rglob("*.py")):
        source = file.read_text("utf-8")
        if is_copy(source.encode()):  # of a file of the grader, which has no tasks
            continue
        tasks = [header.function for header in headers_of(source, file=str(file)) if header.task is not None]
        yield from _bodies(tasks, source, file)


def _bodies(
    functions: Iterable[ast.FunctionDef | ast.AsyncFunctionDef], source: str, file: Path
) -> Iterator[tuple[str, str]]:
    lines = source.splitlines()
    for function in functions:
        statements = function.body[1:] if ast.get_docstring(function) is not None else function.body
        if statements:
            end = function.end_lineno
            body = _squeezed("\n".join(lines[statements[0].lineno - 1 : end]))
            if len(body) > len("return NotImplemented"):  # shorter ones say nothing, and occur anywhere
                yield f"the body of {function.name} from {file.name}", body


def _squeezed(text: str) -> str:
    """Return the lines of `text` without indentation, empty lines and lines of comment."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))
