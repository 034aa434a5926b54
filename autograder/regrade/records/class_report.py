"""What is known of a graded class: the rows that every table, plot and comparison is made of.

`load_class` reads it back from the directory that `autograder regrade` writes: class.json says who handed in, run.json
which tests there are, and records/ID.json holds the outcome of each submission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ...errors import AutograderError
from ...model import Flag, GradedTest, Isolation, Note, Score, Status
from ...wording import Wording

if TYPE_CHECKING:
    from ...film.frames import Film

RUN, CLASS, RECORDS, RESULTS, FILMS = "run.json", "class.json", "records", "results", "films"
_T = TypeVar("_T")


class Submitter(msgspec.Struct, frozen=True, kw_only=True):
    """One person as an export or a roster names them; what it does not say is empty."""

    name: str = ""
    sid: str = ""
    email: str = ""


class OldResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an earlier run gave, and the points of each test under the name it had then."""

    score: float | None = None  # of the tests; None if it is not known
    adjustment: float = 0.0  # what people added to it by hand, or took away: it is theirs
    total: float | None = None  # if only the sum of both is known
    tests: dict[str, float] = msgspec.field(
        default_factory=dict
    )  # by test id, or by name if the old results hold no id


class ClassEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission of the class as it was recognised, before anything was graded."""

    id: str
    original: str = ""  # the name in the source: the folder's, or that of one of the files
    submitters: tuple[Submitter, ...] = ()
    remarks: tuple[str, ...] = ()  # "late", "an onlinetext was ignored": for the column `notes`
    old: OldResult | None = None


class TestResult(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one test of one submission."""

    __test__ = False  # pytest would collect it for its name

    id: str
    status: Status
    score: float
    seconds: float = 0.0
    diagnosis: str = ""  # the stable code
    subject: str = ""  # what the diagnosis is about: "*"
    line: str = ""  # the student's own, where the mistake shows


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """What decides a grade. A record counts as long as the key that it was made under is still the right one."""

    submission: str  # sha256 over what was handed in: names and bytes
    suites: str  # of the configuration's and the suites' bytes
    version: str  # of the grader
    level: str  # of isolation: "strong"


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What grading one submission found, or why it could not be graded: the content of records/ID.json."""

    id: str
    key: Key
    problem: str = ""  # why it could not be graded; "" if it was
    score: Score | None = None  # None if it was not graded: never a zero
    results: tuple[TestResult, ...] = ()
    imported: bool = True
    import_problem: str = ""  # why no test could run: the kind of the exception, or what is wrong with the files
    import_diagnosis: str = ""
    seconds: float = 0.0
    limits: tuple[str, ...] = ()  # that it ran into: "time for one request", "memory" …
    source: str = ""  # digest of the scored modules without comments, docstrings and layout; "" if none was read
    notes: tuple[Note, ...] = ()
    flags: tuple[Flag, ...] = ()
    wordings: dict[str, Wording] = {}  # of the diagnoses, by code


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What all submissions of a run share: the content of run.json."""

    assignment: str
    version: str
    python: str
    packages: dict[str, str]
    suites: str
    isolation: Isolation
    tests: tuple[GradedTest, ...]


class Records(Mapping[str, Record]):
    """The records of a class, each read when it is asked for: a class of thousands needs no more memory than ten do.

    A record that was made under other suites, by another grader or of other files does not count.
    """

    def __init__(self, out: Path, keys: Mapping[str, Key]) -> None:
        self._out, self._keys = out, keys

    def __getitem__(self, identity: str) -> Record:
        record = read_record(self._out, identity)
        if record is None or record.key != self._keys.get(identity):
            raise KeyError(identity)
        return record

    def __iter__(self) -> Iterator[str]:
        return (identity for identity in self._keys if self.get(identity))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ClassReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole class, in the order in which every table lists it.

    A member without a record has not been graded yet; a record with a `problem` could not be.
    """

    run: Run
    members: tuple[ClassEntry, ...]
    records: Mapping[str, Record]  # by the member's id

    def graded(self) -> Iterator[Record]:
        """Yield the record of everybody who was graded, in order."""
        return (record for _, record in self.pairs() if not record.problem)

    def failed(self) -> Iterator[Record]:
        """Yield the record of everybody who could not be graded, in order."""
        return (record for _, record in self.pairs() if record.problem)

    def pairs(self) -> Iterator[tuple[ClassEntry, Record]]:
        """Yield everybody who has a record, in order, and the record."""
        for member in self.members:
            record = self.records.get(member.id)
            if record is not None:
                yield member, record


def load_class(out: Path) -> ClassReport:
    """Return the class that `autograder regrade` left in `out`, finished or not.

    Raises AutograderError if `out` holds no class.
    """
    run = read_json(out / RUN, Run)
    members, keys = read_json(out / CLASS, tuple[tuple[ClassEntry, ...], dict[str, Key]])
    return ClassReport(run=run, members=members, records=Records(out, keys))


def read_record(out: Path, identity: str) -> Record | None:
    """Return the record of one submission, or None if no record can be read."""
    try:
        record = msgspec.json.decode((out / RECORDS / f"{identity}.json").read_bytes(), type=Record)
    except (FileNotFoundError, msgspec.MsgspecError):  # another version's record does not count
        return None
    return record if record.id == identity else None


def film_file(out: Path, identity: str) -> Path:
    """Return where the film of one submission is kept, if it has one.

    It shows the inputs of an open test and lines of the submission. It is made before any secret test runs.
    """
    return out / FILMS / f"{identity}.film"


def kept_film(out: Path, identity: str) -> tuple[str, Film] | None:
    """Return the film of one submission, after the id of its test; None if there is none that can be read."""
    from ...film.frames import Film  # only feedback shows it

    try:
        found: tuple[str, Film] = msgspec.msgpack.decode(film_file(out, identity).read_bytes(), type=tuple[str, Film])
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    return found


def read_json(file: Path, kind: type[_T]) -> _T:
    """Return the content of one of our own files as `kind`, or raise AutograderError that names it."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        raise AutograderError(f"{file} does not exist: is {file.parent} where `autograder regrade` wrote?") from None
    except msgspec.MsgspecError as problem:
        raise AutograderError(f"{file} is not what this version writes ({problem}); run `regrade` again") from None
