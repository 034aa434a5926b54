"""Gradescope's contract for results.json: what schema.py says of each key, and what types cannot say.

The rules are the documented ones and those learned the hard way: a null, a NaN or a wrong type loses a student's whole
result, and the student reads only that the grader failed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec
from msgspec import UNSET, UnsetType

from ..model import Score, Visibility
from ..text import counted, one_line
from .schema import Format, Results, TestEntry, TestVerdict

MAX_BYTES = 1_000_000  # Gradescope documents no limit; others of its kind take 1 MB
_NOTHING = Score(earned=0.0, possible=0.0)


class Findings(msgspec.Struct, frozen=True):
    """What a results.json breaks (problems), what only looks wrong (warnings), and its totals."""

    problems: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    score: Score = _NOTHING
    tests: int = 0
    unscored: int = 0


def problems(data: bytes) -> list[str]:
    """Return what in `data`, the bytes of a results.json, breaks the contract: a sentence each, [] if nothing does."""
    return list(inspect(data).problems)


def inspect(data: bytes) -> Findings:
    """Return everything that can be said of `data`, the bytes of a results.json.

    Of each test, and of the top level, one problem is named at a time.
    """
    if len(data) > MAX_BYTES:
        return Findings((f"the file has {len(data)} bytes; more than {MAX_BYTES} is too large",))
    try:
        content = json.loads(data.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_without_doubles)
    except UnicodeDecodeError as problem:
        return Findings((f"the file is not UTF-8: byte {problem.start} cannot be read",))
    except RecursionError:
        return Findings(("the file is nested too deeply",))
    except ValueError as problem:
        return Findings((f"the file is not JSON: {one_line(str(problem))}",))
    return _examine(content)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON; a number must be finite")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        double = next(name for name, many in Counter(name for name, _ in pairs).items() if many > 1)
        raise ValueError(f"the key {_quoted(double)} stands twice in one object")
    return content


def _examine(content: Any) -> Findings:
    found = list(_broken(content, Results, "the top level"))
    if not isinstance(content, dict) or not isinstance(content.get("tests", []), list):
        return Findings(tuple(found))
    warnings = list(_unknown(content, Results, "the top level"))
    tests = content.get("tests", [])
    if "score" in content and tests:
        found.append("the top level has a score as well as tests: it would override their total")
    if "score" not in content and not tests:
        found.append("there is no test, and no score either: Gradescope would show nothing")
    sound: list[TestEntry] = []
    for place, test in enumerate(tests, 1):
        where = f"test {place}" + (f" ({_quoted(test['name'])})" if isinstance(test, dict) and "name" in test else "")
        wrong = [*_broken(test, TestEntry, where)]
        sound += [msgspec.convert(test, TestEntry)] if not wrong else []
        found += wrong or _contradictions(sound[-1], where)
        warnings += _unknown(test, TestEntry, where)
        warnings += [f"{where} has no name"] if isinstance(test, dict) and "name" not in test else []
    warnings += _odd(content, sound)
    scored = [test for test in sound if test.score is not UNSET]
    return Findings(
        problems=tuple(found),
        warnings=tuple(warnings),
        score=Score(earned=_sum(test.score for test in scored), possible=_sum(test.max_score for test in scored)),
        tests=len(tests),
        unscored=len(sound) - len(scored),
    )


def _broken(content: Any, kind: type[msgspec.Struct], where: str) -> Iterator[str]:
    """Yield what keeps `content` from being of that kind, the first thing alone, and a null in its extra data."""
    try:
        msgspec.convert(content, kind)
    except msgspec.ValidationError as problem:
        yield f"{where}{_explained(str(problem), content)}"
    else:
        yield from _nulls(content.get("extra_data", {}), f'{where}: "extra_data"')


def _contradictions(test: TestEntry, where: str) -> list[str]:
    """Return what no type of a single key can say of a test."""
    if isinstance(test.score, float) and isinstance(test.max_score, float):
        above = test.score > test.max_score
        return [f"{where}: the score {test.score:g} is above the max_score {test.max_score:g}"] if above else []
    if test.score is UNSET and test.max_score is UNSET:
        return []
    return [f"{where} has {'a max_score but no score' if test.score is UNSET else 'a score but no max_score'}"]


def _unknown(content: Any, kind: type[msgspec.Struct], where: str) -> Iterator[str]:
    known = kind.__struct_fields__
    for key in content if isinstance(content, dict) else ():
        if key not in known:
            yield f"{where}: {_quoted(key)} is not a key that Gradescope knows"


def _odd(content: Mapping[str, Any], tests: list[TestEntry]) -> Iterator[str]:
    """Yield what Gradescope takes and somebody may not have meant."""
    names = Counter(test.name for test in tests if test.name is not UNSET)
    yield from (f"{counted(many, 'test')} have the name {_quoted(name)}" for name, many in names.items() if many > 1)
    if content.get("extra_data", {}).get("complete") is False:
        yield "grading had not finished when this was written: its points judge nobody's work"


def _nulls(value: Any, where: str) -> Iterator[str]:
    """Yield the place of each null in `value`, at any depth."""
    if value is None:
        yield f"{where} is null: leave it out"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _nulls(item, f"{where}, {_quoted(key)}")
    elif isinstance(value, list):
        for place, item in enumerate(value, 1):
            yield from _nulls(item, f"{where}, item {place}")


def _sum(numbers: Iterator[float | UnsetType]) -> float:
    return sum(number for number in numbers if isinstance(number, (int, float)))


_KINDS = {"array": "a list", "bool": "true or false", "float": "a number", "int": "a number", "str": "a string"}
_KINDS |= {"null": "null", "object": "an object"}


def _explained(problem: str, content: Any) -> str:
    """Return msgspec's sentence in the words of somebody who writes such a file, with the place and the remedy."""
    words, _, path = problem.partition(" - at `$")
    keys = re.findall(r"\w+", path)
    place = (
        (": " + ", ".join(f"item {int(key) + 1}" if key.isdecimal() else _quoted(key) for key in keys)) if keys else ""
    )
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", words):
        return f"{place} has no {missing[1]}: add it"
    if words.endswith("got `null`"):
        return f"{place} is null: leave the key out"
    if kinds := re.fullmatch(r"Expected `(.+)`, got `(\w+)`", words):
        wanted = " or ".join(dict.fromkeys(_KINDS.get(kind, kind) for kind in kinds[1].split(" | ")))
        return f"{place} must be {wanted}, not {_KINDS.get(kinds[2], kinds[2])}"
    if words.startswith("Invalid enum value"):
        value = _at(content, keys)
        return f"{place} must be {_choices(keys[-1])}, not {_quoted(value)}"
    if words.startswith("Expected `str` matching"):
        carriage = "\r" in str(_at(content, keys))
        return place + (
            " has \\r line endings: use \\n" if carriage else " holds half a surrogate pair, which is not text"
        )
    return place + (" must not be below zero" if words.endswith(">= 0.0") else " must be a finite number")


def _at(content: Any, keys: list[str]) -> Any:
    """Return the value that a path leads to."""
    for key in keys:
        content = content[int(key) if isinstance(content, list) else key]
    return content


def _choices(key: str) -> str:
    """Return the words that a key may have, as the end of a sentence."""
    words: tuple[str, ...] = ("asc", "desc") if key == "order" else get_args(TestVerdict)
    if key.endswith("visibility"):
        words = tuple(each.value for each in Visibility)
    elif key.endswith("format"):
        words = get_args(Format)
    return ", ".join(words[:-1]) + " or " + words[-1]


def _quoted(value: Any) -> str:
    """Return `value` as JSON writes it, short enough for a sentence."""
    return f'"{one_line(value, 60)}"' if isinstance(value, str) else one_line(json.dumps(value), 60)
