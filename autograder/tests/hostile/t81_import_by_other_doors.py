# threat 81, 50: asks for numpy, torch and pytest past the guard
import sys

found = []
for name in ("numpy", "torch", "pytest", "micrograd", "autograd", "msgspec"):
    for ask in (lambda: __import__(name, {}), lambda: eval(f"__import__({name!r}, {{}})", {}), lambda: exec(f"import {name}", {})):
        try:
            found.append(ask() or name)
        except ImportError:
            pass
assert not found, found
