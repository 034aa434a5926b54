"""What the grader asks of the zygote, as it arrives: dictionaries of plain values, each described by a type here.

Type checkers alone import this module: `typing` would cost every worker 8 ms. sandbox/commands.py has the other end.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Confinement(TypedDict):
    """The layers to apply to one worker."""

    directory: str
    mechanisms: list[str]  # of confinement.py, by name
    limits: dict[str, int]  # by the name of the resource
    insist: bool  # on every mechanism: without it, what fails is left out
    uid: int | None  # for the mechanism "user"


class Begin(TypedDict):
    """Let a copy of the zygote carry out what follows."""

    do: Literal["begin"]


class Finish(TypedDict):
    """End the copy."""

    do: Literal["finish"]


class Preload(TypedDict):
    """Import modules for the workers to come."""

    do: Literal["preload"]
    modules: list[str]
    beside: list[str]  # directories to find them in, beside the standard library's


class Spawn(TypedDict):
    """Start a worker. Four descriptors come along: requests, replies, output, progress."""

    do: Literal["spawn"]
    files: list[str]
    imports: list[str]
    packages: dict[str, list[str]]  # that a module of the submission may import besides, by its name
    confinement: Confinement


class End(TypedDict):
    """Kill a worker, and whatever runs as `uid` unless that is 0."""

    do: Literal["end"]
    pid: int
    uid: int


class SelfTest(TypedDict):
    """Try the attacks. A descriptor of an encoded `Trial` comes along, and then the four of `Spawn`."""

    do: Literal["self_test"]
    namespaces: bool  # to be tried


class Watch(TypedDict):
    """Watch over the grader. A pipe with an encoded `WatchOrder` comes along, and the journal of the run."""

    do: Literal["watch"]


Command = Begin | Finish | Preload | Spawn | End | SelfTest | Watch


class WatchOrder(TypedDict):
    """Whom to end, and when."""

    grader: int  # its process
    seconds: float  # of the run
    slack: float  # and more
    provisional: str  # results to remove; "" for none
    temporary: str  # what the paths of the grader's temporary directories begin with


class Decoys(TypedDict):
    """What the attacks aim at, as the grader has laid it out."""

    uid: int  # of the grader
    grader: int  # its process
    secret: str
    readable: str
    report: str
    submission: str
    writable: str  # a directory in which everybody may make files
    hidden: list[str]  # paths of the assignment that no submission may open
    memory: int  # bytes that a worker may have


class Targets(Decoys):
    """The decoys, and what the control has added to them."""

    tcp: int
    udp: int
    abstract: str
    process: int


class Trial(TypedDict):
    """One run of the self-test."""

    decoys: Decoys
    confinement: Confinement
