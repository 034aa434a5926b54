"""What a student has to write goes: the whole body of each task, and nothing else."""

from textwrap import dedent

import pytest

from autograder.handout.starter import starter_of

from ..support.starter_of import ANSWER, cut


def test_the_body_of_a_task_becomes_an_exception_that_names_it():
    starter = cut('''
        def f(x):  # task 1.2
            """Return x."""
            y = ANSWER(x)
            return y
        ''')
    assert starter == dedent('''
        def f(x):  # task 1.2
            """Return x."""
            raise NotImplementedError("task 1.2")
        ''')


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    # ANSWER\n    return 1\n", id="comment before the first statement"),
        pytest.param('    # ANSWER\n    """Promise."""\n    return 1\n', id="comment before the docstring"),
        pytest.param('    """Promise."""\n\n    # ANSWER\n    return 1\n', id="comment after the docstring"),
        pytest.param("    return 1\n    # or ANSWER\n", id="comment after the last statement"),
        pytest.param("    return 1\n\n    # or ANSWER\n\n", id="comment after a blank line"),
        pytest.param("    return (\n        ANSWER\n    )\n", id="statement of several lines"),
        pytest.param("    return 1 + \\\n  ANSWER\n", id="continued line"),
        pytest.param('    return """\nANSWER\n"""\n', id="string that starts its lines at the margin"),
        pytest.param("    if True:\n        pass\n    else:\n        ANSWER\n", id="last branch"),
        pytest.param("    rule = lambda: ANSWER\n    return rule\n", id="lambda with a name"),
        pytest.param("    x = 1; ANSWER\n", id="two statements on a line"),
        pytest.param("    return 1  # ANSWER", id="no line end at the end of the file"),
        pytest.param(
            "    def inner():  # given\n        return ANSWER\n    return inner\n", id="given function inside"
        ),
        pytest.param("    def inner():  # task 1.2\n        return ANSWER\n    return inner\n", id="task inside"),
        pytest.param("    @ANSWER\n    def inner():  # given\n        return 1\n", id="decorated function first"),
        pytest.param("    f'''ANSWER'''\n    return 1\n", id="formatted string, which is no docstring"),
    ],
)
def test_no_part_of_a_task_stays(body):
    starter = starter_of(f"def f():  # task 1.1\n{body}", file="engine.py")
    assert ANSWER not in starter
    assert "NotImplementedError" in starter


def test_a_task_inside_a_given_function_is_cut_alone():
    starter = cut('''
        def mul(a, b):  # given
            out = a * b

            def pull():  # task 1.2
                """Pass the gradient on."""
                a.grad += ANSWER

            # The output keeps its rule.
            out.pull = pull
            return out
        ''')
    assert starter == dedent('''
        def mul(a, b):  # given
            out = a * b

            def pull():  # task 1.2
                """Pass the gradient on."""
                raise NotImplementedError("task 1.2")

            # The output keeps its rule.
            out.pull = pull
            return out
        ''')


def test_tasks_after_a_removed_task_are_cut_at_their_own_lines():
    starter = cut("""
        def first():  # task 1.1
            def inner():  # task 1.2
                return 1

            return inner


        def second():  # task 1.3
            return ANSWER
        """)
    assert starter == dedent("""
        def first():  # task 1.1
            raise NotImplementedError("task 1.1")


        def second():  # task 1.3
            raise NotImplementedError("task 1.3")
        """)
