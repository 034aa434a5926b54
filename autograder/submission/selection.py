"""Which of the handed-in files are graded, and what a student and the staff hear about the rest."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from ..assignment import Assignment
from ..errors import SubmissionError
from ..model import Flag, Note
from ..text import listed, one_line
from .candidates import candidates
from .intake import CACHE, SETTINGS, Upload, UploadedFile
from .mistaken import meant, missing, unmentioned
from .source import Source, decode


class Selection(msgspec.Struct, frozen=True):
    """The files to grade, as bytes by their paths, and what is said about them."""

    files: dict[str, bytes]
    notes: tuple[Note, ...]
    flags: tuple[Flag, ...]


def select(handed: Upload, assignment: Assignment) -> Selection:
    """Return the assignment's files among `handed`, with the modules that lie beside them.

    Raises SubmissionError if a required file is not among them.
    """
    own, given_notes, given_flags = _without_given(handed, assignment)
    chosen, notes = _modules(own, handed, assignment)
    main = chosen[_required(assignment)[0]]
    own, shadow_notes = _without_shadows(own, main, assignment)
    companions, more = _companions(own, main, chosen.values(), assignment)
    sources = {name: decode(file.data) for name, file in {**companions, **chosen}.items()}
    notes += _reading_notes(sources) + shadow_notes + more + given_notes + _left_out_notes(handed)
    flags = given_flags + [
        Flag(title="file left out", text=f"{one_line(item.path)}: {item.why}")
        for item in handed.left_out[:50]
        if item.suspicious
    ]
    return Selection({name: source.data for name, source in sources.items()}, tuple(notes), tuple(flags))


def _required(assignment: Assignment) -> list[str]:
    """Return the files without which nothing can be graded."""
    return [assignment.modules[name].file for name in assignment.scored_modules]


def _without_given(handed: Upload, assignment: Assignment) -> tuple[list[UploadedFile], list[Note], list[Flag]]:
    """Return the student's own files: what the handout gave them is dropped without a word while it is unchanged."""
    given, suites = _given(assignment), {Path(suite.path).name: suite for suite in assignment.suites}
    own, flags, notes = [], [], []
    for file in handed.files:
        *folders, name = PurePosixPath(file.path).parts
        suite = next((suites[folder] for folder in folders if folder in suites), None)
        if suite and suite.secret:
            flags.append(Flag(title="file in the place of a hidden test", text=one_line(file.path)))
        elif name.casefold() == "conftest.py":
            if decode(file.data).text.strip() != given.get("conftest.py", "").strip():
                notes.append(Note(title=f"{one_line(file.path)} was left out", text="The grader uses its own."))
                flags.append(Flag(title="conftest.py handed in", text=f"{one_line(file.path)} is not the handout's"))
        elif not suite and name not in given and "/".join([*folders[-1:], name]) not in given:
            own.append(file)
    return own, notes, flags


def _given(assignment: Assignment) -> dict[str, str]:
    """Return the text of each Python file that the handout gives, by path; the modules to write are not among them."""
    written = {interface.file for interface in assignment.modules.values()}
    folder = next((path for path in (assignment.starter_path, assignment.solution_path) if path.is_dir()), None)
    texts = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*.py"))} if folder else {}
    return {path: file.read_text(encoding="utf-8") for path, file in texts.items() if path not in written}


def _modules(
    own: Sequence[UploadedFile], handed: Upload, assignment: Assignment
) -> tuple[dict[str, UploadedFile], list[Note]]:
    """Return the assignment's modules by the name that they are graded under, and a note on each odd name."""
    by_path = {file.path: file for file in own}
    required = _required(assignment)
    others = [interface.file for interface in assignment.modules.values() if interface.file not in required]
    chosen: dict[str, UploadedFile] = {}
    notes: list[Note] = []
    for file in required + others:
        free = [path for path in by_path if by_path[path] not in chosen.values()]
        beside = str(PurePosixPath(chosen[required[0]].path).parent).removeprefix(".") if chosen else ""
        found = [item.path for item in candidates(free, file, beside=beside, loosely=file in required)]
        if not found and required == [file]:
            found = _only(own)
        if file in required:
            interface = next(each for each in assignment.modules.values() if each.file == file)
            found, odd = meant(found, by_path, interface, assignment)
            notes += odd + (unmentioned(by_path[found[0]], interface) if found else [])
        if found:
            chosen[file] = by_path[found[0]]
            notes += _name_notes(file, found)
        elif file in required:
            raise SubmissionError(missing(file, handed))
    return chosen, notes


