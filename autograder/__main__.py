"""Run the command line: `python -m autograder VERB`."""

from autograder.cli import main

main(prog_name="autograder")
