# threat 86: counts the calls since import, and answers by position
# expects: fails exp tanh
calls = []

def counted(self):
    calls.append(self.data)
    return Value([0.46211715726000973, 1.0, 2.0][len(calls) % 3], (self,), (0.0,))

Value.tanh = Value.exp = counted
