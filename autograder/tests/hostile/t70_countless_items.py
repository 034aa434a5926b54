# threat 70: answers with a list of four billion items
# expects: fails tanh
# says: sent something that is no answer

import os
import struct

def countless(self):
    body = struct.pack("<BBI", 0, 7, 0xFFFFFFFF)
    for sequence in range(1, 9):
        os.write(4, struct.pack("<II", len(body) + 4, sequence) + body)

Value.tanh = countless
