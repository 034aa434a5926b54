"""From the measured figures to docs/benchmarks.md and its charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from charts import bars, curves

STUDENTS, EACH = 10_000, 20
_SHOWN = {
    "this grader": "this grader",
    "plain pytest": "plain pytest",
    "check50": "check50",
    "otter run": "otter-grader",
}
_CASES = {  # of the bad submissions, those that the README shows
    "loop in backward, catching everything": "an engine that loops for ever in `backward`",
    "os._exit(0) at import": "one that leaves by `os._exit(0)` at import",
    "patches abs": "one worth {worth:g} that patches `abs`",
}


def write(figures: dict[str, Any], docs: Path) -> None:
    """Write the page and the charts below `docs`."""
    pictures = docs / "pictures"
    pictures.mkdir(exist_ok=True)
    one = figures["one"]
    walls = {name: row["wall_ratio"][0] for name, row in sorted(one.items(), key=lambda item: item[1]["wall_ratio"])}
    chart = bars("One submission: wall time against plain pytest", walls, ours="this grader", unit="×")
    (pictures / "one-submission.svg").write_text(chart, "utf-8")
    rates = {name: row["2"]["per_second"] for name, row in figures["class"].items()}
    rates = dict(sorted(rates.items(), key=lambda item: -item[1]))
    chart = bars("A class, two at a time", rates, ours="this grader", unit="submissions/s")
    (pictures / "class.svg").write_text(chart, "utf-8")
    (pictures / "growth.svg").write_text(curves("How cost grows (both axes logarithmic)", figures["growth"]), "utf-8")
    (docs / "benchmarks.md").write_text("\n".join(_page(figures)) + "\n", "utf-8")


def update_readme(figures: dict[str, Any], readme: Path) -> None:
    """Write the four rows that matter between the README's marks; a quick run, which lacks graders, changes nothing."""
    text = readme.read_text("utf-8")
    head, mark, rest = text.partition("<!-- measured -->\n")
    if not mark or not set(_SHOWN) <= set(figures["one"]):
        return
    walls = [f"{figures['one'][name]['wall_ratio'][0]:.2f}" for name in _SHOWN]
    rows = [["wall time of one submission, × plain pytest", *walls]]
    for case, title in _CASES.items():
        row = figures["bad"][case]
        cells = (_cell(row[name], row["true_score"]) for name in _SHOWN)
        rows.append([title.format(worth=row["true_score"] or 0), *cells])
    table = "\n".join(_table(["the same 30 checks", *_SHOWN.values()], rows))
    _, end, after = rest.partition("<!-- /measured -->")
    readme.write_text(f"{head}{mark}{table}\n{end}{after}", "utf-8")


def _page(figures: dict[str, Any]) -> Iterator[str]:
    yield "# Measured"
    yield ""
    yield f"Written by `{figures['command']}` on {figures['date']}; do not edit. {figures['machine']}"
    yield "Quote the ratios and not the seconds: graders are run in turn, and compared pair by pair; medians are shown."
    if figures["quick"]:
        yield "**A quick run**: few rounds, without the slow graders (otter-grader, nbgrader)."
    yield ""
    yield (
        "Every grader has the same 30 checks of values and gradients, generated from "
        "[one list](../benchmarks/comparison/checks.py) in the form that its documentation teaches, an environment of "
        "its own, and the solution's engine as the submission. "
        + ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
        + ". PrairieLearn's pytest grader is not among them: it passes JSON values alone, and these checks are about "
        "objects with methods."
    )
    yield from _one(figures)
    yield from _class(figures)
    yield from _bad(figures)
    yield from _growth(figures)
    yield from _phases(figures)
    yield from _sizing(figures)


