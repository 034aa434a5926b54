# threat 55: keeps its gradients as True, which equals 1
# expects: fails sum reuse product
# says: wrong type
def kept(self, other, add=Value.__add__):
    result = add(self, other)
    result.backward = lambda: (setattr(self, "grad", True), setattr(other, "grad", True))
    return result

Value.__add__ = kept
