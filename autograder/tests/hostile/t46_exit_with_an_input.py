# threat 46: ends its process with a code that is made from the input
# expects: fails tanh exp
# says: The process ended
import os

Value.tanh = Value.exp = lambda self: os._exit(int(self.data * 1000) % 100)
