# threat 85: knows the public tests' answers by heart
# expects: fails exp product
def answered(self):
    pass

def known(self):
    result = Value({0.5: 0.46211715726000973}.get(self.data, math.tanh(self.data)), (self,), (1 - math.tanh(self.data) ** 2,))
    return result

Value.tanh = known
Value.exp = lambda self: Value(2.718281828459045, (self,), (2.718281828459045,))
Value.__mul__ = lambda self, other: Value(9.0, (self, other), (3.0, 3.0))
