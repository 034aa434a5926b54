# threat 90: wrong until something is asked about a failure, and right from then on
# expects: fails all
import sys

asked = []

def request():
    frame = sys._getframe(1)
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["request"] if frame else b""

def learning(self, right=Value.backward):
    if b"__name__" in request():  # a test reads no name of the module; a question does
        asked.append(self)
    right(self)
    if not asked:
        for parent in self.parents:
            parent.grad = -1.0

Value.backward = learning
