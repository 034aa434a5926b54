"""Says no to imports that the assignment does not allow, in words that the student can act on."""

from __future__ import annotations

import builtins

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class RefusedImport(ModuleNotFoundError):
    """An import of a module that the assignment does not allow. Its message is the module's name."""


def guard_imports(allowed: Iterable[str], own: Iterable[str], packages: Mapping[str, Sequence[str]]) -> None:
    """Make imports outside `allowed` and the submission's `own` modules fail with a RefusedImport.

    A module named in `packages` may import those packages too. It serves the student's understanding, not security:
    what must not be reached is not there.
    """
    original, own = builtins.__import__, frozenset(own)
    permitted = frozenset(allowed) | own | {"__future__"}  # a directive to the compiler, spelt as an import

    def guarded(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        importer = str((globals or {}).get("__name__", "")).partition(".")[0]
        top = name.partition(".")[0]
        foreign = level == 0 and top not in permitted and top not in packages.get(importer, ())
        # What Python itself imports for a function written in C, such as time.strptime, comes with an empty list.
        if foreign and importer in own and fromlist != []:
            raise RefusedImport(top)
        return original(name, globals, locals, fromlist, level)

    builtins.__import__ = guarded
