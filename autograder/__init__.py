"""Grade a homework on reverse-mode automatic differentiation, with the student's code in a confined process."""

__version__ = "0.1.0"
