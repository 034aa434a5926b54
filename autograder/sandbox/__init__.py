"""Starts, limits and ends workers, and says which level of isolation holds."""

__all__ = ["handle", "isolation", "remedies", "sandbox", "watchdog"]
