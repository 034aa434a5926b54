"""Files as they are handed in, and what was said of them when they were taken in."""

import io
import zipfile
from pathlib import Path

ENGINE = b"class Value:\n    pass\n"
OTHER = b"class Other:\n    pass\n"


def folder(root: Path, files: dict[str, bytes]) -> Path:
    root.mkdir()
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        for path, data in files.items():
            made.writestr(path, data)
    return stream.getvalue()


def engine(submission) -> bytes:
    return (submission.directory / "engine.py").read_bytes()


def titles(submission) -> str:
    return "\n".join(note.title for note in submission.notes)


def said(submission) -> str:
    return "\n".join(f"{note.title}: {note.text}" for note in submission.notes)


def flagged(submission) -> str:
    return "\n".join(f"{flag.title}: {flag.text}" for flag in submission.flags)
