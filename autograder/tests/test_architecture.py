"""The architecture page shows the package as it is."""

from .support.architecture import NOUNS, PAGE, diagram, shown
from .test_layers import FOLDERS


def test_the_picture_agrees_with_the_imports():
    assert shown() == diagram(), "run python -m autograder.tests.support.architecture"


def test_the_page_names_every_room():
    text = PAGE.read_text("utf-8")
    assert [room for room in FOLDERS if f"`{room.replace('.', '/')}/`" not in text] == []
    assert [noun for noun in NOUNS if f"`{noun}`" not in text] == []
