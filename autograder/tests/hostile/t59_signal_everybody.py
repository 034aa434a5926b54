# threat 59, 80: asks whom it may signal; stops and kills its parent, the zygote
# expects: fails tanh
# needs: standard
import os
import signal

def signalling(self):
    for target in (1, 0, -1):
        try:
            os.kill(target, 0)  # asks only: it must do no harm where nothing stops it
        except OSError:
            pass
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(os.getppid(), number)
        except OSError:
            pass
    os._exit(1)

Value.tanh = signalling
