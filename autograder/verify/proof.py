"""What was proved before: a trial without a gap counts again as long as nothing that decides it has changed.

That is the grader, Python and the packages it runs with, the machine, the configuration, the solution, the starter,
every file of the suites, and the engine itself. In the suites, comments, layout and the words of hints decide nothing:
no test can see them, unless one reads its own source or its marks. If any does, each byte of the suites counts.

The row of a mistake is not part of it: whether a trial is as its row says is judged anew each time.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import platform
import sys
import zlib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..files import write_whole
from ..model import GradeReport
from ..suites.imports import needed
from .gaps import gaps
from .trials import Case, Trial

FOLDER = ".autograder_cache"
_PACKAGE = Path(__file__).parents[1]
_PACKAGES = ("pytest", "pluggy", "msgspec")  # that run while a test does, beside what the assignment needs
_LOOKS_AT_ITSELF = frozenset(
    ("__file__", "inspect", "linecache", "request", "pytestmark", "own_markers", "iter_markers", "get_closest_marker")
) | frozenset(("_getframe", "co_firstlineno", "f_lineno", "tb_lineno", "__loader__", "get_source", "getsource"))


class _Kept(msgspec.Struct, frozen=True):
    """The file: what decided all trials, and the reports by the digest of their engine."""

    common: str
    reports: dict[str, bytes]


class Proof:
    """The trials of earlier proofs of one assignment."""

    def __init__(self, assignment: Assignment) -> None:
        """Read what was kept; a file that is damaged, or of anything that has changed since, is as good as none."""
        self._assignment, self._file = assignment, assignment.root_path / FOLDER / "proof"
        self._common = _digest(_decisive(assignment))
        self._reports = _read(self._file, self._common)

    def trial(self, case: Case) -> Trial | None:
        """Return the trial of a case, if what decided it then is what decides it now."""
        report = self._reports.get(_key(case))
        return (
            None if report is None else Trial(case, msgspec.msgpack.decode(zlib.decompress(report), type=GradeReport))
        )

    def keep(self, done: Iterable[Trial]) -> None:
        """Keep the trials that have no gap; forget those of the same engines that have one.

        If a file was changed while they were tried, nobody knows what they prove: then nothing is kept.
        """
        if _digest(_decisive(self._assignment)) != self._common:
            return
        for trial in done:
            self._reports.pop(_key(trial.case), None)
            if not gaps(trial):
                self._reports[_key(trial.case)] = zlib.compress(msgspec.msgpack.encode(_verdict(trial.report)), 1)
        content = msgspec.msgpack.encode(_Kept(self._common, self._reports))
        with contextlib.suppress(OSError):  # a folder that cannot be written only makes the next proof as long
            write_whole(self._file.parent / ".gitignore", b"*\n")
            write_whole(self._file, hashlib.sha256(content).digest() + content)


def _read(file: Path, common: str) -> dict[str, bytes]:
    try:
        data = file.read_bytes()
        kept = (
            msgspec.msgpack.decode(data[32:], type=_Kept) if hashlib.sha256(data[32:]).digest() == data[:32] else None
        )
    except (OSError, msgspec.DecodeError):
        return {}
    return kept.reports if kept and kept.common == common else {}


def _verdict(report: GradeReport) -> GradeReport:
    """Return a report without what only a reader of one submission looks at."""
    outcomes = tuple(replace(outcome, failure=None, output="") for outcome in report.outcomes)
    return replace(report, outcomes=outcomes, import_failure=None, import_output="", notes=(), flags=())


def _key(case: Case) -> str:
    engine = _files(case.directory) if case.directory else [("", case.text.encode())]
    return _digest([("kind", case.kind.value.encode()), *engine])


def _digest(parts: Iterable[tuple[str, bytes]]) -> str:
    """Return a SHA-256 over names and contents, each with its length before it."""
    digest = hashlib.sha256()
    for name, content in parts:
        digest.update(b"%d %d %s" % (len(name.encode()), len(content), name.encode()) + content)
    return digest.hexdigest()


def _decisive(assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """Yield all that decides every trial of an assignment alike, by name."""
    yield "configuration", msgspec.json.encode(replace(assignment, root=""))
    versions = [f"{name} {_version(name)}" for name in (*_PACKAGES, *needed(assignment))]
    machine = [sys.version, platform.platform(), str(getattr(os, "geteuid", int)())]
    yield "machine", "\n".join([*machine, *versions]).encode()
    yield from _files(_PACKAGE, without=("tests",))
    if file := assignment.diagnosis_file:
        yield file.name, file.read_bytes()
    yield from _files(assignment.solution_path)
    yield from _files(assignment.starter_path)
    yield from _suites(assignment)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def _files(directory: Path, without: tuple[str, ...] = ()) -> list[tuple[str, bytes]]:
    """Return the files below `directory`, without caches and hidden files, by their path."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file())
    names = [(path.relative_to(directory), path) for path in paths]
    return [
        (f"{directory.name}/{name.as_posix()}", path.read_bytes())
        for name, path in names
        if name.parts[0] not in without
        and not any(part.startswith(".") or part == "__pycache__" for part in name.parts)
    ]


def _suites(assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the suites that the grader collects, reduced to what a test can see of them."""
    found = [
        (name, content)
        for suite in assignment.suites
        for name, content in _files(assignment.root_path / suite.path)
        if name.partition("/")[2] not in suite.local_only
    ]
    trees = {name: ast.parse(content) for name, content in found if name.endswith(".py")}
    if any(_looks_at_itself(tree) for tree in trees.values()):
        trees = {}
    for name, content in found:
        yield name, ast.dump(_WithoutHints().visit(trees[name])).encode() if name in trees else content


def _looks_at_itself(tree: ast.Module) -> bool:
    """Return True if a file of tests may read its own text, lines or marks."""
    return any(not _LOOKS_AT_ITSELF.isdisjoint(_names(node)) for node in ast.walk(tree))


def _names(node: ast.AST) -> list[str]:
    """Return the names that a node reads, takes or imports."""
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Load) else []
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        return [part for name in (module, *(alias.name for alias in node.names)) for part in name.split(".")]
    return []


class _WithoutHints(ast.NodeTransformer):
    """Takes the words out of each `pytest.mark.hint("...")`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace the text of a hint; all else stays."""
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "hint" and not node.keywords:
            mark = function.value
            literal = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in node.args)
            if isinstance(mark, ast.Attribute) and mark.attr == "mark" and literal:
                node.args = []
        return node
