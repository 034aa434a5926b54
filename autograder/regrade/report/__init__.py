"""The report of a class as one page."""

__all__ = ["in_words", "page"]
