# Copied by `autograder starter` from autograder/diagnosis/reasoning/found.py: edit that file.
"""What is found to be wrong, as data: a code and what it is about, the numbers that show it, and the line to blame."""

from __future__ import annotations

from dataclasses import dataclass

AN_EXCEPTION = "an exception"


@dataclass(frozen=True)
class Evidence:
    """One number that a diagnosis rests on."""

    node: str
    expected: str
    got: str


@dataclass(frozen=True)
class Blame:
    """The line of the submission that makes a number wrong, and what it does to the number."""

    file: str
    line: int
    said: str  # "put 3 where 4 was; 4 + 3 = 7 was expected"


@dataclass(frozen=True)
class Found:
    """One mistake."""

    code: str  # a key of MISTAKES in sentences.py
    subject: str = ""  # the operator that it is about: "*"
    evidence: tuple[Evidence, ...] = ()
    exception: str = AN_EXCEPTION  # that a rule raises, in words
    drawing: str = ""  # the little graph in text
    line: Blame | None = None
