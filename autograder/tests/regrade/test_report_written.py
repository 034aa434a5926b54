"""Where the report is written, and what is said if it cannot be."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from autograder.commands.report import command
from autograder.errors import AutograderError
from autograder.regrade.records.class_report import CLASS, RECORDS, RUN
from autograder.regrade.report.page import write_report

from ..support.class_records import TESTS, A
from ..support.classes import KEY, class_of, member, record, result


@pytest.fixture
def out(tmp_path):
    """Return a directory as `autograder regrade` leaves it."""
    import msgspec

    report = class_of((member("a1", "Ada"), record("a1", result(A), possible=10.0)), of=TESTS)
    (tmp_path / RECORDS).mkdir()
    (tmp_path / RUN).write_bytes(msgspec.json.encode(report.run))
    (tmp_path / CLASS).write_bytes(msgspec.json.encode((report.members, {"a1": KEY})))
    (tmp_path / RECORDS / "a1.json").write_bytes(msgspec.json.encode(report.records["a1"]))
    return tmp_path


def test_the_report_is_written_into_the_directory_of_the_class(out):
    assert write_report(out) == out / "report.html"
    assert "1 of 1 submission graded." in (out / "report.html").read_text("utf-8")


def test_the_verb_writes_a_page_without_names_beside_the_other_and_prints_its_name(out):
    done = CliRunner().invoke(command, [str(out), "--anonymous"])
    assert (done.exit_code, done.stdout) == (0, f"{out / 'report-anonymous.html'}\n")
    assert "Ada" not in (out / "report-anonymous.html").read_text("utf-8")


def test_a_directory_without_a_class_is_refused(tmp_path):
    with pytest.raises(AutograderError, match=r"run\.json does not exist"):
        write_report(tmp_path)


def test_without_jinja_the_remedy_is_named(out):
    program = "import sys, pathlib\nsys.modules['jinja2'] = None\nfrom autograder.regrade.report import page\n"
    program += f"page.write_report(pathlib.Path({str(out)!r}))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install jinja2" in answer.stderr
