"""The lines of an engine that a film shows are those of its functions, and can always be read."""

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
