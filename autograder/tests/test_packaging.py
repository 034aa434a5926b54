"""What is installed is what was declared, with a reason, and for every Python."""

import re
import sys
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
PROJECT = tomllib.loads(PYPROJECT)["project"]
EXTRAS = {  # the extras that each lock resolves, as the Makefile says
    "autograder/bundle/image/requirements.txt": ["layers"],
    "requirements/dev.txt": ["layers", "cluster", "dev"],
    "requirements/tools.txt": ["layers", "otter", "mutation"],
}
IMAGE, DEVELOPERS, TOOLS = EXTRAS
NOT_IN_AN_IMAGE = {"jinja2", "pyyaml"}  # pages and exports: an image grades one submission
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]


def locked(lock: str, python: str) -> dict[str, str]:
    """Return the version of every package that a lock installs on Linux with that Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": "linux"}
    text = (ROOT / lock).read_text("utf-8")
    pins = [Requirement(line.rstrip(" \\")) for line in text.splitlines() if re.match(r"\w", line)]
    return {
        pin.name: str(pin.specifier).removeprefix("==")
        for pin in pins
        if pin.marker is None or pin.marker.evaluate(environment)
    }


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_satisfies_what_the_project_declares(lock, python):
    extras = [PROJECT["optional-dependencies"][extra] for extra in EXTRAS[lock]]
    declared = [Requirement(text) for text in chain(PROJECT["dependencies"], *extras)]
    pins = locked(lock, python)
    wanted = [need for need in declared if need.marker is None or need.marker.evaluate({"python_version": python})]
    if lock == IMAGE:
        wanted = [need for need in wanted if need.name.lower() not in NOT_IN_AN_IMAGE]
    assert [str(need) for need in wanted if pins.get(need.name.lower(), "0") not in need.specifier] == []


@pytest.mark.parametrize("lock", EXTRAS)
def test_no_lock_drags_in_torch(lock):
    assert not re.search(r"^(torch|nvidia)", (ROOT / lock).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("lock", EXTRAS)
def test_no_lock_names_a_host(lock):
    assert "://" not in (ROOT / lock).read_text("utf-8")


@pytest.mark.parametrize("python", PYTHONS)
def test_one_version_of_a_package_grades_and_is_developed_with(python):
    assert locked(IMAGE, python).items() <= locked(DEVELOPERS, python).items()


def test_every_dependency_carries_its_reason():
    declared = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    lines = [line.strip() for line in PYPROJECT.splitlines()]
    assert [text for text in declared if not any(line.startswith(f'"{text}",  # ') for line in lines)] == []
