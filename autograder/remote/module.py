"""Looks like the student's module: its names are looked up in the worker."""

from __future__ import annotations

import sys
from typing import Any

from ..interface import RemoteInterface
from ..wire import format as wire
from .declared import check_name
from .errors import remote_error
from .proxy import Origin, arrived, made
from .tape import Tape


class RemoteModule:
    """A module of the submission, as a test sees it."""

    def __init__(self, tape: Tape, interface: RemoteInterface, handle: int, names: dict[str, int]) -> None:
        self._tape, self._interface, self._handle, self._names = tape, interface, wire.Handle(handle), names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            raise remote_error(
                wire.RaisedError(0, "AttributeError", "AttributeError", f"{self._interface.file} defines no {name}", ())
            )
        frame = sys._getframe(1)
        arguments = (self._handle, name)
        kind = self._names[name]
        check_name(name, kind, self._interface)
        if kind == wire.OTHER:
            return arrived(self._tape, self._interface, self._tape.fetch(wire.GETATTR, arguments, frame), name)
        origin = Origin(self._tape, self._interface, name, kind)
        origin.returns = self._interface.returns.get(name)
        handle = self._tape.push(wire.GETATTR, arguments, frame)
        found = self._tape.objects[handle] = made(origin, handle)
        vars(self)[name] = found  # looked up once in a test, not for every object that it makes
        return found

    def __repr__(self) -> str:
        return f"<remote module {self._interface.file}>"
