"""`demo.py film`: the film of any expression on any engine, with nothing but the standard library."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.small import assigning

ROOT = Path(__file__).parents[3]
CORRECT = sorted((ROOT / "autograder/tests/mistakes/correct").glob("*.py"))


@pytest.fixture
def folder(tmp_path):
    return homework(tmp_path)


def homework(folder, engine=ROOT / "solution/engine.py"):
    shutil.copytree(ROOT / "solution/given", folder / "given")
    shutil.copy(ROOT / "solution/demo.py", folder)
    shutil.copy(engine, folder / "engine.py")
    return folder


def demo(folder, *arguments):
    (answer,) = demos([(folder, *arguments)])
    return answer


def demos(runs):
    """Return the answers of several runs of demo.py, each in a folder with arguments, in one Python."""
    command = [sys.executable, "-B", "-I", "-S", "-c", START]
    asked = json.dumps([[str(folder), *arguments] for folder, *arguments in runs])
    answered = subprocess.run(command, input=asked, capture_output=True, encoding="utf-8", check=False)
    assert answered.returncode == 0, answered.stderr
    return [subprocess.CompletedProcess(*answer) for answer in json.loads(answered.stdout)]


# Without any package of this environment: what a student has is Python. Each run imports its engine anew.
START = """
import contextlib, io, json, os, runpy, sys

def answered(folder, *arguments):
    os.chdir(folder)
    sys.path[0], sys.argv = folder, ["demo.py", *arguments]
    sys.modules.pop("engine", None)
    code, out, err = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path("demo.py", run_name="__main__")
        except SystemExit as left:
            code = left.code
            if isinstance(code, str):
                code = print(code, file=err) or 1
    return arguments, code, out.getvalue(), err.getvalue()

sys.path.insert(0, "")
print(json.dumps([answered(*run) for run in json.load(sys.stdin)]))
"""


def film(folder, *arguments):
    """Return what the script of the page reads: the numbers and the frames."""
    return shown(demo(folder, "film", *arguments), folder)


def shown(answer, folder):
    assert answer.stdout == "film.html is written: open it in a browser\n", answer.stderr
    page = (folder / "film.html").read_text("utf-8")
    (data,) = re.findall(r'<script type="application/json" id="film">(.*)</script>', page)
    return json.loads(data)


def gradients(film):
    """Return the gradients after the last frame."""
    held = dict(enumerate(film["grads"]))
    held.update({frame["place"]: frame["to"] for frame in film["frames"] if frame["place"] is not None})
    return [held[place] for place in range(len(film["grads"]))]


@pytest.fixture(scope="module")
def films_of_correct_engines(tmp_path_factory):
    """Return the film of one expression on each engine, by the engine's name."""
    folders = [homework(tmp_path_factory.mktemp(engine.stem), engine) for engine in CORRECT]
    answers = demos([(folder, "film", "a*a + tanh(b)*a - b/a", "a=3", "b=0.5") for folder in folders])
    return {engine.stem: shown(*each) for engine, *each in zip(CORRECT, answers, folders, strict=True)}


@pytest.mark.parametrize("engine", [file.stem for file in CORRECT])
def test_a_correct_engine_in_any_style_is_filmed_without_a_wrong_step(films_of_correct_engines, engine):
    film = films_of_correct_engines[engine]
    assert [frame["says"] for frame in film["frames"] if frame["wrong"]] == []
    # 2a + tanh b + b/a², and a (1 - tanh² b) - 1/a
    assert gradients(film)[0] == "6.51767"
    assert gradients(film)[2] == "2.02601"


@pytest.mark.parametrize(
    ("expression", "numbers", "expected"),  # by the place of the value: each name where it is used first
    [
        ("a + b", ["a=1e9", "b=1"], {0: "1", 1: "1"}),
        ("b / a", ["a=1e-6", "b=2"], {0: "1e+06", 1: "-2e+12"}),
        ("(a - 1e8) * b", ["a=1e8", "b=3"], {0: "3", 2: "0"}),
        ("relu(a) + a ** 3", ["a=0"], {0: "0"}),
        ("exp(a) * exp(-a)", ["a=30"], {0: "0"}),
        ("a ** -2", ["a=-0.001"], {0: "2e+09"}),
    ],
)
def test_what_is_right_is_known_for_large_and_for_small_numbers_too(folder, expression, numbers, expected):
    shown = film(folder, expression, *numbers)
    assert [frame["says"] for frame in shown["frames"] if frame["wrong"]] == []
    assert {place: gradients(shown)[place] for place in expected} == expected


