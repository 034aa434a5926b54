# threat 3: a thread looks for the report and overwrites it, until it is killed
# engine: wrong
import os
import threading
import time

def poll():
    while True:
        for folder in ("/autograder/results", "."):
            try:
                for name in os.listdir(folder):
                    if name.endswith("results.json"):
                        open(folder + "/" + name, "w").write('{"score": 60}')
            except OSError:
                pass
        time.sleep(0.01)

threading.Thread(target=poll, daemon=True).start()
