"""The proof of the suites: the bank of mistakes, graded."""

__all__ = ["accept", "agreement", "bank", "gaps", "matrix", "proving", "rates", "trials"]
