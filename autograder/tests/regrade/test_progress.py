"""Staff see how far a class is: a bar on a terminal, lines in a log."""

import os
import pty
import subprocess
import sys
import threading

from autograder.regrade.progress import said_if_slow

PROGRAM = """
import time
from autograder.regrade.progress import progress, say
with progress(5) as shown:
    time.sleep(0.2)
    shown.begin(2)
    for number in range(3):
        shown.advance()
        if number == 1:
            say("Finishing what is under way")
"""


def on_a_terminal():
    """Return what the program draws on a terminal of its own."""
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", PROGRAM], stderr=theirs, check=True, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    return drawn


def test_on_a_terminal_a_bar_counts_to_the_end():
    drawn = on_a_terminal()
    assert all(f"{number}/5" in drawn for number in range(2, 6))
    assert drawn.rindex("5/5") > drawn.rindex("4/5")


def test_on_a_terminal_the_bar_is_there_while_the_graders_start():
    drawn = on_a_terminal()
    assert "0/5" in drawn
    assert "the graders start" in drawn[: drawn.index("2/5")]


def test_a_remark_on_a_terminal_has_a_line_of_its_own():
    assert "\r\x1b[KFinishing what is under way\r\n" in on_a_terminal()


def test_elsewhere_the_end_is_a_line_and_nothing_is_drawn():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    start, remark, end = done.stderr.splitlines()
    assert start == "0 of 5 graded, the graders start"
    assert remark == "Finishing what is under way"
    assert end.startswith("5 of 5 graded, ")


def test_what_takes_long_is_said(capsys):
    with said_if_slow("reading", seconds=0.01):
        (timer,) = timers()
        timer.join()
    assert capsys.readouterr().err == "reading\n"


def test_what_does_not_take_long_is_not_said_then_or_later(capsys):
    with said_if_slow("reading", seconds=3600):
        (timer,) = timers()
    timer.join(60)
    assert not timer.is_alive()  # it ended without its hour
    assert capsys.readouterr().err == ""


def timers():
    return [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
