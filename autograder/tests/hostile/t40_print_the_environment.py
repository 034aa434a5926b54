# threat 40, 43: prints its environment, its arguments and what its descriptors are
import os
import sys

print(dict(os.environ), sys.argv, sys.path, sys.modules.get("autograder"), sys.modules["__main__"].__dict__.keys())
opened = []
for number in range(64):
    try:
        os.fstat(number)
        opened.append(number)
    except OSError:
        pass
secret = [name for name in os.environ if name not in ("PATH", "LANG", "PYTHONHASHSEED", "LC_CTYPE", "OPENBLAS_NUM_THREADS")]
assert not secret and len(opened) <= 6, (secret, opened)
