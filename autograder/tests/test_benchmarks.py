"""The checks that graders are compared on: right engines pass them all, and the page says what was measured."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "comparison"


@pytest.fixture
def load(monkeypatch):
    """Return a function that imports a module of the comparison, which are scripts beside one another."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)

    def load(name):
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - before:
        if (FOLDER / f"{name}.py").exists():
            del sys.modules[name]


def passed(checks, engine):
    """Return how many checks an engine passes."""
    space = {"__name__": "engine"}
    exec(engine, space)
    return sum(_holds(check, dict(space)) for check in checks)


def _holds(check, space):
    exec("\n".join(check.lines), space)
    return all(abs(eval(got, space) - number) <= 1e-6 for got, number in check.numbers)


@pytest.mark.parametrize("count", [10, 30, 100])
def test_the_right_engine_passes_every_check_that_graders_are_compared_on(load, count):
    checks = load("checks")
    listed = checks.checks(count)
    assert len({check.name for check in listed}) == count
    assert passed(listed, checks.engine()) == count


def test_the_engine_of_those_who_cheat_passes_about_half(load):
    checks = load("checks")
    assert 10 <= passed(checks.checks(), checks.wrong()) <= 20


@pytest.mark.parametrize(("power", "slope"), [(1, 1.0), (2, 2.0)])
def test_the_exponent_of_a_curve_is_its_slope_on_logarithms(load, power, slope):
    points = [(at, 3.0 * at**power) for at in (10, 100, 1000)]
    assert load("measure").exponent(points) == pytest.approx(slope)


@pytest.mark.parametrize("command", [["sh", "-c", "sleep 60 & sleep 60"], ["sh", "-c", "trap '' TERM; sleep 60"]])
def test_a_run_that_does_not_end_is_killed_at_its_limit(load, tmp_path, command):
    assert load("measure").run(command, tmp_path, limit=0.2).hung


def test_more_points_than_an_engine_is_worth_are_called_forged(load):
    row = {"hung": False, "score": 30.0, "seconds": 0.2, "bytes": 0, "peak_mb": 30}
    cell = load("report")._cell
    assert cell(row, 14).startswith("**forged 30**")
    assert cell({**row, "score": 14.0}, 14).startswith("14;")
    assert cell({**row, "score": None}, 14).startswith("none;")
