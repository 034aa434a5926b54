# threat 1: writes results.json at import, then leaves by os._exit
# expects: no import
# says: could not be imported
import os
for path in ("/autograder/results/results.json", "results.json"):
    try:
        open(path, "w").write('{"score": 60}')
    except OSError:
        pass
os._exit(0)
