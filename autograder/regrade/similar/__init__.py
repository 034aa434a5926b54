"""Pairs of submissions that have passages in common: something to look at, never a verdict."""

__all__ = ["page"]
