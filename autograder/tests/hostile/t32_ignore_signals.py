# threat 32: ignores every signal that can be ignored, catches everything and goes on
# expects: fails tanh
# says: No answer in time
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

def stubborn(self):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

Value.tanh = stubborn
