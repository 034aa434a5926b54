"""Imports point one way, along the data flow: each folder imports from those above it, and never from below."""

import ast
import functools
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]

# The way of the data. A room is a folder, or a module that lies on the first level; the nouns come first.
ROOMS = [
    *(
        "film",
        "wire",
        "errors",
        "installation",
        "text",
        "files",
        "temporary",
        "streams",
        "wording",
        "failure",
        "model",
        "standard_library",
        "configuration",
        "misread",
        "interface",
        "assignment",
        "local",
    ),
    *("worker", "sandbox", "submission", "remote", "findings", "diagnosis", "suites", "grading"),
    *("results", "handout"),
    *(f"regrade.{part}" for part in ("records", "sources", "lanes", "progress")),
    *(
        "verify",
        "bundle",
        "course",
        "regrade.coordinator",
        "regrade.feedback",
        "regrade.report",
        "regrade.similar",
        "regrade.finish",
    ),
    *("commands", "cli", "__main__"),
]
FOLDERS = [
    room for room in ROOMS if PACKAGE.joinpath(*room.split(".")).is_dir() and room != "commands"
]  # verbs: by name
SUBMISSIONS_SIDE = ("wire", "worker")  # these run beside the student's code
STANDARD_LIBRARY_ALONE = "bundle.in_kernel"  # it runs in otter's kernel, where the submission ran before


def module_of(file: Path) -> str:
    """Return a module's name below the package: `commands.starter`; a room's own name for its `__init__`."""
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


APART = {"tests", "template"}  # a course's own files, which `autograder new` writes
MODULES = {module_of(file): file for file in PACKAGE.rglob("*.py") if not APART & {*file.relative_to(PACKAGE).parts}}
del MODULES["__init__"]  # the package's own: a version, open to all


def room_of(module: str) -> str:
    """Return the room that a module lies in."""
    return next((room for room in ROOMS if module == room or module.startswith(f"{room}.")), "")


@functools.cache
def imports_of(module: str) -> set[str]:
    """Return what a module imports, anywhere in it: ours by their name below the package, others after `~`."""
    package = ".".join(["autograder", *MODULES[module].relative_to(PACKAGE).parts[:-1]])
    names: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return {known for name in names if (known := _known(name))}


def _known(name: str) -> str:
    """Return the module that an imported name is, or is defined in; "" for the package itself."""
    top, _, rest = name.partition(".")
    if top != "autograder":
        return f"~{top}"
    return rest if rest in MODULES else rest.rpartition(".")[0]


def ours(module: str) -> set[str]:
    return {name for name in imports_of(module) if not name.startswith("~")}


def test_every_module_lies_in_a_room():
    assert [module for module in MODULES if not room_of(module) and module != "regrade"] == []


def test_a_module_imports_only_from_rooms_before_its_own():
    ranks = {module: ROOMS.index(room_of(module)) for module in MODULES if room_of(module)}
    later = {(module, name) for module in ranks for name in ours(module) if ranks[name] > ranks[module]}
    assert later == set(), "the first looks the wrong way, at the second"


def face_of(room: str) -> list[str]:
    """Return the modules of a room that its `__init__` offers to the other rooms, without importing anything."""
    body = ast.parse((PACKAGE.joinpath(*room.split(".")) / "__init__.py").read_text("utf-8")).body
    assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in body), "every worker would pay for it"
    return [f"{room}.{name}" for node in body if isinstance(node, ast.Assign) for name in ast.literal_eval(node.value)]


@pytest.mark.parametrize("room", FOLDERS)
def test_other_rooms_import_only_what_a_room_offers(room):
    used = {
        name for module in MODULES if room_of(module) != room for name in ours(module) if name.startswith(f"{room}.")
    }
    face = face_of(room)
    assert sorted(used - set(face)) == [], f"not in the face of {room}: import another module, or add it to __all__"
    assert [name for name in face if name not in MODULES] == []
    assert 1 <= len(face) <= 10


@pytest.mark.parametrize("room", ROOMS)
def test_no_imports_go_round_in_a_circle_within_a_room(room):
    inside = {module: ours(module) for module in MODULES if room_of(module) == room}
    while free := [module for module, needs in inside.items() if not needs & (inside.keys() - {module})]:
        for module in free:
            del inside[module]
    assert sorted(inside) == []


def test_beside_the_students_code_there_is_only_the_standard_library_and_the_wire():
    foreign = {
        (module, name)
        for module in MODULES
        for name in imports_of(module)
        if room_of(module) in SUBMISSIONS_SIDE
        if name[1:] not in sys.stdlib_module_names and room_of(name) not in SUBMISSIONS_SIDE
    }
    assert foreign == set()


def test_what_runs_in_otters_kernel_needs_the_standard_library_alone():
    needed = imports_of(STANDARD_LIBRARY_ALONE) | imports_of("bundle")
    assert {name for name in needed if name[1:] not in sys.stdlib_module_names} == set()
    assert [module for module in MODULES if STANDARD_LIBRARY_ALONE in ours(module)] == []


def test_only_the_sandbox_names_what_runs_on_the_submissions_side():
    naming = {module for module in MODULES if any(room_of(name) == "worker" for name in ours(module))}
    assert {room_of(module) for module in naming} == {"sandbox", "worker"}


def test_no_verb_imports_another():
    verbs = {module for module in MODULES if module.startswith("commands.")}
    assert {name for verb in verbs for name in ours(verb) if room_of(name) == "commands"} == {"commands.options"}


def test_the_suites_are_strangers_to_the_grader():
    suites = [*PACKAGE.parent.glob("tests_public/**/*.py"), *PACKAGE.parent.glob("tests_hidden/**/*.py")]
    assert [file for file in suites if "autograder" in file.read_text("utf-8")] == []


def test_the_command_line_starts_without_the_libraries_of_single_verbs():
    heavy = "{'pytest', 'numpy', 'jinja2', 'yaml', 'distributed'}"
    program = f"import sys, autograder.cli; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
