"""Exports as learning management systems give them, made for tests: zips and folders of tiny submissions."""

from __future__ import annotations

import zipfile
from pathlib import Path

RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return 3 * x\n"

METADATA = """---
submission_{first}:
  :submitters:
  - :name: Ada Example
    :sid: 06758767
    :email: ada@example.edu
  - :name: '=2+5'
    :sid: ''
    :email: second@example.edu
  :created_at: 2026-12-02 02:52:07.938335000 Z
  :score: 1.0
  :status: processed
  :results:
    score: 1.0
    tests:
    - name: double
      score: 0.0
      max_score: 2.0
      output: |-
        A block that holds what looks like a key:
          :history: nothing

        submission_1:
    - name: double of a negative
      score: 1.0
      extra_data:
    output:
    extra_data:
  :history:
  - :submitters: []
    :score: 0.0
    :results:
      output: |-
        submission_7 is named here
    :id: 216688425
submission_{second}:
  :submitters:
  - :name: Third Example
    :sid: "77"
    :email: third@example.edu
  :score:
  :status: processed
submission_3:
  :submitters: []
  :score: 0.0
"""


def gradescope_files(first: str = RIGHT, second: str = WRONG) -> dict[str, str]:
    """Return the files of an export of two submissions, one of them a group's."""
    return {
        "assignment_8046601_export/submission_metadata.yml": METADATA.format(first=216975964, second=9),
        "assignment_8046601_export/submission_216975964/doubling.py": first,
        "assignment_8046601_export/submission_9/homework/doubling.py": second,
        "__MACOSX/assignment_8046601_export/._submission_9": "",
        "assignment_8046601_export/.DS_Store": "",
    }


def write_zip(path: Path, files: dict[str, str]) -> Path:
    """Write a zip of text files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def write_folder(path: Path, files: dict[str, str]) -> Path:
    """Write text files below a folder."""
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, "utf-8")
    return path
