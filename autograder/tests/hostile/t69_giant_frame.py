# threat 69: announces a reply of four gigabytes, and sends what it can
# expects: fails tanh
# says: sent something that is no answer
# flag: The wire was broken
import os
import struct

def giant(self):
    os.write(4, struct.pack("<II", 0xFFFFFFFF, 3))
    while True:
        os.write(4, bytes(65536))

Value.tanh = giant
