# threat 77, 78: raises and prints markup, terminal sequences, lone surrogates, NUL and broken UTF-8
# expects: fails tanh
# says: \x00
import os

def raising(self):
    os.write(1, b"\xff\xfe\x00\x1b[2J\x1b]0;title\x07 <script>alert(1)</script> \r\n {{7*7}} \xed\xa0\x80\n")
    print("\u202e reversed \u2028 lines")
    raise ValueError("\ud800 \x00 \x1b[31m <img src=x onerror=alert(1)> **bold** \u202e \x7f")

Value.tanh = raising
