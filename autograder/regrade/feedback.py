"""Feedback for everybody at once: one page for each student, packed as the LMS that the class came from takes it back.

    Moodle            feedback/moodle.zip    Ada Example_12345_assignsubmission_file/feedback.html
    Canvas            feedback/canvas.zip    smithbob_340934_208490284_feedback.html
    Brightspace       feedback/brightspace.zip   12345-67890 - Ada Example - Oct 3, 2026 1102 AM/feedback.html
    ILIAS             feedback/ilias.zip     multi_feedback/Example_Ada_adaex_4711/feedback.html
    GitHub Classroom  feedback/REPOSITORY.md the text of an issue, or a file for a branch
    anything else     feedback/ID/feedback.html

Each LMS knows whose a page is by the name that it gave the submission: it is kept to the character.
"""

from __future__ import annotations

import enum
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ..errors import AutograderError
from ..film.frames import Film
from ..model import Visibility
from ..results.contract import problems
from ..results.preview import Audience, View, view
from ..results.student_page import student_markdown, student_page
from ..text import counted, listed
from .records.class_report import RESULTS, ClassEntry, ClassReport, kept_film
from .records.output import output_file, remove_output, write_output
from .sources.found import FoundSubmission, identity
from .sources.kinds import WORDS, SourceKind
from .sources.recognition import Located

FEEDBACK = "feedback"
_PAGE = "feedback.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time of a zip: the same class gives the same bytes


class Pack(enum.Enum):
    """How pages are handed back."""

    MOODLE = "moodle.zip"
    CANVAS = "canvas.zip"
    BRIGHTSPACE = "brightspace.zip"
    ILIAS = "ilias.zip"
    REPOSITORIES = "a text for each repository"
    FOLDERS = "a folder for each student"


_PACKS = {
    WORDS[SourceKind.MOODLE]: Pack.MOODLE,
    WORDS[SourceKind.CANVAS]: Pack.CANVAS,
    WORDS[SourceKind.BRIGHTSPACE]: Pack.BRIGHTSPACE,
    WORDS[SourceKind.ILIAS]: Pack.ILIAS,
    WORDS[SourceKind.CLASSROOM]: Pack.REPOSITORIES,
}
_ZIPS = {pack for pack in Pack if pack.value.endswith(".zip")}
_ILIAS = "multi_feedback"  # ILIAS looks for a folder that begins so, and reads the user's id off the end of each within
_HOW = {
    Pack.MOODLE: ", for Moodle's `Upload multiple feedback files in a zip`",
    Pack.CANVAS: ", for Canvas's `Upload Submissions`",
    Pack.BRIGHTSPACE: ", for Brightspace's `Add Feedback Files`",
    Pack.ILIAS: ", for ILIAS's `Multi-Feedback`",
    Pack.REPOSITORIES: ", a text for an issue or a branch of each repository",
    Pack.FOLDERS: ", a page each",
}


class _Places:
    """The zips and folders that pages go to; a zip takes its name when all of it is written."""

    def __init__(self, directory: Path) -> None:
        self._directory, self._stack = directory, ExitStack()
        self._zips: dict[Pack, zipfile.ZipFile] = {}
        self.counts: dict[Pack, int] = {}

    def __enter__(self) -> _Places:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def add(self, pack: Pack, name: str, text: str) -> None:
        """Write one page."""
        data = text.encode("utf-8")
        self.counts[pack] = self.counts.get(pack, 0) + 1
        if pack not in _ZIPS:
            write_output(self._directory / name, data)
            return
        if pack not in self._zips:
            file = self._stack.enter_context(output_file(self._directory / pack.value))
            self._zips[pack] = self._stack.enter_context(zipfile.ZipFile(file, "w"))
        member = zipfile.ZipInfo(name, _EPOCH)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = 0o644 << 16
        self._zips[pack].writestr(member, data)

    def remove(self, pack: Pack, name: str) -> None:
        """Remove the page of an earlier call; a zip is made anew anyway."""
        if pack not in _ZIPS:
            remove_output(self._directory / name)


