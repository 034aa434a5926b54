# threat 54, 57: answers with infinities
# expects: fails tanh exp
# says: got inf
Value.tanh = Value.exp = lambda self: Value(float("inf"), (self,), (float("-inf"),))
