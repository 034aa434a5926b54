"""Recognises the clones of GitHub Classroom: `<assignment>-submissions/<assignment>-<user>/`, a repository each."""

from __future__ import annotations

from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource, identity, shared_prefix
from .kinds import looks_handed_in
from .tree import Child, Tree

_SUFFIX = "-submissions"


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions among clones, or None if `tree` does not hold them.

    A repository may be a student's own inside any other download: so all folders must be clones, unless `insisted`.
    """
    children = tree.children("")
    folders = [child.name for child in children if child.is_folder]
    clones = [name for name in folders if any(child.name == ".git" for child in tree.children(name))]
    if not clones or (not insisted and (clones != folders or any(map(_is_alone, children)))):
        return None
    prefix = _prefix(tree.name, clones)
    found = [
        FoundSubmission(id=identity(name.removeprefix(prefix)), parts=(Part(path=name),), submitters=(Submitter(),))
        for name in clones
    ]
    ignored = [f"{child.name} (not a repository)" for child in children if child.name not in clones]
    return RecognisedSource(kind="clones of GitHub Classroom", found=tuple(found), ignored=tuple(ignored))


def _is_alone(child: Child) -> bool:
    """Return True if a name is a submission outside every clone."""
    return not child.is_folder and looks_handed_in(child)


def _prefix(folder: str, clones: list[str]) -> str:
    """Return what precedes the user in the name of every clone: the assignment's own name."""
    named = folder.removesuffix(_SUFFIX) + "-"
    if all(clone.startswith(named) for clone in clones):
        return named
    return shared_prefix(clones, "-") if len(clones) > 1 else ""
