"""The output directory: a file in it is finished and whole, or it is not there.

A record is written last, so it says that everything about its submission is. Its key says what it was made of: the
same files, suites, grader and isolation need not be graded again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from ...errors import AssignmentError, AutograderError
from .class_report import CLASS, FILMS, RECORDS, RESULTS, RUN, ClassEntry, Key, Record, Run, film_file, read_record
from .output import remove_output, remove_unfinished, write_output

LOCK = ".lock"


class Ledger:
    """The one process that writes an output directory."""

    def __init__(self, out: Path) -> None:
        """Take the directory; make it if it is missing. Raises AutograderError while another process has it."""
        self.out = out
        try:
            for directory in (out, out / RESULTS, out / RECORDS, out / FILMS):
                directory.mkdir(parents=True, exist_ok=True)
            self._lock: BinaryIO = (out / LOCK).open("wb")
        except OSError as problem:
            raise AssignmentError(f"{out} cannot be written: {problem.strerror}") from None
        if not _locked(self._lock):
            self._lock.close()
            raise AutograderError(
                f"another `autograder regrade` is writing {out}; wait for it, or choose another --out"
            )
        remove_unfinished(out)

    def begin(self, run: Run, members: Sequence[ClassEntry], keys: dict[str, Key]) -> None:
        """Write whose submissions these are, and what they are graded with."""
        write_output(self.out / RUN, _pretty(run))
        write_output(self.out / CLASS, msgspec.json.encode((members, keys)))

    def has(self, identity: str, key: Key) -> bool:
        """Return True if a submission is graded under `key`. One that could not be graded is not finished."""
        record = read_record(self.out, identity)
        if record is None or record.key != key or record.problem:
            return False
        return (self.out / RESULTS / f"{identity}.json").is_file()

    def record(self, identity: str) -> Record | None:
        """Return what is kept of one submission, or None."""
        return read_record(self.out, identity)

    def keep(self, identity: str, record: bytes, results: bytes, film: bytes = b"") -> None:
        """Keep the record and the results of one submission, and the film if it has one."""
        write_output(self.out / RESULTS / f"{identity}.json", results)
        if film:
            write_output(film_file(self.out, identity), film)
        else:
            remove_output(film_file(self.out, identity))  # of an earlier call
        write_output(self.out / RECORDS / f"{identity}.json", record + b"\n")

    def fail(self, identity: str, key: Key, problem: str) -> None:
        """Keep why one submission could not be graded; remove results of an earlier call: they would be a judgement."""
        remove_output(self.out / RESULTS / f"{identity}.json")
        remove_output(film_file(self.out, identity))
        write_output(
            self.out / RECORDS / f"{identity}.json", msgspec.json.encode(Record(id=identity, key=key, problem=problem))
        )

    def close(self) -> None:
        """Let others write."""
        self._lock.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _pretty(run: Run) -> bytes:
    return msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n"


def _locked(file: BinaryIO) -> bool:
    """Return True if the lock is taken; it ends with the process. A system without locks is trusted."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system that knows no locks
        return True
    return True
