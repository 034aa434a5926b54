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
    """Counts the submissions that are done, and shows their number."""

    def advance(self) -> None:
        """Count one more."""

    def say(self, text: str) -> None:
        """Print a line beside the bar."""


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """Give what shows the progress of `total` submissions on stderr."""
    if not sys.stderr.isatty():
        yield Lines(total)
        return
    started = time.monotonic()

    def rate(done: int | None) -> str:
        return f"{(done or 0) / max(time.monotonic() - started, 1e-9):.1f} a second"

    with click.progressbar(
        length=total, show_pos=True, item_show_func=rate, file=sys.stderr, update_min_steps=1
    ) as bar:
        yield Bar(bar.update)


class Lines:
    """Plain lines on stderr, for a log."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._started = self._shown = time.monotonic()

    def advance(self) -> None:
        """Count one more, and print a line every ten seconds and at the end."""
        self._done += 1
        now = time.monotonic()
        if now - self._shown >= _SECONDS or self._done == self._total:
            self._shown = now
            rate = self._done / max(now - self._started, 1e-9)
            left = (self._total - self._done) / rate
            self.say(f"{self._done:,} of {self._total:,} graded, {rate:.1f} a second, {_clock(left)} left")

    def say(self, text: str) -> None:
        """Print a line."""
        click.echo(text, err=True)


class Bar:
    """A bar on a terminal."""

    def __init__(self, update: Callable[[int, int], None]) -> None:
        self._update, self._done = update, 0

    def advance(self) -> None:
        """Count one more."""
        self._done += 1
        self._update(1, self._done)

    def say(self, text: str) -> None:
        """Print a line in place of the bar; the next submission draws the bar again, below it."""
        click.echo(f"\r\033[K{text}", err=True)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@contextmanager
def interruptible(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
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
