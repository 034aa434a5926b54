# threat 58: raises an exception whose text calls itself without end
# expects: fails tanh
class Endless(Exception):
    def __str__(self):
        return str(self)
    __repr__ = __str__

def raising(self):
    raise Endless

Value.tanh = raising
