"""Whoever writes for a newer Python than the one that grades is told so, by the name of what they used."""

import importlib
import sys

import pytest
import vermin  # type: ignore[import-untyped]
from vermin import rules

from autograder.failure import Failure, StudentFrame
from autograder.findings.library import NAMES
from autograder.findings.newer import needs_newer_python
from autograder.submission.apart import read_apart

OTHERS = [name for name in NAMES if name not in ("", "builtins")]


def said_of_line(line, running):
    frame = StudentFrame(file="engine.py", line=1, function="", text=line)
    return needs_newer_python(Failure(exception="SyntaxError", message="invalid syntax", frames=(frame,)), running)


def said(exception, message, running):
    return needs_newer_python(Failure(exception=exception, message=message), running)


GRAMMAR = [
    ("type Number = float | int", (3, 12), "`type` statements need 3.12"),
    ("type Pair[T] = tuple[T, T]", (3, 12), "`type` statements need 3.12"),
    ("def first[T](items: list[T]) -> T:", (3, 12), "type parameters in brackets need 3.12"),
    ("class Node[T]:", (3, 12), "type parameters in brackets need 3.12"),
    ("class Node[T = float]:", (3, 13), "defaults of type parameters need 3.13"),
    ('print(f"value {d["a"]}")', (3, 12), "quotes of the same kind inside an f-string need 3.12"),
    ("label = f'{', '.join(names)}'", (3, 12), "quotes of the same kind inside an f-string need 3.12"),
    (r"""label = f"{'\n'.join(names)}" """, (3, 12), "a backslash inside the braces of an f-string needs 3.12"),
    ("except* ValueError:", (3, 11), "`except*` needs 3.11"),
    ("def f(*args: tuple[*Ts]):", (3, 11), "a star inside the brackets of an index needs 3.11"),
    ('label = t"{self.data}"', (3, 14), "t-strings need 3.14"),
    ("except TypeError, ValueError:", (3, 14), "several exceptions without parentheses need 3.14"),
]


@pytest.mark.parametrize(("line", "version", "words"), GRAMMAR)
def test_grammar_is_named_with_the_version_that_brought_it(line, version, words):
    older = (3, version[1] - 1)
    assert said_of_line(line, older) == f"Graded with Python 3.{older[1]}; {words}."


@pytest.mark.parametrize(("line", "version", "_words"), GRAMMAR)
def test_nothing_is_said_of_grammar_that_the_grader_has(line, version, _words):
    assert said_of_line(line, version) == ""


@pytest.mark.parametrize(("line", "version", "_words"), GRAMMAR)
def test_the_grader_s_own_python_refuses_what_is_said_to_be_newer(line, version, _words):
    program = {"e": "try:\n    pass\n" + line + "\n    pass", "d": f"{line}\n    pass", "c": f"{line}\n    pass"}
    source = program.get(line[0] if line.endswith(":") else "", line.strip())
    if sys.version_info >= version:
        compile(source, "engine.py", "exec")
    else:
        with pytest.raises(SyntaxError):
            compile(source, "engine.py", "exec")


@pytest.mark.parametrize(
    "line",
    [
        "def f(x:",
        "x = = 3",
        'print(f"{x}" + "{")',
        "type(x) = 3",
        "except ValueError",
        "self.grad = values[2 * n",
        "def __init__(self, data, _children=()",
        "print 'hello'",
        'f"{a} and {b}" c',
        "",
    ],
)
def test_a_plain_mistake_is_not_blamed_on_the_version(line):
    assert said_of_line(line, (3, 10)) == ""


def test_a_line_made_to_be_slow_costs_no_time():
    lines = ('f"' * 200, 'f"{' * 130, "type " + "a" * 10_000, "x[" * 200, "except " + "a," * 190)
    said = read_apart(lambda: "\n".join(said_of_line(line, (3, 10)) for line in lines).encode(), 20.0)
    assert said.count(b"\n") == 4  # a pattern that backtracks without end takes hours: its reading would be given up


@pytest.mark.parametrize(
    ("exception", "message", "words"),
    [
        (
            "ImportError",
            "ImportError: cannot import name 'override' from 'typing' (typing.py)",
            "`typing.override` needs 3.12",
        ),
        ("AttributeError", "AttributeError: module 'math' has no attribute 'cbrt'", "`math.cbrt` needs 3.11"),
        (
            "AttributeError",
            "AttributeError: module 'math' has no attribute 'sumprod'. Did you mean",
            "`math.sumprod` needs 3.12",
        ),
        ("RefusedImport", "engine.py line 3 imports tomllib; it is not in the library", "`tomllib` needs 3.11"),
        ("ModuleNotFoundError", "ModuleNotFoundError: No module named 'tomllib'", "`tomllib` needs 3.11"),
        ("NameError", "NameError: name 'ExceptionGroup' is not defined", "`ExceptionGroup` needs 3.11"),
        (
            "ImportError",
            "ImportError: cannot import name 'templatelib' from 'string'",
            "`string.templatelib` needs 3.14",
        ),
    ],
)
def test_a_newer_name_of_the_library_is_named_with_its_version(exception, message, words):
    assert said(exception, message, (3, 10)) == f"Graded with Python 3.10; {words}."


@pytest.mark.parametrize(
    "message", ["module 'math' has no attribute 'tan_h'", "module 'autograder' has no attribute 'x'"]
)
def test_a_name_that_no_python_has_is_not_blamed_on_the_version(message):
    assert said("AttributeError", message, (3, 10)) == ""


@pytest.mark.parametrize("module", OTHERS)
def test_the_running_python_has_exactly_the_names_that_are_not_newer(module):
    loaded = importlib.import_module(module)  # some names are made when they are asked for, as types.CapsuleType is
    assert {name for name in NAMES[module] if hasattr(loaded, name)} == {
        name for name, version in NAMES[module].items() if version <= sys.version_info[:2]
    }


@pytest.mark.parametrize("module", [*OTHERS, "builtins"])
def test_versions_are_those_that_vermin_knows(module):
    known = rules.MOD_MEM_REQS(vermin.Config())
    prefix = "" if module == "builtins" else f"{module}."
    theirs = {name: known[prefix + name][1] for name in NAMES[module] if prefix + name in known}
    assert theirs
    assert theirs == {name: NAMES[module][name] for name in theirs}


def test_versions_of_modules_are_those_that_vermin_knows():
    known = rules.MOD_REQS(vermin.Config())
    assert {name: known[name][1] for name in NAMES[""]} == dict(NAMES[""])
