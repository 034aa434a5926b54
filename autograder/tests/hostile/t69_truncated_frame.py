# threat 69: ends in the middle of a reply
# expects: fails tanh
# says: The process ended

import os
import struct

def truncated(self):
    os.write(4, struct.pack("<IIB", 100, 3, 0))
    os._exit(0)

Value.tanh = truncated
