# threat 44, 51: an engine whose comparisons, truth and hash all say yes
# engine: wrong
class Always(float):
    pass

for name in ("eq", "ne", "lt", "le", "gt", "ge", "bool", "contains"):
    setattr(Value, f"__{name}__", lambda *_: True)
Value.__hash__ = lambda self: 0
Value.__len__ = lambda self: 1
Value.__instancecheck__ = lambda *_: True
