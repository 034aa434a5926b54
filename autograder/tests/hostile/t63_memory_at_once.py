# threat 63: asks for all memory at once
# expects: fails tanh
# says: MemoryError
Value.tanh = lambda self: bytearray(1 << 40)
