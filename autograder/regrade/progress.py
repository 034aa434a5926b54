"""How far a run is, at what rate, and how long it will take: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_SECONDS = 10.0  # between two lines where there is no terminal


class Progress(Protocol):
    """Told of each submission that is done."""

    def advance(self) -> None:
        """Count one more."""

    def say(self, text: str) -> None:
        """Print a line beside the bar."""


class Lines:
    """Plain lines on stderr, for a log."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._started = self._told = time.monotonic()

    def advance(self) -> None:
        """Count one more, and tell now and then."""
        self._done += 1
        now = time.monotonic()
        if now - self._told >= _SECONDS or self._done == self._total:
            self._told = now
            rate = self._done / max(now - self._started, 1e-9)
            left = (self._total - self._done) / rate
            self.say(f"{self._done:,} of {self._total:,} graded, {rate:.1f} a second, {_clock(left)} left")

    def say(self, text: str) -> None:
        """Print a line."""
        click.echo(text, err=True)


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """Give what shows the progress of `total` submissions."""
    if not sys.stderr.isatty():
        yield Lines(total)
        return
    try:
        from rich import progress as bars
        from rich.console import Console
    except ImportError:  # part of the extra `staff`
        yield Lines(total)
        return
    columns = (
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True)) as bar:
        yield Bar(bar, bar.add_task("grading", total=total, rate=""))


class Bar:
    """A bar on a terminal."""

    def __init__(self, bar: RichProgress, task: TaskID) -> None:
        self._bar, self._task, self._done, self._started = bar, task, 0, time.monotonic()

    def advance(self) -> None:
        """Count one more."""
        self._done += 1
        rate = self._done / max(time.monotonic() - self._started, 1e-9)
        self._bar.update(self._task, advance=1, rate=f"{rate:.1f} a second")

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
