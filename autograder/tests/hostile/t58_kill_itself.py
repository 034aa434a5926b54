# threat 58: kills itself
# expects: fails tanh
import os
import signal

Value.tanh = lambda self: os.kill(os.getpid(), signal.SIGKILL) or os.abort()
