# Copied by `autograder starter` from autograder/film/page.py: edit that file.
"""A film as one HTML file that needs no network: the graph, the source beside it, and a slider.

Whatever comes from a submission is escaped, and the page's policy allows the one script and the one style sheet that
are written into it, by their digests, and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from pathlib import Path

from .drawing import SHAPES, Mark, svg_of, width_of
from .frames import Film, Frame
from .graph import DATA, number

_POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"

_BROAD = 760  # pixels: a graph that is wider has the whole width of the page


def page_of(film: Film, assets: Path) -> str:
    """Return the page of a film, from the templates, style sheets and script in `assets`."""
    style = "".join(_asset(assets / name) for name in ("base.css", "film.css")) + SHAPES
    script = _asset(assets / "film.js")
    values = {
        "policy": escape(_POLICY.format(style=_digest(style), script=_digest(script)), quote=False),
        "style": style,
        "script": script,
        "title": escape(film.title),
        "note": f'<p class="note">{escape(film.note)}</p>' if film.note else "",
        "stage": stage_of(film, assets),
    }
    return _filled(_asset(assets / "film.html"), values)


def stage_of(film: Film, assets: Path, *, within: bool = False) -> str:
    """Return what shows a film on any page with the style and the script of films; `within` a page of other things.

    Without the script, or on paper, it shows the first wrong step, or the end.
    """
    return _filled(
        _asset(assets / "film.stage.html"),
        {
            "breadth": "within" if within else "broad" if width_of(film.boxes) > _BROAD else "slim",
            "wide": _svg(film, upright=False),
            "narrow": _svg(film, upright=True),
            "file": escape(film.file),
            "source": _source(film),
            "says": escape(_says(_shown(film), film)),
            "wrong": ' class="wrong"' if _shown(film).is_wrong else "",
            "steps": "".join(_step(i, frame, film) for i, frame in enumerate(film.frames)),
            "last": str(len(film.frames) - 1),
            "film": _data(film),
        },
    )


def _filled(template: str, values: dict[str, str]) -> str:
    return re.sub(r"\{\{ (\w+) \}\}", lambda found: values[found[1]], template)  # in one pass: no value is searched


def _asset(file: Path) -> str:
    """Return a file's text; a copy without the line that says so."""
    text = file.read_text("utf-8")
    first, _, rest = text.partition("\n")
    return rest if "Copied by `autograder starter`" in first else text


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _at(film: Film) -> int:
    """Return the position of the frame that a page without its script shows."""
    return len(film.frames) - 1 if film.first_wrong is None else film.first_wrong


def _shown(film: Film) -> Frame:
    return film.frames[_at(film)]


def _says(frame: Frame, film: Film) -> str:
    where = _where(frame, film)
    return f"{where}. {frame.says}" if where else frame.says


def _svg(film: Film, *, upright: bool) -> str:
    """Return the graph with the numbers at the first wrong step, or at the end."""
    data, grads, shown = list(film.data), list(film.grads), _shown(film)
    for frame in film.frames[: _at(film) + 1]:
        if frame.place is not None:
            (data if frame.attribute == DATA else grads)[frame.place] = frame.after
    expected = "" if shown.expected is None else number(shown.expected)
    mark = Mark(shown.place, shown.attribute, shown.arrows, expected, shown.is_wrong, _says(shown, film))
    return svg_of(film.boxes, data, grads, film.title, upright=upright, mark=mark)


def _source(film: Film) -> str:
    rows, before, frame = [], 0, _shown(film)
    wrong = frame.line if frame.is_wrong and film.is_beside(frame) else 0
    for line, text in film.lines:
        if before and line > before + 1:
            rows.append('<div class="gap">⋯</div>')
        classes = " now wrong" if line == wrong else ""
        shown = escape(text) or " "
        rows.append(f'<div class="line{classes}" data-line="{line}"><span>{line}</span><code>{shown}</code></div>')
        before = line
    return "".join(rows)


def _step(position: int, frame: Frame, film: Film) -> str:
    wrong = " wrong" if frame.is_wrong else ""
    where = escape(_where(frame, film)).lower() or ("end" if position else "start")
    return (
        f'<li class="step{wrong}"><button type="button" data-step="{position}"><span class="where">{where}</span>'
        f'<span class="says">{escape(frame.says)}</span></button></li>'
    )


def _where(frame: Frame, film: Film) -> str:
    if film.is_beside(frame):
        return f"Line {frame.line}"
    return f"{frame.file}, line {frame.line}" if frame.line else ""


def _data(film: Film) -> str:
    """Return what the script reads, as JSON that can hold no tag."""
    frames = [
        {
            "line": frame.line if film.is_beside(frame) else 0,
            "where": _where(frame, film),
            "place": frame.place,
            "is": "data" if frame.attribute == DATA else "grad",
            "to": number(frame.after),
            "arrows": frame.arrows,
            "says": frame.says,
            "expected": "" if frame.expected is None else number(frame.expected),
            "wrong": frame.is_wrong,
        }
        for frame in film.frames
    ]
    whole = {
        "data": [number(each) for each in film.data],
        "grads": [number(each) for each in film.grads],
        "frames": frames,
        "start": film.first_wrong or 0,
    }
    return json.dumps(whole).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
