"""What a value of the submission is, and how it crosses: kinds of objects, and stored numbers."""

from __future__ import annotations

import math

from ..wire import format as wire
from ..wire.format import Opaque

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_SLOT = type(vars(Opaque)["handle"])  # what the class holds for a name in __slots__


def kind_of(value: Any) -> int:
    """Return CLASS for a class, CALLABLE for anything else that can be called, else OTHER."""
    if isinstance(value, type):
        return wire.CLASS
    return wire.CALLABLE if callable(value) else wire.OTHER


def stored(item: Any, name: str) -> float | None:
    """Return a number that an object plainly stores; None if reading it would run code of its class."""
    class_: Any = type(item)
    access = class_.__getattribute__
    if access is not object.__getattribute__ and access is not float.__getattribute__:  # values may be floats
        return None
    kept: Any = getattr(class_, name, None)
    if type(kept) is _SLOT:
        value = kept.__get__(item)
    else:
        value = kept if hasattr(kept, "__get__") else getattr(item, "__dict__", {}).get(name, kept)
    # A larger integer is read alone: many of them together would be longer than a reply.
    return value if type(value) is float or (type(value) is int and value.bit_length() < 64) else None


def examined(item: Any, names: Iterable[str]) -> list[Any]:
    """Return the type's name and then each attribute: a float, the name of another type, or None if reading raises."""
    found: list[Any] = [type(item).__name__[: wire.MAX_NAME]]
    for name in names:
        try:
            value = getattr(item, name)
            kind = type(value)
            found.append(float(value) if kind in (int, float, bool) else kind.__name__[: wire.MAX_NAME])
        except OverflowError:  # an integer beyond any float
            found.append(math.inf if value > 0 else -math.inf)
        except BaseException:  # noqa: BLE001 - the student's property may raise anything at all
            found.append(None)
    return found
