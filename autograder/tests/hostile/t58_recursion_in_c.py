# threat 58, 62: recurses until the stack is used up
# expects: fails tanh
import sys

def deep(self):
    sys.setrecursionlimit(10**9)
    def further(item):
        return [further(item)]
    return further(self)

Value.tanh = deep
