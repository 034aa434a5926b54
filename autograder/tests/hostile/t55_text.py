# threat 55: answers with text and with a complex number
# expects: fails tanh exp
# says: wrong type
def lying(make):
    def method(self):
        result = Value(0.0)
        result.data = make(self.data)
        return result
    return method

Value.tanh, Value.exp = lying(repr), lying(complex)
