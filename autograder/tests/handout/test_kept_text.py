"""What holds no task stays to the byte, with its tabs, comments and line ends."""

import pytest

from autograder.handout.starter import starter_of

from ..support.starter_of import ANSWER, cut


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("def f(x: int) -> int:  # task 1.1\n", id="annotated"),
        pytest.param("async def f(x):  # task 1.1\n", id="async"),
        pytest.param("@decorate(lambda: {1: 2})\ndef f(x):  # task 1.1\n", id="decorated"),
        pytest.param("def f(\n    x: int,  # why\n    y=lambda: {1: 2},\n) -> int:  # task 1.1\n", id="several lines"),
        pytest.param("def f(x) \\\n    -> int:  # task 1.1\n", id="continued"),
        pytest.param("def f(x: 'a: b' = {1: ':'}['::'[0:1]]) -> 'x:':  # task 1.1\n", id="colons everywhere"),
        pytest.param('def f(x):  # task 1.1\n    """Promise:\n\n  margin\n    """\n', id="docstring of several lines"),
        pytest.param('def f(x):  # task 1.1\n    "Part " "two."\n', id="docstring of two strings"),
        pytest.param("def f(x):  # task 1.1\n    'π ≈ 3'\n", id="docstring outside ASCII"),
    ],
)
def test_header_and_docstring_stay_to_the_byte(header):
    starter = starter_of(f"{header}    return ANSWER\n", file="engine.py")
    assert starter == f'{header}    raise NotImplementedError("task 1.1")\n'


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f():  # given\n    # kept\n    return sorted([], key=lambda x: -x)\n", id="given function"),
        pytest.param('TEXT = """\ndef f(): return 1\n"""\n', id="def inside a string"),
        pytest.param(
            "class A:\n    x = 1\n\n    def f(self):  # given\n        pass\n    __radd__ = f\n", id="class body"
        ),
        pytest.param("x = 1\n\f\ny = 2\n", id="form feed"),
        pytest.param("", id="empty file"),
        pytest.param("x = 1", id="no line end"),
    ],
)
def test_what_holds_no_task_is_copied_to_the_byte(source):
    assert starter_of(source, file="engine.py") == source


def test_a_comment_at_the_level_of_the_function_belongs_to_what_follows():
    starter = cut("""
        class A:
            def f(self):  # task 1.1
                return ANSWER

            # Part 2.

            def g(self):  # given
                return 2
        """)
    assert "    # Part 2.\n" in starter


def test_tabs_stay_tabs():
    starter = starter_of(
        "class A:\n\tdef f(self):  # task 1.1\n\t\treturn 1\n\t\t# ANSWER\n\n\tx = 1\n", file="engine.py"
    )
    assert starter == 'class A:\n\tdef f(self):  # task 1.1\n\t\traise NotImplementedError("task 1.1")\n\n\tx = 1\n'


def test_a_closing_comment_indented_by_a_tab_is_deeper_than_four_spaces():
    starter = starter_of("class A:\n    def f(self):  # task 1.1\n        return 1\n\t# ANSWER\n", file="engine.py")
    assert ANSWER not in starter


def test_a_form_feed_ends_no_line():
    starter = starter_of("x = 1\n\f\ndef f():  # task 1.1\n    return ANSWER\n", file="engine.py")
    assert starter == 'x = 1\n\f\ndef f():  # task 1.1\n    raise NotImplementedError("task 1.1")\n'


def test_the_line_ends_of_the_file_stay():
    starter = starter_of('def f():  # task 1.1\r\n    """Promise."""\r\n    return 1\r\nx = 1\r\n', file="engine.py")
    expected = 'def f():  # task 1.1\r\n    """Promise."""\r\n    raise NotImplementedError("task 1.1")\r\nx = 1\r\n'
    assert starter == expected
