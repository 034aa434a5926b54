"""How far a run is, at what rate, and how long it will take: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click

_SECONDS = 10.0  # between two lines where there is no terminal


class Progress(Protocol):
    """Counts the submissions that are done, and shows their number, from the start of the graders on."""

    def begin(self, done: int) -> None:
        """Note that grading begins, and that so many are done already: they do not count for the rate."""

    def advance(self) -> None:
        """Count one more."""


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """Give what shows the progress of `total` submissions on stderr; it is seen at once."""
    if not sys.stderr.isatty():
        yield Lines(total)
        return
    pace = _Pace(total)
    with click.progressbar(
        length=total,
        show_pos=True,
        show_eta=False,  # of its own; it would count those that are done already
        item_show_func=pace.of_bar,
        file=sys.stderr,
        update_min_steps=1,
    ) as bar:
        yield Bar(pace, bar.update)


def say(text: str) -> None:
    """Print a line on stderr; on a terminal in place of the bar, which the next submission draws again below it."""
    click.echo(f"\r\033[K{text}" if sys.stderr.isatty() else text, err=True)


@contextmanager
def said_if_slow(text: str, seconds: float = 1.0) -> Iterator[None]:
    """Print `text` if what happens here takes longer than a second, so that nobody waits before a silent terminal."""
    timer = threading.Timer(seconds, say, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _Pace:
    """How many are done, at what rate, and how long the rest will take."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self._kept = total, 0, 0
        self._started: float | None = None  # None while the graders start

    def begin(self, done: int) -> None:
        self.done = self._kept = done
        self._started = time.monotonic()

    def of_bar(self, _: int | None) -> str:
        return self.in_words()

    def in_words(self) -> str:
        """Return the rate and the time that is left, or that the graders start."""
        if self._started is None:
            return "the graders start"
        graded = self.done - self._kept
        if not graded:
            return ""
        rate = graded / max(time.monotonic() - self._started, 1e-9)
        return f"{rate:.1f} a second, {_clock((self.total - self.done) / rate)} left"


class Lines:
    """Plain lines on stderr, for a log."""

    def __init__(self, total: int) -> None:
        """Print the first line."""
        self._pace, self._shown = _Pace(total), time.monotonic()
        self._print()

    def begin(self, done: int) -> None:
        """See Progress."""
        self._pace.begin(done)

    def advance(self) -> None:
        """Count one more, and print a line every ten seconds and at the end."""
        self._pace.done += 1
        now = time.monotonic()
        if now - self._shown >= _SECONDS or self._pace.done == self._pace.total:
            self._shown = now
            self._print()

    def _print(self) -> None:
        say(f"{self._pace.done:,} of {self._pace.total:,} graded, {self._pace.in_words()}")


class Bar:
    """A bar on a terminal."""

    def __init__(self, pace: _Pace, update: Callable[[int, int], None]) -> None:
        self._pace, self._update = pace, update

    def begin(self, done: int) -> None:
        """See Progress."""
        self._pace.begin(done)
        self._update(done, done)

    def advance(self) -> None:
        """Count one more."""
        self._pace.done += 1
        self._update(1, self._pace.done)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C finish what is under way, and the second end at once."""

    def finish(number: int, _frame: object) -> None:
        signal.signal(number, signal.default_int_handler)
        stop()
        say("Finishing what is under way; Ctrl-C again ends at once. The same command goes on from here.")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.signal(number, finish) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
