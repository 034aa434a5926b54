"""What a newer Python can do than the one that grades: its grammar by the line that failed, its library by name.

Nothing of the submission is parsed or run here: one line of bounded length meets patterns that never repeat over the
same text, and a message's names are looked up in a table. A sentence holds words of these tables alone.
"""

from __future__ import annotations

import re
import sys

from ..failure import Failure
from .library import NAMES, Version

_MAX_CHARACTERS = 400  # of a line: whoever writes longer ones does without the sentence

# The first that matches is the one named, so the newest of two that look alike comes first.
_GRAMMAR: tuple[tuple[str, Version, str], ...] = (
    ("t-strings need", (3, 14), r"""(?<![\w"'])(?:t|rt|tr)["']"""),
    ("several exceptions without parentheses need", (3, 14), r"^except\*?\s+[\w.]+\s*,[\w\s.,]*:"),
    ("defaults of type parameters need", (3, 13), r"^(?:(?:async\s+)?def|class|type)\s+\w+\s*\[[^\]=]*="),
    ("`type` statements need", (3, 12), r"^type\s+\w+\s*(?:\[[^\]]*\]\s*)?="),
    ("type parameters in brackets need", (3, 12), r"^(?:(?:async\s+)?def|class)\s+\w+\s*\["),
    (
        "quotes of the same kind inside an f-string need",
        (3, 12),
        r"""\b(?:f|rf|fr)(["'])(?:(?!\1)[^{])*\{[^{}"']*\1[^{}]*\}""",
    ),
    ("a backslash inside the braces of an f-string needs", (3, 12), r"""\b(?:f|rf|fr)["'][^{]*\{[^{}]*\\[^{}]*\}"""),
    (
        "a line break inside the braces of an f-string needs",
        (3, 12),
        r"""\b(?:f|rf|fr)(["'])(?!\1)[^{"']*\{[^{}"']*$""",
    ),
    ("`except*` needs", (3, 11), r"^except\s*\*"),
    ("a star inside the brackets of an index needs", (3, 11), r"\w\[\s*\*\w"),
)
_PATTERNS = tuple((name, version, re.compile(pattern, re.IGNORECASE)) for name, version, pattern in _GRAMMAR)

_MISSING = (
    ("ImportError", re.compile(r"^cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'")),
    ("AttributeError", re.compile(r"^module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'")),
    ("ModuleNotFoundError", re.compile(r"^No module named '(?P<name>[\w.]+)'")),
    ("NameError", re.compile(r"^name '(?P<name>\w+)' is not defined")),
    ("RefusedImport", re.compile(r" imports (?P<name>[\w.]+);")),  # a newer module is not in an older library
)


def needs_newer_python(failure: Failure, running: Version = sys.version_info[:2]) -> str:
    """Return which newer Python the code that failed was written for, in a sentence; "" if it needs none that is known.

    `running` is the Python that grades. The last frame of `failure` holds its line.
    """
    if failure.exception in ("SyntaxError", "IndentationError"):
        what, version = _grammar(failure.frames[-1].text if failure.frames else "")
    else:
        what, version = _library(failure)
    if version <= running:
        return ""
    return f"Graded with Python {_text(running)}; {what} {_text(version)}."


def _grammar(line: str) -> tuple[str, Version]:
    if len(line) <= _MAX_CHARACTERS:
        for name, version, pattern in _PATTERNS:
            if pattern.search(line):
                return name, version
    return "", (0, 0)


def _library(failure: Failure) -> tuple[str, Version]:
    """Return the missing name that a message is about, with its verb, and the version that brought it."""
    message = failure.message[:_MAX_CHARACTERS].removeprefix(f"{failure.exception}: ")
    for exception, pattern in _MISSING:
        if failure.exception == exception and (found := pattern.search(message)):
            parts = found.groupdict()
            module, name = parts.get("module") or "", parts["name"]
            # `from string import templatelib` misses a module, which the table has by its whole name.
            for key, each in ((module, name), ("", f"{module}.{name}")):
                if each in NAMES.get(key, {}):
                    whole = f"{module}.{name}" if module not in ("", "builtins") else name
                    return f"`{whole}` needs", NAMES[key][each]
            if not module and name in NAMES["builtins"]:
                return f"`{name}` needs", NAMES["builtins"][name]
    return "", (0, 0)


def _text(version: Version) -> str:
    return f"{version[0]}.{version[1]}"
