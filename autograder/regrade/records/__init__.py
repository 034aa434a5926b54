"""What a class regrade keeps, and the tables made of it."""

__all__ = [
    "best",
    "class_report",
    "comparison",
    "csv_file",
    "earlier",
    "gradebook",
    "kept_film",
    "ledger",
    "output",
    "record",
    "tables",
]
