"""Every grader on the same checks: one submission, a class, and the bad submissions."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from checks import BAD, CHEATS, ROOT, checks, engine, wrong
from measure import Run, ratio, run
from notebooks import Nbgrader, Otter
from peers import Check50, GradescopeUtils, Ours, Peer, PlainPytest

PEERS: tuple[type[Peer], ...] = (Ours, PlainPytest, GradescopeUtils, Check50, Otter, Nbgrader)
QUICK_LIMIT = 8.0  # seconds for a bad submission in a quick run; this grader ends by itself
Progress = Callable[[str], None]


def prepared(folder: Path, *, quick: bool, say: Progress) -> list[Peer]:
    """Return the graders that could be installed, each with its assignment; with `quick`, without the slow ones."""
    ready = []
    for kind in PEERS:
        if quick and kind.slow:
            continue
        say(f"preparing {kind.name}")
        try:
            peer = kind(folder / kind.name.replace(" ", "-"), _environment(kind))
        except (subprocess.CalledProcessError, OSError) as problem:
            say(f"{kind.name} is left out: it could not be installed ({problem})")
            continue
        peer.prepare(checks())
        ready.append(peer)
    return ready


def _environment(kind: type[Peer]) -> str:
    """Return the Python of the environment with a peer's packages, which is made where it is missing."""
    if not kind.packages:
        return sys.executable
    home = ROOT / ".venv-bench" / kind.name.replace(" ", "-")
    python = home / "bin" / "python"
    if not (home / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True, capture_output=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", *kind.packages]
        subprocess.run(pip, check=True, capture_output=True)
        (home / "installed").touch()
    return str(python)


def versions(peers: Iterable[Peer]) -> dict[str, str]:
    """Return the installed version of each peer's first package."""
    found = {}
    for peer in peers:
        package = peer.packages[0].partition("=")[0].partition(">")[0].partition("[")[0] if peer.packages else ""
        if package:
            program = f"from importlib.metadata import version; print(version({package!r}))"
            found[peer.name] = subprocess.check_output([peer.python, "-c", program], text=True).strip()
    return found


def graded(peer: Peer, text: str, *, limit: float = 600) -> tuple[Run, float | None, int]:
    """Return what grading one submission took, its points (None without a result), and the bytes of the result."""
    with tempfile.TemporaryDirectory() as directory:
        submission, out = Path(directory) / "submission", Path(directory) / "out"
        submission.mkdir()
        out.mkdir()
        (submission / "engine.py").write_text(text, "utf-8")
        variables = {"SUBMISSION": str(submission), "RESULTS": str(out / "results.json"), "PYTHONPATH": ""}
        done = run(peer.command(submission, out), out, limit=limit, environment=variables)
        size = (out / peer.result).stat().st_size if (out / peer.result).exists() else 0
        return done, peer.score(out), size


def one_submission(peers: list[Peer], pairs: int, say: Progress) -> dict[str, Any]:
    """Grade the right engine in turn by each, `pairs` times after a first run that fills caches."""
    taken: dict[str, list[Run]] = {peer.name: [] for peer in peers}
    scores = {}
    for number in range(pairs + 1):
        say(f"one submission, round {number} of {pairs}")
        for peer in peers:
            done, scores[peer.name], _ = graded(peer, engine())
            if number:
                taken[peer.name].append(done)
    base = taken[PlainPytest.name]
    return {
        name: {
            "score": scores[name],
            "wall": sorted(each.wall for each in runs)[len(runs) // 2],
            "wall_ratio": ratio([(a.wall, b.wall) for a, b in zip(runs, base, strict=True)]),
            "cpu_ratio": ratio([(a.cpu, b.cpu) for a, b in zip(runs, base, strict=True)]),
            "peak_mb": max(each.peak_mb for each in runs),
        }
        for name, runs in taken.items()
    }


def a_class(peers: list[Peer], size: int, say: Progress) -> dict[str, Any]:
    """Grade `size` right engines with one and two jobs: ours by `regrade`, the others by a loop of their command."""
    rows: dict[str, Any] = {}
    for peer in peers:
        count = max(2, size // 10) if peer.slow else size
        rows[peer.name] = {"submissions": count}
        for jobs in (1, 2):
            say(f"a class of {count}, {jobs} at a time, by {peer.name}")
            done = class_run(peer, count, jobs)
            rows[peer.name][str(jobs)] = {"per_second": count / done.wall, "cpu_each": done.cpu / count}
    return rows


def class_run(peer: Peer, count: int, jobs: int) -> Run:
    """Return what grading a class of right engines took; every one must have a score."""
    with tempfile.TemporaryDirectory() as directory:
        students = Path(directory) / "class"
        for number in range(count):
            (students / f"student{number:04}").mkdir(parents=True)
            (students / f"student{number:04}" / "engine.py").write_text(f"{engine()}\n# copy {number}\n", "utf-8")
        if isinstance(peer, Ours):
            where = ["--root", str(peer.home), "--out", f"{directory}/graded", "--jobs", str(jobs)]
            return run([peer.python, "-m", "autograder", "regrade", str(students), *where], ROOT)
        place = Path(directory) / "out" / "ID"
        words = " ".join(_quoted(word) for word in peer.command(students / "ID", place))
        each = (
            f"mkdir -p {place} && cd {place} && "
            f"SUBMISSION={students}/ID RESULTS={place}/results.json PYTHONPATH= {words} >/dev/null 2>&1"
        )
        (Path(directory) / "each").write_text(each.replace("/ID", "/$1"), "utf-8")
        done = run(["sh", "-c", f"ls {students} | xargs -P {jobs} -n 1 sh {directory}/each"], Path(directory))
        missing = [out.name for out in place.parent.iterdir() if peer.score(out) is None]
        assert not missing, f"{peer.name} left {missing[0]} without a score: {done.said}"
        return done


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def bad_submissions(peers: list[Peer], *, quick: bool, say: Progress) -> dict[str, Any]:
    """Grade each bad submission once by each. Its true score is that of its engine without the trick."""
    honest = next(peer for peer in peers if isinstance(peer, PlainPytest))
    truth = {"cheats": graded(honest, wrong())[1]}
    rows: dict[str, Any] = {}
    for name, text in BAD.items():
        rows[name] = {"true_score": truth["cheats"] if name in CHEATS else None}
        for peer in peers:
            say(f"{name}: {peer.name}")
            done, score, size = graded(
                peer, text(), limit=QUICK_LIMIT if quick and not isinstance(peer, Ours) else peer.limit
            )
            rows[name][peer.name] = {
                "score": score,
                "hung": done.hung,
                "status": done.status,
                "seconds": done.wall,
                "peak_mb": done.peak_mb,
                "bytes": size,
            }
    return rows
