"""Gradescope's contract for results.json, checked by hand so that each problem names its place in words.

The rules are the documented ones and those learned the hard way: a null, a NaN or a wrong type loses a student's whole
result, and the student is told nothing but that the grader failed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from ..model import Score, Visibility
from ..text import counted, one_line
from .checks import (
    Check,
    is_safe,
    json_list,
    json_object,
    kind,
    leaderboard,
    not_negative,
    number,
    one_of,
    quoted,
    text,
    texts,
    unsafe_values,
)

MAX_BYTES = 1_000_000  # Gradescope documents no limit; others of its kind take 1 MB
_VISIBILITIES = tuple(visibility.value for visibility in Visibility)
_FORMATS = ("text", "html", "simple_format", "md", "ansi")
_NOTHING = Score(earned=0.0, possible=0.0)


class Findings(msgspec.Struct, frozen=True):
    """What a results.json breaks (problems), what merely looks wrong (warnings), and its totals."""

    problems: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    score: Score = _NOTHING
    tests: int = 0
    unscored: int = 0


def problems(data: bytes) -> list[str]:
    """Return what in `data`, the bytes of a results.json, breaks the contract: a sentence each, [] when it is kept."""
    return list(inspect(data).problems)


def inspect(data: bytes) -> Findings:
    """Return everything that can be said of `data`, the bytes of a results.json."""
    if len(data) > MAX_BYTES:
        return Findings((f"the file has {len(data)} bytes; more than {MAX_BYTES} is too large",))
    try:
        content, found = _parsed(data)
        if found:  # what stands for a NaN is a None from here on: say it once
            return Findings(tuple(found))
        return _examine(content)
    except UnicodeDecodeError as problem:
        return Findings((f"the file is not UTF-8: byte {problem.start} cannot be read",))
    except RecursionError:
        return Findings(("the file is nested too deeply",))
    except ValueError as problem:
        return Findings((f"the file is not JSON: {one_line(str(problem))}",))


def _parsed(data: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return the top-level object, and what Python's reader would take but JSON would not."""
    found: list[str] = []
    content = json.loads(
        data.decode("utf-8"),
        parse_constant=lambda name: found.append(f"{name} is not JSON: a number must be finite"),
        object_pairs_hook=lambda pairs: _without_doubles(pairs, found),
    )
    if isinstance(content, dict):
        return content, found
    return {}, [*found, f"the top level must be an object, not {kind(content)}"]


def _examine(content: Mapping[str, Any]) -> Findings:
    found, warnings = _against(content, _TOP, "the top level")
    tests = content.get("tests")
    tests = tests if isinstance(tests, list) else []
    if "score" in content and tests:
        found.append("the top level has a score as well as tests: it would override their total")
    if "score" not in content and not tests:
        found.append("there is no test, and no score either: Gradescope would show nothing")
    for place, test in enumerate(tests, 1):
        more, odd = _examine_test(test, place)
        found += more
        warnings += odd
    objects = [test for test in tests if isinstance(test, dict)]
    scored = [test for test in objects if number(test.get("score")) == ""]
    names = Counter(str(test.get("name")) for test in objects if "name" in test)
    warnings += [f"{counted(many, 'test')} have the name {quoted(name)}" for name, many in names.items() if many > 1]
    data = content.get("extra_data")
    if isinstance(data, dict) and data.get("complete") is False:
        warnings.append("grading had not finished when this was written: its points judge nobody's work")
    earned = sum(test["score"] for test in scored)
    possible = sum(test["max_score"] for test in scored if number(test.get("max_score")) == "")
    return Findings(
        problems=tuple(found),
        warnings=tuple(warnings),
        score=Score(earned=earned, possible=possible),
        tests=len(tests),
        unscored=len(objects) - len(scored),
    )


def _examine_test(test: Any, place: int) -> tuple[list[str], list[str]]:
    if not isinstance(test, dict):
        return [f"test {place} must be an object, not {kind(test)}"], []
    name = test.get("name")
    where = f"test {place}" + (f" ({quoted(name)})" if isinstance(name, str) else "")
    found, warnings = _against(test, _TEST, where)
    if "status" not in test:
        found.append(f"{where} has no status: one without a score would be shown as failed")
    if "name" not in test:
        warnings.append(f"{where} has no name")
    numbers = [test[key] for key in ("score", "max_score") if key in test and not number(test[key])]
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        found.append(f"{where}: the score {numbers[0]:g} is above the max_score {numbers[1]:g}")
    if ("score" in test) != ("max_score" in test):
        found.append(f"{where} has {'a score but no max_score' if 'score' in test else 'a max_score but no score'}")
    return found, warnings


def _against(content: Mapping[str, Any], checks: Mapping[str, Check], where: str) -> tuple[list[str], list[str]]:
    """Return the problems of the known keys, and a warning for each unknown one."""
    found: list[str] = []
    warnings: list[str] = []
    for key, value in content.items():
        if value is None:
            found.append(f"{where}: {quoted(key)} is null: leave the key out")
        elif key not in checks:
            warnings.append(f"{where}: {quoted(key)} is no key that Gradescope knows")
        elif wrong := checks[key](value):
            found.append(f"{where}: {quoted(key)} {wrong}")
        elif key != "tests" and not is_safe(value):
            found += unsafe_values(value, f"{where}: {quoted(key)}")
    return found, warnings


def _without_doubles(pairs: list[tuple[str, Any]], found: list[str]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    found += [f"the key {quoted(name)} stands twice in one object" for name, many in names.items() if many > 1]
    return dict(pairs)


_TOP: Mapping[str, Check] = {
    "score": number,
    "tests": json_list,
    "execution_time": not_negative,
    "output": text,
    "output_format": one_of(*_FORMATS),
    "test_output_format": one_of(*_FORMATS),
    "test_name_format": one_of(*_FORMATS),
    "visibility": one_of(*_VISIBILITIES),
    "stdout_visibility": one_of(*_VISIBILITIES),
    "extra_data": json_object,
    "leaderboard": leaderboard,
}
_TEST: Mapping[str, Check] = {
    "score": number,
    "max_score": not_negative,
    "status": one_of("passed", "failed"),
    "name": text,
    "name_format": one_of(*_FORMATS),
    "number": text,
    "output": text,
    "output_format": one_of(*_FORMATS),
    "tags": texts,
    "visibility": one_of(*_VISIBILITIES),
    "extra_data": json_object,
}
