"""What runs in a dask worker: it lends lanes, which are processes of their own, to the batches that come.

No submission's code runs in the dask worker itself, and nothing that it needs is read from a disk that machines share.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import platform
import threading
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ... import __version__
from ...assignment import Assignment, load_assignment
from ...errors import AssignmentError, AutograderError
from ...model import Level
from ...temporary import HeldDirectory
from ..records.class_report import Run
from ..sources.delivery import Delivery
from .cores import Claim, claimed
from .pool import Lanes, error_of


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """What a task brings back: plain bytes, or why its worker cannot grade."""

    run: bytes = b""
    answers: bytes = b""
    error: str = ""
    exit_status: int = 0

    def checked(self) -> Run:
        """Return the run that the answers belong to, or raise what kept the worker from grading."""
        if self.error:
            raise error_of(self.error, self.exit_status)
        return msgspec.msgpack.decode(self.run, type=Run)


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How the whole class is graded."""

    version: str  # of the grader
    level: Level | None = None  # to insist on
    scored_only: bool = False


def graded(assignment: bytes, terms: Terms, batch: bytes) -> Graded:
    """Grade a batch on this machine; runs in a thread of a dask worker."""
    deliveries = msgspec.msgpack.decode(batch, type=tuple[Delivery, ...])
    try:
        if terms.version != __version__:
            raise AssignmentError(f"{platform.node()} has version {__version__} of the grader, not {terms.version}")
        with borrowed.lanes(assignment, terms) as lanes:
            run, answers = lanes.run(), tuple(lanes.answers(deliveries))
    except AutograderError as problem:
        return Graded(error=f"{platform.node()}: {problem}", exit_status=problem.exit_status)
    return Graded(run=msgspec.msgpack.encode(run), answers=msgspec.msgpack.encode(answers))


class Borrowed:
    """The lanes of one dask worker, which stay for the batches to come: one for each thread that ever needed one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: dict[tuple[str, Terms], list[Lanes]] = defaultdict(list)
        self._directories: dict[str, HeldDirectory] = {}
        self._claims: dict[int, Claim] = {}  # by the identity of the lanes
        self._started = 0

    @contextlib.contextmanager
    def lanes(self, packed: bytes, terms: Terms) -> Iterator[Lanes]:
        """Lend a lane for the packed assignment."""
        digest = hashlib.sha256(packed).hexdigest()
        with self._lock:
            free = self._free[digest, terms]
            lanes = free.pop() if free else self._new(packed, digest, terms)
        try:
            yield lanes
        except BaseException:
            self._close(lanes)
            raise
        with self._lock:
            free.append(lanes)

    def clear(self) -> None:
        """End the lanes that nobody uses."""
        with self._lock:
            idle = [lanes for free in self._free.values() for lanes in free]
            for free in self._free.values():
                free.clear()
        for lanes in idle:
            self._close(lanes)

    def _close(self, lanes: Lanes) -> None:
        lanes.close()
        self._claims.pop(id(lanes)).release()

    def _new(self, packed: bytes, digest: str, terms: Terms) -> Lanes:
        if digest not in self._directories:
            directory = HeldDirectory("autograder-assignment-")  # for its user's eyes alone
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                archive.extractall(directory.name)
            self._directories[digest] = directory
        self._started += 1
        assignment = load_assignment(Path(self._directories[digest].name))
        claim = claimed(self._started - 1)
        lanes = Lanes(assignment, jobs=1, level=terms.level, scored_only=terms.scored_only, first_core=claim.position)
        self._claims[id(lanes)] = claim
        return lanes


borrowed = Borrowed()


def end_lanes() -> None:
    """End the lanes of this dask worker that are idle."""
    borrowed.clear()


def packed(assignment: Assignment) -> bytes:
    """Return the files that grading reads, as a zip: configuration, suites, and what the handout gives."""
    root, data = assignment.root_path, io.BytesIO()
    folders = [root / suite.path for suite in assignment.suites] + [assignment.solution_path, assignment.starter_path]
    files = {root / "pyproject.toml", *(file for folder in folders for file in folder.rglob("*") if file.is_file())}
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files):
            if "__pycache__" not in file.parts:
                archive.writestr(zipfile.ZipInfo(file.relative_to(root).as_posix()), file.read_bytes())
    return data.getvalue()
