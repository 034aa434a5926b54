# threat 29, 33: replaces modules, finders and hooks
import sys

class Finder:
    def find_spec(self, *_):
        raise SystemExit(0)

for name in ("math", "struct", "operator", "os", "builtins", "autograder", "autograder.wire"):
    sys.modules[name] = Finder()
sys.meta_path[:] = [Finder()]
sys.path_hooks[:] = [Finder]
sys.excepthook = sys.unraisablehook = sys.displayhook = lambda *_: 1 / 0
