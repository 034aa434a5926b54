"""The standard library in one file: what a worker imports after it is confined, when it can open no file of Python's.

A submission's world is ordinary Python: whatever a module of the standard library imports, then or later, is there.
The file holds the bytecode of all its modules. It is mapped into the zygote's memory, and all workers share it; a page
that nobody imports from is never read. Shared libraries cannot be loaded from memory, so the zygote loads them before.

The importer is on `sys.meta_path` of a worker, where a submission may look at it: it holds the standard library alone.

Usage, to write the file to standard output (by sandbox/library_file.py only): python -I -S library.py
"""

from __future__ import annotations

import _frozen_importlib
import _frozen_importlib_external
import _imp
import marshal
import os
import sys

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, ModuleType
    from typing import Any, BinaryIO

_LENGTH = 8  # bytes of the number that the file begins with: how long the index after it is
_HEADER = 16  # bytes of a .pyc file before the code (PEP 552): magic number, flags, time and size of the source
# Folders: tests, screens, installers, and what is not of the standard library.
_LEFT_OUT = (
    *("test", "tests", "idlelib", "idle_test", "tkinter", "turtledemo", "lib2to3", "ensurepip", "venv", "msilib"),
    *("distutils", "lib-dynload", "site-packages", "dist-packages", "__pycache__"),
)
# Shared libraries that are slow to load, and that the library replaces by Python where they are not there; and those
# of screens, processes and databases, for which few have a use. Who imports by name what needs one gets it.
_ON_DEMAND = (
    *("_asyncio", "_decimal", "_pickle", "_elementtree", "_hashlib", "_zoneinfo", "_ssl", "_dbm", "_gdbm", "_tkinter"),
    *("_curses", "_curses_panel", "readline", "nis", "spwd", "ossaudiodev"),
    *("_interpreters", "_interpchannels", "_interpqueues"),
)
_OF_TESTS = ("_test", "_xx", "xx", "_ctypes_test")


class Library:
    """An importer of the standard library from the file that `write` wrote."""

    def __init__(self, data: memoryview) -> None:
        """Take the file's bytes. Raises ValueError if another Python wrote them."""
        length = int.from_bytes(data[:_LENGTH], "little")
        magic, self._index = marshal.loads(data[_LENGTH : _LENGTH + length])  # noqa: S302 - Python's own code
        if magic != _frozen_importlib_external.MAGIC_NUMBER:
            raise ValueError("the standard library's bytecode is of another Python")
        self._data = data[_LENGTH + length :]

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Return what the import system must know of a module; None if it is not of the standard library."""
        if name not in self._index:
            return None
        path, package, _, _ = self._index[name]
        spec = _frozen_importlib.ModuleSpec(name, self, origin=path, is_package=package)  # type: ignore[arg-type]
        if package:
            spec.submodule_search_locations = [os.path.dirname(path)]
        spec.has_location = True
        return spec

    def create_module(self, _spec: object) -> None:
        """Leave it to the import system to make the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code in it."""
        exec(self.get_code(module.__name__), vars(module))  # noqa: S102 - what an import is

    def get_code(self, name: str) -> CodeType:
        """Return a module's code."""
        path, _, start, size = self._index[name]
        code: CodeType = marshal.loads(self._data[start : start + size])  # noqa: S302 - Python's own code
        _imp._fix_co_filename(code, path)  # type: ignore[attr-defined]  # a Python that was moved has other paths in its bytecode
        return code

    def get_source(self, _name: str) -> None:
        """Return None: only bytecode is held."""

    def is_package(self, name: str) -> bool:
        """Return True if `name` may have submodules."""
        return bool(self._index[name][1])


def write(file: BinaryIO, directory: str) -> None:
    """Write the standard library of this interpreter, which lies in `directory`, to a file."""
    index: dict[str, tuple[str, bool, int, int]] = {}
    codes: list[bytes] = []
    start = 0
    for name, path, code in _modules(directory, ""):
        package = name.endswith(".__init__")
        index[name.removesuffix(".__init__")] = (path, package, start, len(code))
        codes.append(code)
        start += len(code)
    head = marshal.dumps((_frozen_importlib_external.MAGIC_NUMBER, index))
    file.writelines([len(head).to_bytes(_LENGTH, "little"), head, *codes])


def _modules(directory: str, package: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield name, path and marshalled code of each module in a directory, submodules too; sorted by name."""
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        stem, extension = os.path.splitext(entry.name)
        if extension == ".py" and entry.is_file():
            code = _bytecode(entry.path) or _compiled(entry.path)
            if code:
                yield package + stem, entry.path, code
        elif not extension and stem.isidentifier() and stem not in _LEFT_OUT and entry.is_dir():
            yield from _modules(entry.path, f"{package}{stem}.")


def _bytecode(source: str) -> bytes | None:
    """Return the code that is cached beside a source; None if there is none, or if it is older or of another Python."""
    try:
        with open(_frozen_importlib_external.cache_from_source(source), "rb") as file:
            data = file.read()
    except OSError:
        return None
    if data[:4] != _frozen_importlib_external.MAGIC_NUMBER:
        return None
    known = os.stat(source)
    dated = b"".join((int(number) & 0xFFFFFFFF).to_bytes(4, "little") for number in (known.st_mtime, known.st_size))
    by_hash = data[4] != 0  # of the source: who builds a Python in this way vouches for it
    return data[_HEADER:] if by_hash or data[8:_HEADER] == dated else None


def _compiled(source: str) -> bytes | None:
    """Return a module's code where none is cached, as in images that save space; None if it does not compile."""
    with open(source, "rb") as file:
        text = file.read()
    try:
        return marshal.dumps(compile(text, source, "exec", dont_inherit=True))
    except (SyntaxError, ValueError):
        return None


def load_shared_libraries() -> None:
    """Import the modules of the standard library that are shared libraries: a confined worker cannot load them.

    One that is not there, or lacks a library of the system, is as absent here as anywhere on this machine.
    """
    endings = tuple(_imp.extension_suffixes())
    for folder in [entry for entry in sys.path if os.path.basename(entry) == "lib-dynload"]:
        for name in sorted({file.partition(".")[0] for file in os.listdir(folder) if file.endswith(endings)}):
            if name not in _ON_DEMAND and not name.startswith(_OF_TESTS):
                try:
                    __import__(name)
                except ImportError:
                    continue


if __name__ == "__main__":
    write(sys.stdout.buffer, os.path.dirname(os.__file__))
