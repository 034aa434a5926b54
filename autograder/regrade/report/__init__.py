"""The report of a class as one page."""

__all__ = ["page", "rates", "scores"]
