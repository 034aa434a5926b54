# threat 46: raises an exception whose type is named after the input, and equals the builtin one
# expects: fails tanh exp
# says: sent something that is no answer
class Same(type):
    __hash__ = lambda self: hash(ValueError)
    __eq__ = lambda self, other: True

def telling(self):
    raise Same(repr(self.data).replace(".", "p"), (ValueError,), {})

Value.tanh = Value.exp = telling
