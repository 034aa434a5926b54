"""User ids come from where nobody is, and two graders never share one."""

import subprocess

import pytest

from autograder.sandbox import users

from ..support.levels import needs_linux, needs_root


def reserved():
    block = users.reserve_users()
    assert block is not None
    return block


@pytest.mark.parametrize(
    ("mapped", "found"),
    [
        (range(4294967295), (0x70000000, 0x80000000)),
        (range(65536), (20_000, 60_000)),
        (range(1), None),
        (range(500), None),
    ],
)
def test_ids_come_from_where_nobody_is(mapped, found):
    assert users.unused_range([mapped], [mapped]) == found


def test_an_id_must_be_mapped_for_users_and_for_groups():
    assert users.unused_range([range(4294967295)], [range(1)]) is None


@needs_linux
@needs_root
def test_two_graders_never_share_an_id():
    one, other = reserved(), reserved()
    assert not {one.next() for _ in range(users.BLOCK)} & {other.next() for _ in range(users.BLOCK)}
    one.close()
    other.close()


@needs_linux
@needs_root
def test_a_block_that_is_taken_is_not_given_again(monkeypatch):
    one_block = (1 << 29, (1 << 29) + users.BLOCK)
    monkeypatch.setattr(users, "unused_range", lambda *_: one_block)
    block = reserved()
    assert users.reserve_users() is None
    block.close()
    reserved().close()


@needs_linux
@needs_root
def test_a_block_with_a_running_process_is_not_given(monkeypatch):
    first = 1 << 28
    monkeypatch.setattr(users, "unused_range", lambda *_: (first, first + users.BLOCK))
    with subprocess.Popen(["sleep", "60"], user=first + 7) as running:
        assert users.reserve_users() is None
        running.kill()
    reserved().close()
