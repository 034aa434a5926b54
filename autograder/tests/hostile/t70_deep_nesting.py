# threat 70: answers with lists in lists
# expects: fails tanh
# says: sent something that is no answer

import os
import struct

def nested(self):
    body = bytes([0]) + struct.pack("<BI", 7, 1) * 12000
    for sequence in (2, 3):
        os.write(4, struct.pack("<II", len(body) + 4, sequence) + body)
    os._exit(0)

Value.tanh = nested
