"""An environment of its own with the grader in it, as `pip install` makes one: from wheels, without a network."""

import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from .wheelhouse import write_wheel

ROOT = Path(__file__).parents[3]


class Environment:
    """A virtual environment that holds the grader, and what the grader says that it needs, and nothing else."""

    def __init__(self, directory):
        """Make it below `directory`; the wheels lie beside it."""
        self.wheels, self.home = directory / "wheels", directory / "environment"
        self.wheels.mkdir(parents=True)
        venv.create(self.home, symlinks=sys.platform != "win32")
        self.python = self.home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def install(self, *what):
        """Install wheels, or distributions by their name from the wheels."""
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(self.python)]
        offline = ["install", "--quiet", "--no-index", "--find-links", str(self.wheels), *map(str, what)]
        subprocess.run([*pip, *offline], check=True, capture_output=True, text=True)

    def run(self, *arguments, cwd):
        """Run a module of the environment, such as `autograder verify`, in a course's folder."""
        program = [str(self.python), "-m", *map(str, arguments)]
        return subprocess.run(program, cwd=cwd, capture_output=True, encoding="utf-8", check=False, timeout=300)


def installed_grader(directory):
    """Return an environment below `directory` that was empty before the grader's wheel was installed into it."""
    environment = Environment(directory)
    wheel = grader_wheel(directory)
    write_needs(wheel, environment.wheels)
    environment.install(wheel)
    return environment


def grader_wheel(directory):
    """Build the grader's wheel with the backend that pyproject.toml names, and return it."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    command = [*pip, "--no-build-isolation", "--no-index", "--wheel-dir", str(directory), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return next(directory.glob("*.whl"))


def write_needs(wheel, directory):
    """Write the wheels of all that a wheel needs, as they are installed here: what it does not ask for is not there."""
    with_metadata = metadata.PathDistribution(_info(wheel))
    waiting, seen = [Requirement(text) for text in with_metadata.requires or ()], set()
    while waiting:
        need = waiting.pop()
        if need.name.lower() in seen or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        seen.add(need.name.lower())
        distribution = metadata.distribution(need.name)
        write_wheel(distribution, directory)
        waiting += [Requirement(text) for text in distribution.requires or ()]


def _info(wheel):
    """Return the folder of a wheel's metadata, as a path into the zip."""
    return next(path for path in zipfile.Path(wheel).iterdir() if path.name.endswith(".dist-info"))
