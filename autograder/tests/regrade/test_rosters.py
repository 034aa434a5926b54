"""A roster gives names to accounts."""

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.records.class_report import (
    OldResult,
    Submitter,
)
from autograder.regrade.sources.found import FoundSubmission
from autograder.regrade.sources.roster import with_roster

from ..support.table_rows import ADA


def named(tmp_path, text, *ids):
    (tmp_path / "roster.csv").write_text(text, "utf-8")
    return {
        each.id: each
        for each in with_roster([FoundSubmission(id=id_, parts=()) for id_ in ids], tmp_path / "roster.csv")
    }


def test_classrooms_roster_gives_names_to_accounts(tmp_path):
    text = (
        '"identifier","github_username","github_id","name"\n"ada@example.edu","ada","1","Ada Example"\n"x","","",""\n'
    )
    found = named(tmp_path, text, "ada", "b")
    assert found["ada"].submitters == (Submitter(name="Ada Example", email="ada@example.edu"),)
    assert found["b"].remarks == ("not in roster.csv",)


def test_the_members_of_a_team_share_its_repository(tmp_path):
    head = "github_username,roster_identifier,student_repository_name,points_awarded,group_name\n"
    found = named(tmp_path, head + "ada,0123,hw3-team-a,5,team-a\nb,0124,hw3-team-a,5,team-a\n", "team-a")
    assert [person.sid for person in found["team-a"].submitters] == ["0123", "0124"]
    assert found["team-a"].old == OldResult(score=5.0)


def test_any_table_of_ids_and_names_will_do(tmp_path):
    found = named(tmp_path, "id,name,sid,email\ns1,Ada Example,0123,ada@example.edu\n", "s1")
    assert found["s1"].submitters == (ADA,)


def test_a_roster_that_names_no_account_is_refused(tmp_path):
    with pytest.raises(AssignmentError, match="none of the columns"):
        named(tmp_path, "colour\nred\n", "s1")
