"""What is wrong with a configuration that does not fit its types: where, and what would be right."""

from __future__ import annotations

import difflib
import enum
import re
import typing
from pathlib import Path
from typing import Any

import msgspec

from .configuration import Key, place

_HIDDEN = frozenset({"root"})  # set by the grader, not by the file
_WORDS = {
    "str": "a text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def misread(problem: msgspec.ValidationError, file: Path, table: dict[str, Any], kind: type[msgspec.Struct]) -> str:
    """Return where in `file` its `table` is not a `kind`, and what would be right."""
    text, _, dotted = str(problem).partition(" - at `$")
    path, value, wanted = _found(dotted.rstrip("`"), table, kind)
    name = ".".join(each for each in path if isinstance(each, str)) or "[tool.autograder]"  # the line says which suite
    if unknown := re.search(r"unknown field `(.*)`", text):
        return f"{place(file, (*path, unknown[1]))}: {_unknown(unknown[1], name, wanted, kind)}"
    if missing := re.search(r"required field `(.*)`", text):
        return f"{place(file, path)}: {name} needs a key `{missing[1]}`"
    if expected := re.match(r"Expected `(.*?)`, got `(.*?)`", text):
        right = " or ".join(_WORDS.get(each, each) for each in expected[1].split(" | "))
        return f"{place(file, path)}: {name} must be {right}, and is {_WORDS.get(expected[2], expected[2])}"
    if choices := _choices(wanted):
        return f"{place(file, path)}: {name} = {value!r}: write {' or '.join(choices)}"
    return f"{place(file, path)}: {name}: {text}"


def _found(dotted: str, value: Any, kind: Any) -> tuple[tuple[Key, ...], Any, Any]:
    """Return the path that msgspec means, what stands there and what should; it names no key of a table of any keys."""
    path: tuple[Key, ...] = ()
    for name, place_in_list in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", dotted):
        if name:
            key: Key = name
            kind = typing.get_type_hints(kind)[name]
        elif place_in_list != "...":
            key = int(place_in_list)
            kind = next((typing.get_args(each)[0] for each in _alternatives(kind) if typing.get_args(each)), kind)
        else:
            kind = typing.get_args(kind)[1]
            key = next(each for each in value if not _is(value[each], kind))
        path, value = (*path, key), value[key]
    return path, value, kind


def _is(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _unknown(key: str, name: str, wanted: Any, kind: type[msgspec.Struct]) -> str:
    """Return that a table has no such key, with the nearest that it has, or the table that has it."""
    known = sorted({*wanted.__struct_fields__} - _HIDDEN)
    said = f"{name} has no key `{key}`"
    if key in kind.__struct_fields__:
        return f"{said}: it belongs to [tool.autograder], so write it above the first table below that"
    if near := difflib.get_close_matches(key, known, n=1):
        return f"{said}; did you mean `{near[0]}`?"
    return f"{said}; it has {', '.join(known)}"


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the only one."""
    return typing.get_args(kind) if type(kind).__name__ in ("UnionType", "_UnionGenericAlias", "Union") else (kind,)


def _choices(kind: Any) -> list[str]:
    """Return what may be written for a type that has a few values, as it is written."""
    found: list[str] = []
    for each in _alternatives(kind):
        if isinstance(each, type) and issubclass(each, enum.Enum):
            found += [f'"{member.value}"' for member in each]
        elif typing.get_origin(each) is typing.Literal:
            found += [f'"{value}"' for value in typing.get_args(each)]
        elif typing.get_origin(each) is tuple:
            found.append("a list")
    return found
