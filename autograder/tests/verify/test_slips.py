"""A proof begins with what is there: what the configuration names and is not there is said with its line."""

import pytest

from ..support.course import make_course


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'file = "doubling.py"',
            'file = "duobling.py"',
            "pyproject.toml:20: there is no solution/duobling.py: write it",
        ),
        ('imports = ["math"]', 'mistakes = "mistaks"', "pyproject.toml:4: mistakes: mistaks is not a directory"),
        ('imports = ["math"]', 'mistakes_base = "x"', "pyproject.toml:4: mistakes_base = 'x': the bank has solution"),
    ],
)
def test_what_is_not_there_is_named(tmp_path, old, new, message):
    course = make_course(tmp_path)
    course.edit("pyproject.toml", old, new)
    answer = course.run("verify")
    assert answer.returncode == 2
    assert message in answer.stderr
    assert "Proving" not in answer.stderr
