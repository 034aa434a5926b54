"""What a submission may import: the standard library, less the groups that cannot work in a worker.

`IMPORTABLE` is made from this Python's own list of its modules, so a newer Python brings what is new in it.
"""

from __future__ import annotations

import sys

# Reason → modules. A student reads the reason after the module's name.
EXCLUDED = {
    "it starts other processes, and a submission is graded in one alone": (
        *("subprocess", "multiprocessing", "pty", "pipes", "webbrowser", "antigravity"),
        *("_posixsubprocess", "_multiprocessing", "_posixshmem"),
        *("_interpreters", "_interpchannels", "_interpqueues", "_xxsubinterpreters", "_xxinterpchannels"),
    ),
    "it uses the network, and a submission is graded without one": (
        *("socket", "ssl", "socketserver", "asyncio", "asyncore", "asynchat", "ftplib", "poplib", "imaplib", "smtplib"),
        *("smtpd", "telnetlib", "nntplib", "xmlrpc", "wsgiref", "cgi", "cgitb", "nis", "_socket", "_ssl", "_asyncio"),
    ),
    "it reads memory past Python's own rules": ("ctypes", "_ctypes"),
    "it needs a screen or a sound card, and a submission is graded without": (
        *("tkinter", "_tkinter", "turtle", "turtledemo", "idlelib", "curses", "_curses", "_curses_panel", "readline"),
        *("_pyrepl", "ossaudiodev"),
    ),
    "it keeps data in files, and a submission is graded where it cannot write": ("dbm", "_dbm", "_gdbm", "shelve"),
    "it installs packages or converts old code": ("ensurepip", "venv", "distutils", "lib2to3"),
    "it is of another operating system, or of its administration": (
        *("winreg", "winsound", "msvcrt", "msilib", "nt", "spwd", "_msi", "_winapi", "_overlapped", "_scproxy", "_wmi"),
        *("_osx_support", "_aix_support", "_android_support", "_apple_support", "_ios_support"),
    ),
}
_REASONS = {name: reason for reason, names in EXCLUDED.items() for name in names}
IMPORTABLE = tuple(sorted(sys.stdlib_module_names - _REASONS.keys()))


def refusal(name: str) -> str:
    """Return why the top-level module `name` may not be imported, as the second half of a sentence."""
    if name in _REASONS:
        return _REASONS[name]
    if name in sys.stdlib_module_names:
        return "this homework does not allow it"
    return "this homework is written with Python's standard library alone"
