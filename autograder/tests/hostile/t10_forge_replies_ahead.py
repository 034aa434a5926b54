# threat 10: a thread forges the right answer without being asked, again and again
# engine: wrong
# expects: fails tanh
# flag: The wire was broken
import os
import struct
import threading

begun = threading.Event()

def forge():
    for sequence in range(1, 40):
        os.write(4, struct.pack("<IIBBd", 14, sequence, 0, 4, 0.7864477329659274))
        begun.set()

def answered(self, tanh=Value.tanh):
    threading.Thread(target=forge, daemon=True).start()
    begun.wait()
    return tanh(self)

Value.tanh = answered
