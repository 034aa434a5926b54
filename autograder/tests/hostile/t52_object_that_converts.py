# threat 52: answers with an object that converts itself to any number
# expects: fails tanh exp
# says: wrong type
class Liar:
    __float__ = lambda self: 1.0
    __index__ = __int__ = lambda self: 1
    __array__ = lambda self, *_: None
    __array_interface__ = {"version": 3, "shape": (), "typestr": "<f8", "data": (0, False)}
    __class__ = float

def lying(self):
    result = Value(0.0)
    result.data = result.grad = Liar()
    return result

Value.tanh = Value.exp = lying
