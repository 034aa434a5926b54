"""A stack, and what it is good for: finding out whether the brackets of a text match."""

from __future__ import annotations

PAIRS = {")": "(", "]": "[", "}": "{"}


class Stack:
    """Items on top of one another: the one that was put there last is taken first."""

    def __init__(self):  # task 1.1
        """Make an empty stack."""
        self._items = []

    def push(self, item):  # task 1.1
        """Put an item on top."""
        self._items.append(item)

    def pop(self):  # task 1.2
        """Take the item from the top and return it; raise IndexError if there is none."""
        return self._items.pop()

    def __len__(self):  # task 1.3
        """Return how many items there are."""
        return len(self._items)


def balanced(text):  # task 2.1
    """Return True if each bracket of the text is closed by its partner, in the right order."""
    open_brackets = Stack()
    for character in text:
        if character in PAIRS.values():
            open_brackets.push(character)
        elif character in PAIRS and (len(open_brackets) == 0 or open_brackets.pop() != PAIRS[character]):
            return False
    return len(open_brackets) == 0
