# threat 8, 37, 39: reads environ, mem, maps, cmdline and open files of the processes above, and prints them
# needs: standard
import os

found = ["nothing"]
for pid in (os.getppid(), 1, "self/../%d" % os.getppid()):
    for name in ("environ", "cmdline", "maps", "mem", "cwd", "fd"):
        try:
            found.append(open(f"/proc/{pid}/{name}", "rb").read(1 << 16))
        except OSError:
            pass
assert found == ["nothing"], found
