"""What the grader must know of one module that students write: which names, what they hold, and what is deferred."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import msgspec

from .wire import arrays

GIVEN = ("ask", "seed")  # fixtures of every test, beside one for each module
Declared = str | tuple[str, ...]  # what a function returns, as remote/declared.py reads it; several: a tuple of them
_KIND = r"(?:(?:list|dict) of )?(?:number|flag|text|nothing|array|object)"


class RemoteInterface(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the proxy needs to know of one module that students write."""

    file: str
    scored: bool = True
    numbers: tuple[str, ...] = ()  # attributes that must be an exact int or float
    # Queued, not waited for: methods that return a fresh object; the words operators, constructors, assignments.
    deferred: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()  # that it may import besides, each part that loads late by its whole name
    arrays: str = ""  # the package, one more of these, whose arrays may cross
    max_elements: int = 1 << 20  # of an array that comes back: what a test computes with it is up to its square
    classes: tuple[str, ...] = ()  # names that must be classes
    returns: dict[str, Declared] = {}  # names that must be functions, and what each of them returns

    @property
    def loaded(self) -> tuple[str, ...]:
        """Return the packages and parts of them to load before it is confined, without repetition."""
        return tuple(dict.fromkeys(filter(None, (self.arrays, *self.packages))))

    @property
    def importable(self) -> tuple[str, ...]:
        """Return the packages that it may import beside the standard library, by the name that `import` begins with."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.loaded))

    def problems(self, name: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield what is wrong with the interface of the module `name`: the path below its table, and why."""
        if name in GIVEN:
            yield (), f"a test gets `{name}` from the grader by itself; call the module something else"
        if not re.fullmatch(r"[^/\\]+\.py", self.file) or not self.file[:-3].isidentifier():
            yield (
                ("file",),
                f"file = {self.file!r}: write the name of one file that Python can import, such as {name}.py",
            )
        yield from self._problems_of_packages()
        for function, declared in self.returns.items():
            for kind in [declared] if isinstance(declared, str) else declared:
                if why := self._problem_of(kind):
                    yield ("returns", function), f"returns: {function} = {kind!r}: {why}"

    def _problems_of_packages(self) -> Iterator[tuple[tuple[str, ...], str]]:
        if self.arrays not in ("", arrays.PACKAGE):
            yield ("arrays",), f"arrays = {self.arrays!r}: the grader carries arrays of {arrays.PACKAGE} alone"
        for package in self.loaded:
            if not all(part.isidentifier() for part in package.split(".")):
                yield ("packages",), f"packages: {package!r} is not what `import` could be followed by"
            elif package.partition(".")[0] in sys.stdlib_module_names:
                yield ("packages",), f"packages: {package} is of the standard library: `imports` is about that"

    def _problem_of(self, kind: str) -> str:
        """Return why nothing can be declared to return `kind`; "" if it can."""
        if not re.fullmatch(rf"{_KIND}(?: *\| *{_KIND})*", kind):
            return (
                "write number, flag, text, nothing, array, object, `list of …` or `dict of …`, with | between "
                "alternatives"
            )
        return f'say whose arrays, as in arrays = "{arrays.PACKAGE}"' if "array" in kind and not self.arrays else ""
