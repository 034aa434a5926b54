"""This homework, whose zips are looked into, and the script that Gradescope starts in one."""

import subprocess
from pathlib import Path

from autograder.assignment import load_assignment

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)


def run_autograder(root, place="."):
    program = [str(root / place / "run_autograder")]
    environment = {"PATH": "/usr/bin:/bin", "TOKEN": "4711"}
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
