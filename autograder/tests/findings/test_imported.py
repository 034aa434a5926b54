"""Why a submission could not be imported has a name and a sentence, in any homework."""

import pytest

from autograder.errors import RemoteError, WorkerCrash, WorkerTimeout
from autograder.findings.imported import WORDINGS, why_not_imported


@pytest.mark.parametrize(
    ("problem", "code", "subject"),
    [
        (WorkerTimeout(""), "import-too-long", ""),
        (WorkerCrash(""), "import-crashed", ""),
        (RemoteError("SyntaxError", "SyntaxError", "'(' was never closed", ()), "syntax", ""),
        (RemoteError("ImportError", "RefusedImport", "torch", ()), "import-not-allowed", "torch"),
        (RemoteError("NameError", "NameError", "name 'math' is not defined", ()), "module-not-imported", "math"),
        (
            RemoteError("NameError", "NameError", "name 'Value' is not defined", (("engine.py", 3, "Value"),)),
            "names-itself",
            "",
        ),
        (RemoteError("ValueError", "ValueError", "no", ()), "import-fails", ""),
    ],
)
def test_why_an_import_failed_is_named(problem, code, subject):
    found = why_not_imported(problem)
    assert (found.code, found.subject) == (code, subject)


def test_the_sentence_names_what_it_is_about():
    found = why_not_imported(RemoteError("ImportError", "RefusedImport", "torch", ()))
    assert found.sentence == "The file imports `torch`, which is not there when it is graded."


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS)
def test_a_sentence_without_what_it_is_about_is_whole(wording):
    assert "{" not in wording.of([])
    assert wording.of(["torch"]).replace("`torch`", "").endswith(".")


def test_it_points_to_the_section_that_the_configuration_names():
    assert why_not_imported(WorkerTimeout(""), section="pitfall-importing").section == "pitfall-importing"
    assert why_not_imported(WorkerTimeout("")).section == ""
