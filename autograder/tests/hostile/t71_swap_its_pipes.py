# threat 71: puts each of its pipes in another's place
# expects: fails tanh
import os

def swapping(self):
    os.dup2(4, 3)
    os.dup2(4, 1)
    os.dup2(4, 2)
    print("not a reply")

Value.tanh = swapping
