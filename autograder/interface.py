"""What the grader must know of one module that students write: which names, what they hold, and what is deferred."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

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
    arrays: bool = False  # NumPy arrays may cross
    max_elements: int = 1 << 20  # of an array that comes back: what a test computes with it is up to its square
    classes: tuple[str, ...] = ()  # names that must be classes
    returns: dict[str, Declared] = {}  # names that must be functions, and what each of them returns

    def problems(self, name: str) -> Iterator[str]:
        """Yield what is wrong with the interface of the module `name`, as a student's file and as a test's fixture."""
        if name in GIVEN:
            yield f"modules.{name}: a test gets `{name}` from the grader by itself; call the module something else"
        for function, declared in self.returns.items():
            for kind in [declared] if isinstance(declared, str) else declared:
                if not re.fullmatch(rf"{_KIND}(?: *\| *{_KIND})*", kind):
                    yield (
                        f"modules.{name}.returns: {function} = {kind!r}: write number, flag, text, nothing, array, "
                        "object, `list of …` or `dict of …`, with | between alternatives"
                    )
