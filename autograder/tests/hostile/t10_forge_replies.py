# threat 10: writes forged replies on every descriptor it finds
# expects: fails tanh
# says: sent something that is no answer
# flag: The wire was broken
import os
import struct

def forged(self, tanh=Value.tanh):
    for number in range(3, 32):
        for sequence in range(1, 20):
            try:
                os.write(number, struct.pack("<IIBBd", 14, sequence, 0, 4, 0.0))
            except OSError:
                break
    return tanh(self)

Value.tanh = forged
