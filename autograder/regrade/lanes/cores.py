"""Which core a lane of a dask worker stays on: one that no lane of another worker on this machine has.

A claim is a name among the kernel's abstract sockets, which ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import os
import socket
import sys

from .pool import usable_cores


class Claim:
    """One core that is claimed until `release`."""

    def __init__(self, position: int, held: socket.socket | None) -> None:
        self.position, self._held = position, held  # among the cores that this process may use

    def release(self) -> None:
        """Let another lane claim the core."""
        if self._held is not None:
            self._held.close()


def claimed(otherwise: int) -> Claim:
    """Return a claim of the first core that is free. If all are taken, or this is not Linux, take `otherwise`."""
    if sys.platform != "linux":
        return Claim(otherwise, None)
    for position, core in enumerate(usable_cores()):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0autograder-core-{os.getuid()}-{core}")
        except OSError:
            held.close()
            continue
        return Claim(position, held)
    return Claim(otherwise, None)
