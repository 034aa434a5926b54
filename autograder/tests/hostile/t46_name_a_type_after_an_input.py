# threat 46: raises an exception whose type is named after the input
# expects: fails tanh exp
def telling(self):
    raise type(repr(self.data).replace(".", "p"), (ArithmeticError,), {"__module__": repr(self.data)})

Value.tanh = Value.exp = telling
