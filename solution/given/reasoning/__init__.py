# Copied by `autograder starter` from autograder/diagnosis/reasoning/__init__.py: edit that file.
"""From what a program's values hold to the mistake behind it, and its line.

Everything here imports the standard library and its neighbours alone: the handout has a copy, where the student's own
machine answers in place of a worker, and central differences in place of formulas (slopes.py).
"""
