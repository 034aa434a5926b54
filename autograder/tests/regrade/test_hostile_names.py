"""What students and rosters are called reaches a terminal, a table or a page as visible text, and as no formula.

Names hold an escape sequence, a mark that turns the direction of text, characters that cannot be seen, and a formula
after every separator. Everything that `regrade` says and writes is searched for them.
"""

import csv
import io
import re
import unicodedata
import zipfile

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.errors import AutograderError
from autograder.regrade.coordinator import chosen
from autograder.regrade.sources.found import identity
from autograder.regrade.sources.kinds import SourceKind
from autograder.regrade.sources.recognition import recognise_class

from ..support.course import make_course
from ..support.exports import RIGHT, WRONG, write_folder, write_zip

ESCAPES = "\x1b[2J\x1b]0;title\x07\x9b31m\r\x08\nforged"
UNSEEN = "\u202e\u2066\u200b\u00ad\ufeff\u3164\u034f\ufe0f\U000e0041"
FORMULAS = [
    *("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"),
    *("\ufe661", "\ufe621", "\ufe631", "\ufe6bA", "\u207c1", "\u207a1", "\u207b1"),
]
SEPARATORS = ["", ";", "; ", "|", "\t", "\n", "\r\n", ",", '"', ";\u00a0", ";\u3000"]
NAME = "Ada" + ESCAPES + UNSEEN
FORMULA_NAMES = [f"{separator}{formula}" for separator in SEPARATORS for formula in FORMULAS]


def unsafe(text):
    """Return the characters of a text that move a cursor, turn its direction or cannot be seen."""
    allowed = {"\n", "\t"}
    return {c for c in text if (unicodedata.category(c) in {"Cc", "Cf", "Cs"} or c in UNSEEN) and c not in allowed}


def formulas(text, separator):
    """Return the cells of a table that a spreadsheet that splits at `separator` would take for a formula."""
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    pattern = re.compile(r"[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b]")
    return [cell for row in rows for cell in row if pattern.match(cell) and not re.fullmatch(r"-?[\d.]+", cell)]


def metadata():
    """Return the metadata of an export of two groups whose members have every hostile name."""
    people = "".join(
        f"  - :name: {_quoted(NAME + name)}\n    :sid: {_quoted(name)}\n    :email: {_quoted(name)}\n"
        for name in FORMULA_NAMES
    )
    return f"---\nsubmission_1:\n  :submitters:\n{people}  :score: 1.0\nsubmission_2:\n  :submitters:\n{people}"


def _quoted(text):
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\U{ord(c):08x}" for c in text) + '"'


def strange(name):
    """Return a name that a file can have on disk."""
    return name.replace("/", "")


