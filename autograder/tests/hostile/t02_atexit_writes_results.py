# threat 2: leaves a handler that rewrites results.json at exit
# engine: wrong
import sys

class Handler:
    def __del__(self):
        open("/autograder/results/results.json", "w").write('{"score": 60}')

sys.leaving = Handler()
sys.modules["__main__"].__dict__["_leaving"] = Handler()
