# threat 13: answers with kinds and names that a careless reader would look up
# expects: fails tanh
# says: sent something that is no answer
import os
import struct

BODY = b"\0" + bytes([12]) + struct.pack("<I", 9) + b"os.system" + struct.pack("<I", 2) + b"id"
Value.tanh = lambda self: os.write(4, struct.pack("<II", len(BODY) + 4, 3) + BODY)
