"""A class of thousands needs the memory of a small one, and its pages open in a browser."""

import os
import subprocess
import sys

import msgspec
import pytest

from autograder.regrade.records.class_report import CLASS, RECORDS, RUN, Key
from autograder.regrade.report.page import ANONYMOUS, REPORT, class_page, write_report

from ..support.classes import KEY, class_of, large_class, member, record

pytestmark = pytest.mark.slow
PAGE_BYTES = 2_000_000
MEASURED = """
import gc, sys, tracemalloc
from pathlib import Path
from autograder.regrade.records.class_report import load_class
from autograder.regrade.records.tables import write_tables
from autograder.regrade.report.page import write_report

out = Path(sys.argv[1])
write_report(out)  # what is imported and compiled once
gc.collect()
gc.set_threshold(100)  # what waits to be collected is not needed
tracemalloc.start()
class_ = load_class(out)
write_tables(out, class_)
write_report(out)
print(tracemalloc.get_traced_memory()[1])
"""


@pytest.fixture
def kept(tmp_path):
    """Leave a class as `regrade` does, of so many submissions; return where."""

    def keep(size):
        out = tmp_path / str(size)
        (out / RECORDS).mkdir(parents=True)
        class_ = large_class(size)
        (out / RUN).write_bytes(msgspec.json.encode(class_.run))
        keys: dict[str, Key] = {one.id: KEY for one in class_.members}
        (out / CLASS).write_bytes(msgspec.json.encode((class_.members, keys)))
        for name, kept_record in class_.records.items():
            (out / RECORDS / f"{name}.json").write_bytes(msgspec.json.encode(kept_record))
        return out

    return keep


def peak(out):
    """Return the bytes that tables and report of a class need at most, in a process that holds nothing else."""
    fixed = {**os.environ, "PYTHONHASHSEED": "0"}
    measured = subprocess.run([sys.executable, "-c", MEASURED, out], env=fixed, stdout=subprocess.PIPE, check=True)
    return int(measured.stdout)


def test_the_memory_for_tables_and_report_does_not_grow_with_the_records(kept):
    small, large = kept(50), kept(550)
    per_submission = (peak(large) - peak(small)) / 500
    record = sum(file.stat().st_size for file in (large / RECORDS).iterdir()) / 550
    assert per_submission < record  # who handed in, and a row on the page; never what each test said


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_report_of_five_thousand_is_a_page_that_opens(kept, anonymous):
    out = kept(5000)
    write_report(out, anonymous=anonymous)
    assert (out / (ANONYMOUS if anonymous else REPORT)).stat().st_size < PAGE_BYTES


def test_reasons_names_and_programs_that_all_differ_do_not_swell_the_page():
    pairs = []
    for number in range(4000):
        who = member(f"s{number}", "x" * 4000)
        odd = {"imported": False, "import_problem": f"hand in engine.py, not {number}.py " * 9}
        kept = {"problem": f"{number} " * 400, "score": None} if number % 2 else odd
        pairs.append((who, record(who.id, source=f"{number // 3}", **kept)))
    assert len(class_page(class_of(*pairs)).encode()) < PAGE_BYTES
