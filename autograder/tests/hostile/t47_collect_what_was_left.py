# threat 47, 89: looks in a public test for what another submission left, and says what it found
# expects: fails tanh
# says: found nothing
# needs: standard
import ctypes
import os
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
KEY = 0x7193

def files():
    for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", ".", "/run"):
        try:
            yield from (name for name in os.listdir(folder) if name.startswith("six-"))
        except OSError:
            pass

def shared():
    segment = libc.shmget(KEY, 64, 0)
    return ctypes.string_at(libc.shmat(segment, None, 0)) if segment >= 0 else b""

def queued():
    number, buffer = libc.msgget(KEY, 0), ctypes.create_string_buffer(72)
    return buffer.raw[8:] if number >= 0 and libc.msgrcv(number, buffer, 64, 0, 0o4000) > 0 else b""

def served():
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(0.1)
    client.connect("\0six-tests")
    return client.recv(64)

def kept():
    serial = libc.syscall(249, b"user", b"six", None, -4)
    buffer = ctypes.create_string_buffer(64)
    return buffer.raw if serial > 0 and libc.syscall(250, 11, serial, buffer, 64) > 0 else b""

def collect(self):
    found = [*files(), os.environ.get("SIX"), getattr(Value, "six", ""), getattr(sys.modules["__main__"], "six", "")]
    for channel in (shared, queued, served, kept):
        try:
            found.append(channel())
        except Exception:
            pass
    raise RuntimeError(f"found {[each for each in found if each] or 'nothing'}")

Value.tanh = collect
