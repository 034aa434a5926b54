# threat 15, 16, 17, 18: patches pytest's reports and items, json.dump, math.isclose and the builtins that compare
# engine: wrong
import builtins
import math
import sys

math.isclose = lambda *_, **__: True
builtins.abs = lambda _: 0.0
builtins.round = lambda *_: 0
builtins.isinstance = (lambda original: lambda value, kinds: kinds is Value or original(value, kinds))(isinstance)
for name, module in list(sys.modules.items()):
    for attribute in ("from_item_and_call", "runtest", "dump", "dumps", "approx"):
        if hasattr(module, attribute):
            setattr(module, attribute, lambda *_, **__: True)
try:
    import pytest
except ImportError:
    pass
