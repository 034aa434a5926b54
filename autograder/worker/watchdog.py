"""Ends the grader when its run is over and it is not. It runs in a fork of the zygote that is never a worker.

What it is told comes through a pipe that this fork alone reads: workers inherit the zygote's memory.
"""

from __future__ import annotations

import os

from ..wire.framing import read_frame
from ..wire.reader import Reader

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from .commands import WatchOrder

_SIGQUIT, _SIGKILL = 3, 9  # as in `signal`, whose import brings enum
_ENDING_SECONDS = 5.0  # that a process may need to end after it was told to


def watch(orders: int, journal: int) -> None:
    """Return when the grader, at the other end of `orders`, has closed it; or end it when its time is over."""
    from select import select

    os.setsid()  # Ctrl-C is the grader's
    data = read_frame(lambda count: os.read(orders, count))
    if data is None:
        return
    order: WatchOrder = Reader(data).value()
    if select([orders], [], [], order["seconds"] + order["slack"])[0]:
        return
    words = _words(order["seconds"], os.pread(journal, os.fstat(journal).st_size, 0))
    os.write(2, words.encode("utf-8", "backslashreplace"))
    _withdraw(order["provisional"])
    for signal in (_SIGQUIT, _SIGKILL):  # by the first it leaves with its status, if it can still take it
        os.kill(order["grader"], signal)
        if select([orders], [], [], _ENDING_SECONDS)[0]:
            break
    _withdraw(order["provisional"])  # it may have come to itself and written in between
    _remove(order["temporary"])


def _withdraw(file: str) -> None:
    """Remove results that are not a judgement."""
    if not file:
        return
    try:
        os.unlink(file)
        directory = os.open(os.path.dirname(file), os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)
    except OSError:  # there are none
        pass


def _remove(prefix: str) -> None:
    """Remove the directories whose paths begin with `prefix`."""
    import shutil

    directory, name = os.path.split(prefix)
    for each in os.listdir(directory):
        if each.startswith(name):
            shutil.rmtree(os.path.join(directory, each), ignore_errors=True)


def noted(journal: bytes) -> tuple[list[tuple[str, str]], str]:
    """Return the tests of a journal that are over, with how each ended, and the one under way; "" if there is none."""
    *over, last = journal.partition(b"\0")[0].decode("utf-8", "replace").split("\n")
    ended = (line.partition("\t") for line in over)
    return [(name, status) for name, _, status in ended], last.partition("\t")[0]


def _words(seconds: float, journal: bytes) -> str:
    """Return what staff read: the test in which the grader was, and the outcomes of those before."""
    over, test = noted(journal)
    lines = [
        f"autograder: the {seconds:g} s of this run are over, and the grader's own side did not come to its end"
        + (f", in {test}; what that test would find is not known" if test else "")
        + ". The submission was not judged: look at what is computed there with the values that it returned.",
        *(["The tests before it:"] if over else []),
    ]
    lines += [f"  {status:13} {name}" for name, status in over]
    return "\n".join(lines) + "\n"
