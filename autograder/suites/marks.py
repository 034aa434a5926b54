"""What is declared beside each test: points, hint, visibility, task, and what must pass first.

A mark that is missing, misspelt or malformed stops grading: points never vanish silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..assignment import Assignment, Suite
from ..configuration import place
from ..errors import AssignmentError
from ..model import GradedTest, Visibility

if TYPE_CHECKING:
    import pytest

_OURS = {"points", "hint", "visibility", "task", "after", "unscored"}
_PYTESTS = {"parametrize", "usefixtures", "filterwarnings"}
_STEP = 0.25


def graded_tests(items: list[pytest.Item], assignment: Assignment) -> dict[str, GradedTest]:
    """Return what each collected test declares, by pytest's node id, in the order of collection.

    Raises AssignmentError that names every test whose marks are wrong, and every suite whose points
    do not add up to what the configuration says.
    """
    tests: dict[str, GradedTest] = {}
    problems: list[str] = []
    for item in items:
        suite = suite_of(item, assignment)
        try:
            tests[item.nodeid] = graded_test(item, suite, assignment)
        except AssignmentError as problem:
            problems.append(f"{_place(item)}: {item.name}: {problem}")
    problems += _broken_chains(tests, {item.nodeid: _place(item) for item in items})
    for position, suite in enumerate(assignment.suites):
        points = sum(test.points for test in tests.values() if test.suite == suite.name)
        if points != suite.points and not problems:
            problems.append(
                f"{_line_of_points(position, assignment)}: suite `{suite.name}` declares {points:g} points; the "
                f"configuration says {suite.points:g}. Write {points:g} here, or change the `points` of its tests"
            )
    if problems:
        raise AssignmentError("the suites cannot be graded:\n  " + "\n  ".join(problems))
    return tests


def _place(item: pytest.Item) -> str:
    """Return the file and the line on which a test stands."""
    file, line, _ = item.location
    return f"{file}:{(line or 0) + 1}"


def _line_of_points(position: int, assignment: Assignment) -> str:
    """Return the file and the line on which the configuration says what a suite is worth."""
    where = place(assignment.root_path / "pyproject.toml", ("suites", position, "points"))
    return where.removeprefix(f"{assignment.root_path}/")


def suite_of(item: pytest.Item, assignment: Assignment) -> Suite:
    """Return the suite whose directory holds a test."""
    for suite in assignment.suites:
        if (assignment.root_path / suite.path) in item.path.parents:
            return suite
    raise AssignmentError(f"{item.nodeid} lies in none of the assignment's suites")


def graded_test(item: pytest.Item, suite: Suite, assignment: Assignment) -> GradedTest:
    """Return what the marks of one test declare; the closest mark of a name wins."""
    for mark in item.iter_markers():
        if mark.name not in _OURS | _PYTESTS:
            raise AssignmentError(f"the mark `{mark.name}` may not stand in a graded suite")
    own = [mark.name for mark in getattr(getattr(item, "function", None), "pytestmark", ())]
    if twice := next((name for name in sorted(_OURS) if own.count(name) > 1), ""):
        raise AssignmentError(f"has two `{twice}` marks: one of them would not count")
    if unknown := _unknown_fixtures(item):
        modules = ", ".join(assignment.modules)
        raise AssignmentError(f"asks for `{unknown[0]}`, which is neither a module ({modules}) nor a fixture")
    interfaces = [assignment.modules[name] for name in fixture_names(item) if name in assignment.modules]
    scored = _closest(item, "unscored") is None
    if scored and not all(interface.scored for interface in interfaces):
        raise AssignmentError("a scored test uses a module that is not scored; mark it `unscored`")
    hint = _argument(item, "hint", str, default="")
    if suite.secret and scored and not hint:
        raise AssignmentError("a test of a secret suite needs a `hint`: the one sentence a student may read")
    return GradedTest(
        id=f"{suite.name}/{item.path.name}::{item.nodeid.partition('::')[2]}",
        suite=suite.name,
        title=title_of(item),
        points=_points(item) if scored else 0.0,
        visibility=Visibility(_argument(item, "visibility", str, default=suite.visibility.value)),
        scored=scored,
        seeded="seed" in fixture_names(item),
        hint=hint,
        task=_argument(item, "task", str, default="", keyword="id"),
        after=_after(item, suite),
    )


def fixture_names(item: pytest.Item) -> tuple[str, ...]:
    """Return the fixtures that a test asks for."""
    return tuple(getattr(item, "fixturenames", ()))


def _unknown_fixtures(item: pytest.Item) -> list[str]:
    """Return the names that a test asks for and nothing provides."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", None)
    given = {"request", *getattr(getattr(item, "callspec", None), "params", ())}
    return [] if known is None else [name for name in fixture_names(item) if name not in known and name not in given]


