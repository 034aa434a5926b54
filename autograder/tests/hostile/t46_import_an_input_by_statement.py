# threat 46: imports a module that is named after the input, in a statement
# expects: fails tanh exp
# says: this homework allows only
def telling(self):
    exec("import x" + repr(self.data).replace(".", "p"))

Value.tanh = Value.exp = telling
