"""How a kind of mistake is put in words, about one operator or several."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from .text import series


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of mistake is put in words; `{it}` stands for what it is about. The lowest rank comes first."""

    rank: int
    general: str  # if it is not known what it is about
    one: str = ""  # "{it} forgets the last item."; "" for the general sentence
    several: str = ""
    effect_of: str = ""  # the code of its cause: said in its place if a test proves that one

    def of(self, subjects: Sequence[str]) -> str:
        """Return the sentence about `subjects`, operators such as "*" or tasks such as "1.2"."""
        sentence = (self.several if len(subjects) > 1 else self.one) if subjects else self.general
        names = [name if re.fullmatch(r"\d+\.\d+", name) else f"`{name}`" for name in subjects]
        return (sentence or self.general).replace("{it}", series(names))