def _one(figures: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## One submission", "", "![wall time against plain pytest](pictures/one-submission.svg)", "")
    rows = [
        [
            name,
            f"{row['score']:g}" if row["score"] is not None else "none",
            _ratio(row["wall_ratio"]),
            _ratio(row["cpu_ratio"]),
            f"{row['wall']:.2f}",
            f"{row['peak_mb']:.0f}",
        ]
        for name, row in figures["one"].items()
    ]
    yield from _table(["grader", "points", "wall ×", "CPU ×", "wall s", "largest process, MB"], rows)
    wrong = figures["diagnosed"]
    yield ""
    yield (
        "A wrong submission, every failure diagnosed, takes this grader "
        f"{_ratio(wrong['wall'])} × the wall time of the right one, and {_ratio(wrong['cpu'])} × the CPU."
    )


def _class(figures: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## A class", "", "![submissions each second](pictures/class.svg)", "")
    yield "This grader by `autograder regrade`, the others by a shell loop of their command, one and two at a time."
    yield ""
    rows = [
        [
            name,
            str(row["submissions"]),
            f"{row['1']['per_second']:.2f}",
            f"{row['2']['per_second']:.2f}",
            f"{figures['class']['plain pytest']['2']['cpu_each'] / row['2']['cpu_each']:.2f}",
        ]
        for name, row in figures["class"].items()
    ]
    head = [
        "grader",
        "submissions",
        "1 job, each second",
        "2 jobs, each second",
        "× plain pytest by CPU (more is better)",
    ]
    yield from _table(head, rows)


def _bad(figures: dict[str, Any]) -> Iterator[str]:
    peers = list(figures["one"])
    yield from ("", "## Bad submissions", "")
    yield (
        "One run each. A cell: points of 30; seconds; the size of the result where it is beyond 100 kB. *none*: no "
        "result was left. *hung*: still running after 20 s (with a limit of its own: 90 s; in a quick run: 8 s), and "
        "killed. **forged**: more points than the engine is worth."
    )
    yield ""
    rows = []
    for name, row in figures["bad"].items():
        worth = row["true_score"]
        title = f"{name} (worth {worth:g})" if worth is not None else name
        rows.append([title, *(_cell(row[peer], worth) for peer in peers)])
    yield from _table(["submission", *peers], rows)


def _cell(row: dict[str, Any], worth: float | None) -> str:
    size = f", {row['bytes'] / 1e6:.1f} MB" if row["bytes"] > 100_000 else ""
    size += f", {row['peak_mb'] / 1024:.1f} GB of memory" if row["peak_mb"] > 1000 else ""
    if row["hung"]:
        return f"hung{size}"
    if row["score"] is None:
        return f"none; {row['seconds']:.1f} s{size}"
    forged = worth is not None and row["score"] > worth
    points = f"**forged {row['score']:g}**" if forged else f"{row['score']:g}"
    return f"{points}; {row['seconds']:.1f} s{size}"


def _growth(figures: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## How cost grows", "", "![seconds against their cause](pictures/growth.svg)", "")
    yield (
        "The exponent is that of what comes on top of the smallest run, which is mostly start-up: 1 for a cost that "
        "grows as fast as its cause. The process that was started is the grader of one submission, or the coordinator "
        "of a class."
    )
    yield ""
    rows = []
    for line in figures["growth"]:
        first, last = line["points"][0], line["points"][-1]
        memory = [f"{first[key]:.0f} to {last[key]:.0f}" if key in last else "" for key in ("mb", "started_mb")]
        power = f"{line['exponent']:.2f}" if line["exponent"] is not None else "lost in the noise"
        span = f"{first['at']:,} to {last['at']:,}"
        rows.append([line["name"], span, f"{first['seconds']:.2g} to {last['seconds']:.2g}", power, *memory])
    yield from _table(
        ["against", "from, to", "seconds", "exponent", "largest process, MB", "started process, MB"], rows
    )


def _phases(figures: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## Where the time of one submission goes", "")
    yield "The solution, both suites with all parts, from exec to exit. What waits for another process counts as well."
    yield ""
    whole = sum(figures["phases"].values())
    rows = [[name, f"{s * 1000:.0f}", f"{s / whole:.0%}"] for name, s in figures["phases"].items()]
    yield from _table(["phase", "ms", "share"], [*rows, ["whole", f"{whole * 1000:.0f}", "100%"]])


def _sizing(figures: dict[str, Any]) -> Iterator[str]:
    rate = figures["class"]["this grader"]["2"]["per_second"]
    amount = STUDENTS * EACH
    yield from ("", f"## On paper: {STUDENTS:,} students, {EACH} submissions each", "")
    yield (
        f"{amount:,} submissions at the {rate:.1f} each second that two processors of this machine grade, with these "
        "30 checks and right engines. Submissions share nothing, so machines divide the time; a diagnosed one counts "
        f"{figures['diagnosed']['cpu'][0]:.1f} times."
    )
    yield ""
    rows = [
        [f"{machines}", f"{amount / rate / machines / 3600:.1f}", f"{rate * machines * 86400:,.0f}"]
        for machines in (1, 4, 16, 64)
    ]
    yield from _table(["machines of two processors", "hours for all", "submissions a day"], rows)


def _ratio(numbers: Sequence[float]) -> str:
    middle, low, high = numbers
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
