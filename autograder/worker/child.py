"""What the zygote's children become: a process that is confined, and serves the grader or tries an attack."""

from __future__ import annotations

import io
import mmap
import os
import sys

from ..wire import format as wire
from . import confinement, imports, serve

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .commands import Confinement, Spawn

DESCRIPTORS = 4  # that a worker is given: requests, replies, output, progress
SETUP_FAILED = 70  # exit code of a worker that could not be confined: EX_SOFTWARE


def forked(act: Callable[[], None], *, apart: bool = False) -> int:
    """Start a process that performs `act` and ends; return its pid. `apart`: it is in another process namespace."""
    parent = 0 if apart else os.getpid()
    pid = os.fork()
    if pid == 0:
        status = SETUP_FAILED
        try:
            confinement.forked_by(parent)
            act()
            status = 0
        except BaseException as problem:  # noqa: BLE001 - whatever it is, this process must end here
            os.write(2, f"worker: {type(problem).__name__}: {problem}\n".encode("utf-8", "replace")[:500])
        finally:
            os._exit(status)
    return pid


def confined(plan: Confinement, descriptors: list[int]) -> tuple[str, list[str], mmap.mmap]:
    """Keep five descriptors and apply the layers; return directory, mechanisms that hold, and the progress page."""
    requests, replies, output, progress = descriptors
    null = os.open(os.devnull, os.O_RDONLY)
    # Above the numbers that they get, so that no dup2 below overwrites one still needed.
    sources = [_above(5, each) for each in (null, output, output, requests, replies, progress)]
    for target, source in enumerate(sources):
        os.dup2(source, target)
    os.closerange(6, 256)
    shared = mmap.mmap(5, mmap.PAGESIZE)
    os.closerange(5, 256)  # mmap has kept a duplicate for itself
    directory, held = confinement.confine(plan)
    return directory, held, shared


def _above(least: int, descriptor: int) -> int:
    """Return a duplicate of a descriptor whose number is above `least`: the lowest, since there may be a limit."""
    low, copy = [], os.dup(descriptor)
    while copy <= least:
        low.append(copy)
        copy = os.dup(descriptor)
    for each in low:
        os.close(each)
    return copy


def become_worker(command: Spawn, descriptors: list[int], library: Any) -> None:
    """Confine this process, then serve the grader. Return when the grader closes the pipe."""
    directory, _, shared = confined(command["confinement"], descriptors)
    served = serve.Service(directory, command["files"], shared)
    _renew_streams()
    sys.argv[:], sys.dont_write_bytecode = [""], True
    sys.path[:] = [directory]
    sys.meta_path.append(library)  # last: a submission's own module comes first, as at home
    vars(sys.modules["__main__"]).pop("main", None)  # ours, by which this process was started
    own = {os.path.splitext(name)[0].partition("/")[0] for name in command["files"]}
    imports.guard_imports(command["imports"], own, command["packages"])
    os.write(4, wire.CONFINED)
    serve.serve(3, 4, served.answer)


def _renew_streams() -> None:
    """Open standard output and error again: the streams of this process remember what they were opened on."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        old = getattr(sys, name)
        raw: Any = io.FileIO(descriptor, "w", closefd=False)
        raw.name = f"<{name}>"
        stream: Any = io.TextIOWrapper(raw, old.encoding, old.errors, newline="\n", write_through=True)
        stream.mode = "w"
        for each in (name, f"__{name}__"):
            setattr(sys, each, stream)
