"""The packages that grading an assignment needs: what its tests import, and what its modules may."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from ..assignment import Assignment

_GRADERS = frozenset({"autograder", "pytest", "_pytest"})


def imported(assignment: Assignment, *, local: bool = False) -> dict[str, str]:
    """Return the packages that the graded tests import, each with the file and the line that does first.

    The standard library, pytest and what lies beside the tests are left out. With `local`, those of the tests that
    run on a student's machine alone.
    """
    found: dict[str, str] = {}
    for suite in assignment.suites:
        directory = assignment.root_path / suite.path
        for file in sorted(directory.rglob("*.py")):
            if (file.relative_to(directory).as_posix() in suite.local_only) == local:
                place, beside = file.relative_to(assignment.root_path).as_posix(), {*_names_in(directory)}
                for name, line in _imports(ast.parse(file.read_bytes())):
                    if name not in _GRADERS | beside | sys.stdlib_module_names:
                        found.setdefault(name, f"{place}:{line}")
    return found


def needed(assignment: Assignment) -> dict[str, str]:
    """Return the packages without which nothing is graded, each with the place that asks for it.

    Packages that the handout gives are left out: they are part of the assignment.
    """
    of_modules = {
        package: f"pyproject.toml, modules.{name}"
        for name, interface in assignment.modules.items()
        for package in interface.importable
        if assignment.given(package) is None
    }
    return {**of_modules, **imported(assignment)}


def undeclared(assignment: Assignment) -> list[str]:
    """Return a sentence for each import of the solution that no submission could do, since no `packages` names it."""
    known = {Path(each.file).stem for each in assignment.modules.values()} | sys.stdlib_module_names
    found: dict[tuple[str, str], int] = {}
    for module, interface in assignment.modules.items():
        file = assignment.solution_path / interface.file
        for name, line in _imports(ast.parse(file.read_bytes())) if file.is_file() else ():
            if name not in known.union(interface.importable):
                found.setdefault((module, name), line)
    return [
        f"{assignment.solution}/{assignment.modules[module].file}:{line} imports {name}, which no submission may: "
        f'write packages = ["{name}"] into [tool.autograder.modules.{module}]'
        for (module, name), line in found.items()
    ]


def _names_in(directory: Path) -> Iterator[str]:
    return (each.stem for each in directory.iterdir() if each.suffix == ".py" or each.is_dir())


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the top-level packages that a file names, and the lines: imports and `pytest.importorskip`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0], node.lineno
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
            names = [each.value for each in node.args[:1] if isinstance(each, ast.Constant)]
            yield from ((str(name).partition(".")[0], node.lineno) for name in names)
