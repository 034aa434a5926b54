"""Why a file could not be imported: each way that honest people meet has a sentence of its own."""

import pytest

from autograder.errors import RemoteError
from autograder.findings.imported import why_not_imported


def code(kind: str, message: str = "", line: str = "") -> str:
    return why_not_imported(RemoteError(kind, kind, message, (("engine.py", 3, "<module>"),)), line).code


@pytest.mark.parametrize(
    "line",
    [
        "!pip install numpy",
        "! pip install numpy",
        "%matplotlib inline",
        "%%time",
        "%%writefile engine.py",
        "    !ls",
        "files = !ls",
        "out, = %timeit f()",
        "?Value",
    ],
)
def test_a_notebooks_line_is_called_one(line):
    assert code("SyntaxError", "invalid syntax", line) == "notebook-line"


def test_what_a_notebook_writes_for_its_commands_is_called_a_notebooks_line():
    assert code("NameError", "name 'get_ipython' is not defined", "get_ipython().system('ls')") == "notebook-line"


@pytest.mark.parametrize("line", ["```", "```python", "~~~", "  ```"])
def test_a_fence_is_called_one(line):
    assert code("SyntaxError", "invalid syntax", line) == "markdown-fence"


@pytest.mark.parametrize("line", ["def f(", "x = 3 +* 4", "Here is my solution:", "if a != b", "x = a % b c", ""])
def test_python_that_is_wrong_is_not_taken_for_a_notebook(line):
    assert code("SyntaxError", "invalid syntax", line) == "syntax"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("EOFError", "EOF when reading a line"),
        ("OSError", "pytest: reading from stdin while output is captured! Consider using `-s`."),
    ],
)
def test_a_file_that_waits_for_input_is_told_so(kind, message):
    assert code(kind, message) == "input-at-import"


def test_a_file_that_ends_python_is_told_so():
    assert code("SystemExit") == "leaves-at-import"


def test_another_file_that_cannot_be_opened_is_not_taken_for_input():
    assert code("OSError", "[Errno 2] No such file or directory: 'data.csv'") == "import-fails"


def test_a_long_line_costs_no_time():
    assert code("SyntaxError", "invalid syntax", "a, " * 200_000) == "syntax"
