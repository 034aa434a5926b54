"""The submission's side: the zygote, serving requests, confinement, and the attacks that test it.

`sandbox` alone imports it. It imports the standard library and `wire`: the rest of the grader is not there to be found.
"""

__all__ = ["confinement", "seccomp_filters", "watchdog"]
