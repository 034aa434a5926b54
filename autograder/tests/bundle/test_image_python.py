"""The Python that an assignment asks for is installed in its image, or the build stops and says what to do."""

import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.assignment import load_assignment
from autograder.bundle.contents import PYTHON, gradescope_members
from autograder.errors import AssignmentError

ROOT = Path(__file__).parents[3]
SETUP = ROOT / "autograder/bundle/image/setup.sh"
FOUND = """#!/bin/sh
case "$*" in *version_info*!=*) [ "$3" = {version} ];; --version) echo Python {version}.1;; *venv*) exit 7;; esac
"""


@pytest.fixture
def image(tmp_path):
    """Run setup.sh in a bare image whose apt-get notes what it is asked for, and can install what `has` names."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "source").mkdir()
    shutil.copy(SETUP, tmp_path / "source")

    def run(wanted, *, has=(), there=""):
        program = f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n'
        for version in has:
            made = tmp_path / f"python{version}"
            made.write_text(FOUND.format(version=version), "utf-8")
            made.chmod(0o755)
            program += f'case "$*" in *python{version}) cp {made} {tmp_path}/bin/; exit 0;; esac\n'
        (tmp_path / "bin/apt-get").write_text(program + "exit 1\n", "utf-8")
        (tmp_path / "bin/apt-get").chmod(0o755)
        if there:
            (tmp_path / "bin/python3.99").write_text(FOUND.format(version=there), "utf-8")
            (tmp_path / "bin/python3.99").chmod(0o755)
        (tmp_path / "source" / PYTHON).write_text(wanted + "\n", "utf-8")
        environment = {"PATH": f"{tmp_path}/bin:/bin:/usr/bin"} | ({"AUTOGRADER_PYTHON": "python3.99"} if there else {})
        command = ["bash", str(tmp_path / "source/setup.sh")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        asked = tmp_path / "asked"
        return done, asked.read_text("utf-8") if asked.exists() else ""

    return run


def test_the_zip_names_the_python_that_the_configuration_asks_for():
    members = {
        member.name: member.content for member in gradescope_members(replace(load_assignment(ROOT), python="3.12"))
    }
    assert members[PYTHON] == b"3.12\n"


def test_a_zip_without_a_wish_names_none():
    assert PYTHON not in {member.name for member in gradescope_members(load_assignment(ROOT))}


def test_a_python_that_the_image_lacks_is_installed(image):
    done, asked = image("3.19", has=("3.19",))
    assert asked.splitlines()[0].endswith("install -y --no-install-recommends python3.19")
    assert "could not install" not in done.stderr


def test_a_python_that_cannot_be_installed_stops_the_build_with_the_remedy(image):
    done, _ = image("3.19")
    assert done.returncode == 1
    assert "apt-get could not install python3.19; Ubuntu 22.04 has Python 3.10, and 24.04 has 3.12" in done.stderr
    assert "or set python in [tool.autograder]" in done.stderr


def test_another_python_than_the_one_asked_for_stops_the_build(image):
    done, _ = image("3.12", there="3.10")
    assert done.returncode == 1
    assert "Python 3.10.1 is not the Python 3.12 that pyproject.toml asks for" in done.stderr


@pytest.mark.parametrize("version", ["3.9", "3", "python3.12", "3.12; reboot"])
def test_a_version_that_no_image_could_have_is_refused_in_the_configuration(tmp_path, version):
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    changed = text.replace("[tool.autograder]\n", f'[tool.autograder]\npython = "{version}"\n', 1)
    (tmp_path / "pyproject.toml").write_text(changed, "utf-8")
    with pytest.raises(AssignmentError, match=r"write a version from 3\.10 on"):
        load_assignment(tmp_path)
