"""Runs the suites by plain pytest, in the process of the engine: a child for each engine, one after another.

Each child is forked once pytest is imported, which takes longer than the tests. Beside each engine lies what it
passed: `junit.xml`.

It is run as a file: pytest must be the first to import the grader, a part of which is its plugin.

Usage: python plain_pytest.py FILES FOLDER..., with commas between the files of tests.
"""

import os
import sys

import pytest

OPTIONS = ("-q", "-m", "points", "--tb=no", "-p", "no:cacheprovider")


def run(files, folder):
    """Run the tests with points against the engine in a folder."""
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    pytest.main([*OPTIONS, *files, "--submission", folder, f"--junitxml={folder}/junit.xml"])


def main(files, folders):
    """Run them against each engine."""
    for folder in folders:
        child = os.fork()
        if child == 0:
            try:
                run(files, folder)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1].split(","), sys.argv[2:])