def title_of(item: pytest.Item) -> str:
    """Return the docstring's first line, else the name in words; a parametrised case says which it is."""
    function = getattr(item, "function", None)
    document = (getattr(function, "__doc__", None) or "").strip()
    name = getattr(item, "originalname", None) or item.name
    title = document.splitlines()[0].rstrip(".") if document else name.removeprefix("test_").replace("_", " ")
    callspec = getattr(item, "callspec", None)
    return f"{title} [{callspec.id}]" if callspec else title


def _points(item: pytest.Item) -> float:
    points = float(_argument(item, "points", (int, float), default=None))
    if points < 0 or points % _STEP:
        raise AssignmentError(f"`points({points:g})` is not a multiple of {_STEP} above zero")
    return points


def _after(item: pytest.Item, suite: Suite) -> str:
    name = _argument(item, "after", str, default="")
    return f"{suite.name}/{item.path.name}::{name}" if name else ""


def _argument(item: pytest.Item, name: str, kind: Any, *, default: Any, keyword: str = "") -> Any:
    """Return the one argument of the closest mark called `name`."""
    mark = _closest(item, name)
    if mark is None:
        if default is None:
            raise AssignmentError(f"has no `{name}` mark")
        return default
    given = [*mark.args, *mark.kwargs.values()]
    if len(given) != 1 or type(given[0]) not in (kind if isinstance(kind, tuple) else (kind,)):
        raise AssignmentError(f"`{name}` takes exactly one argument")
    if bool(keyword) != bool(mark.kwargs) or (keyword and keyword not in mark.kwargs):
        raise AssignmentError(f"`{name}` takes its argument " + (f"as `{keyword}=`" if keyword else "by position"))
    if name == "visibility" and given[0] not in {each.value for each in Visibility}:
        raise AssignmentError(f"`visibility({given[0]!r})` is not one of Gradescope's four: {', '.join(Visibility)}")
    return given[0]


def _closest(item: pytest.Item, name: str) -> pytest.Mark | None:
    """Return the mark called `name` that stands closest: a case's own, its test's, its class's, its file's."""
    callspec = getattr(item, "callspec", None)
    of_case = [mark for mark in callspec.marks if mark.name == name] if callspec else []
    return of_case[0] if of_case else item.get_closest_marker(name)  # pytest looks at the test's marks first


def in_turn(tests: dict[str, GradedTest]) -> list[tuple[str, GradedTest]]:
    """Return the tests by node id, in the order in which those of a suite run: first what carries points."""
    return sorted(tests.items(), key=lambda each: not each[1].scored)


def _broken_chains(tests: dict[str, GradedTest], places: dict[str, str]) -> list[str]:
    """Return a sentence for each `after` that names no earlier test of the same file."""
    seen: set[str] = set()
    problems = []
    for node, test in in_turn(tests):
        if test.after and test.after not in seen:
            name = test.after.rpartition("::")[2]
            problems.append(f"{places[node]}: `after` names no earlier test of the same file: {name}")
        seen |= {test.id, test.id.partition("[")[0]}
    return problems
