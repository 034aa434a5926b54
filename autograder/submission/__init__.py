"""From files, zips and folders to a Submission. Reads what students hand in, and never runs it."""

__all__ = ["apart", "archive", "folder", "intake", "submission"]
