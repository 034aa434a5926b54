# Copied by `autograder starter` from autograder/film/__init__.py: edit that file.
"""A backward pass as a picture: the graph as SVG, and a page that steps through the pass as an engine did it.

The handout has copies of these files, so they use the standard library alone.
"""

__all__ = ["drawing", "excerpt", "frames", "graph", "page"]
