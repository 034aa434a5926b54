"""Text from outside made safe to print: names of files, messages and output of a submission.

Control characters can move a cursor, hide a line or break a JSON reader. They leave here as visible escapes.
"""

from __future__ import annotations

import re

# `re` compiles each when it is first used, and keeps it: grading a right submission needs none, and compiling them all
# takes two milliseconds.
_ANSI = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC, DCS, SOS, PM, APC: titles, links
    r"|\x1b[ -/]*[0-~]"  # every other escape
)
_UNSAFE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but tab and newline
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # invisible, or turning the direction of text
    "\ud800-\udfff]"  # lone surrogates: no encoder takes them
)
_IGNORABLE = (  # Unicode's Default_Ignorable_Code_Point, beyond those above: they show nothing in a name
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_PART = r"""[^\s/\\'"<>|:;,()\[\]{}]+"""  # of a path
_PATH = rf"(?<![\w./\\])(?:file://(?:localhost)?/+(?:[A-Za-z]:[/\\]+)?|[A-Za-z]:[/\\]+|/(?={_PART}/))(?:{_PART}[/\\]+)*(?={_PART})"
_FRESH = r"\bautograder-(?:\d{10}-|class-)?[a-z0-9_]{8}\b"  # a folder that each run makes anew
CUT = " [… cut]"


def clean(text: str) -> str:
    """Return `text` without terminal sequences, every control but tab and newline escaped: always valid UTF-8."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # then it holds nothing of either pattern
        return text
    text = re.sub(_ANSI, "", text.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(_UNSAFE, _escaped, text)


def one_line(text: str, limit: int = 200) -> str:
    """Return `text` cleaned, on one line, at most `limit` characters long."""
    line = clean(text[: 4 * limit])
    if not line.isascii():
        line = re.sub(_IGNORABLE, _escaped, line)
    line = line.replace("\n", "\\n").replace("\t", " ")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def without_paths(text: str) -> str:
    """Return `text` with the name alone for every absolute path: where files lie is the machine's, and may differ."""
    return re.sub(_FRESH, "autograder", re.sub(_PATH, "", text)) if text else ""


def capped(text: str, limit: int) -> str:
    """Return `text` in at most `limit` bytes of UTF-8; a cut is marked at its end."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= limit:
        return data.decode("utf-8")
    room = max(0, limit - len(CUT.encode("utf-8")))
    return (data[:room].decode("utf-8", "ignore") + CUT) if limit >= len(CUT.encode("utf-8")) else ""


def listed(names: list[str], limit: int = 8) -> str:
    """Return `names` as a list to read, safe to print, the rest counted when there are more than `limit`."""
    shown = ", ".join(one_line(name, 80) for name in names[:limit])
    more = len(names) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def indented(lines: list[str], limit: int) -> str:
    """Return `lines` below what stands before them, the rest counted when there are more than `limit`."""
    more = [f"and {len(lines) - limit} more"] if len(lines) > limit else []
    return "".join(f"\n  {line}" for line in [*lines[:limit], *more])


def series(names: list[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def counted(number: int, noun: str) -> str:
    """Return "1 file" or "3 files"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts texts as people do: "2.9" before "2.10", hw2 before hw10, capitals beside the others."""
    parts = re.findall(r"\d+|\D+", text)
    return [(0, int(part), part) if part.isdecimal() and len(part) < 100 else (1, 0, part.casefold()) for part in parts]
