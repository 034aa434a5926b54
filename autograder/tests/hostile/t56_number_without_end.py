# threat 56: answers with integers of thousands of digits
# expects: fails tanh exp
# says: wrong type
def lying(self):
    result = Value(0.0)
    result.data = result.grad = 10 ** 5000
    return result

Value.tanh = Value.exp = lying
