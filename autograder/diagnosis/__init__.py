"""Names the mistake behind a failed test, from the test's record and what the worker holds."""

__all__ = ["codes"]
