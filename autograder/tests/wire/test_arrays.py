"""Arrays cross as plain data and arrive as they were; what is larger, of another kind or none crosses as no array."""

import numpy as np
import pytest

from autograder.wire.arrays import packed, unpacked
from autograder.wire.format import ARRAY_TYPES, MAX_ARRAY_REPLY, MAX_DIMENSIONS


def crossed(sent, **options):
    """Return an array as it arrives."""
    array = packed(sent, **options)
    assert array is not None
    return unpacked(array)


@pytest.mark.parametrize("dtype", ARRAY_TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (1,) * MAX_DIMENSIONS])
def test_an_array_arrives_with_its_type_shape_and_numbers(dtype, shape):
    sent = np.ones(shape, dtype)
    arrived = crossed(sent)
    assert (arrived.dtype, arrived.shape, arrived.tolist()) == (sent.dtype, shape, sent.tolist())


def test_an_array_that_arrives_has_memory_of_its_own():
    arrived = crossed(np.zeros(2))
    arrived[0] = 1.0
    assert arrived.tolist() == [1.0, 0.0]


def test_an_array_that_lies_strided_in_memory_arrives_in_order():
    assert crossed(np.arange(6.0).reshape(2, 3).T).tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]


def test_a_number_of_the_package_crosses_as_an_array_where_numbers_may():
    assert crossed(np.float64(2.5), numbers=True).shape == ()
    assert packed(np.float64(2.5)) is None


@pytest.mark.parametrize(
    "item",
    [
        np.array(["text"]),
        np.array([object()]),
        np.zeros(1, "complex64"),
        np.zeros((1,) * (MAX_DIMENSIONS + 1)),
        np.zeros(MAX_ARRAY_REPLY // 8 + 1),
        np.ma.masked_array([1.0]),
        [1.0],
        1.0,
    ],
    ids=["text", "objects", "complex", "dimensions", "bytes", "subclass", "list", "number"],
)
def test_what_may_not_cross_is_no_array(item):
    assert packed(item) is None
    assert packed(item, numbers=True) is None


def test_the_largest_array_that_may_cross_does():
    assert crossed(np.ones(MAX_ARRAY_REPLY // 8)).sum() == MAX_ARRAY_REPLY // 8
