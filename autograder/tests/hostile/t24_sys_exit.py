# threat 24: leaves by sys.exit while it computes
# expects: fails tanh
# says: SystemExit
import sys

def left(self):
    sys.exit(0)

Value.tanh = left
