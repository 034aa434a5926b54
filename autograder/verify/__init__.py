"""The proof of the suites: the bank of mistakes, graded."""

__all__ = ["accept", "bank", "gaps", "matrix", "proving", "trials"]
