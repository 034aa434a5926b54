"""A course's own repository: made anew, and what it needs of a machine."""

__all__ = ["machine", "new"]
