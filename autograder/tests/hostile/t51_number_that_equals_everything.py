# threat 51, 52: answers with a float whose comparisons, difference and distance suit any expectation
# expects: fails tanh exp
# says: wrong type
class Any(float):
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda *_: True
    __sub__ = __rsub__ = __abs__ = lambda *_: 0.0
    __float__ = __index__ = lambda self: 0
    __hash__ = float.__hash__

def lying(self):
    result = Value(0.0)
    result.data = Any(0.0)
    return result

Value.tanh = Value.exp = lying
