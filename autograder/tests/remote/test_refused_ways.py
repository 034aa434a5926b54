"""What an object of a submission is not asked, with the way that works."""

import math

import pytest

from autograder.errors import MisuseError

from ..support.class_sides import near_module

REFUSED = {
    "ask(x) == y": lambda x: x == 0.5,
    "ask(x) != y": lambda x: x != 3,
    "ask(x) < y": lambda x: sorted([x, x]),
    "bool(ask(x))": lambda x: 1 if x else 2,
    "hash(ask(x))": lambda x: {x: 1},
    "str(ask(x))": str,
    "float(ask(x))": math.sqrt,
    "round(ask(x))": round,
    "len(ask(x))": len,
    "y in ask(x)": lambda x: 3 in x,
    "list(ask(x))": lambda x: [*x],
    "next(ask(x))": next,
    "repr(ask(x))": lambda x: repr(x) == "<remote Fraction>",
}


@pytest.mark.parametrize(("way", "use"), REFUSED.items(), ids=REFUSED)
def test_a_bare_operator_is_refused_with_the_way_to_ask(way, use):
    fraction = near_module().Fraction(1, 2)
    with pytest.raises(MisuseError) as problem:
        use(fraction)
    assert f"ask for it: `{way}`" in str(problem.value)


@pytest.mark.parametrize(
    "text",
    [str, lambda x: f"{x}", lambda x: f"{x:>9}", "{}".format, lambda x: "%s" % x],  # noqa: UP031 - that is the case
    ids=["str", "f-string", "format spec", "format", "%"],
)
def test_the_text_of_a_proxy_is_never_an_answer(text):
    fraction = near_module().Fraction(1, 2)
    with pytest.raises(MisuseError, match="cannot be turned into text"):
        text(fraction)


def test_a_message_may_show_an_object():
    assert f"got {near_module().Fraction(1, 2)!r}" == "got <remote Fraction>"
