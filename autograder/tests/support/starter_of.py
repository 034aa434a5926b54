"""A solution cut down to its starter."""

from textwrap import dedent

from autograder.handout.starter import starter_of

ANSWER = "ANSWER"  # stands in every test wherever a student may not read


def cut(source: str) -> str:
    return starter_of(dedent(source), file="engine.py")
