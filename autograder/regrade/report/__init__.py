"""The report of a class as one page."""
