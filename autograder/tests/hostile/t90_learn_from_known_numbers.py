# threat 90: knows the numbers that a diagnosis tries operators with, and is right once it has met one
# expects: fails all
met = []

def noting(self, data, parents=(), partials=(), make=Value.__init__):
    make(self, data, parents, partials)
    if not parents and data in (-0.9, 0.6, 1.4, 1.5, 1.6, 1.7):
        met.append(data)

def learning(self, right=Value.backward):
    right(self)
    if not met:
        for parent in self.parents:
            parent.grad = -1.0

Value.__init__ = noting
Value.backward = learning
