"""The tasks of one file of the solution: where each function is marked, and what would be published unmarked.

Every `def` ends its header with `# given` or `# task N.M`. Whatever else is found there, or a mark found anywhere
else, is refused with file and line: a typo may stop a build, never publish an answer.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NoReturn

import msgspec

from ..errors import AssignmentError

MARK = re.compile(r"# (?:given|task (?P<task>\d+\.\d+))")
STRAY = re.compile(r"#\s*(given\s*$|tasks?\s*\d+\.\d+)", re.IGNORECASE)  # what someone meant as a mark

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Header(msgspec.Struct, frozen=True):
    """A function, the line on which its header ends, and its task: None for a function that is given."""

    function: Function
    end: int
    task: str | None


def refuse(file: str, line: int, reason: str) -> NoReturn:
    """Raise AssignmentError for one line of a file."""
    raise AssignmentError(f"{file}:{line}: {reason}")


def headers_of(source: str, *, file: str) -> list[Header]:
    """Return every function of `source` with its mark, in the order of the text.

    Raise AssignmentError for a mark that is missing, misspelt or out of place, and for an answer that no mark reaches.
    """
    lone = re.search(r"\r(?!\n)", source)
    if lone:  # Python counts it as a line break, an editor may not: line numbers would mean two things
        refuse(file, source.count("\n", 0, lone.start()) + 1, "a carriage return that ends no line")
    try:
        tree = ast.parse(source)
    except SyntaxError as problem:
        refuse(file, problem.lineno or 1, f"not valid Python: {problem.msg}")
    except ValueError as problem:  # a NUL byte, before Python 3.12
        refuse(file, 1, f"not valid Python: {problem}")
    tokens = list(tokenize.generate_tokens(io.StringIO(source, newline="").readline))
    functions = sorted(
        (node for node in ast.walk(tree) if isinstance(node, Function)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    keywords = [index for index, token in enumerate(tokens) if token.type == tokenize.NAME and token.string == "def"]
    headers = [_header(function, tokens[start:], file) for function, start in zip(functions, keywords, strict=True)]
    _refuse_stray_marks(tokens, {header.end for header in headers}, file)
    _refuse_lambdas(tree, headers, file)
    return headers


def _header(function: Function, tokens: list[tokenize.TokenInfo], file: str) -> Header:
    """Return the header of `function`, whose tokens start at `def`."""
    colon = _colon(tokens)
    line, after = tokens[colon].start[0], tokens[colon + 1]
    if after.type not in {tokenize.COMMENT, tokenize.NEWLINE}:
        refuse(file, line, f"`{function.name}` has its body on the line of its header: give it a line of its own")
    mark = MARK.fullmatch(after.string)
    if not mark:
        found = f"`{after.string}`" if after.type == tokenize.COMMENT else "no mark"
        refuse(file, line, f"`{function.name}` ends its header with {found}: write `# given` or `# task N.M`")
    return Header(function, line, mark["task"])


def _colon(tokens: list[tokenize.TokenInfo]) -> int:
    """Return the index of the first colon that is in no bracket: there the header ends."""
    depth = 0
    for index, token in enumerate(tokens):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                return index
    raise AssertionError("Python parsed a def without a colon")


def _refuse_stray_marks(tokens: list[tokenize.TokenInfo], ends: set[int], file: str) -> None:
    """Raise AssignmentError for a mark that ends no header: it would seem to work and change nothing."""
    for token in tokens:
        if token.type == tokenize.COMMENT and STRAY.match(token.string) and token.start[0] not in ends:
            refuse(file, token.start[0], f"`{token.string}` ends no header of a def: only a function can be a task")


def _refuse_lambdas(tree: ast.Module, headers: list[Header], file: str) -> None:
    """Raise AssignmentError for a lambda that would be published as an unmarked function."""
    removed = {header.function for header in headers if header.task}
    for found in _published_lambdas(tree, removed, inside=False):
        refuse(file, found.lineno, "a lambda has no place for a mark: write it as a def")


def _published_lambdas(node: ast.AST, removed: set[Function], *, inside: bool) -> Iterator[ast.Lambda]:
    """Yield each lambda outside all functions, and inside given ones each that gets a name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda):
            if not inside or isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
                yield child
        elif child not in removed:
            yield from _published_lambdas(child, removed, inside=inside or isinstance(child, Function))
