"""The grader knows no homework: whatever is about differentiation lies in the plugin that the configuration names."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# The plugin of this homework: its diagnoses and its films, and the parts of these that lie elsewhere because of where
# they run (beside the student's code) and what they write (pages).
PLUGIN = ("diagnosis/", "film/", "worker/line_trace.py", "results/film.py", "results/pages/film.")
SUFFIXES = {".py", ".html", ".css", ".js", ".ini", ".sh", ""}
WORDS = (
    *("autodiff", "autograd", "backprop", "backward", "derivative", "derivatives", "grad", "gradient", "gradients"),
    *("relu", "sigmoid", "tanh", "torch", "Value", "Values", "pitfall", "closures", "polynomial", "neuron", "MLP"),
)
NAME = "micro-autograd-autograder"  # of the distribution: what `pip install` is given


def files():
    for file in sorted(PACKAGE.rglob("*")):
        path = file.relative_to(PACKAGE).as_posix()
        own = path.startswith(("tests/", *PLUGIN)) or "__pycache__" in path
        if file.is_file() and file.suffix in SUFFIXES and not own:
            yield path, file.read_text("utf-8")


def spoken(text):
    return re.findall(rf"(?<!\w)(?:{'|'.join(WORDS)})(?!\w)", text.replace(NAME, ""))


def test_no_module_outside_the_plugin_speaks_of_this_homework():
    assert {path: sorted(set(words)) for path, text in files() if (words := spoken(text))} == {}


def test_one_module_alone_names_the_package_whose_arrays_cross():
    named = {path for path, text in files() if re.search("numpy", text, re.IGNORECASE)}
    assert named == {"wire/arrays.py"}


def test_control_the_plugin_does():
    assert spoken((PACKAGE / "diagnosis/reasoning/sentences.py").read_text("utf-8")) != []


def test_control_the_search_goes_through_the_grader():
    paths = {path for path, _ in files()}
    assert {"model.py", "remote/proxy.py", "worker/serve.py", "bundle/image/setup.sh"} <= paths