FOLDERS = {
    f"{strange(NAME)}/doubling.py": RIGHT,
    f"{strange(NAME)}/=1;=2{strange(NAME)}.py": RIGHT,
    f"{strange(NAME)}/old{strange(NAME)}.pyc": RIGHT,
    f"=1+1;=2{UNSEEN}/Doubling{strange(UNSEEN)}.py": WRONG,
    f"@b{strange(ESCAPES)}/empty.txt": "",
    "raises/doubling.py": f"raise ValueError({NAME!r} + ';=1+1')\n",
    "prints/doubling.py": f"print({NAME!r} + ';=1+1')\n" + WRONG,
    f"=ignored;=1{strange(NAME)}.docx": "",
}
EXPORT = {
    "assignment_1_export/submission_metadata.yml": metadata(),
    "assignment_1_export/submission_1/doubling.py": RIGHT,
    "assignment_1_export/submission_2/notes.txt": WRONG,
    f"assignment_1_export/{strange(NAME)}.txt": "",
}
ROSTER = "id,name,sid,email\n" + f'prints,"{NAME};=1","=1+1","@x"\n'


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Grade both classes once; return everything that was said and written, by name."""
    root = tmp_path_factory.mktemp("hostile")
    course, found = make_course(root / "course").root, {}
    (root / "roster.csv").write_text(ROSTER, "utf-8")
    for name, source, options in (
        ("folders", write_folder(root / "class", FOLDERS), ["--roster", str(root / "roster.csv")]),
        ("export", write_zip(root / "assignment_1_export.zip", EXPORT), []),
    ):
        out = root / f"out-{name}"
        answer = CliRunner().invoke(
            main, ["regrade", str(source), "--out", str(out), "--root", str(course), "--feedback", *options]
        )
        found[f"{name}: said"] = answer.output
        for file in sorted(file for file in out.rglob("*") if file.is_file()):
            found[f"{name}: {file.relative_to(out)}"] = file.read_text("utf-8")
    return found


@pytest.mark.slow
def test_nothing_that_is_said_or_written_moves_a_cursor_or_cannot_be_seen(outputs):
    shown = {name: text for name, text in outputs.items() if not name.endswith(": class.json")}  # names as data
    assert len(shown) > 20
    assert {name: unsafe(text) for name, text in shown.items() if unsafe(text)} == {}
    assert {name for name in outputs if unsafe(name)} == set()
    assert {name for name, text in shown.items() if re.search("^forged", text, re.MULTILINE)} == set()


@pytest.mark.slow
@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_no_cell_of_any_table_is_a_formula(outputs, separator):
    tables = {name: text for name, text in outputs.items() if name.endswith(".csv")}
    assert len(tables) >= 5
    assert {name: found for name, text in tables.items() if (found := formulas(text, separator))} == {}


def test_the_names_would_do_harm_as_they_are():  # the control
    assert unsafe(NAME) >= {"\x1b", "\u202e", "\u200b", "\u3164"}
    for separator in ";|\t":
        assert formulas("\n".join(f"x{name}" for name in FORMULA_NAMES), separator)


@pytest.mark.parametrize("character", ["\u3164", "\u115f", "\u1160", "\uffa0"])
def test_an_id_holds_no_letter_that_cannot_be_seen(character):
    assert identity(f"ada{character}") == "ada"
    assert identity(f"a{character}da") == "a_da"


HOSTILE_SOURCES = {
    "a class or a student": {f"a{NAME}/s1/doubling.py": RIGHT, f"a{NAME}/s2/doubling.py": RIGHT},
    "two names": {f"ada{NAME}_111_5000_doubling.py": RIGHT, f"bob{NAME}_111_999_doubling.py": RIGHT},
    "nothing": {f"{NAME}.docx": ""},
    "several attempts": {f"1-{n}{NAME}/doubling.py": RIGHT for n in range(3)},
    "a class in a class": {f"{n}{NAME}/s{m}/doubling.py": RIGHT for n in range(2) for m in range(2)},
    "an export": {"submission_metadata.yml": f"submission_1{NAME}:\n  a: [\n", "submission_1/doubling.py": RIGHT},
}


@pytest.mark.parametrize("case", HOSTILE_SOURCES)
@pytest.mark.parametrize("kind", [None, *SourceKind], ids=lambda kind: kind.value if kind else "any")
@pytest.mark.parametrize("source", ["source", f"s{NAME}"], ids=["source", "hostile"])
def test_no_message_about_a_source_holds_what_a_terminal_obeys(tmp_path, assignment, case, kind, source):
    place = write_folder(tmp_path / strange(source), HOSTILE_SOURCES[case])
    said = list[str]()
    try:
        class_ = recognise_class([place], assignment, kind=kind)
        said += class_.remarks
        chosen([each.found.member for each in class_.placed], [NAME])
    except AutograderError as problem:
        said.append(str(problem))
    assert said
    assert [text for text in said if unsafe(text) or "\nforged" in text] == []


def test_no_error_of_ours_reaches_a_terminal_as_it_is(monkeypatch):
    def fail(*_args, **_options):
        raise AutograderError(f"{ESCAPES}\u202e")

    monkeypatch.setattr("autograder.commands.validate.command.callback", fail)
    answer = CliRunner().invoke(main, ["validate", __file__])
    assert answer.exit_code == 3
    assert unsafe(answer.output) == set()


def test_a_members_name_in_a_zip_is_as_harmless_as_a_files(tmp_path, assignment):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(f"{NAME}.docx", "")
    with pytest.raises(AutograderError) as problem:
        recognise_class([tmp_path / "class.zip"], assignment)
    assert unsafe(str(problem.value)) == set()
