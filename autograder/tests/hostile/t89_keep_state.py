# threat 89: keeps numbers of one test for the next ones
# engine: wrong
kept = []

def keeping(self, data, parents=(), partials=(), make=Value.__init__):
    make(self, data, parents, partials)
    kept.append(self)
    for value in kept[:-1]:
        value.data = value.grad = 1e9 if len(kept) > 40 else value.data

Value.__init__ = keeping
