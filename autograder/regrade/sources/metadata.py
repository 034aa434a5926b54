"""Reads Gradescope's submission_metadata.yml: one submission at a time, without the history.

The file is written by Ruby: its keys are symbols (`:submitters`). It also holds every earlier attempt with all that the
grader said, hundreds of megabytes for a class. Every scalar stays text: an SID keeps its leading zeros.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ...errors import AutograderError
from ...text import one_line
from .tree import Tree

METADATA = "submission_metadata.yml"
_KEY = re.compile(rb"""^(['"]?)([\w:.-]+)\1:\s*$""")
_MAX_SUBMISSION = 8 << 20  # bytes of one submission's metadata, its history not counted
_MAX_LINE = 4 << 20  # bytes
_MAX_SUBMISSIONS = 20_000
_MAX_BYTES = 4 << 30  # of the whole file, its history counted


def submissions(tree: Tree, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each submission's key and metadata, without its history; raise AutograderError for what is too large."""
    for key, text in _chunks(tree, path):
        if len(text) > _MAX_SUBMISSION:
            raise AutograderError(f"{METADATA}, {key}: more than {_MAX_SUBMISSION >> 20} MiB about one submission")
        data = _loaded(text, f"{METADATA}, {key}")
        inner = data.get(key)
        yield key, inner if isinstance(inner, dict) else {}


def _chunks(tree: Tree, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of each submission, without its history."""
    key, lines, in_history = "", list[bytes](), False
    with tree.open(path) as file:
        for line in _lines(file):
            if match := _KEY.match(line):
                if key:
                    yield key, b"".join(lines)
                key, lines, in_history = match[2].decode(), [line], False
                continue
            if not line.startswith((b"  -", b"   ", b"\n", b"\r")):  # a key of the submission, or the file's first line
                in_history = bool(re.match(rb"  :?history:", line))
            if key and not in_history:
                lines.append(line)
    if key:
        yield key, b"".join(lines)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of the metadata; raise AutograderError for more bytes than any export has."""
    size, count = 0, 0
    while line := file.readline(_MAX_LINE):
        size, count = size + len(line), count + bool(_KEY.match(line))
        if len(line) == _MAX_LINE and not line.endswith(b"\n"):
            raise AutograderError(f"{METADATA}: a line is longer than {_MAX_LINE >> 20} MiB")
        if size > _MAX_BYTES:
            raise AutograderError(f"{METADATA} is larger than {_MAX_BYTES >> 30} GiB")
        if count > _MAX_SUBMISSIONS:
            raise AutograderError(f"{METADATA} names more than {_MAX_SUBMISSIONS:,} submissions")
        yield line


def _loaded(text: bytes, where: str) -> dict[str, Any]:
    try:
        import yaml  # only an export needs it
    except ImportError:
        raise AutograderError(f"{where}: reading it needs PyYAML: pip install PyYAML") from None
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # makes text, lists and dicts, whatever a tag says
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise AutograderError(f"{where}: it has an alias, which can grow without bound; no export needs one")
        data = yaml.load(text, Loader=loader)  # noqa: S506 - see above
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError) as problem:
        raise AutograderError(f"{where}: not the YAML that Gradescope writes ({one_line(str(problem))})") from None
    return data if isinstance(data, dict) else {}