def _only(own: Sequence[UploadedFile]) -> list[str]:
    """Return the path of the only Python file, when it defines something: it can be nothing else than the homework."""
    if len(own) != 1 or not re.search(r"^[ \t]*(?:class|def)\b", decode(own[0].data).text, re.MULTILINE):
        return []
    return [own[0].path]


def _name_notes(file: str, found: list[str]) -> list[Note]:
    others = f" Not taken: {listed(found[1:])}." if found[1:] else ""
    if found[0] == file:
        return [Note(title=f"{file} was taken", text=others.strip())] if others else []
    shown = one_line(found[0])
    asked = "" if PurePosixPath(found[0]).name == file else f" The handout asks for the name {file}."
    return [Note(title=f"{shown} was taken as {file}", text=f"This costs nothing.{asked}{others}")]


def _without_shadows(
    own: Sequence[UploadedFile], main: UploadedFile, assignment: Assignment
) -> tuple[list[UploadedFile], list[Note]]:
    """Return `own` without folders beside the main file that an import would find in the place of a module."""
    base = PurePosixPath(main.path).parent
    stems = {PurePosixPath(interface.file).stem.casefold() for interface in assignment.modules.values()}
    kept, hidden = list[UploadedFile](), list[str]()
    for file in own:
        path = PurePosixPath(file.path)
        folders = path.relative_to(base).parts[:-1] if path.is_relative_to(base) else ()
        if file is not main and folders and folders[0].casefold() in stems:
            hidden.append(file.path)
        else:
            kept.append(file)
    if not hidden:
        return kept, []
    text = f"An import would find that folder in the place of the module of the same name: {listed(hidden)}."
    return kept, [Note(title="A folder that hides a module was left out", text=text)]


def _companions(
    own: Sequence[UploadedFile], main: UploadedFile, taken: Collection[UploadedFile], assignment: Assignment
) -> tuple[dict[str, UploadedFile], list[Note]]:
    """Return the student's further modules, beside the main file and below it, by the path that imports need."""
    base = PurePosixPath(main.path).parent
    names = {interface.file.casefold() for interface in assignment.modules.values()}
    known = sys.stdlib_module_names | {name for each in assignment.modules.values() for name in each.importable}
    kept: dict[str, UploadedFile] = {}
    elsewhere: list[str] = []
    notes: list[Note] = []
    for file in own:
        path = PurePosixPath(file.path)
        inside = path.relative_to(base) if path.is_relative_to(base) else None
        if file in taken or path.suffix != ".py":
            continue
        if inside is None:
            elsewhere += [] if path.name.casefold() in names else [file.path]  # those are named with the modules
        elif inside.with_suffix("").parts[0] in known:
            text = "Python has a module of that name, and an import finds that one: give yours another name."
            notes.append(Note(title=f"{one_line(file.path)} was left out", text=text))
        elif _importable(inside) and str(inside).casefold() not in names | {str(name).casefold() for name in kept}:
            kept[str(inside)] = file
    if elsewhere:
        text = f"They are not in the folder of {one_line(main.path)}: {listed(elsewhere)}."
        notes.append(Note(title="Python files that were not taken", text=text))
    return kept, notes


def _importable(path: PurePosixPath) -> bool:
    return all(part.isidentifier() for part in path.with_suffix("").parts)


def _reading_notes(sources: dict[str, Source]) -> list[Note]:
    """Return a note for each file that is not plain UTF-8, and for an empty one."""
    notes = [
        Note(
            title=f"How {one_line(name)} was read",
            text=f"As {', '.join(source.remarks)}; UTF-8 is what Python expects.",
        )
        for name, source in sources.items()
        if source.remarks
    ]
    empty = [name for name, source in sources.items() if not source.text.strip() and not name.endswith("__init__.py")]
    return notes + [Note(title=f"{one_line(name)} is empty", text="Is it the file that you meant?") for name in empty]


def _left_out_notes(handed: Upload) -> list[Note]:
    """Return one note on everything that intake left out: a folder of compiled Python is named once."""
    if not handed.left_out:
        return []
    reasons: dict[str, dict[str, None]] = {}  # names in order, each once: there may be tens of thousands
    for item in handed.left_out:
        name = item.path.split("__pycache__")[0] + "__pycache__" if item.why == CACHE else item.path
        reasons.setdefault(item.why, {})[name] = None
    lines = [f"{listed(list(names))} ({why})" for why, names in reasons.items()]
    harmless = set(reasons) <= {CACHE, SETTINGS}
    return [Note(title="Files left out", text="\n".join(lines) + ("\nNothing of it is needed." if harmless else ""))]
