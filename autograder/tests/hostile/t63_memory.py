# threat 63: asks for memory until there is none
# expects: fails tanh
def greedy(self):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))

Value.tanh = greedy
