# threat 46: raises every number that it is given, as message, arguments, notes and cause
# expects: fails tanh exp
# says: The code raised a ValueError
def telling(self):
    problem = ValueError(f"x = {self.data!r}", self.data)
    problem.__notes__ = [repr(self.data)]
    raise problem from KeyError(self.data)

Value.tanh = Value.exp = telling
