"""similar.html: the pairs of a class that have most in common, their passages side by side, for a person to look at."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from ...assignment import Assignment
from ...errors import AssignmentError, AutograderError
from ...results.html import page
from ...submission.apart import read_apart
from ...submission.submission import materialise
from ...temporary import HeldDirectory
from ...text import clean, counted, listed, one_line
from ..records.class_report import ClassEntry, ClassReport
from ..records.output import write_output
from ..report.page import name_of
from ..sources.recognition import Located
from .messages import Comparison, Question

SIMILAR = "similar.html"
LEAST = 0.8  # of their own passages in common
MOST = 20  # pairs on the page
MOST_CHARACTERS = 40_000  # of a program: on one of a million, chosen for it, the library works for minutes
_AROUND = 1  # lines shown before and after a passage
_SHOWN = 400  # lines of one program at most
_SECONDS = 1800.0
_PACKAGE = Path(__file__).parents[3]
_CODE = re.compile(r"^```py(?:thon)?\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Line(msgspec.Struct, frozen=True):
    """One line of a program as the page shows it; number 0 is a gap."""

    number: int
    text: str = ""
    is_common: bool = False


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One pair on the page."""

    share: float
    members: tuple[ClassEntry, ClassEntry]
    sides: tuple[tuple[Line, ...], tuple[Line, ...]]


def check_installed() -> None:
    """Raise AssignmentError if the library that compares is not installed."""
    if importlib.util.find_spec("copydetect") is None:
        raise AssignmentError(
            "--similar needs copydetect, which is not installed: pip install 'micro-autograd-autograder[similar]'"
        )


def write_similar(out: Path, report: ClassReport, placed: Iterable[Located], assignment: Assignment) -> str:
    """Write similar.html, and return in a sentence what it holds.

    Raises AutograderError if the comparison ends without an answer, or the page cannot be written.
    """
    found = list(_programs(report, placed, assignment))
    programs = [(member, text) for member, text in found if _may_be_compared(text)]
    left = [member.id for member, text in found if not _may_be_compared(text)]
    question = Question(
        texts=tuple(text for _, text in programs), given=tuple(given_to_all(assignment)), least=LEAST, most=MOST
    )
    answer = compare_programs(question)
    shown = [
        Shown(
            share=pair.share,
            members=(programs[pair.one][0], programs[pair.other][0]),
            sides=(_side(programs[pair.one][1], pair.lines), _side(programs[pair.other][1], pair.other_lines)),
        )
        for pair in answer.pairs
    ]
    values = {"assignment": report.run.assignment, "pairs": shown, "answer": answer, "least": LEAST}
    text = page("similar", {**values, "name_of": name_of, "clean": clean})
    write_output(out / SIMILAR, text.encode("utf-8"))
    others = f"; not compared, since not read in time or longer than {MOST_CHARACTERS:,} characters: {listed(left)}"
    return f"similar submissions: {counted(answer.above, 'pair')} to look at, and no verdict: {out / SIMILAR}" + (
        others if left else ""
    )


def _may_be_compared(text: str) -> bool:
    """Return True if a program was read, and is not made to hold the comparison."""
    return 0 < len(text) <= MOST_CHARACTERS


def _programs(
    report: ClassReport, placed: Iterable[Located], assignment: Assignment
) -> Iterator[tuple[ClassEntry, str]]:
    """Yield who handed in which program, as it was graded; of equal programs the first, since the report has them."""
    located = {each.found.id: each for each in placed}
    seen: set[str] = set()
    for member, record in report.pairs():
        if record.source and record.source not in seen and member.id in located:
            seen.add(record.source)
            with HeldDirectory("autograder-similar-") as name:
                directory, at = Path(name), located[member.id]
                try:
                    text = read_apart(lambda at=at, directory=directory: _program(at, assignment, directory))  # type: ignore[misc]
                except AutograderError:  # gone since it was graded, or made to last
                    text = b""
            yield member, text.decode("utf-8", "replace")


def _program(located: Located, assignment: Assignment, directory: Path) -> bytes:
    """Return the scored modules of a submission, in a process of its own; a little more of one that is too long."""
    submission = materialise(located.delivery().handed(), assignment=assignment, into=directory)
    files = [submission.directory / assignment.modules[name].file for name in assignment.scored_modules]
    text = "\n".join(file.read_text("utf-8", "replace") for file in files if file.is_file())
    return text[: MOST_CHARACTERS + 1].encode("utf-8")


def given_to_all(assignment: Assignment) -> Iterator[str]:
    """Yield what everybody was given: the starter's modules, and the code in its pages."""
    if not assignment.starter_path.is_dir():
        return
    for file in sorted(assignment.starter_path.rglob("*")):
        if file.suffix == ".py":
            yield file.read_text("utf-8")
        elif file.suffix == ".md":
            yield from (match[1] for match in _CODE.finditer(file.read_text("utf-8")))


def compare_programs(question: Question) -> Comparison:
    """Ask a process of its own: what students wrote is read there, and hashes have the seed that makes pairs repeat."""
    with HeldDirectory("autograder-similar-") as directory:
        environment = {**os.environ, "PYTHONHASHSEED": "0", "MPLCONFIGDIR": directory, "MPLBACKEND": "Agg"}
        try:
            done = subprocess.run(
                [sys.executable, "-m", "autograder.regrade.similar.compare"],
                input=msgspec.msgpack.encode(question),
                capture_output=True,
                cwd=_PACKAGE,
                env=environment,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise AutograderError(f"the comparison took longer than {_SECONDS / 60:.0f} minutes") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise AutograderError(f"the comparison ended with {done.returncode}: {one_line(''.join(last))}")
    return msgspec.msgpack.decode(done.stdout, type=Comparison)


def _side(text: str, common: Sequence[int]) -> tuple[Line, ...]:
    """Return the lines that both have, and what stands around them."""
    lines, marked = text.split("\n"), set(common)
    wanted = sorted({near for number in marked for near in range(number - _AROUND, number + _AROUND + 1)})
    shown: list[Line] = []
    last = 0
    for number in wanted:
        if not 1 <= number <= len(lines) or len(shown) >= _SHOWN:
            continue
        if number > last + 1:
            shown.append(Line(0))
        shown.append(Line(number, _cut(lines[number - 1]), number in marked))
        last = number
    return tuple(shown)


def _cut(line: str) -> str:
    """Return a line as it stands, indented, cleaned and not too long."""
    rest = line.lstrip(" ")
    return " " * min(len(line) - len(rest), 40) + one_line(rest, 120)
