"""What the grader asks of this homework's diagnoses: findings/plugin.py describes it, the configuration names it."""

from .diagnose import diagnose
from .filmed import film_of_test

__all__ = ["diagnose", "film_of_test"]
