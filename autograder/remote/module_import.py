"""A module of the submission, imported by a worker."""

from __future__ import annotations

from ..errors import GivenUp, ProtocolError
from ..sandbox.handle import Worker
from ..wire import format as wire
from .errors import remote_error


def imported(worker: Worker, name: str, handle: int, seconds: float) -> tuple[int, dict[str, int]]:
    """Return handle and names of a module once `worker` has imported it; raise what that raises."""
    if worker.loading != name:
        worker.load(name, handle)
    result = worker.receive(seconds)
    worker.loading = ""
    if isinstance(result, wire.RaisedError):
        raise remote_error(result)
    if type(result) is not dict or not all(type(kind) is int for kind in result.values()):
        raise ProtocolError("the worker describes its module in an unknown way")
    worker.modules[name] = (handle, result)
    return worker.modules[name]


def given_up(operation: str) -> GivenUp:
    """Return the error of an import that is not asked for again."""
    error = GivenUp("an import that never ends was not asked for again")
    error.operation = operation
    return error
