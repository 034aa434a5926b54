"""The lines of an engine that a film shows are those of its functions, and can always be read."""

import ast
import tracemalloc

import pytest

from autograder.film.excerpt import MOST_CHARACTERS, MOST_LINES, excerpt_of

ENGINE = """class Value:
    def __mul__(self, other):
        out = Value()
        def rule():
            self.grad += 1
        return out

    def unused(self):
        return 1

x = 1
"""


def test_a_line_brings_the_outermost_function_that_it_is_in():
    assert [line for line, _ in excerpt_of(ENGINE, {5})] == [2, 3, 4, 5, 6]
    assert excerpt_of(ENGINE, {5})[0] == (2, "def __mul__(self, other):")


def test_lines_are_counted_as_python_counts_them():
    source = "x = 1\r\n\x0c# \u2028 \x1c\r\ny = 2\r\n"
    assert dict(excerpt_of(source, {3}))[3] == "y = 2"


def test_a_line_outside_functions_brings_its_neighbours():
    assert [line for line, _ in excerpt_of(ENGINE, {11})] == [8, 9, 10, 11]


def test_a_file_that_is_not_python_is_shown_about_the_line():
    assert [line for line, _ in excerpt_of("(((\n" * 20, {10})] == [7, 8, 9, 10, 11, 12, 13]


def test_a_line_that_the_file_does_not_have_shows_nothing():
    assert excerpt_of("", {7}) == ()


def test_a_long_file_of_long_lines_is_cut():
    lines = excerpt_of("def f():\n" + f"    {'x' * 10_000}\n" * 1_000, {3})
    assert len(lines) == MOST_LINES
    assert max(len(text) for _, text in lines) <= MOST_CHARACTERS + 1


def test_characters_that_cannot_be_seen_or_turn_the_text_round_are_replaced():
    assert excerpt_of("x = 1  # \u202eab\u200b\x07\ty", {1}) == ((1, "x = 1  # �ab��  y"),)


def test_a_parameter_list_of_many_lines_belongs_to_its_function():
    source = "async def f(\n    a,\n) -> int:\n\n# a comment\n    return a\n\n\nf(1)\n"
    assert [line for line, _ in excerpt_of(source, {6})] == [1, 2, 3, 4, 5, 6]


def test_functions_are_found_above_a_line_that_no_python_understands():
    assert [line for line, _ in excerpt_of(f"{ENGINE}(((((\n", {5})] == [2, 3, 4, 5, 6]


HOSTILE = ["x;" * 3_000, "f'" + "{x}" * 1_000 + "'", "x = [" + "1," * 3_000 + "]", "def f():0\n" * 600]


def memory_of(work, text):
    tracemalloc.start()
    try:
        work(text)
        return tracemalloc.get_traced_memory()[1] / len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", HOSTILE, ids=["names", "f-string", "list", "functions"])
def test_whatever_a_file_holds_its_lines_are_found_in_little_memory(text):  # threat 74
    assert memory_of(lambda source: excerpt_of(source, range(1, 9)), text) < 40
    assert memory_of(ast.parse, text) > 100  # the control: what a parser makes of it
