"""Who reads and grades a class: processes on this machine, or a cluster."""

__all__ = ["cluster", "messages", "pool", "reader"]
