# threat 58: ends its process while it computes
# expects: fails exp
import os

Value.exp = lambda self: os._exit(0)
