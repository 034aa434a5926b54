"""Which step of a backward pass is the first wrong one, and what was expected of it: a * a + a at 3, and its kin."""

from itertools import pairwise

import pytest

from autograder.film.frames import film_of
from autograder.film.graph import Box, Change
from autograder.film.page import page_of
from autograder.results.html import PAGES

# p = a · a and y = p + a at a = 3: the gradients are 1, 1 and 3 + 3 + 1 = 7.
SQUARE = (
    Box("a", "3", value=3.0, gradient=7.0),
    Box("p", "a · a", (0, 0), (3.0, 3.0), 9.0, 1.0),
    Box("y", "p + a", (1, 0), (1.0, 1.0), 12.0, 1.0),
)
A, P, Y = range(3)
# b = a + a, c = b · b and y = c · b at a = 1: dy/db = 3b² = 12, dy/da = 24.
CHAIN = (
    Box("a", "1", value=1.0, gradient=24.0),
    Box("b", "a + a", (0, 0), (1.0, 1.0), 2.0, 12.0),
    Box("c", "b · b", (1, 1), (2.0, 2.0), 4.0, 2.0),
    Box("y", "c · b", (2, 1), (2.0, 4.0), 8.0, 1.0),
)


def passes(*steps):
    """Return changes of gradients, one line each, from steps of (place, before, after)."""
    return [Change(line, place, "grad", before, after) for line, (place, before, after) in enumerate(steps, start=1)]


def wrong(boxes, changes, data=None):
    """Return the line of the first wrong step, what was expected there, and what is said; None if nothing is wrong."""
    film = film_of("y", boxes, data or [box.value for box in boxes], changes)
    frame = film.frames[film.first_wrong] if film.first_wrong is not None else None
    return frame and (frame.line, frame.expected, frame.says)


@pytest.mark.parametrize(
    "steps",
    [
        [(Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 1.0), (A, 1.0, 4.0), (A, 4.0, 7.0)],
        [(Y, 0.0, 1.0), (A, 0.0, 1.0), (P, 0.0, 1.0), (A, 1.0, 7.0)],  # both shares of the product at once
        [(Y, 0.0, 1.0), (A, 0.0, 7.0)],  # gradients of computed values are kept elsewhere
        [(A, None, 0.0), (Y, None, 1.0), (P, None, 1.0), (A, 0.0, 4.0), (A, 4.0, 7.0)],
        [(Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 7.0), (P, 1.0, 0.0), (Y, 1.0, 0.0)],  # freed when they are done
    ],
    ids=["one by one", "two at once", "all at once", "from None", "freed"],
)
def test_a_right_pass_has_no_wrong_step_in_whatever_portions_shares_come(steps):
    assert wrong(SQUARE, passes(*steps)) is None


def test_a_gradient_that_was_overwritten_is_shown_with_the_sum():
    steps = [(Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 1.0), (A, 1.0, 3.0)]
    says = "This put 3 where 1 was. Add: 1 + 3 = 4 was expected."
    assert wrong(SQUARE, passes(*steps)) == (4, 4.0, says)


def test_a_wrong_share_is_shown_with_the_right_one():
    steps = [(Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 1.0), (A, 1.0, 3.5)]
    assert wrong(SQUARE, passes(*steps)) == (4, 4.0, "This added 2.5; 3 was expected, from p.")


def test_a_share_that_came_before_is_one_too_many():
    steps = [(Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 1.0), (A, 1.0, 7.0), (A, 7.0, 10.0)]
    line, expected, says = wrong(SQUARE, passes(*steps))
    assert (line, expected) == (5, 7.0)
    assert says == "All shares of a had come: it was expected to stay 7."


def test_a_gradient_passed_on_too_early_is_named_with_what_it_becomes():
    steps = [(3, 0.0, 1.0), (1, 0.0, 4.0), (2, 0.0, 2.0), (0, 0.0, 4.0)]
    line, expected, says = wrong(CHAIN, passes(*steps))
    assert (line, expected) == (4, 12.0)
    assert says == "b passed 4 on before its last share came; its gradient becomes 12."


