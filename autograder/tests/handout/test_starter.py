"""The starter never holds an answer, and holds everything else."""

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.errors import AssignmentError
from autograder.handout.copies import is_copy
from autograder.handout.starter import stale, starter_of, write_starter

SOLUTION = Path(__file__).parents[3] / "solution"
ANSWER = "ANSWER"  # stands in every test wherever a student may not read


def cut(source: str) -> str:
    return starter_of(dedent(source), file="engine.py")


# What goes.


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


# What stays.


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


# What stops everything.


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


# The homework's own files.


MARKED = [file for file in sorted(SOLUTION.rglob("*.py")) if not is_copy(file.read_bytes())]


@pytest.mark.parametrize("file", MARKED, ids=lambda file: file.name)
def test_the_starter_of_the_solution_is_python_and_its_own_starter(file):
    starter = starter_of(file.read_text("utf-8"), file=file.name)
    ast.parse(starter)
    assert starter_of(starter, file=file.name) == starter


# Directories and the command.


@pytest.fixture
def course(tmp_path):
    """A repository with one task and one text."""
    (tmp_path / "pyproject.toml").write_text(
        dedent("""
        [tool.autograder]
        name = "small"
        imports = []
        suites = [{name = "public", path = "tests", points = 1}]
        modules = {engine = {file = "engine.py"}}
        """)
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "solution/data").mkdir(parents=True)
    (tmp_path / "solution/engine.py").write_text("def f():  # task 1.1\n    return 1\n")
    (tmp_path / "solution/data/notes.md").write_bytes(b"Text\r\n")
    return tmp_path


def run(course: Path, *arguments: str):
    return CliRunner().invoke(main, ["starter", "--root", str(course), *arguments])


def test_every_file_is_written_and_then_up_to_date(course):
    written = write_starter(course / "solution", course / "starter")
    assert written == [Path("data/notes.md"), Path("engine.py")]
    assert (course / "starter/data/notes.md").read_bytes() == b"Text\r\n"
    assert stale(course / "solution", course / "starter") == []


def test_a_file_that_the_solution_lost_leaves_the_starter(course):
    write_starter(course / "solution", course / "starter")
    (course / "solution/data/notes.md").unlink()
    assert write_starter(course / "solution", course / "starter") == [Path("data/notes.md")]
    assert not (course / "starter/data/notes.md").exists()


def test_caches_and_hidden_files_are_left_alone(course):
    (course / "solution/__pycache__").mkdir()
    (course / "solution/__pycache__/engine.pyc").write_bytes(b"ANSWER")
    (course / "solution/.notes.md").write_text("ANSWER")
    written = write_starter(course / "solution", course / "starter")
    assert written == [Path("data/notes.md"), Path("engine.py")]


def test_a_file_in_which_no_mark_can_be_put_is_refused_before_anything_is_written(course):
    (course / "solution/engine.ipynb").write_text("ANSWER")
    with pytest.raises(AssignmentError, match=r"engine\.ipynb"):
        write_starter(course / "solution", course / "starter")
    assert not (course / "starter").exists()


def test_a_file_that_is_not_utf8_is_refused_with_its_line(course):
    (course / "solution/engine.py").write_bytes(b"x = 1\ny = '\xe9'\n")
    with pytest.raises(AssignmentError, match=r"engine\.py:2: not UTF-8"):
        write_starter(course / "solution", course / "starter")


def test_the_command_prints_what_it_wrote(course):
    result = run(course)
    assert (result.exit_code, result.stdout) == (0, "starter/data/notes.md\nstarter/engine.py\n")


def test_check_accepts_a_starter_that_is_up_to_date(course):
    run(course)
    result = run(course, "--check")
    assert (result.exit_code, result.output) == (0, "")


def test_check_shows_how_a_stale_starter_differs_and_writes_nothing(course):
    run(course)
    (course / "starter/engine.py").write_text("def f():  # task 1.1\n    return 1\n")
    result = run(course, "--check")
    assert result.exit_code == 2
    assert '-    return 1\n+    raise NotImplementedError("task 1.1")\n' in result.stdout
    assert result.stderr == "autograder: starter/ is stale: run `autograder starter`\n"
    assert "return 1" in (course / "starter/engine.py").read_text()


def test_check_names_a_file_that_should_not_be_there(course):
    run(course)
    (course / "starter/extra.py").write_text("x = 1\n")
    result = run(course, "--check")
    assert (result.exit_code, result.stdout) == (2, "extra.py: not in the solution\n")
