# threat 46, 55: answers with objects whose types are named after the input
# expects: fails tanh exp
# says: wrong type
def telling(self):
    result = Value(0.0)
    result.data = type(repr(self.data).replace(".", "p"), (), {"__repr__": lambda _: repr(self.data)})()
    return result

Value.tanh = Value.exp = telling
