"""Breaks the solution in every small way that cosmic-ray knows, and grades each result as a submission.

Two operators of ours are added to its own: a statement left out, and `=` for `+=`. A mutant survives when it
still passes every test that the solution passes, scored or not. It must then be listed in docs/mutants.md with the
reason why it is not a mistake, or a test is missing. What changes annotations or docstrings alone, or is the same
program twice, is not counted.

Usage: python benchmarks/mutants.py [JOBS]     (needs requirements/tools.txt)
"""

from __future__ import annotations

import ast
import difflib
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from autograder.assignment import load_assignment
from autograder.model import Status
from autograder.verify.bank import SOLUTION, load_bank
from autograder.verify.trials import Case, Kind, Trial, trials

ROOT = Path(__file__).parents[1]
EXPLAINED = ROOT / "docs" / "mutants.md"
WITHOUT_ARGUMENTS = [name for name in operator_names() if "Variable" not in name]  # those two need names to be given


def main(jobs: int) -> int:
    """Grade every mutant and print the survivors; return 1 when one of them is not explained."""
    assignment = load_assignment(ROOT)
    source = load_bank(assignment).correct[SOLUTION]
    mutants = distinct(source)
    cases = [Case(SOLUTION, Kind.CORRECT, text=source)]
    cases += [Case(change, Kind.MISTAKE, text=text) for text, change in mutants.items()]
    solution, *done = trials(assignment, cases, jobs=jobs)
    survivors = [trial.case.name for trial in done if passed(trial) >= passed(solution)]
    listed = EXPLAINED.read_text("utf-8") if EXPLAINED.is_file() else ""
    unexplained = [change for change in survivors if change not in listed]
    scored = sum(bool(trial.lost) for trial in done)
    print(
        f"{len(done)} mutants: {scored} lose points, {len(done) - scored - len(survivors)} fail an unscored test only"
    )
    unscored = Counter(function(trial) for trial in done if not trial.lost and trial.case.name not in survivors)
    print("these are in: " + ", ".join(f"{name} ({count})" for name, count in unscored.most_common()))
    print(f"{len(survivors)} survive")
    print(f"of the survivors {len(survivors) - len(unexplained)} are explained in docs/mutants.md")
    for change in survivors:
        print(f"{'NOT EXPLAINED' if change in unexplained else 'explained    '}  {change}")
    return int(bool(unexplained))


def passed(trial: Trial) -> frozenset[str]:
    """Return the ids of the tests that passed, scored or not."""
    return frozenset(outcome.test.id for outcome in trial.report.outcomes if outcome.status is Status.PASSED)


def function(trial: Trial) -> str:
    """Return the name of the function that a mutant changes."""
    return trial.case.name.partition(":")[0]


def distinct(source: str) -> dict[str, str]:
    """Return each mutant's text with what was changed, without those that are the same program."""
    seen = {meaning(source)}
    kept: dict[str, str] = {}
    for text in itertools.chain(
        from_cosmic_ray(source), with_plain_assignment(source), with_a_statement_left_out(source)
    ):
        try:
            program = meaning(text)
        except SyntaxError:
            continue
        if program not in seen:
            seen.add(program)
            kept[text] = change(source, text)
    return kept


def from_cosmic_ray(source: str) -> Iterator[str]:
    """Yield the mutants of every operator at every place."""
    for name in WITHOUT_ARGUMENTS:
        for occurrence in itertools.count():
            text = mutate_code(source, get_operator(name)(), occurrence)
            if text is None:
                break
            yield text


def with_plain_assignment(source: str) -> Iterator[str]:
    """Yield the mutants in which one augmented assignment has become a plain one."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AugAssign):
            number = node.lineno - 1
            yield "".join([*lines[:number], lines[number].replace("+=", "=", 1), *lines[number + 1 :]])


def with_a_statement_left_out(source: str) -> Iterator[str]:
    """Yield the mutants in which one statement has become `pass`."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For)):
            indent = " " * node.col_offset
            if lines[node.lineno - 1].startswith(indent + "elif"):
                continue
            yield "".join([*lines[: node.lineno - 1], f"{indent}pass\n", *lines[node.end_lineno :]])


class _Bare(ast.NodeTransformer):
    """Takes away what does not run: annotations, which are never evaluated here, and docstrings."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        own = node.args
        for argument in [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]:
            if argument:
                argument.annotation = None
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._without_docstring(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)

    def _without_docstring(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        if ast.get_docstring(node) is not None or isinstance(node.body[0], ast.Pass):
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)


def meaning(source: str) -> str:
    """Return what runs of a program, so that two texts of the same program compare equal."""
    tree = ast.parse(source)
    if ast.get_docstring(tree) is not None or isinstance(tree.body[0], ast.Pass):
        tree.body = tree.body[1:]
    return ast.dump(_Bare().visit(tree))


def change(source: str, text: str) -> str:
    """Return the lines that differ, such as "- return a   + return b", with the function that they are in."""
    old, new = source.splitlines(), text.splitlines()
    lines = [
        line for line in difflib.unified_diff(old, new, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))
    ]
    first = next(number for number, pair in enumerate(itertools.zip_longest(old, new), start=1) if pair[0] != pair[1])
    where = [line.split("(")[0].split()[1] for line in old[:first] if line.lstrip().startswith("def ")]
    parts = [f"{line[0]} `{line[1:].partition('  #')[0].strip()}`" for line in lines]
    return f"{where[-1] if where else 'module'}: {' '.join(parts)}"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
