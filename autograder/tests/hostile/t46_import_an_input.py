# threat 46: imports a module that is named after the input
# expects: fails tanh exp
# says: ModuleNotFoundError
def telling(self):
    __import__("x" + repr(self.data).replace(".", "p"))

Value.tanh = Value.exp = telling
