"""What crosses between the grader and a worker: the closed set of values, frames and batches.

Both sides import it, so it imports the standard library alone.
"""

__all__ = ["arrays", "batch", "format", "framing", "reader"]