def write_feedback(
    out: Path, report: ClassReport, placed: Sequence[Located], *, published: bool = False
) -> tuple[str, ...]:
    """Write the feedback of everybody who was graded; return what a person must know of it, in sentences.

    A page shows what Gradescope would show its student before grades are published, and with `published` afterwards.
    Raises AutograderError if something cannot be written, or Jinja is not installed.
    """
    reader = Audience.STUDENT_PUBLISHED if published else Audience.STUDENT
    members = {member.id: member for member in report.members}
    ungraded, is_withheld = list[str](), False
    with _Places(out / FEEDBACK) as places:
        for each, pack, where in _destinations(placed):
            name = each.found.id
            record = report.records.get(name)
            if record is None or record.problem:
                ungraded.append(name)
                places.remove(pack, where)
                continue
            results = _results(out, name)
            seen, film = view(results, reader), shown_film(results, kept_film(out, name), reader)
            is_withheld = is_withheld or seen.withheld > 0
            text = _written(pack, seen, report.run.assignment, members[name], film)
            places.add(pack, where, text)
    return tuple(_sentences(out, places.counts, ungraded, withheld=is_withheld and not published))


def _destinations(placed: Sequence[Located]) -> Iterator[tuple[Located, Pack, str]]:
    """Yield where the page of each submission goes: nobody's takes the place of another's, whatever names they have."""
    taken: set[tuple[Pack, str]] = set()
    for each in placed:
        pack = _PACKS.get(each.kind, Pack.FOLDERS)
        where = place(pack, each.found)
        while (pack, where.casefold()) in taken:
            where = f"{each.found.id}-{where}"
        taken.add((pack, where.casefold()))
        yield each, pack, where


def place(pack: Pack, found: FoundSubmission) -> str:
    """Return where the page of one submission lies, in its zip or in the folder `feedback`."""
    if pack is Pack.FOLDERS or not found.parts:
        return f"{found.id}/{_PAGE}"
    path, name = found.parts[0].path, found.parts[0].name
    if pack is Pack.REPOSITORIES:
        return f"{identity(path)}.md"
    if pack is Pack.ILIAS:
        path, name = f"{_ILIAS}/{path.partition('/')[0]}", ""
    # Of a file, what precedes the name that the student gave it is the LMS's; a folder's name is all the LMS's.
    path = path[: len(path) - len(name)] + _PAGE if name else f"{path}/{_PAGE}"
    return path.encode("utf-8", "replace").decode("utf-8")


def shown_film(results: Mapping[str, Any], kept: tuple[str, Film] | None, reader: Audience) -> Film | None:
    """Return the film that is kept of a submission if `reader` sees, in its results, the failed test that it is of."""
    for test in results.get("tests", []) if kept else []:
        data = test.get("extra_data", {})
        if kept and data.get("id") == kept[0] and test["status"] == "failed":
            return kept[1] if Visibility(test.get("visibility", results.get("visibility"))) in reader.sees else None
    return None


def _results(out: Path, name: str) -> dict[str, Any]:
    """Return what the results file of one submission holds.

    Raises AutograderError if somebody has changed it so that it breaks Gradescope's contract.
    """
    file = out / RESULTS / f"{name}.json"
    data = file.read_bytes()
    if wrong := problems(data):
        raise AutograderError(f"{file} is not as it was written: {wrong[0]}; grade it again with --only {name}")
    content: dict[str, Any] = json.loads(data)
    return content


def _written(pack: Pack, seen: View, assignment: str, member: ClassEntry, film: Film | None) -> str:
    if pack is Pack.REPOSITORIES:
        return student_markdown(seen, assignment=assignment)
    names = [person.name or person.email or person.sid for person in member.submitters]
    text = student_page(seen, assignment=assignment, who=", ".join(filter(None, names)) or member.id, film=film)
    if pack is not Pack.CANVAS:
        return text
    # Canvas shows a page that comes back under the name of the student's own file, engine.py. Whoever opens it in an
    # editor finds the words first. Two hyphens would end the comment.
    words = student_markdown(seen, assignment=assignment)
    while "--" in words:
        words = words.replace("--", "- -")
    head, _, rest = text.partition("\n")
    return f"{head}\n<!--\n{words}\n-->\n{rest}"


def _sentences(out: Path, counts: Mapping[Pack, int], ungraded: list[str], *, withheld: bool) -> Iterator[str]:
    for pack, count in counts.items():
        where = out / FEEDBACK / (pack.value if pack in _ZIPS else "")
        yield f"feedback for {counted(count, 'submission')}{_HOW[pack]}: {where}"
    if ungraded:
        yield f"no feedback, since there is no grade: {listed(ungraded)}"
    if withheld:
        yield "the feedback leaves out what students see only once grades are published; --published shows it"
