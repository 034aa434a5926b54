"""Grades a wrong engine, and draws what its student sees as an SVG that follows the reader's light or dark theme.

The engine is the solution, which here assigns a gradient where it should add one.

Usage: python benchmarks/picture.py     (writes docs/pictures/graded.svg)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

from autograder.results.preview import Audience, View, view

ROOT = Path(__file__).parents[1]
WIDTH, LINE, COLUMNS, ROWS = 760, 19, 86, 26
RULE = "parent.grad += partial * grad"  # the line of the chain rule
STYLE = """
  <style>
    rect { fill: #ffffff; stroke: #d3d9df; }
    text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #1c2126; white-space: pre; }
    .failed { fill: #b3261e; }
    .passed { fill: #17703a; }
    .quiet { fill: #56606a; }
    @media (prefers-color-scheme: dark) {
      rect { fill: #15181c; stroke: #3a424b; }
      text { fill: #e5e8eb; }
      .failed { fill: #ff9a90; }
      .passed { fill: #63cd86; }
      .quiet { fill: #a4aeb8; }
    }
  </style>"""


def graded(engine: str) -> View:
    """Return what a student sees at once of an engine."""
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "engine.py").write_text(engine, "utf-8")
        command = [sys.executable, "-m", "autograder", "grade", directory, "--json", "--root", str(ROOT)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return view(json.loads(done.stdout), Audience.STUDENT)


def lines(shown: View) -> list[tuple[str, str]]:
    """Return the kind and the text of each line of the picture."""
    found = [("", line) for line in _wrapped(shown.output.text)] + [("", "")]
    scored = [entry for entry in shown.entries if entry.points]
    for entry in [entry for entry in scored if not entry.passed] + [entry for entry in scored if entry.passed]:
        mark, kind = ("✓", "passed") if entry.passed else ("✗", "failed")
        title = textwrap.shorten(entry.name.text, COLUMNS - 22, placeholder=" …")
        found.append((kind, f"{mark} {entry.number}  {title}".ljust(COLUMNS - 9) + entry.points.rjust(9)))
        found += [("quiet", f"       {line}") for line in _wrapped(entry.output.text)]
    return found[:ROWS]


def _wrapped(text: str) -> list[str]:
    parts = (textwrap.wrap(line, COLUMNS - 8) if not line.startswith(" ") else [line] for line in text.splitlines())
    return [line for part in parts for line in part]


def drawn(rows: list[tuple[str, str]]) -> str:
    """Return the picture."""
    high = 24 + len(rows) * LINE
    words = [
        f'  <text class="{kind}" x="16" y="{26 + place * LINE}">{escape(text)}</text>'
        for place, (kind, text) in enumerate(rows)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" role="img">\n'
    title = "  <title>A graded submission, as its student sees it</title>"
    frame = f'  <rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{high - 1}" rx="6"/>'
    return head + title + STYLE + "\n" + "\n".join([frame, *words]) + "\n</svg>\n"


if __name__ == "__main__":
    source = (ROOT / "solution" / "engine.py").read_text("utf-8")
    assert RULE in source, "the solution has another line for the chain rule"
    broken = source.replace(RULE, RULE.replace("+=", "="))
    (ROOT / "docs" / "pictures" / "graded.svg").write_text(drawn(lines(graded(broken))), "utf-8")
