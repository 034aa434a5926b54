"""What is said about a failure in any homework, and the plugin that a homework names for its own mistakes."""

__all__ = ["films", "imported", "newer", "plugin", "summary"]
