"""Imports point one way, along the data flow."""

import ast
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]

# In the order of the flow: a module imports from lines above its own, and on its own line from what stands before it.
LAYERS = {
    "words": "__init__ errors text atomic model wire reader batch",
    "otter": "otter",
    "worker": "filters landlock confinement attempts canary rehearsal worker zygote",
    "policy": "assignment bank marks manifest local",
    "intake": "intake archive folder candidates source selection submission",
    "sandbox": "syscalls identity isolation preflight orders channel sandbox leaves tape proxy stage",
    "record": "diagnosis diagnosis.codes diagnosis.program diagnosis.reference diagnosis.evidence diagnosis.scene",
    "diagnosis": "diagnosis.drawing diagnosis.theories diagnosis.sample diagnosis.probes diagnosis.forward",
    "cause": "diagnosis.backward diagnosis.raised diagnosis.stopped diagnosis.imported diagnosis.diagnose",
    "run": "diagnosis.summary outcome plugin runner",
    "report": "grading checks contract feedback metadata gradescope formats terminal verify matrix html preview",
    "class": "regrade regrade.class_report regrade.delivery regrade.record regrade.frames regrade.messages",
    "lane": "regrade.proof regrade.grader regrade.lane regrade.process regrade.lanes",
    "source": "regrade.tree regrade.found regrade.gradescope_export regrade.canvas regrade.moodle regrade.classroom",
    "roster": "regrade.folders regrade.recognition regrade.csv_file regrade.roster regrade.ledger regrade.progress",
    "tables": "regrade.cluster_worker regrade.cluster regrade.desk regrade.tables regrade.comparison regrade.gradebook",
    "page": "report report.scores report.rates report.causes report.copies report.spent report.moves report.page",
    "handout": "tasks starter",
    "bundle": "bundle bundle.parcel bundle.wheel bundle.lock bundle.contents bundle.lint bundle.readiness bundle.otter",
    "shell": "options commands cli __main__",
}
ORDER = [module for layer in LAYERS.values() for module in layer.split()]
WORKER_SIDE = {"__init__", "errors", "wire", "reader", "batch", "worker", "zygote"}
WORKER_SIDE |= {"filters", "landlock", "confinement", "attempts", "canary", "rehearsal"}


def module_of(file: Path) -> str:
    """Return a module's name below the package: `commands.starter`, and `__init__` for the package itself."""
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


# Every module but the tests, by name. Verbs stand beside one another, before cli: none imports another.
MODULES = {module_of(file): file for file in PACKAGE.rglob("*.py") if "tests" not in file.relative_to(PACKAGE).parts}
VERBS = {module for module in MODULES if module.startswith("commands.")}


def imports_of(module: str) -> set[str]:
    """Return what the module imports, anywhere in it: others than ours by their top name after `~`."""
    package = ".".join(["autograder", *MODULES[module].relative_to(PACKAGE).parts[:-1]])
    names: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return {_known(name) for name in names}


def _known(name: str) -> str:
    """Return the module that an imported name is, or is defined in."""
    top, _, rest = name.partition(".")
    if top != "autograder":
        return f"~{top}"
    if rest in MODULES:
        return rest
    return rest.rpartition(".")[0] or "__init__"


def test_every_module_has_one_place_in_the_order():
    assert sorted(ORDER) == sorted(MODULES.keys() - VERBS)


@pytest.mark.parametrize("module", sorted(MODULES.keys() & VERBS.union(ORDER)))
def test_a_module_imports_only_what_stands_before_it(module):
    before = set(ORDER[: ORDER.index("cli" if module in VERBS else module)])
    ours = {name for name in imports_of(module) if not name.startswith("~")}
    assert ours <= before, f"{module} looks the wrong way, at {sorted(ours - before)}"


@pytest.mark.parametrize("module", sorted(MODULES.keys() & WORKER_SIDE))
def test_beside_the_students_code_there_is_only_the_standard_library_and_the_wire(module):
    foreign = {
        name for name in imports_of(module) if name not in WORKER_SIDE and name[1:] not in sys.stdlib_module_names
    }
    assert foreign == set()


def test_the_suites_are_strangers_to_the_grader():
    suites = [*PACKAGE.parent.glob("tests_public/**/*.py"), *PACKAGE.parent.glob("tests_hidden/**/*.py")]
    assert [file for file in suites if "autograder" in file.read_text("utf-8")] == []


def test_the_command_line_starts_without_the_libraries_of_single_verbs():
    heavy = "{'pytest', 'numpy', 'rich', 'jinja2', 'yaml', 'distributed'}"
    program = f"import sys, autograder.cli; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
