# threat 69: answers a byte at a time
# expects: fails tanh
# says: No answer in time

import os
import struct

import time

def dripping(self):
    for byte in struct.pack("<I", 60000) + bytes(60000):
        os.write(4, bytes([byte]))
        time.sleep(0.01)

Value.tanh = dripping
