# threat 12: answers with a pickle that would run a command on the other side
# expects: fails tanh
# says: sent something that is no answer
# flag: The wire was broken
import os

PICKLE = b"cposix\nsystem\n(S'kill -9 $PPID'\ntR."
Value.tanh = lambda self: os.write(4, len(PICKLE).to_bytes(4, "little") + PICKLE)
