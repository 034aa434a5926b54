# threat 73: stops itself
# expects: fails tanh
import os
import signal

def stopping(self):
    os.kill(os.getpid(), signal.SIGSTOP)
    raise SystemExit

Value.tanh = stopping
