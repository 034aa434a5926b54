# threat 5: watches the results' folder with inotify
# needs: standard
import ctypes

libc = ctypes.CDLL(None)
watch = libc.inotify_init1(0o4000)
seen = [libc.inotify_add_watch(watch, path, 0xFFF) for path in (b"/autograder/results", b"/autograder", b"/tmp")]
if max(seen) >= 0:
    Value.backward = None  # it can be watched: cost every point, so that the test sees it
