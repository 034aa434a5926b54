"""What a recogniser finds in a source: who handed in what, before a byte of it is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from ...files import is_device
from ...submission.intake import UploadEntry
from ..records.class_report import ClassEntry, OldResult, Submitter
from .tree import Tree

_ID_BYTES = 100  # an id becomes the name of a file
_BLANKS = "\u115f\u1160\u3164\uffa0"  # the only letters that show nothing


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One file or folder of a submission: where it lies, and the name that it was handed in under."""

    path: str
    name: str = ""  # "" for a folder that is the submission


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One of the times that a student handed in."""

    label: str  # what a person knows it by: a time, or the name in the source
    parts: tuple[Part, ...]
    when: datetime | None = None  # None if the names hold no time that is understood
    remarks: tuple[str, ...] = ()
    missing: str = ""  # why there is nothing to read


class FoundSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """One submission in a source."""

    id: str
    parts: tuple[Part, ...] = ()
    attempts: tuple[Attempt, ...] = ()  # where a source holds several; one is chosen, and its parts are taken
    submitters: tuple[Submitter, ...] = ()
    remarks: tuple[str, ...] = ()
    old: OldResult | None = None
    missing: str = ""  # why there is nothing to read, though it is listed

    @property
    def member(self) -> ClassEntry:
        """Return what of it does not concern files."""
        original = self.parts[0].path if self.parts else ""
        return ClassEntry(id=self.id, original=original, submitters=self.submitters, remarks=self.remarks, old=self.old)

    def entries(self, tree: Tree) -> Iterator[UploadEntry]:
        """Yield all of its files, by the names that they were handed in under."""
        for part in self.parts:
            for entry in tree.entries(part.path):
                yield replace(entry, path=part.name) if part.name else entry


class RecognisedSource(msgspec.Struct, frozen=True, kw_only=True):
    """What a source turned out to be."""

    kind: str  # "a Gradescope export"
    found: tuple[FoundSubmission, ...]
    ignored: tuple[str, ...] = ()  # names, each with a reason


def identity(text: str) -> str:
    """Return `text` as an id that can be the name of a file on any system: visible letters, digits and `._@+-`."""
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))
    text = re.sub(rf"(?:[^\w.@+-]|[{_BLANKS}])+", "_", text).strip("._") or "_"
    text = f"_{text}" if is_device(text) else text
    return text.encode("utf-8")[:_ID_BYTES].decode("utf-8", "ignore")


def shared_prefix(names: Sequence[str], separator: str) -> str:
    """Return what all `names` begin with, up to a separator."""
    first, last = min(names), max(names)  # what these two share, all share
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return shared[: shared.rfind(separator) + 1]
