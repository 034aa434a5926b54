"""What confines a worker, and how much of it holds on this machine: asked of the canary, never assumed."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ..assignment import Assignment, Limits
from ..model import Isolation, LayerVerdict, Level, Verdict

LINUX = sys.platform == "linux"
LAYERS = ("user", "files", "names", "report", "grader", "processes", "syscalls", "network", "traces", "limits")
_NEEDED = {
    Level.STRONG: frozenset(LAYERS) - {"names"},  # Landlock, where chroot fails, protects contents alone
    Level.STANDARD: frozenset(LAYERS) - {"names", "user", "syscalls"},
    Level.PROCESS: frozenset[str](),
}
_BARE = ("limits", "oom", "parent")
_UNPRIVILEGED = (*_BARE, "no_new_privileges", "landlock", "seccomp", "namespaces")
_MECHANISMS = {  # of each level, as confinement.py names them and puts them in order
    Level.STRONG: ("chroot", "user", *_UNPRIVILEGED),
    Level.STANDARD: _UNPRIVILEGED,
    Level.PROCESS: _BARE,
}
_GIVEN_BY = {  # what can stop the attempts on each layer, in words
    "user": {"user": "a user of its own"},
    "files": {"chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "names": {"chroot": "chroot"},
    "report": {"seccomp": "seccomp", "chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "grader": {"user": "a user of its own", "chroot": "chroot", "landlock": "Landlock", "seccomp": "seccomp"},
    "processes": {"seccomp": "seccomp"},
    "syscalls": {"seccomp": "seccomp, a list of what is allowed"},
    "network": {"seccomp": "seccomp", "namespaces": "a network namespace", "landlock": "Landlock"},
    "traces": {"seccomp": "seccomp", "chroot": "chroot", "landlock": "Landlock", "user": "permissions"},
    "limits": {"limits": "resource limits"},
}
_THREADS = 64  # of one worker


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What the canary found: the level, its layers, and the mechanisms that every worker must now have."""

    level: Level
    layers: tuple[LayerVerdict, ...]
    mechanisms: tuple[str, ...]

    def isolation(self, required: Level) -> Isolation:
        """Return the part that a report keeps."""
        return Isolation(level=self.level, required=required, layers=self.layers)


def strongest() -> Level:
    """Return the strongest level worth trying here; what it comes to, the canary says."""
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
) -> dict[str, Any]:
    """Return what confinement.confine is told for one worker; `tasks` of the grader's user run now."""
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
    told = {"directory": str(directory), "mechanisms": list(names), "limits": resources, "insist": insist}
    return told | ({} if uid is None else {"uid": uid})


def hidden_files(assignment: Assignment) -> tuple[Path, ...]:
    """Return the directories that a submission must not see into: the canary tries them."""
    return tuple(assignment.root_path / suite.path for suite in assignment.suites if suite.secret)


class Decoys:
    """Decoys for the canary, laid out in a temporary directory as the real things are."""

    def __init__(self) -> None:
        """Make the files, with the rights that the real ones have."""
        self._directory = tempfile.TemporaryDirectory(prefix="autograder-canary-")
        self.root = Path(self._directory.name)
        self.root.chmod(0o711)
        for name, mode in (("secret", 0o700), ("results", 0o700), ("submission", 0o755), ("anyones", 0o777)):
            (self.root / name).mkdir()
            (self.root / name).chmod(mode)
        for name, mode in (("secret/test", 0o600), ("results/results.json", 0o600), ("readable", 0o644)):
            (self.root / name).write_bytes(b"decoy")
            (self.root / name).chmod(mode)

    def scene(self, limits: Limits, hidden: Iterable[Path]) -> dict[str, Any]:
        """Return what the canary is told of it, and of what else to try."""
        return {
            "uid": os.geteuid(),
            "grader": os.getpid(),
            "secret": str(self.root / "secret/test"),
            "readable": str(self.root / "readable"),
            "report": str(self.root / "results/results.json"),
            "submission": str(self.root / "submission"),
            "anyones": str(self.root / "anyones"),
            "hidden": [str(path) for path in hidden],
            "memory": limits.memory_mb << 20,
        }

    def close(self) -> None:
        """Remove the decoys."""
        self._directory.cleanup()


def judged(answer: list[Any]) -> Verified:
    """Return what the canary's answer amounts to.

    A layer is verified when every attempt on it was stopped and the control carried out at least one of them; partial
    when some got through; absent when all did that the control carried out; broken when the control could do nothing,
    so that nothing is known.
    """
    held, separate, control, worker = answer
    found = {*held, *(["namespaces"] if separate else [])}
    layers = tuple(_verdict(layer, control, worker, found) for layer in LAYERS)
    verified = {verdict.layer for verdict in layers if verdict.verdict is Verdict.VERIFIED}
    level = max(level for level, needed in _NEEDED.items() if needed <= verified)
    return Verified(level=level, layers=layers, mechanisms=tuple(held) or ("limits",))


def _verdict(layer: str, control: list[Any], worker: list[Any], found: set[str]) -> LayerVerdict:
    possible = {attempt for of, attempt, result in control if of == layer and result == 0}
    tried = {attempt: result for of, attempt, result in worker if of == layer}
    through = sorted(attempt for attempt, result in tried.items() if result == 0)
    unsure = [attempt for attempt, result in tried.items() if result < 0 and attempt in possible]
    given = ", ".join(words for name, words in _GIVEN_BY[layer].items() if name in found) or "nothing"
    if not possible or not tried or unsure:
        return LayerVerdict(layer=layer, verdict=Verdict.BROKEN, mechanism="the canary could not try it")
    if not through:
        return LayerVerdict(layer=layer, verdict=Verdict.VERIFIED, mechanism=given)
    verdict = Verdict.ABSENT if possible <= set(through) else Verdict.PARTIAL
    could = "; a worker could " + ", ".join(
        attempt.replace("_", " ").replace("graders", "grader's") for attempt in through
    )
    held = given if verdict is Verdict.PARTIAL else "nothing"
    return LayerVerdict(layer=layer, verdict=verdict, mechanism=held + could)


def unverified(why: str) -> Verified:
    """Return the verdict where the canary cannot run."""
    layers = tuple(LayerVerdict(layer=layer, verdict=Verdict.ABSENT, mechanism=why) for layer in LAYERS)
    return Verified(level=Level.PROCESS, layers=layers, mechanisms=("limits",))


def table(isolation: Isolation) -> str:
    """Return the layers as text, for staff."""
    lines = [f"isolation: {isolation.level.name}   (required: {isolation.required.name})"]
    lines += [f"  {layer.layer:<10} {layer.verdict.value:<9} {layer.mechanism}" for layer in isolation.layers]
    return "\n".join(lines)
