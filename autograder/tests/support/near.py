"""A module of a submission as a test sees it, with the worker in this process."""

import types

from autograder.interface import RemoteInterface
from autograder.wire import format as wire
from autograder.wire.reader import decode_reply
from autograder.worker.serve import Service

INTERFACE = RemoteInterface(
    file="engine.py",
    numbers=("data", "grad"),
    deferred=("constructors", "assignments", "operators", "tanh", "exp", "backward"),
)
MORE = """
class Odd:
    truth, text, nothing, pair, huge = True, "1.0", None, (1, [2.0]), 1 << 14_000
    data = True

    def __call__(self):
        return 5


class Wide:
    data = 1 << 14_000


def double(number):
    return 2 * number


def fail(message):
    raise LookupError(message)


LIMIT = 3
"""


class Near:
    """A worker in this process: it answers as the real one does, and counts how often it was asked."""

    def __init__(self, source):
        self._progress = bytearray(8)
        self._worker, self._sequence, self.requests = Service("/", ["engine.py"], self._progress), 0, []
        module = types.ModuleType("engine")
        exec(compile(source, "/engine.py", "exec"), vars(module))
        self._worker._objects[1] = module
        self.names = {name: self._kind(value) for name, value in vars(module).items() if not name.startswith("__")}
        self.used = 0.0
        self.longest = 0  # of the replies, as the real channel measures them
        self.crash: Exception | None = None

    @staticmethod
    def _kind(value):
        return wire.CLASS if isinstance(value, type) else wire.CALLABLE if callable(value) else wire.OTHER

    def exchange(self, operations, seconds):
        self._sequence += 1
        self.requests.append(operations)
        if self.crash is not None:
            raise self.crash
        frame = wire.LENGTH.pack(self._sequence) + self._worker.answer(operations)
        self.longest = max(self.longest, len(frame))
        return decode_reply(frame, self._sequence)

    @property
    def position(self):
        return int.from_bytes(self._progress[0:4], "little")
