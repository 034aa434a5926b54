"""What the configuration declares of a module's names, and whether what came back keeps to it.

A function declares what it returns in a few words: `number`, `flag`, `text`, `nothing`, `array`, `object`, `list of …`,
`dict of …`, with `|` between alternatives; a list of them stands for a tuple of exactly those. A test computes on our
side with what comes back, so a value of another kind or size is refused where it arrives.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ..errors import MisuseError
from ..interface import Declared, RemoteInterface
from ..wire import format as wire

_ARTICLES = {wire.CLASS: "a class", wire.CALLABLE: "a function", wire.OTHER: "neither a class nor a function"}
_PLAIN: dict[str, tuple[type, ...]] = {
    "number": (int, float),
    "flag": (bool,),
    "text": (str,),
    "nothing": (type(None),),
}


def check_name(name: str, kind: int, interface: RemoteInterface) -> None:
    """Raise MisuseError if the module's `name` is of another kind than the configuration declares."""
    wanted = wire.CLASS if name in interface.classes else wire.CALLABLE if name in interface.returns else kind
    if kind != wanted:
        raise MisuseError(f"`{name}` must be {_ARTICLES[wanted]}; in {interface.file} it is {_ARTICLES[kind]}")


def check_shape(shape: tuple[int, ...], interface: RemoteInterface) -> None:
    """Raise MisuseError if an array has more elements than may come back; an empty dimension counts as one."""
    if math.prod(max(size, 1) for size in shape) > interface.max_elements:
        raise MisuseError(
            f"{interface.file} returned an array of shape {shape}; at most {interface.max_elements:,} elements may come"
        )


def check_returned(value: Any, declared: Declared, name: str, is_object: type) -> None:
    """Raise MisuseError if `value`, which the function `name` returned, is not what is `declared`."""
    parts = (declared,) if isinstance(declared, str) else declared
    values = (value,) if isinstance(declared, str) else value
    fits = isinstance(declared, str) or (isinstance(value, (tuple, list)) and len(value) == len(declared))
    if not fits or not all(_is(each, part, is_object) for each, part in zip(values, parts, strict=True)):
        raise MisuseError(
            f"`{name}` must return {' and '.join(map(_in_words, parts))}; it returned {_described(value, is_object)}"
        )


def _is(value: Any, kind: str, is_object: type) -> bool:
    """Return True if `value` is of one of the alternatives in `kind`. A remote object is asked for nothing."""
    shape = None if type(value) is is_object else getattr(value, "shape", None)
    for alternative in kind.split("|"):
        word = alternative.strip()
        if word == "object":
            found = type(value) is is_object
        elif word == "array":
            found = shape is not None
        elif word.startswith("list of "):
            found = type(value) is list and all(_is(part, word[len("list of ") :], is_object) for part in value)
        elif word.startswith("dict of "):
            found = type(value) is dict and all(
                _is(part, word[len("dict of ") :], is_object) for part in value.values()
            )
        else:
            found = type(value) in _PLAIN[word] or (word == "number" and shape == ())
        if found:
            return True
    return False


def _in_words(kind: str) -> str:
    words = re.sub(r" of (\w+)", r" of \1s", kind)
    return " or ".join(with_article(word) for word in re.split(r" *\| *", words))


def with_article(noun: str) -> str:
    """Return "an int" or "a float"."""
    return ("an " if noun[:1] in tuple("aeiouAEIO") else "a ") + noun


def is_too_large(value: Any) -> bool:
    """Return True for what stands for a plain value beyond the wire's limits: a smaller one crosses as itself."""
    return type(value) is wire.Opaque and value.kind == wire.TOO_LARGE


def described(value: Any) -> str:
    """Return what came over the wire in place of a plain number, in words."""
    if value is None:
        return "None"
    if is_too_large(value) and value.type_name == "int":
        return f"an integer of more than {wire.MAX_INTEGER_BITS:,} bits, and no larger one may cross to a test"
    if is_too_large(value):
        return (
            f"a {value.type_name} of more than {wire.MAX_REPLY >> 10} KiB in all, and no larger one may cross to a test"
        )
    return with_article(value.type_name if type(value) is wire.Opaque else type(value).__name__)


def _described(value: Any, is_object: type) -> str:
    if value is None:
        return "nothing"
    if type(value) is is_object:
        return "an object"
    shape = getattr(value, "shape", None)
    if shape:
        return f"an array of shape {shape}"
    return with_article(type(value).__name__) + (f" of {len(value)}" if isinstance(value, (list, tuple, dict)) else "")
