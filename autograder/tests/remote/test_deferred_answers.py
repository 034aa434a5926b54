"""What the configuration defers raises where the value is read, and an object stays the one it is."""

import pytest

from autograder.interface import RemoteInterface

from ..support.class_sides import near_module


def test_a_homework_that_defers_its_constructors_raises_when_a_value_is_read():
    deferring = RemoteInterface(file="classes.py", deferred=("constructors",))
    fraction = near_module(interface=deferring).Fraction(1, 0)
    with pytest.raises(ZeroDivisionError):
        _ = fraction.top


CLUBS = """
class Club:
    only = None

    def __new__(cls, *_):
        cls.only = cls.only or object.__new__(cls)
        return cls.only


class Member:
    def __init__(self, club):
        self.club = club
"""


def test_an_object_that_comes_back_is_the_one_that_the_test_has():
    clubs = near_module(CLUBS)
    club, other = clubs.Club(), clubs.Club()
    members = [clubs.Member(club) for _ in range(3)]

    assert other is club
    assert all(member.club is club for member in members)
    assert len({id(member) for member in members}) == 3
