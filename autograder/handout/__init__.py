"""From solution/ to starter/: what students are given."""

__all__ = ["starter", "tasks"]
