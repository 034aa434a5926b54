# threat 61: computes a power in C, which no signal handler of Python interrupts
# expects: fails tanh
# says: No answer in time
Value.tanh = lambda self: 10 ** 10**8 % 3
