"""What confines a worker, and how much of it holds on this machine: asked of the self-test, never assumed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..assignment import Assignment, Limits
from ..model import Isolation, LayerVerdict, Level, Verdict
from .commands import Confinement, Findings

LINUX = sys.platform == "linux"
LAYERS = (
    *("user", "files", "names", "report", "grader", "processes", "syscalls", "network", "traces", "limits"),
    "neighbours",
)
_NICETIES = {"names", "neighbours"}  # no level needs them: not each machine can give them
_NEEDED = {
    Level.STRONG: frozenset(LAYERS) - _NICETIES,
    Level.STANDARD: frozenset(LAYERS) - _NICETIES - {"user", "syscalls"},
    Level.PROCESS: frozenset[str](),
}
_BARE = ("limits", "oom", "parent")
_UNPRIVILEGED = (*_BARE, "no_new_privileges", "landlock", "seccomp", "namespaces")
_MECHANISMS = {  # of each level, as confinement.py names them and puts them in order
    Level.STRONG: ("chroot", "user", *_UNPRIVILEGED),
    Level.STANDARD: _UNPRIVILEGED,
    Level.PROCESS: _BARE,
}
_GIVEN_BY = {  # what can stop the attacks on each layer, in words
    "user": {"user": "a user of its own"},
    "files": {"chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "names": {"chroot": "chroot"},
    "report": {"seccomp": "seccomp", "chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "grader": {"user": "a user of its own", "chroot": "chroot", "landlock": "Landlock", "seccomp": "seccomp"},
    "processes": {"seccomp": "seccomp"},
    "syscalls": {"seccomp": "seccomp, a list of what is allowed"},
    "network": {"seccomp": "seccomp", "network namespace": "a network namespace", "landlock": "Landlock"},
    "traces": {"seccomp": "seccomp", "chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "limits": {"limits": "resource limits"},
    "neighbours": {"seccomp": "seccomp", "process namespace": "a process namespace"},
}
_THREADS = 64  # of one worker


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What the self-test found: the level, its layers, and the mechanisms that every worker must now have."""

    level: Level
    layers: tuple[LayerVerdict, ...]
    mechanisms: tuple[str, ...]

    def isolation(self, required: Level) -> Isolation:
        """Return the part that a report keeps."""
        return Isolation(level=self.level, required=required, layers=self.layers)


def strongest() -> Level:
    """Return the strongest level worth trying here; the self-test decides which level is reached."""
    if not LINUX:
        return Level.PROCESS
    return Level.STRONG if os.geteuid() == 0 else Level.STANDARD


def mechanisms(level: Level, *, has_users: bool) -> tuple[str, ...]:
    """Return the mechanisms to try for a level."""
    if not LINUX:
        return ("limits",)
    return tuple(name for name in _MECHANISMS[level] if name != "user" or has_users)


def plan(
    names: Iterable[str], directory: Path, limits: Limits, uid: int | None, *, tasks: int = 0, insist: bool = True
) -> Confinement:
    """Return the confinement of one worker; `tasks` of the grader's user run now."""
    resources = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": int(limits.submission_seconds) + 1,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": 32,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    if sys.platform != "darwin":  # there, it fails for a process that has mapped more already, as all have
        resources["RLIMIT_AS"] = limits.memory_mb << 20
    if LINUX:  # the kernel counts the tasks of a user, and a worker without one of its own shares the grader's
        resources["RLIMIT_NPROC"] = _THREADS if uid is not None else tasks + _THREADS
    return Confinement(directory=str(directory), mechanisms=tuple(names), limits=resources, insist=insist, uid=uid)


def hidden_files(assignment: Assignment) -> tuple[Path, ...]:
    """Return the directories that a submission must not see into: the self-test tries them."""
    return tuple(assignment.root_path / suite.path for suite in assignment.suites if suite.secret)


def judged(findings: Findings) -> Verified:
    """Return the level that the self-test's findings amount to.

    A layer is verified if every attack on it was stopped and at least one of them succeeded in the control; partial if
    some got through; absent if all got through that succeeded in the control; broken if none succeeded there, so that
    nothing is known.
    """
    found = {*findings.mechanisms, *findings.namespaces}
    layers = tuple(_verdict(layer, findings, found) for layer in LAYERS)
    verified = {verdict.layer for verdict in layers if verdict.verdict is Verdict.VERIFIED}
    level = max(level for level, needed in _NEEDED.items() if needed <= verified)
    return Verified(level=level, layers=layers, mechanisms=findings.mechanisms or ("limits",))


def _verdict(layer: str, findings: Findings, found: set[str]) -> LayerVerdict:
    possible = {each.attack for each in findings.control if each.layer == layer and each.result == 0}
    tried = {each.attack: each.result for each in findings.worker if each.layer == layer}
    through = sorted(attack for attack, result in tried.items() if result == 0)
    unsure = [attack for attack, result in tried.items() if result < 0 and attack in possible]
    given = ", ".join(words for name, words in _GIVEN_BY[layer].items() if name in found) or "nothing"
    if not possible or not tried or unsure:
        return LayerVerdict(layer=layer, verdict=Verdict.BROKEN, mechanism="the self-test could not try it")
    if not through:
        return LayerVerdict(layer=layer, verdict=Verdict.VERIFIED, mechanism=given)
    verdict = Verdict.ABSENT if possible <= set(through) else Verdict.PARTIAL
    unprotected = "not protected" if layer in _NICETIES else "nothing"
    held = given if verdict is Verdict.PARTIAL else unprotected
    could = ", ".join(attack.replace("_", " ").replace("graders", "grader's") for attack in through)
    return LayerVerdict(layer=layer, verdict=verdict, mechanism=f"{held}; a worker could {could}")


def unverified(why: str) -> Verified:
    """Return the verdict if the self-test cannot run."""
    layers = tuple(LayerVerdict(layer=layer, verdict=Verdict.ABSENT, mechanism=why) for layer in LAYERS)
    return Verified(level=Level.PROCESS, layers=layers, mechanisms=("limits",))


def table(isolation: Isolation) -> str:
    """Return the layers as text, for staff."""
    lines = [f"isolation: {isolation.level.name}   (required: {isolation.required.name})"]
    lines += [f"  {layer.layer:<10} {layer.verdict.value:<9} {layer.mechanism}" for layer in isolation.layers]
    return "\n".join(lines)
