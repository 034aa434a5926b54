"""Checks of one JSON value each: what is wrong with it in words, or "" for nothing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..text import one_line

Check = Callable[[Any], str]

_KINDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}

_UNSAFE = re.compile("[\r\ud800-\udfff]")


def number(value: Any) -> str:
    """Check that `value` is a finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"must be a number, not {kind(value)}"
    try:
        return "" if math.isfinite(value) else "must be a finite number"
    except OverflowError:  # an integer beyond any float
        return "must be a finite number"


def not_negative(value: Any) -> str:
    """Check that `value` is a finite number of zero or more."""
    return number(value) or ("" if value >= 0 else "must not be below zero")


def text(value: Any) -> str:
    """Check that `value` is a string."""
    return "" if isinstance(value, str) else f"must be a string, not {kind(value)}"


def json_object(value: Any) -> str:
    """Check that `value` is an object."""
    return "" if isinstance(value, dict) else f"must be an object, not {kind(value)}"


def json_list(value: Any) -> str:
    """Check that `value` is a list."""
    return "" if isinstance(value, list) else f"must be a list, not {kind(value)}"


def texts(value: Any) -> str:
    """Check that `value` is a list of strings."""
    return json_list(value) or ("" if all(isinstance(item, str) for item in value) else "must hold strings only")


def leaderboard(value: Any) -> str:
    """Check that `value` is a list of rows."""
    rows = isinstance(value, list) and all(isinstance(row, dict) and {"name", "value"} <= set(row) for row in value)
    return "" if rows else "must be a list of objects with a name and a value"


def one_of(*words: str) -> Check:
    """Return the check that a value is one of `words`."""
    choice = ", ".join(words[:-1]) + " or " + words[-1]
    return lambda value: "" if isinstance(value, str) and value in words else f"must be {choice}, not {quoted(value)}"


def quoted(value: Any) -> str:
    """Return `value` as JSON writes it, short enough for a sentence."""
    return f'"{one_line(value, 60)}"' if isinstance(value, str) else one_line(json.dumps(value), 60)


def kind(value: Any) -> str:
    """Return what JSON calls the type of `value`."""
    return _KINDS.get(type(value), "null")


def is_safe(value: Any) -> bool:
    """Say whether `unsafe_values` has nothing to yield, at a tenth of its cost."""
    if isinstance(value, str):
        return _UNSAFE.search(value) is None
    if isinstance(value, (dict, list)):
        return all(map(is_safe, value.values() if isinstance(value, dict) else value))
    return value is not None


def unsafe_values(value: Any, where: str) -> Iterator[str]:
    """Yield what breaks on its way in `value`, at any depth: a carriage return, half a surrogate pair, a null."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from unsafe_values(item, f"{where}, {quoted(key)}")
    elif isinstance(value, list):
        for place, item in enumerate(value, 1):
            yield from unsafe_values(item, f"{where}, item {place}")
    elif value is None:
        yield f"{where} is null: leave it out"
    elif isinstance(value, str) and "\r" in value:
        yield f"{where} has \\r line endings: use \\n"
    elif isinstance(value, str) and _UNSAFE.search(value):
        yield f"{where} holds half a surrogate pair, which is no text"
