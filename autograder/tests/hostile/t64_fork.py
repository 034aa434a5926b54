# threat 64, 66: forks thirty children that compute and leave after a second
# engine: wrong
import os
import time

for _ in range(30):
    try:
        if os.fork() == 0:
            try:
                end = time.monotonic() + 1
                while time.monotonic() < end:
                    time.sleep(0.05)
            finally:
                os._exit(0)
    except OSError:
        break
