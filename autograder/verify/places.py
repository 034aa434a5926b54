"""Where a test stands: the file and the line of its function, for whoever has to correct it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Assignment


class Places:
    """The places of an assignment's tests, read from its suites when they are asked for."""

    def __init__(self, assignment: Assignment) -> None:
        self._root = assignment.root_path
        self._directories = {suite.name: suite.path for suite in assignment.suites}
        self._lines: dict[Path, dict[str, int]] = {}

    def of(self, test: str) -> str:
        """Return `tests_hidden/test_x.py:12` for the id of a test, `hidden/test_x.py::test_y[case]`."""
        file, _, name = test.partition("::")
        suite, _, base = file.partition("/")
        path = next(iter(sorted((self._root / self._directories[suite]).rglob(base))), None)
        if path is None:
            return file
        if path not in self._lines:
            self._lines[path] = dict(_functions(ast.parse(path.read_bytes()).body))
        line = self._lines[path].get(name.partition("[")[0], 1)
        return f"{path.relative_to(self._root).as_posix()}:{line}"

    def listed(self, tests: Iterable[str], limit: int) -> list[str]:
        """Return a line for each test, its place and its name; a test with many cases has one line."""
        names = {f"{self.of(test)}: {test.partition('::')[2].partition('[')[0]}": None for test in sorted(tests)}
        more = [f"and {len(names) - limit} more"] if len(names) > limit else []
        return [*list(names)[:limit], *more]


def _functions(body: list[ast.stmt], prefix: str = "") -> Iterable[tuple[str, int]]:
    """Yield the functions and methods of a module, as pytest calls them, and their lines."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node.lineno
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}::")
