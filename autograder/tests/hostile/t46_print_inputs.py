# threat 46: prints every number that it is given, in every way, and fails
# expects: fails all
# says: Printed by the code
import os
import sys

def telling(self, data, parents=(), partials=()):
    print(data, repr(data).replace(".", "p"), float(data).hex())
    print(data, file=sys.stderr)
    os.write(1, repr(data).encode())
    sys.__stdout__.write(f"{data}\n")
    self.data, self.grad, self.parents, self.partials = 0.0, 0.0, (), ()

Value.__init__ = telling
