"""Computed values that are used again, so that the order of the backward pass matters. Part 2 of the handout."""

import pytest
from oracle import Draw, agree, expected, measured
from programs import (
    DIFFERENCES_AND_QUOTIENTS,
    EVERYTHING,
    EXP,
    NUMBERS_ON_THE_RIGHT,
    POWERS,
    RELU,
    SUMS_AND_PRODUCTS,
    TANH,
    programs,
    trees,
)
from pytest import param

pytestmark = [
    pytest.mark.task(id="2.1"),
    pytest.mark.hint(
        "A computed value is used more than once here: its gradient may be passed on only when all its uses have added "
        "their share, and then only once."
    ),
]


def square_of_a_square(a):
    b = a * a
    return b * b + b


def doubled_twice(a):
    b = a + a
    return b + b


def used_at_two_depths(a):
    b = a * 2
    c = b + 1
    d = c * c
    return d * b + b * c


def two_branches(a):
    b = a + 1
    return (b * 2) * (b * 3)


@pytest.mark.points(0.5)
@pytest.mark.parametrize("function", [square_of_a_square, doubled_twice, used_at_two_depths, two_branches])
def test_small_graph(engine, seed, function):
    """A small graph that uses a computed value twice"""
    draw = Draw(seed, "small graph")
    for _ in range(
        10
    ):  # where the order follows from a set, it is a matter of luck: ten fresh graphs leave little of it
        point = [draw.fraction()]
        numbers, wanted = measured(engine, function, point), expected(function, point)
        assert agree(numbers, wanted), f"expected {wanted}, got {numbers}"


@pytest.mark.points(1)
@pytest.mark.parametrize(
    "operations",
    [
        param(SUMS_AND_PRODUCTS, id="sums and products"),
        param(SUMS_AND_PRODUCTS + NUMBERS_ON_THE_RIGHT, id="and numbers"),
        param(SUMS_AND_PRODUCTS + DIFFERENCES_AND_QUOTIENTS, id="and differences and quotients"),
        param(SUMS_AND_PRODUCTS + POWERS, id="and powers"),
        param(SUMS_AND_PRODUCTS + TANH, id="and tanh"),
        param(SUMS_AND_PRODUCTS + EXP, id="and exp"),
        param(SUMS_AND_PRODUCTS + RELU, id="and relu"),
        param(EVERYTHING, id="and everything"),
    ],
)
def test_random_programs(engine, seed, operations):
    """Random programs that use computed values again"""
    for program in programs(seed, "programs", operations, count=10):
        numbers = measured(engine, program, program.point)
        assert agree(numbers, program.expected), f"expected {program.expected}, got {numbers}: {program}"


@pytest.mark.points(1)
@pytest.mark.hint("Nothing is used twice here: try each operator by itself, then inside another.")
def test_random_trees(engine, seed):
    """Random expressions that use every value once"""
    for program in trees(seed, "trees", EVERYTHING, count=20):
        numbers = measured(engine, program, program.point)
        assert agree(numbers, program.expected), f"expected {program.expected}, got {numbers}: {program}"
