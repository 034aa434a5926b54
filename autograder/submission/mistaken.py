"""What was handed in for the homework by mistake: no Python at all, the handout's own file, or another file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from ..assignment import Assignment
from ..errors import SubmissionError
from ..interface import RemoteInterface
from ..model import Note
from ..text import listed, one_line
from .intake import Upload, UploadedFile
from .source import decode

_BEGINNINGS = (  # of files that no Python source begins like
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip or a document of an office program"),
    (b"\xd0\xcf\x11\xe0", "a document of an office program"),
    (b"{\\rtf", "a document in rich text"),
    (b"\x1f\x8b", "a compressed archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_PAGE = re.compile(r"\s{0,100}<(?:!doctype|html|\?xml)", re.IGNORECASE)
_NOTEBOOK = "a notebook"


def meant(
    found: Sequence[str], by_path: Mapping[str, UploadedFile], interface: RemoteInterface, assignment: Assignment
) -> tuple[list[str], list[Note]]:
    """Return those of `found`, the candidates for a file, that can be meant, best first, and a note if it is odd.

    Raises SubmissionError if each of them is something else than Python, such as a PDF.
    """
    kinds = {path: _kind(by_path[path].data) for path in found}
    python = [path for path in found if not kinds[path]]
    if found and not python:
        raise SubmissionError(_not_python(found[0], kinds[found[0]], interface.file))
    given = _given(interface.file, assignment)
    if not python or not given or _text(by_path[python[0]]) != given:
        return python, []
    own = [path for path in python if _text(by_path[path]) != given] or _the_only_one(by_path, interface, assignment)
    if own:
        return own, [
            Note(title=f"{one_line(python[0])} is as it was handed out", text="Another file was taken for it.")
        ]
    advice = f"hand in the {interface.file} that you worked on, and save it first"
    return python, [Note(title=f"{one_line(python[0])} is as it was handed out: {advice}", text="")]


def unmentioned(file: UploadedFile, interface: RemoteInterface) -> list[Note]:
    """Return a note if the text of `file` does not even hold the name of a class that it must define."""
    text = _text(file)
    if not text or re.search(r"\bimport\s*\*", text):
        return []
    absent = [name for name in interface.classes if name not in text]
    title = (
        f"{interface.file} never mentions {listed(absent)}: check that it is the file you mean, and that it is saved"
    )
    return [Note(title=title, text="")] if absent else []


def missing(file: str, handed: Upload) -> str:
    """Return the sentence for a submission without `file`: what came instead, and what to do."""
    notebooks = [name for name in handed.names if name.casefold().endswith(".ipynb")]
    if notebooks:
        return _not_python(notebooks[0], _NOTEBOOK, file)
    refused = next((item for item in handed.left_out if PurePosixPath(item.path).name == file), None)
    if refused:
        return f"{one_line(refused.path)} could not be taken: it is {refused.why}; hand in {file} itself"
    if not handed.names:
        return f"nothing was handed in: there is no file in it; hand in {file}"
    among = f"among the {len(handed.names)} files handed in" if handed.names[1:] else "in what was handed in"
    opened = "; an archive inside is opened only when it is a zip and nothing else is there, and none inside that"
    packed = opened if handed.archives else ""
    names = listed(list(handed.names))
    return f"no {file} was found {among}: {names}; hand in {file} itself, or a zip that holds it{packed}"


def _kind(data: bytes) -> str:
    """Return what `data` is if it cannot be Python, such as "a PDF"; "" if it may be."""
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return kind
    if b'"nbformat"' in data and b'"cells"' in data and data.lstrip()[:1] == b"{":
        return _NOTEBOOK
    return "a page of a web site" if _PAGE.match(decode(data).text) else ""


def _not_python(path: str, kind: str, file: str) -> str:
    """Return what came instead of `file`, and what to do."""
    if kind == _NOTEBOOK:
        why = "whatever its name says" if path.endswith(".py") else f"and the grader reads {file}"
        return (
            f"{one_line(path)} is a notebook, {why}. Save it as a Python script (in "
            "Jupyter: File, Save and Export Notebook As, Executable Script; in Colab: File, Download, Download .py), "
            f"name it {file} and hand that in"
        )
    return f"{one_line(path)} is {kind}, whatever its name says; hand in the Python file itself as {file}"


def _given(file: str, assignment: Assignment) -> str:
    """Return the text of `file` as it was handed out; "" if the handout is not here."""
    path = assignment.starter_path / file
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


def _text(file: UploadedFile) -> str:
    return decode(file.data).text.strip()


def _the_only_one(by_path: Mapping[str, UploadedFile], interface: RemoteInterface, assignment: Assignment) -> list[str]:
    """Return the path of the only other file that defines a class of the module, whatever it is called."""
    names = {each.file.casefold() for each in assignment.modules.values()}
    defines = re.compile(rf"^class[ \t]+(?:{'|'.join(map(re.escape, interface.classes))})\b", re.MULTILINE)
    others = [
        path
        for path, file in by_path.items()
        if interface.classes and PurePosixPath(path).name.casefold() not in names and defines.search(_text(file))
    ]
    return others if len(others) == 1 else []