def test_an_output_that_starts_with_another_number_is_wrong_at_once():
    assert wrong(SQUARE, passes((Y, 0.0, 12.0)))[:2] == (1, 1.0)


def test_a_gradient_that_is_not_a_number_is_wrong():
    assert wrong(SQUARE, passes((Y, 0.0, 1.0), (P, 0.0, None)))[:2] == (2, 1.0)


def test_an_input_that_nothing_came_to_is_shown_at_the_end():
    line, expected, says = wrong(SQUARE, passes((Y, 0.0, 1.0), (P, 0.0, 1.0), (A, 0.0, 1.0)))
    assert (line, expected) == (0, 7.0)
    assert says == "The pass is over, and the gradient of a is 1; 7 was expected. Nothing came from p."


def test_a_wrong_value_is_shown_before_the_pass():
    assert wrong(SQUARE, [], [3.0, 6.0, 9.0]) == (0, 9.0, "p = a · a is 6; 9 was expected.")


def test_a_value_that_the_pass_changes_is_wrong():
    change = Change(8, P, "data", 9.0, 1.0)
    assert wrong(SQUARE, [*passes((Y, 0.0, 1.0)), change]) == (
        8,
        9.0,
        "The value of p was changed: 9 was expected to stay.",
    )


def test_what_follows_from_a_wrong_step_is_not_called_wrong_too():
    steps = [(Y, 0.0, 2.0), (P, 0.0, 2.0), (A, 0.0, 2.0), (A, 2.0, 14.0)]
    film = film_of("y", SQUARE, [3.0, 9.0, 12.0], passes(*steps))
    assert [frame.is_wrong for frame in film.frames] == [False, True, False, False, False, False]


def test_a_worker_that_answers_with_odd_numbers_gets_a_page_of_bounded_size():
    odd = [float("nan"), float("inf"), float("-inf"), 1e308, -0.0, None]
    steps = [(place % 3, odd[place % 6], odd[(place + 1) % 6]) for place in range(100_000)]
    page = page_of(film_of("y", SQUARE, [float("nan"), None, float("inf")], passes(*steps)), PAGES)
    assert len(page) < 1_000_000
    assert "The film ends here, after 400 changes; the pass went on." in page


def test_a_value_with_many_uses_is_judged_in_bounded_time_all_at_once_or_one_by_one():
    many = 60
    boxes = (Box("a", "1", value=1.0, gradient=float(many)), Box("y", "…", (0,) * many, (1.0,) * many, many, 1.0))
    one_by_one = passes((1, 0.0, 1.0), *((0, float(n), n + 1.0) for n in range(many)))
    assert wrong(boxes, one_by_one) is None
    assert wrong(boxes, passes((1, 0.0, 1.0), (0, 0.0, float(many)))) is None


def test_shares_that_come_in_pairs_are_not_called_wrong_however_many_there_are():
    slopes = tuple(float(n) for n in range(1, 13))
    boxes = (Box("a", "1", value=1.0, gradient=78.0), Box("y", "…", (0,) * 12, slopes, 78.0, 1.0))
    sums = [0.0, 3.0, 10.0, 21.0, 36.0, 55.0, 78.0]  # 1 + 2, then 3 + 4, and so on: 3 and 7 are shares too
    assert wrong(boxes, passes((1, 0.0, 1.0), *((0, a, b) for a, b in pairwise(sums)))) is None


def test_of_many_shares_one_that_replaces_the_sum_is_still_found():
    many = 12
    boxes = (Box("a", "1", value=1.0, gradient=24.0), Box("y", "…", (0,) * many, (2.0,) * many, 24.0, 1.0))
    steps = [(1, 0.0, 1.0), (0, 0.0, 2.0), (0, 2.0, 4.0), (0, 4.0, 2.0)]
    assert wrong(boxes, passes(*steps))[:2] == (4, 6.0)
