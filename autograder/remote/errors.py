"""Exceptions of the submission, made again on our side from the text that crossed the wire."""

from __future__ import annotations

import builtins
import functools
from typing import Any

from ..errors import RemoteError
from ..text import without_paths
from ..wire.format import RaisedError

_ATTRIBUTES = ("kind", "class_name", "message", "frames")
# What the class's `__new__` insists on. The instance's own contents are RemoteError's, so these are never read.
_NEEDED: dict[str, tuple[Any, ...]] = {
    "BaseExceptionGroup": ("", [Exception()]),
    "ExceptionGroup": ("", [Exception()]),
}


def remote_error(raised: RaisedError) -> RemoteError:
    """Return an exception that is a RemoteError and, if that can be, the builtin that was raised."""
    return _class_of(raised.kind)(raised.kind, raised.class_name, without_paths(raised.message), raised.frames)


@functools.cache  # the wire lets only the names of builtin exceptions through: the kinds are few
def _class_of(kind: str) -> type[RemoteError]:
    builtin = getattr(builtins, kind, None)
    if not (isinstance(builtin, type) and issubclass(builtin, Exception)) or builtin is Exception:
        return RemoteError
    needed = _NEEDED.get(kind, ())

    def make(cls: type[Exception], *_: object) -> Exception:
        """Make the instance without the builtin's constructor, which may want arguments of its own."""
        try:
            return builtin.__new__(cls, *needed)
        except TypeError:  # MemoryError keeps its instances for later, and makes none of a subclass like ours
            return RemoteError.__new__(cls)

    names = {"__new__": make, "__str__": Exception.__str__}  # some builtins read meaning into their arguments
    # Plain attributes: a builtin may have read-only ones of the same name, as ExceptionGroup has `message`.
    return type(f"Remote{kind}", (RemoteError, builtin), names | dict.fromkeys(_ATTRIBUTES, ""))
