# threat 67: prints without end
# expects: fails tanh
# says: No answer in time
import os

def printing(self):
    while True:
        os.write(1, b"x" * 65536)

Value.tanh = printing
