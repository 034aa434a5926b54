"""The proof of the suites: the bank of mistakes, graded."""
