# threat 55: answers with types that print like a number
# expects: fails tanh exp
# says: wrong type
from decimal import Decimal
from fractions import Fraction

def lying(make):
    def method(self):
        result = Value(0.0)
        result.data = make(self.data)
        return result
    return method

Value.tanh, Value.exp = lying(Decimal), lying(Fraction)
