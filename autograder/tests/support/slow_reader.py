"""A reader for which two submissions are too much: `sleeper` is never read to its end, `killer` ends the reader itself.

Usage (by tests only): python -m autograder.tests.support.slow_reader
"""

from __future__ import annotations

import os
import signal
import time

from autograder.regrade.lanes import reader
from autograder.regrade.sources.delivery import Delivery
from autograder.regrade.sources.recognition import Located

_read = Located.delivery


def _delivery(located: Located) -> Delivery:
    if located.found.id == "sleeper":
        time.sleep(60)
    if located.found.id == "killer":
        os.kill(os.getppid(), signal.SIGKILL)
    return _read(located)


if __name__ == "__main__":
    setattr(Located, "delivery", _delivery)  # noqa: B010 - a method replaced, which a type checker refuses
    reader.main(seconds=2.0)
