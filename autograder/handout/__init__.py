"""From solution/ to starter/: what students are given."""

__all__ = ["copies", "score", "starter", "tasks"]
