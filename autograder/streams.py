"""Standard streams that are closed, and what a machine refuses: said in a sentence, whatever the verb was doing."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import traceback
from pathlib import Path

_REMEDIES = {
    errno.ENOSPC: ". Make room, or set TMPDIR to a folder that has some",
    errno.EDQUOT: ". Make room, or set TMPDIR to a folder that has some",
    errno.EROFS: ". Name a folder that can be written",
    errno.EMFILE: ". Allow more open files: ulimit -n 256",
    errno.ENOMEM: ". Give the machine or the container more memory",
}


def open_standard_streams() -> None:
    """Let those of the three standard streams that are closed lead nowhere.

    Otherwise the next file that is opened takes the number of one, and is given to child processes as that.
    """
    with contextlib.suppress(OSError):  # no /dev/null: what needs it later says so
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(descriptor, True)
        os.close(descriptor)
    for name, mode, number in (("stdin", "r", 0), ("stdout", "w", 1), ("stderr", "w", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def stop_standard_output() -> None:
    """Let what is still to be written to standard output go nowhere: nobody reads it."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def refusal(problem: OSError) -> str:
    """Return what the system refused, of which file, where the grader was, and what may help, in words."""
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    what = problem.strerror or type(problem).__name__
    of = f": {problem.filename}" if problem.filename else ""
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"the system refused what grading needs ({what}{of}; at {where}){_REMEDIES.get(problem.errno or 0, '')}"
