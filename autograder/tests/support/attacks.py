"""The attacks of hostile/: what each does, to which engine, and what it may cost.

A file there holds an attack alone, below a header of comments:

    # threat 24: leaves by sys.exit while it computes     the number in the list of threats, and what it does
    # engine: wrong                                       "right" if not said; "wrong" earns 40 of 60 points
    # expects: fails tanh                                 see Attack.expects
    # says: ended                                         what a failing public test tells the student
    # flag: The wire was broken                           what staff are told besides
    # needs: strong                                       the level of isolation below which it may succeed

The engine is the six tests' own solution; the attack follows it, in the same file, or stands before it
(`# place: before`), or has the file to itself (`# place: alone`). A line `# file: NAME` begins another file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.model import Level

HOSTILE = Path(__file__).parents[1] / "hostile"
ASSIGNMENT = HOSTILE / "assignment"
RIGHT = (ASSIGNMENT / "solution/engine.py").read_text("utf-8")
WRONG = RIGHT.replace("parent.grad += ", "parent.grad = ")  # what is used twice keeps one gradient


@dataclass(frozen=True)
class Attack:
    """One hostile submission."""

    name: str
    threats: tuple[int, ...]
    text: str
    files: dict[str, str]
    engine: str = "right"
    place: str = "after"
    expects: str = "immune"  # "fails tanh exp" (functions, in both suites), "fails all", "no import" or "refused"
    says: str = ""
    flag: str = ""
    needs: Level = Level.PROCESS

    def written_to(self, directory: Path) -> Path:
        """Write the submission into a new folder of `directory`; return the folder."""
        folder = directory / self.name
        for name, text in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return folder

    def failing(self, tests: list[str]) -> set[str]:
        """Return which of `tests` the attack may cost."""
        if self.expects in ("fails all", "no import", "refused"):
            return set(tests)
        named = {f"test_{word}" for word in self.expects.split()[1:]}
        if self.engine == "wrong":
            named |= {"test_reuse", "test_product"}
        return {test for test in tests if test.partition("::")[2] in named}


def attack(file: Path) -> Attack:
    """Return the attack that a file of hostile/ holds."""
    first, *others = re.split(r"^# file: (\S+)\n", file.read_text("utf-8"), flags=re.MULTILINE)
    header = dict(re.findall(r"^# ([a-z]+): (.+)$", first, re.MULTILINE))
    numbers, text = re.findall(r"^# threats? ([\d, ]+): (.+)$", first, re.MULTILINE)[0]
    engine = {"right": RIGHT, "wrong": WRONG}[header.get("engine", "right")]
    place = header.get("place", "after")
    parts = {"after": [engine, first], "before": [first, engine], "alone": [first]}[place]
    return Attack(
        name=file.stem,
        threats=tuple(map(int, numbers.split(","))),
        text=text,
        files={"engine.py": "\n".join(parts), **dict(zip(others[::2], others[1::2], strict=True))},
        engine=header.get("engine", "right"),
        place=place,
        expects=header.get("expects", "immune"),
        says=header.get("says", ""),
        flag=header.get("flag", ""),
        needs=Level[header.get("needs", "process").upper()],
    )


ATTACKS = [attack(file) for file in sorted(HOSTILE.glob("t*.py"))]
