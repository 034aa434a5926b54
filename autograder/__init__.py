"""Grade a homework on reverse-mode automatic differentiation, with the student's code in a confined process."""

__version__ = "0.1.0"

GARBAGE = 20_000  # new objects between two collections of a grading process: Python's 700 cost a twentieth of its time
