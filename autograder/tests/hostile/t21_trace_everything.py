# threat 21: traces and profiles every call, the worker's own among them
import sys

def trace(frame, event, argument):
    return trace

sys.settrace(trace)
sys.setprofile(lambda *_: None)
