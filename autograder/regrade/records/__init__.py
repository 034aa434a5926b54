"""What a class regrade keeps, and the tables made of it."""

__all__ = [
    "best",
    "class_report",
    "comparison",
    "csv_file",
    "earlier",
    "gradebook",
    "ledger",
    "output",
    "record",
    "tables",
]
