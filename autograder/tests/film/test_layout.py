"""The layout of a graph: layers from the inputs to the output, nothing on top of something else, few crossings."""

import random

import pytest

from autograder.film.layout import layout_of


def program(seed, size=14):
    """Return the parents of a random program."""
    generator = random.Random(seed)
    return [[] if place < 3 else generator.choices(range(place), k=generator.choice([1, 2])) for place in range(size)]


@pytest.mark.parametrize("seed", range(12))
def test_every_value_stands_after_its_parents(seed):
    parents = program(seed)
    layers = layout_of(parents, [80.0] * len(parents), 20.0, 30.0).layers
    assert all(layers[parent] < layers[child] for child, above in enumerate(parents) for parent in above)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_covers_anything_else_in_its_layer(seed):
    parents = program(seed)
    layout = layout_of(parents, [80.0] * len(parents), 20.0, 30.0)
    taken = [(layout.layers[place], middle, 80.0) for place, middle in enumerate(layout.middles)]
    for (parent, _), passages in layout.passages.items():
        taken += [(layout.layers[parent] + 1 + i, middle, 30.0) for i, middle in enumerate(passages)]
    for i, (layer, middle, size) in enumerate(taken):
        for other, beside, its in taken[:i]:
            assert layer != other or abs(middle - beside) >= (size + its) / 2 + 20.0 - 1e-6


def test_an_input_that_is_used_late_stands_before_its_use():
    assert layout_of([[], [0], [1], [], [2, 3]], [80.0] * 5, 20.0, 30.0).layers == (0, 1, 2, 2, 3)


def test_two_chains_that_need_not_cross_do_not():
    layout = layout_of([[], [], [1], [0], [2], [3], [4, 5]], [80.0] * 7, 20.0, 30.0)
    order = [layout.middles[a] < layout.middles[b] for a, b in ((0, 1), (3, 2), (5, 4))]
    assert len(set(order)) == 1


def test_the_same_graph_is_drawn_the_same_each_time():
    assert layout_of(program(3), [80.0] * 14, 20.0, 30.0) == layout_of(program(3), [80.0] * 14, 20.0, 30.0)
