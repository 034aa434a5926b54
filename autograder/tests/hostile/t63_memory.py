# threat 63: asks for memory until there is none
# expects: fails tanh
def greedy(self):
    kept = []
    for _ in range(64):  # a gigabyte, were there no limit
        kept.append(bytearray(1 << 24))

Value.tanh = greedy
