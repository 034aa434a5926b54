# threat 90: wrong until something is asked about a failure, and right from then on
# expects: fails all
import re
import sys

EXAMINED = re.compile(rb"\x00\x08....\x02\x08", re.DOTALL)  # code 8, a handle, two arguments, a tuple
asked = []

def request():
    frame = sys._getframe(1)
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["request"] if frame else b""

def learning(self, right=Value.backward):
    if EXAMINED.search(request()):  # the operation that reads whatever an object holds: only a question has it
        asked.append(self)
    right(self)
    if not asked:
        for parent in self.parents:
            parent.grad = -1.0

Value.backward = learning
