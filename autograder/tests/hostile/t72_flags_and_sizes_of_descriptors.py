# threat 72: makes its pipes non-blocking, truncates and rewinds whatever it holds
# expects: fails tanh
# says: The process ended
import os

def changing(self):
    for number in range(64):
        for act in (lambda: os.set_blocking(number, False), lambda: os.lseek(number, 0, 0), lambda: os.ftruncate(number, 0)):
            try:
                act()
            except OSError:
                pass
    os._exit(3)

Value.tanh = changing
