"""Two numbers to compare, as short as they may be: six digits, or as many as show that they differ."""

from __future__ import annotations

import re

_FLOAT = re.compile(r"-?\d{1,400}(?:\.\d{1,400}(?:e[+-]?\d{1,4})?|e[+-]?\d{1,4})")
_DIGITS = range(6, 18)  # 17 tell any two floats apart


def shortened(expected: str, got: str) -> tuple[str, str]:
    """Return both texts with their floats in six digits; with more where six would hide the difference."""
    for digits in _DIGITS:
        if expected == got or _values(expected, digits) != _values(got, digits):
            return _rounded(expected, digits), _rounded(got, digits)
    return expected, got


def _values(text: str, digits: int) -> str:
    """Return `text` with each float in one spelling, so that equal numbers are equal texts."""
    return _FLOAT.sub(lambda match: f"{float(match[0]):.{digits}g}", text)


def _rounded(text: str, digits: int) -> str:
    """Return `text` with each float rounded; one that is short already stays as it is written."""
    return _FLOAT.sub(lambda match: _number(match[0], digits), text)


def _number(text: str, digits: int) -> str:
    short = f"{float(text):.{digits}g}"
    return text if float(short) == float(text) else short
