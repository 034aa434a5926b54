# threat 67: prints megabytes, and computes rightly
import os

def printing(self, exp=Value.exp):
    for _ in range(320):
        os.write(1, b"0123456789abcdef" * 4096)
    return exp(self)

Value.exp = printing
