"""A source that could publish an answer stops everything, with file and line."""

import pytest

from autograder.errors import AssignmentError
from autograder.handout.starter import starter_of


@pytest.mark.parametrize(
    ("source", "line"),
    [
        pytest.param("def f():\n    pass\n", 1, id="no mark"),
        pytest.param("x = 1\ndef f():  # taks 1.1\n    pass\n", 2, id="misspelt"),
        pytest.param("def f():  # task 1\n    pass\n", 1, id="no second number"),
        pytest.param("def f():  # task 1.1a\n    pass\n", 1, id="more after the number"),
        pytest.param("def f():  # Task 1.1\n    pass\n", 1, id="capital"),
        pytest.param("def f():  #task 1.1\n    pass\n", 1, id="no space"),
        pytest.param("def f():  # task 1.1 # given\n    pass\n", 1, id="both marks"),
        pytest.param("def f():  # given # task 1.1\n    pass\n", 1, id="both marks, the other way"),
        pytest.param("def f(x): return x  # task 1.1\n", 1, id="body on the header's line"),
        pytest.param("def f(x): ...  # given\n", 1, id="stub on the header's line"),
        pytest.param("def f(  # task 1.1\n    x,\n):\n    pass\n", 3, id="mark where the header begins"),
        pytest.param("# task 1.1\ndef f():\n    pass\n", 2, id="mark above the header"),
        pytest.param("class A:\n    def f(self):\n        pass\n", 2, id="method without a mark"),
        pytest.param("def f():  # given\n    async def g():\n        pass\n", 2, id="nested function without a mark"),
        pytest.param("def f():  # task 1.1\n    def g():\n        pass\n", 2, id="unmarked function inside a task"),
        pytest.param("class A:  # task 1.1\n    x = 1\n", 1, id="mark on a class"),
        pytest.param("rules = {}  # task 1.1\n", 1, id="mark on an assignment"),
        pytest.param("def f():  # given\n    # task 1.2\n    return 1\n", 2, id="mark inside a body"),
        pytest.param("f = lambda x: x\n", 1, id="lambda of a module"),
        pytest.param("RULES = {\n    'tanh': lambda y: 1 - y * y,\n}\n", 2, id="lambda in a table"),
        pytest.param("class A:\n    __neg__ = lambda self: self * -1\n", 2, id="lambda of a class"),
        pytest.param(
            "def f(out):  # given\n    out.pull = lambda: 1\n", 2, id="lambda with a name in a given function"
        ),
        pytest.param('def f():  # task 1.1\n    """Promise."""; return 1\n', 2, id="body on the docstring's line"),
        pytest.param('def f():  # task 1.1\n    """Promise."""  # answer\n', 2, id="comment on the docstring's line"),
        pytest.param("x = 1\rdef f():  # task 1.1\n    pass\n", 1, id="lone carriage return"),
        pytest.param("x = 1\ndef f(:  # given\n", 2, id="no Python"),
        pytest.param("\ufeffx = 1\n", 1, id="byte order mark"),
        pytest.param("x = '\0'\n", 1, id="NUL"),
    ],
)
def test_a_source_that_could_publish_an_answer_is_refused_with_file_and_line(source, line):
    with pytest.raises(AssignmentError, match=rf"^engine\.py:{line}: "):
        starter_of(source, file="engine.py")
