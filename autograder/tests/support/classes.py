"""A class to report on: made up from a seed, of the size and with the mistakes that real ones have."""

from random import Random

from autograder.diagnosis.codes import MISTAKES as SENTENCES
from autograder.diagnosis.codes import wording_of
from autograder.findings.imported import WORDINGS
from autograder.model import Flag, Isolation, Level, Score, Status
from autograder.regrade.records.class_report import (
    ClassEntry,
    ClassReport,
    Key,
    OldResult,
    Record,
    Run,
    Submitter,
    TestResult,
)

from .reports import OPEN, SECRET, declared

KEY = Key(submission="f11e5", suites="d1935", version="1.2.3", level="strong")
TOPICS = [
    *("a sum", "a product", "a difference", "a quotient", "a power", "a number on the left", "tanh", "exp", "relu"),
    *("relu at its kink", "a value used twice", "a value used in two expressions", "a diamond", "a long chain"),
    *("a deep graph in time", "equal values stay apart", "gradients of two outputs", "a composite expression"),
]
# A mistake, its subjects, how many make it, and the topics whose tests it fails, by a word of them.
MISTAKES = [
    ("overwrites-gradient", ("**", "**", "**", "*", "tanh"), 0.18, ("twice", "two", "diamond", "composite")),
    ("backward-order", ("backward",), 0.14, ("diamond", "two expressions", "composite")),
    ("derivative-at-kink", ("relu",), 0.25, ("kink",)),
    ("wrong-exponent", ("**",), 0.12, ("power", "composite")),
    ("reflected-missing", ("__rsub__", "__rtruediv__", "__radd__"), 0.2, ("left",)),
    ("recursion-limit", ("",), 0.4, ("chain",)),
    ("exponential-backward", ("",), 0.3, ("deep",)),
    ("wrong-sign", ("/",), 0.08, ("quotient", "composite")),
    ("equal-values-merge", ("",), 1.0, ("equal",)),
    ("not-attempted", ("1.4",), 0.07, ("tanh", "exp", "relu")),
]


def tests():
    """Return 36 tests worth 100 points, and two without points."""
    public = [declared(f"p{n}", OPEN, title=f"The gradient of {topic}", task="1.1") for n, topic in enumerate(TOPICS)]
    hidden = [
        declared(f"h{n}", SECRET, title=f"More on {topic}", points=3.5 if n else 4.5) for n, topic in enumerate(TOPICS)
    ]
    further = [
        declared(name, OPEN, title=f"Further: {name}", points=0.0, scored=False) for name in ("layers", "second")
    ]
    return (*public, *hidden, *further)


def run(of=None, **changes) -> Run:
    return Run(
        **{
            "assignment": "micro-autograd",
            "version": "1.2.3",
            "python": "3.11.7",
            "packages": {"numpy": "2.3.0", "pytest": "9.2.0"},
            "suites": "d1935d1935d1935d1935",
            "isolation": Isolation(level=Level.STRONG, required=Level.STRONG),
            "tests": tests() if of is None else tuple(of),
            **changes,
        }
    )


def result(test, status=Status.PASSED, **changes) -> TestResult:
    score = test.points if status is Status.PASSED else 0.0
    return TestResult(id=test.id, status=status, score=score, **changes)


def record(identity, *results, possible=100.0, **changes) -> Record:
    score = Score(earned=sum(one.score for one in results), possible=possible)
    fields = {"id": identity, "key": KEY, "score": score, "results": results, "seconds": 2.0, **changes}
    codes = {*(one.diagnosis for one in results), changes.get("import_diagnosis", "")}
    wordings = {code: WORDINGS.get(code) or wording_of(code) for code in codes if code in {*WORDINGS, *SENTENCES}}
    return Record(**{"wordings": wordings, **fields})


def class_of(*pairs, of=None, **changes) -> ClassReport:
    """Return a class of (member, record) pairs; a record may be None."""
    return ClassReport(
        run=run(of, **changes),
        members=tuple(member for member, _ in pairs),
        records={member.id: record for member, record in pairs if record is not None},
    )


def member(identity, name="", **changes) -> ClassEntry:
    return ClassEntry(id=identity, submitters=(Submitter(name=name),) if name else (), **changes)


def large_class(size=212, seed=7) -> ClassReport:
    """Return a class in which everything that a report shows occurs."""
    random = Random(seed)
    declared_tests = tests()
    pairs = [_drawn(f"s{place:03}", random, declared_tests) for place in range(size)]
    return class_of(*pairs, of=declared_tests)


def _drawn(identity, random, declared_tests):
    who = member(identity, f"Student {identity[1:]}", old=_old(random))
    kind = random.random()
    if kind < 0.01:
        return who, Record(id=identity, key=KEY, problem="the zip is damaged: its last part is missing")
    if kind < 0.04:
        blocked = [result(test, Status.BLOCKED) for test in declared_tests]
        return who, record(identity, *blocked, imported=False, import_problem="SyntaxError", import_diagnosis="syntax")
    care = random.betavariate(2, 2)
    made = [mistake for mistake in MISTAKES if random.random() < 2 * mistake[2] * (1 - care) or mistake[2] == 1]
    found = [(code, random.choice(subjects), topics) for code, subjects, _, topics in made]
    results = tuple(_tried(test, found, random) for test in declared_tests)
    slow = any(one.status is Status.TIMED_OUT for one in results)
    return who, record(
        identity,
        *results,
        seconds=round(random.lognormvariate(0.6, 0.3) + 12 * slow, 3),
        limits=("time for one test",) if slow else (),
        flags=(Flag(title="A limit was met", text="…"),) if slow else (),
        source=random.choice(("one", "other", "third")) if random.random() < 0.05 else identity,
    )


def _tried(test, found, random):
    if not test.scored and random.random() < 0.7:
        return result(test, Status.NOT_ATTEMPTED)
    for code, subject, topics in found:
        if any(topic in test.title for topic in topics):
            status = {"exponential-backward": Status.TIMED_OUT, "reflected-missing": Status.ERRORED}
            return result(test, status.get(code, Status.FAILED), diagnosis=code, subject=subject)
    return result(test)


def _old(random) -> OldResult | None:
    return OldResult(score=float(random.randint(40, 100))) if random.random() < 0.1 else None
