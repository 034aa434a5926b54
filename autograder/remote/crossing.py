"""What crosses to the worker: plain values as they are, remote objects by their handles, nothing else."""

from __future__ import annotations

from typing import Any, ClassVar

from ..errors import MisuseError
from ..wire import arrays
from ..wire import format as wire
from .declared import with_article

_PLAIN = (type(None), bool, int, float, str, wire.Handle)


class Remote:
    """An object that lives in the worker: its handle there, and its origin here.

    Every attribute of it is looked up over there, so these two are read by `handle_of` and `origin_of` alone.
    """

    __slots__ = ("_handle", "_origin")
    answers: ClassVar[bool] = False  # whether its class may decide what Python takes for a plain value at once
    kinds: ClassVar[set[type]] = set()  # the classes below this one: an instance's own class is looked up here

    def __init_subclass__(cls) -> None:
        Remote.kinds.add(cls)


handle_of, origin_of = vars(Remote)["_handle"].__get__, vars(Remote)["_origin"].__get__
set_handle, set_origin = vars(Remote)["_handle"].__set__, vars(Remote)["_origin"].__set__
remote_kinds = Remote.kinds


def crossing(value: Any) -> Any:
    """Return `value` as it crosses to the worker, or raise MisuseError for what may not."""
    kind = type(value)
    if kind in remote_kinds:
        return handle_of(value)
    if kind is int and value.bit_length() > wire.MAX_INTEGER_BITS:
        raise MisuseError(f"an integer of more than {wire.MAX_INTEGER_BITS:,} bits may not cross to the submission")
    if kind is float or kind in _PLAIN:
        return value
    if kind in (list, tuple):
        return kind(crossing(part) for part in value)
    if kind is dict:
        return {key: crossing(part) for key, part in value.items()}
    if (array := arrays.packed(value)) is not None:
        return array
    raise MisuseError(f"{with_article(kind.__name__)} may not cross to the submission's process")


def crossing_arguments(positional: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call as they cross."""
    return (
        tuple([crossing(part) for part in positional]) if positional else (),
        {key: crossing(part) for key, part in named.items()} if named else {},
    )
