"""The keys of results.json, as Gradescope documents them: their types, and which values they may have."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..model import Visibility

_Number = Annotated[float, Meta(ge=-1e300, le=1e300)]  # JSON writes an infinity as 1e999
_Amount = Annotated[float, Meta(ge=0, le=1e300)]
_Text = Annotated[str, Meta(pattern=r"^[^\r\ud800-\udfff]*\Z")]
Format = Literal["text", "html", "simple_format", "md", "ansi"]
TestVerdict = Literal["passed", "failed"]


class Rank(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the leaderboard."""

    name: _Text
    value: float | _Text
    order: Literal["asc", "desc"] | UnsetType = UNSET


class TestEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One test of a results.json."""

    __test__ = False  # pytest would collect it for its name

    status: TestVerdict  # Gradescope does not require it, but shows a test without status and score as failed
    score: _Number | UnsetType = UNSET
    max_score: _Amount | UnsetType = UNSET
    name: _Text | UnsetType = UNSET
    name_format: Format | UnsetType = UNSET
    number: _Text | UnsetType = UNSET
    output: _Text | UnsetType = UNSET
    output_format: Format | UnsetType = UNSET
    tags: tuple[_Text, ...] | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The top level of a results.json."""

    score: _Number | UnsetType = UNSET
    tests: list[Any] | UnsetType = UNSET  # each a TestEntry; converted one by one, so that each can be at fault
    execution_time: _Amount | UnsetType = UNSET
    output: _Text | UnsetType = UNSET
    output_format: Format | UnsetType = UNSET
    test_output_format: Format | UnsetType = UNSET
    test_name_format: Format | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    stdout_visibility: Visibility | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET
    leaderboard: tuple[Rank, ...] | UnsetType = UNSET
