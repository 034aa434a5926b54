"""Grade a homework on reverse-mode automatic differentiation, with the student's code in a confined process."""

import gc

__version__ = "0.1.0"

# Between two collections; the tapes of a submission are half as many. Python's 700 cost a twentieth of a grading.
_NEW_OBJECTS = 50_000


def quiet_collector() -> None:
    """Let the garbage collector run seldom, and leave alone what exists now.

    What is loaded or collected once lives as long as the process. A collection that looked at it would find nothing,
    and would write to every object, so that each fork has to copy their pages.
    """
    gc.enable()
    gc.set_threshold(_NEW_OBJECTS)
    gc.freeze()
