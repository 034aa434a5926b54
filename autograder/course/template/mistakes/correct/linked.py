"""A correct homework in another style: a stack of pairs, and brackets that are taken away until none is left."""


class Stack:
    def __init__(self):
        self.top = None
        self.count = 0

    def push(self, item):
        self.top = (item, self.top)
        self.count += 1

    def pop(self):
        if self.top is None:
            raise IndexError("empty")
        item, self.top = self.top
        self.count -= 1
        return item

    def __len__(self):
        return self.count


def balanced(text):
    text = "".join(character for character in text if character in "()[]{}")
    before = None
    while before != text:
        before = text
        for pair in ("()", "[]", "{}"):
            text = text.replace(pair, "")
    return not text
