"""Pages for people: one self-contained HTML file each, from a template beside this module.

Whatever a template prints is escaped. A page asks for nothing from anywhere: its policy allows the style sheet that is
written into it, by its digest, and of the pages that sort tables or show films our script beside it, by its own; and
nothing else. So even text that got past the escaping could neither run nor load anything.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import AutograderError

if TYPE_CHECKING:
    from jinja2 import Environment

PAGES = Path(__file__).with_name("pages")
_POLICY = "default-src 'none'; style-src {style};{script} base-uri 'none'; form-action 'none'"


def page(
    name: str, values: Mapping[str, Any], *, styles: Sequence[str] = (), further_style: str = "", script: str = ""
) -> str:
    """Return the page that the template `name` and its style sheet, or those named `styles`, make of `values`.

    Beside them it has the rules of `further_style`, and the script beside the template, or that named `script`.

    Raises AutograderError if Jinja is not installed: an image, which grades one submission, has no need of it.
    """
    environment = _environment()
    from markupsafe import Markup

    sheets = "".join((PAGES / f"{sheet}.css").read_text("utf-8") for sheet in ("base", *(styles or [name])))
    sheets += further_style
    file = PAGES / f"{script or name}.js"
    text = file.read_text("utf-8") if file.is_file() else ""
    allowed = f" script-src {_source(text)};" if text else ""
    own = {
        "policy": _POLICY.format(style=_source(sheets), script=allowed),
        "style": Markup(sheets),  # noqa: S704 - the style sheet is our own file
        "script": Markup(text),  # noqa: S704 - and so is the script
    }
    return environment.get_template(f"{name}.html").render({**values, **own})


def _source(text: str) -> str:
    """Return how a policy names what is written into a page: by its digest."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


@functools.cache
def _environment() -> Environment:
    """Return what renders every template; a class has thousands of pages, and a template is compiled once."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise AutograderError("a page needs Jinja, which is not installed: pip install jinja2") from None
    return Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,  # a misspelt name is our mistake, not an empty place on the page
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
