"""The nouns of grading: what a test declares, its outcome, and the report of a whole submission.

Everything here is frozen: later stages read what earlier stages wrote and never change it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

import msgspec

from .failure import BlockedBy, Failure
from .wording import Wording


class Visibility(str, enum.Enum):
    """When a student may see a test: Gradescope's four words."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


class Status(str, enum.Enum):
    """How one test ended."""

    PASSED = "passed"
    FAILED = "failed"  # an assertion did not hold
    ERRORED = "errored"  # an exception
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"  # the worker's process ended, or broke the wire
    BLOCKED = "blocked"  # not run: another test, or the time that is left, stands in the way
    NOT_ATTEMPTED = "not_attempted"  # unscored only: the task is untouched


class FilmChoice(enum.Enum):
    """Which failing open tests of a submission are filmed."""

    NONE = "none"
    FIRST_WRONG = "first wrong"  # the first whose film shows a wrong step
    ALL = "all"


class Level(enum.IntEnum):
    """How strongly a worker is isolated; higher is stronger."""

    PROCESS = 1
    STANDARD = 2
    STRONG = 3


class GradedTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test as its marks declare it."""

    id: str  # "public/test_reuse.py::test_reused_value_accumulates"
    suite: str
    title: str
    points: float  # 0 for an unscored test
    visibility: Visibility
    scored: bool = True
    seeded: bool = False  # it draws its inputs from the configuration's seed
    hint: str = ""
    task: str = ""
    after: str = ""  # id of the test that must pass first; "" for none

    @property
    def worker_group(self) -> str:
        """Name the tests that share a worker: those of a suite that carry points, or those of a file that do not."""
        return self.suite if self.scored else self.id.partition("::")[0]


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One number that a diagnosis rests on."""

    node: str
    expected: str
    got: str


class BlamedLine(msgspec.Struct, frozen=True, kw_only=True):
    """The line of the submission that made a number wrong, and what it did to the number."""

    file: str
    line: int
    said: str  # "put 3 where 4 was; 3 + 4 = 7 was expected"
    text: str = ""  # that line, as the grader read it


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong, by name. `sentence` holds no input, expression or number of a test."""

    code: str  # stable: reports of a class count it
    sentence: str
    subject: str = ""  # the operator it is about: "*"
    section: str = ""  # anchor in the handout; of a plugin's own answer, a key of the configuration's `sections`
    evidence: tuple[Evidence, ...] = ()
    drawing: str = ""  # the little graph in text, for a failing public test
    wording: Wording | None = None  # of all that share the code
    line: BlamedLine | None = None  # of a failing public test alone: it holds numbers of the test


class TestOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one test: its status, and why it did not pass."""

    __test__ = False  # pytest would collect it for its name

    test: GradedTest
    status: Status
    seconds: float = 0.0
    failure: Failure | None = None
    blocked_by: BlockedBy | None = None
    diagnosis: Diagnosis | None = None
    film: object = None  # a Film, of a failing public test if films are asked for: its types would slow each start
    output: str = ""  # what the submission printed during the test, capped

    @property
    def score(self) -> float:
        """Return the points earned: all or none."""
        return self.test.points if self.status is Status.PASSED else 0.0


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """Points earned out of points possible."""

    earned: float
    possible: float

    def __str__(self) -> str:
        return f"{self.earned:g} / {self.possible:g}"


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the submitted files that a student should know and that costs nothing."""

    title: str
    text: str


class Flag(msgspec.Struct, frozen=True, kw_only=True):
    """Something that only staff read: a broken wire, a limit hit, a file stripped."""

    title: str
    text: str


class Verdict(str, enum.Enum):
    """What the self-test says of one layer of isolation."""

    VERIFIED = "verified"  # every attack on it was stopped, and the control shows that they can succeed
    PARTIAL = "partial"  # some attacks got through
    ABSENT = "absent"  # all of them did
    BROKEN = "broken"  # the control could do nothing, so nothing is known


class LayerVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the self-test found of one layer of isolation."""

    layer: str  # "files"
    verdict: Verdict
    mechanism: str  # "chroot"


class Isolation(msgspec.Struct, frozen=True, kw_only=True):
    """The level that a run had, and the layers that make it."""

    level: Level
    required: Level
    layers: tuple[LayerVerdict, ...] = ()


class GradeReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that grading one submission found."""

    assignment: str
    outcomes: tuple[TestOutcome, ...]
    isolation: Isolation
    suites_digest: str  # of the suites' and configuration's bytes
    version: str  # of the grader
    python: str = ""  # that graded: "3.11.7"
    seconds: float = 0.0
    diagnosis_seconds: float = 0.0  # of CPU time, for all diagnoses
    notes: tuple[Note, ...] = ()
    flags: tuple[Flag, ...] = ()
    import_failure: Failure | None = None  # set when the submission could not be imported: explains every test
    import_diagnosis: Diagnosis | None = None
    diagnoses: tuple[Diagnosis, ...] = ()  # the few that a student reads above the tests, the most fundamental first
    import_output: str = ""
    complete: bool = True  # False while phases are still to run
    extra: dict[str, str] = {}

    @property
    def score(self) -> Score:
        """Return the total over all scored tests."""
        return total(self.outcomes)


def total(outcomes: Iterable[TestOutcome]) -> Score:
    """Return the points earned and possible over `outcomes`."""
    outcomes = tuple(outcomes)
    return Score(earned=sum(o.score for o in outcomes), possible=sum(o.test.points for o in outcomes))
