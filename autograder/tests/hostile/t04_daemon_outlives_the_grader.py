# threat 4, 65: forks twice, leaves the session, and waits to write when the worker is gone
# engine: wrong
import os
import time

try:
    child = os.fork()
except OSError:
    child = 1
if child == 0:
    try:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1.5)
            open("/autograder/results/results.json", "w").write('{"score": 60}')
    finally:
        os._exit(0)
