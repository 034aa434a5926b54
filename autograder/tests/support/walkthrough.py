"""Does what a page of the documentation tells its reader to do, in a course's folder, and compares what is shown.

What counts stands between `<!-- walk -->` and `<!-- /walk -->`, block by block:

- `console`: each line that begins with `$ ` is run, in the folder that the last `cd` names; `# ends with 2` after it is
  its exit status, otherwise 0. The lines below it must be printed, in that order; `...` stands for any others, and for
  the rest of a line.
- `diff`: the first line names a file; the rest is an edit of it, applied where its lines stand.
- any other whose first line is a comment with a file's name: the file is written.
"""

import re
import subprocess
from pathlib import Path

_WALK = re.compile(r"<!-- walk -->\n(.*?)<!-- /walk -->", re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"# ([\w./-]+\.\w+)\n")


def walk(page, course, environment):
    """Do each step of the page in the folder `course`; return the commands that were run."""
    done = []
    for part in _WALK.findall(page.read_text("utf-8")):
        for language, text in _BLOCK.findall(part):
            named = _NAMED.match(text)
            if language == "console":
                for shown in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                    if shown.startswith("cd "):
                        course = course / shown.split()[1]
                    else:
                        done.append(run(shown, course, environment))
            elif language == "diff":
                edit(text, course)
            elif named:
                write(course / named[1], text)
    return done


def write(file, text):
    """Write a file; the first line, its name, is not part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.partition("\n")[2].lstrip("\n"), encoding="utf-8")


def run(shown, course, environment):
    """Run a command and compare what it prints with what the page shows below it."""
    line, *expected = shown.rstrip().splitlines()
    command, _, remark = line.partition("#")
    status = re.search(r"ends with (\d)", remark)
    answer = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=course,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert answer.returncode == int(status[1] if status else 0), f"{command}\n{answer.stdout}"
    printed = iter(answer.stdout.splitlines())
    for wanted in expected:
        if wanted.strip() != "...":
            assert any(matches(wanted, found) for found in printed), (
                f"{command}\nno line {wanted!r} in\n{answer.stdout}"
            )
    return command.strip()


def matches(wanted, found):
    """Return True if a printed line is the one that is shown; `...` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in wanted.strip().split("..."))
    return re.fullmatch(pattern, found.strip()) is not None


def edit(text, course):
    """Apply an edit: the lines without `+` must stand in the file once, and those without `-` take their place."""
    head, *lines = text.splitlines()
    file = course / head.split()[-1]
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    content = file.read_text("utf-8")
    assert content.count(old) == 1, f"{head}: {content.count(old)} times\n{old}"
    file.write_text(content.replace(old, new), encoding="utf-8")


def blocks(page: Path) -> int:
    """Return how many blocks the page lets its reader do."""
    return sum(len(_BLOCK.findall(part)) for part in _WALK.findall(page.read_text("utf-8")))
