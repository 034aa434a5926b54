"""Given: which imports the grader refuses, so that `pytest` at home refuses them too."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

# Reason → modules: the grader's own list.
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


def refused_import(file: Path) -> str:  # given
    """Return one line on the first import of `file` that the grader refuses, or "" if it refuses none.

    Only imports that always run count: one inside a function, a `try` or an `if` may never be reached.
    """
    for node in ast.parse(file.read_bytes()).body:
        for name in imported(node):
            reason = refusal(name, file.parent)
            if reason:
                return f"{file.name}, line {node.lineno}: the grader refuses to import {name}: {reason}."
    return ""


def imported(node: ast.stmt) -> list[str]:  # given
    """Return the top-level modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module.partition(".")[0]]
    return []


def refusal(name: str, folder: Path) -> str:  # given
    """Return why a submission may not import `name`, or "" if it may: a file or folder beside it is its own."""
    for reason, names in EXCLUDED.items():
        if name in names:
            return reason
    if name in sys.stdlib_module_names or (folder / f"{name}.py").is_file() or (folder / name).is_dir():
        return ""
    return "this homework is written with Python's standard library alone"
