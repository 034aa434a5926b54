# threat 71: closes its own pipes while it computes
# expects: fails tanh
# says: The process ended
import os
import time

def closing(self):
    os.closerange(0, 32)
    time.sleep(5)

Value.tanh = closing
