import pytest

from autograder.assignment import find_root, load_assignment
from autograder.configuration import place
from autograder.errors import AssignmentError
from autograder.files import folder_name_problem
from autograder.model import Level, Visibility

from .support.course import make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def test_the_configuration_is_read_into_types(course):
    assignment = load_assignment(course.root)

    assert assignment.suites[1].visibility is Visibility.AFTER_PUBLISHED
    assert assignment.required_level is Level.STRONG
    assert assignment.scored_modules == ("doubling",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "doubling"', 'nmae = "doubling"', "did you mean `name`?"),
        ("points = 3", "point = 3", "did you mean `points`?"),
        ("[tool.autograder.modules.extra]", "[tool.autograder.modules.ask]", "a test gets `ask` from the grader"),
        ('path = "tests_hidden"', 'path = "tests_hiden"', "tests_hiden is not a directory"),
        ('name = "hidden"', 'name = "public"', "two suites have the same name"),
        ('name = "doubling"', 'name = ""', "name = '' is empty"),
        ('name = "doubling"', 'name = "week 3: doubling"', "holds ':', which Windows allows in no name"),
        ('name = "doubling"', 'name = "../doubling"', "holds '/'"),
        ('name = "doubling"', 'name = "doubling."', "ends with a dot, which Windows drops"),
        ('name = "doubling"', 'name = "doubling "', "begins or ends with a blank"),
        ('name = "doubling"', 'name = "NUL"', "is the name of a device on Windows"),
        ('name = "doubling"', 'name = "com1.2026"', "is the name of a device on Windows"),
        ('name = "doubling"', 'name = "lpt²"', "is the name of a device on Windows"),
        ('name = "doubling"', 'name = "-rf"', "begins with '-'"),
        ('name = "doubling"', f'name = "{"é" * 51}"', "is longer than 100 bytes"),
        ('file = "doubling.py"', 'file = "doubling.py"\nscored = false', "no module is scored"),
        ('imports = ["math"]', 'imports = ["math"]\nlimits = {test_seconds = 0}', "limits.test_seconds must be above"),
        ("[tool.autograder]", "[tool.autograder", "not valid TOML"),
    ],
)
def test_a_wrong_configuration_is_named(course, old, new, message):
    course.edit("pyproject.toml", old, new)

    with pytest.raises(AssignmentError) as caught:
        load_assignment(course.root)

    assert message in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "doubling"', 'nmae = "doubling"', "3: [tool.autograder] has no key `nmae`; did you mean `name`?"),
        ("points = 3", "point = 3", "10: suites has no key `point`; did you mean `points`?"),
        ("points = 3", 'points = "3"', "10: suites.points must be a number, and is a text in quotes"),
        ("points = 3\n", "", "7: suites needs a key `points`"),
        ("secret = true", 'secret = "yes"', "17: suites.secret must be true or false, and is a text in quotes"),
        (
            'visibility = "after_published"',
            'visibility = "later"',
            '16: suites.visibility = \'later\': write "visible" or "hidden" or "after_due_date" or "after_published"',
        ),
        ('name = "hidden"', 'name = "public"', "13: two suites have the same name, public"),
        (
            'path = "tests_hidden"',
            'path = "tests_public"',
            "14: suite `hidden`: another suite has the tests of tests_pub",
        ),
        ("scored = false", "seed = 5", "24: modules.extra has no key `seed`: it belongs to [tool.autograder]"),
        ("scored = false", "arrays = true", "24: modules.extra.arrays must be a text in quotes, and is true or false"),
        ("scored = false", 'returns = { f = "numbr" }', "24: modules.extra: returns: f = 'numbr': write number, flag"),
        ('file = "extra.py"', 'file = "doubling.py"', "23: modules.extra: another module has the file doubling.py"),
        (
            'file = "extra.py"',
            'file = "src/extra.py"',
            "23: modules.extra: file = 'src/extra.py': write the name of one",
        ),
        ('imports = ["math"]', 'imports = "math"', "4: imports = 'math': write \"standard\" or a list"),
        ('imports = ["math"]', "limits = { memory_mb = 1.5 }", "4: limits.memory_mb must be a whole number"),
        ('imports = ["math"]', "sections = { a = 1 }", "4: sections.a must be a text in quotes, and is a whole number"),
        (
            'imports = ["math"]',
            'imports = ["math"]\nimports = []',
            "5 is not valid TOML: Cannot overwrite a value; the same",
        ),
    ],
)
def test_the_line_is_named_and_what_would_be_right(course, old, new, message):
    course.edit("pyproject.toml", old, new)

    with pytest.raises(AssignmentError) as caught:
        load_assignment(course.root)

    assert f"{course.root}/pyproject.toml:{message}" in str(caught.value)


def test_a_key_is_found_however_its_table_is_written(tmp_path):
    file = tmp_path / "pyproject.toml"
    file.write_text('tool.autograder.seed = 1\n[tool."autograder".limits]\n# x\nmemory_mb = 5\n', encoding="utf-8")
    assert place(file, ("seed",)) == f"{file}:1"
    assert place(file, ("limits", "memory_mb")) == f"{file}:4"
    assert place(file, ("limits", "output_kb")) == f"{file}:2"


def test_a_missing_configuration_is_named(tmp_path):
    with pytest.raises(AssignmentError, match="does not exist"):
        load_assignment(tmp_path)


def test_the_root_is_found_from_below(course):
    assert find_root(course.root / "tests_public") == course.root


def test_outside_of_a_course_the_remedy_is_told(tmp_path):
    with pytest.raises(AssignmentError, match="--root"):
        find_root(tmp_path)


@pytest.mark.parametrize("name", ["micro-autograd", "Week 3 (late)", "console", "com10", "übung_1", "a.b"])
def test_an_ordinary_name_is_a_folder_everywhere(name):
    assert folder_name_problem(name) == ""
