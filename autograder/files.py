"""Files that are whole or not there: whoever reads one finds the old content or the new, whenever the writer dies."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

# Names that Windows keeps for devices, whatever follows after a dot; the last three digits are superscripts.
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
_MOST_BYTES = 100  # of a folder's name: with the paths inside it, some systems end at 260 characters


def folder_name_problem(name: str) -> str:
    """Return why a folder cannot be called `name` on every system, as the second half of a sentence; "" if it can."""
    odd = re.search(r'[<>:"/\\|?*\x00-\x1f\x7f]', name)
    if odd:
        return f"holds {odd[0]!r}, which Windows allows in no name"
    first, last = name[:1], name[-1:]
    reasons = {
        "is empty": not name.strip(),
        "begins or ends with a blank, or ends with a dot, which Windows drops": last in ". " or first == " ",
        f"begins with {first!r}, which a shell takes for something else": first in "-~",
        "is the name of a device on Windows": is_device(name),
        f"is longer than {_MOST_BYTES} bytes": len(name.encode()) > _MOST_BYTES,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def is_device(name: str) -> bool:
    """Return True if Windows keeps `name` for a device, in every folder and with every suffix."""
    return bool(_DEVICE.fullmatch(name))


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step; after any error the old file stays, and nothing beside it.

    Raises OSError if the disk is full or the directory cannot be written.
    """
    with whole_file(path) as file:
        file.write(data)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write that takes the place of `path` at the end; after any error the old file stays.

    Raises OSError if the disk is full or the directory cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)  # mkstemp gives 0600; who reads it need not be who wrote it
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Make a rename or a removal in `directory` survive a power cut, where the system can."""
    with contextlib.suppress(OSError):  # Windows opens no directory, some file systems sync none
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