def test_each_frame_names_the_line_that_ran(folder):
    lines = (folder / "engine.py").read_text("utf-8").splitlines()
    shown = film(folder, "a*a + a", "a=3")
    ran = [lines[frame["line"] - 1].split("#")[0].strip() for frame in shown["frames"] if frame["line"]]
    assert ran == ["self.grad += 1.0"] + 4 * ["parent.grad += partial * grad"]
    assert [frame["to"] for frame in shown["frames"] if frame["place"] == 0] == ["1", "4", "7"]


def test_the_first_wrong_step_says_what_was_expected(folder):
    (folder / "engine.py").write_text(assigning("*"), "utf-8")
    shown = film(folder, "a*a + a", "a=3")
    (frame,) = [frame for frame in shown["frames"] if frame["wrong"]]
    assert (frame["to"], frame["expected"]) == ("3", "4")
    assert shown["frames"][shown["start"]] == frame


def test_a_pass_that_raises_is_shown_up_to_there(folder):
    source = (folder / "engine.py").read_text("utf-8")
    (folder / "engine.py").write_text(
        source.replace("parent.grad += partial * grad", "parent.grad += 1 / 0 #"), "utf-8"
    )
    last = film(folder, "a*a + a", "a=3")["frames"][-1]
    assert last["wrong"]
    assert last["says"] == "The pass broke off: ZeroDivisionError: division by zero."


def test_an_engine_cannot_put_a_script_into_its_page(folder):
    source = (folder / "engine.py").read_text("utf-8")
    (folder / "engine.py").write_text(
        source.replace("# the chain rule;", "# </code><script>alert(1)</script>"), "utf-8"
    )
    film(folder, "a*a + a", "a=3")
    page = (folder / "film.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


REFUSED = [
    (["a*"], "`a*` is not an expression: invalid syntax."),
    (["a*b", "a=3"], "b has no number: write b=2 behind the expression."),
    (["a*a", "a=3", "b=2"], "b does not occur in `a*a`."),
    (["a*a", "a=x"], "`a=x` is not of the form a=3."),
    (["a*a", "a=1e999"], "a number in it is too large."),
    (["2*3"], '`2*3` has no variable: try "a*a + a" a=3.'),
    (["a**b", "a=2", "b=3"], "`a ** b`: the exponent has to be a plain number."),
    (
        ["a % 2", "a=3"],
        "`a % 2`: only numbers, names, + - * / ** and tanh, exp, relu, log, sqrt, abs are understood.",
    ),
    (["__import__('os').system('id')", "a=3"], "`__import__('os').system('id')`: the functions are "),
    (["a.data.real", "a=3"], "`a.data.real`: only numbers, names"),
    (["a if a else a", "a=3"], "`a if a else a`: only numbers, names"),
    (["a/0", "a=3"], "`a/0` has no value or no slope there"),
    (["log(a)", "a=-1"], "`log(a)` has no value or no slope there: "),
    (["9**9**9*a", "a=1"], "the numbers in it cannot be computed: "),
    (["+".join("a" * 100), "a=1"], "it has more than 60 steps, which is too large to draw."),
    (["(" * 240 + "a" + ")" * 240, "a=1"], "is not an expression: "),
    (["a" * 501, "a=1"], "the expression is longer than 500 characters."),
    (["tanh*2", "tanh=1"], "tanh is a function: give the variable another name."),
]


def test_what_cannot_be_filmed_is_refused_in_a_sentence(folder):
    answers = demos([(folder, "film", *arguments) for arguments, _ in REFUSED])
    for (arguments, why), answer in zip(REFUSED, answers, strict=True):
        assert why in answer.stderr, arguments
        assert len(answer.stderr.splitlines()) == 1, arguments
        assert answer.returncode == 1, arguments
    assert not (folder / "film.html").exists()


def test_the_starter_names_the_task_that_a_film_needs(folder):
    shutil.copy(ROOT / "starter/engine.py", folder)
    assert demo(folder, "film").stderr == (
        "This needs task 1.1, which is not written yet. README.md says what belongs there.\n"
    )


def test_a_graph_of_another_expression_is_drawn_too(folder):
    assert demo(folder, "graph", "exp(a) * b", "a=0", "b=-0.5").returncode == 0
    drawn = (folder / "graph.svg").read_text("utf-8")
    assert "gradient of a: 1 · -0.5 = -0.5" in drawn
