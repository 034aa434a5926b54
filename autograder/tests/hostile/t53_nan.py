# threat 53, 57: answers with nan and with minus zero
# expects: fails tanh exp
# says: got nan
def lying(self):
    result = Value(float("nan"), (self,), (-0.0,))
    return result

Value.tanh = Value.exp = lying
