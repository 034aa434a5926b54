# threat 68: writes huge, many and sparse files
import os

for folder in ("/tmp", "/", ".", "/dev/shm"):
    for number in range(20):
        name = f"{folder}/six-tests-{number}"
        try:
            with open(name, "xb") as file:
                os.unlink(name)
                file.truncate(1 << 40)
                file.write(b"x" * (1 << 20))
        except OSError:
            pass
try:
    os.ftruncate(os.memfd_create("six"), 1 << 30)
except OSError:
    pass
