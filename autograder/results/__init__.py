"""From a report to what people and Gradescope read; text of the submission is made safe to show here."""

__all__ = [
    "contract",
    "feedback",
    "film",
    "formats",
    "gradescope",
    "html",
    "metadata",
    "preview",
    "student_page",
    "terminal",
]
