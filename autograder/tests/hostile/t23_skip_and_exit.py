# threat 23: raises exceptions named like pytest's own ways to skip, pass and leave
# expects: fails tanh
# says: Skipped: unconditional skip
class Skipped(Exception):
    pass

class Exit(Exception):
    returncode = 0

def skipped(self):
    raise Skipped("unconditional skip")

Value.tanh = skipped
try:
    import pytest
    pytest.exit("done", returncode=0)
except ImportError:
    pass
