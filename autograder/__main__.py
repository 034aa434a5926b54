"""Run the command line: `python -m autograder VERB`.

With `-m`, Python looks for modules in the current directory first. That may be a student's, with a `click.py` in it, so
it is taken off the path before anything else is imported, unless the grader itself lies there. It cannot help where the
directory holds a folder `autograder`: then that is what Python runs. The command `autograder` looks in neither.
"""

import gc
import os  # it and sys are loaded before any code of a directory could be
import sys

gc.disable()  # until the verb begins: what is loaded stays, and looking through it would take a hundredth of a grading

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - pathlib is not loaded yet
if sys.path and sys.path[0] in ("", os.getcwd()) and os.path.realpath(os.getcwd()) != os.path.realpath(_HOME):  # noqa: PTH109
    del sys.path[0]

from autograder.cli import main  # noqa: E402 - after the path is safe

main(prog_name="autograder")
