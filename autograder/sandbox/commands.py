"""What the grader asks of the zygote, and what the self-test answers. worker/commands.py has the other end."""

from __future__ import annotations

import msgspec

from ..wire import format as wire


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """The layers to apply to one worker."""

    directory: str
    mechanisms: tuple[str, ...]  # of worker/confinement.py, by name
    limits: dict[str, int]  # by the name of the resource
    insist: bool = True  # on every mechanism: without it, what fails is left out
    uid: int | None = None  # for the mechanism "user"


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    """One request to the zygote."""

    def encoded(self) -> bytes:
        """Return it as it crosses."""
        return wire.encode(msgspec.to_builtins(self))


class Begin(Command, frozen=True, tag="begin"):
    """Let a copy of the zygote carry out what follows."""


class Finish(Command, frozen=True, tag="finish"):
    """End the copy."""


class Preload(Command, frozen=True, kw_only=True, tag="preload"):
    """Import modules for the workers to come."""

    modules: tuple[str, ...]
    beside: tuple[str, ...] = ()  # directories to find them in, beside the standard library's


class Spawn(Command, frozen=True, kw_only=True, tag="spawn"):
    """Start a worker. Four descriptors go along: requests, replies, output, progress."""

    files: tuple[str, ...]
    imports: tuple[str, ...]
    packages: dict[str, tuple[str, ...]]  # that a module of the submission may import besides, by its name
    confinement: Confinement


class End(Command, frozen=True, kw_only=True, tag="end"):
    """Kill a worker, and whatever runs as `uid` unless that is 0."""

    pid: int
    uid: int


class SelfTest(Command, frozen=True, kw_only=True, tag="self_test"):
    """Try the attacks. A descriptor of an encoded `Trial` goes along, and then the four of `Spawn`."""

    namespaces: bool  # to be tried


class Watch(Command, frozen=True, tag="watch"):
    """Watch over the grader. A pipe with an encoded `WatchOrder` goes along, and the journal of the run."""


class WatchOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Whom to end, and when. The zygote does not read it: its workers inherit the zygote's memory."""

    grader: int  # its process
    seconds: float  # of the run
    slack: float  # and more
    provisional: str  # results to remove; "" for none
    temporary: str  # what the paths of the grader's temporary directories begin with

    def encoded(self) -> bytes:
        """Return it as it crosses."""
        return wire.encode(msgspec.to_builtins(self))


class Decoys(msgspec.Struct, frozen=True, kw_only=True):
    """What the attacks aim at."""

    uid: int  # of the grader
    grader: int  # its process
    secret: str
    readable: str
    report: str
    submission: str
    writable: str  # a directory in which everybody may make files
    hidden: tuple[str, ...]  # paths of the assignment that no submission may open
    memory: int  # bytes that a worker may have


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the self-test. The zygote does not read it: its workers inherit the zygote's memory."""

    decoys: Decoys
    confinement: Confinement

    def encoded(self) -> bytes:
        """Return it as it crosses."""
        return wire.encode(msgspec.to_builtins(self))


class Tried(msgspec.Struct, frozen=True, array_like=True):
    """One attack, tried by one process."""

    layer: str
    attack: str
    result: int  # 0 if it succeeded, -1 if nobody knows, else the errno with which it failed


class Findings(msgspec.Struct, frozen=True, array_like=True):
    """The self-test's answer. A process that did not answer has tried nothing."""

    mechanisms: tuple[str, ...] = ()  # that hold
    namespaces: tuple[str, ...] = ()  # that could be made, as worker/self_test.py names them
    control: tuple[Tried, ...] = ()
    worker: tuple[Tried, ...] = ()
