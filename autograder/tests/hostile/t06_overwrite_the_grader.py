# threat 6, 7: overwrites the grader's own files, and makes the results unwritable
# engine: wrong
# needs: standard
import os
import sys

for name in ["/autograder/run_autograder", *(getattr(m, "__file__", None) or "" for m in list(sys.modules.values()))]:
    for act in (lambda: open(name, "r+").close(), lambda: os.chmod(name, os.stat(name).st_mode)):
        try:
            act()
        except (OSError, ValueError):
            pass
        else:
            os._exit(13)
