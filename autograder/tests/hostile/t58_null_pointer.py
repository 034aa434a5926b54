# threat 58: reads from address 0
# expects: fails tanh
# says: The process ended
import ctypes

Value.tanh = lambda self: ctypes.string_at(0)
