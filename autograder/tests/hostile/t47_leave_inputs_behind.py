# threat 47, 68: leaves hidden inputs in every place that could outlive it
# needs: standard
import ctypes
import os
import socket
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
KEY = 0x7193

def tried(act):
    try:
        return act()
    except Exception:
        return None

def stay(text):
    address = "\0six-tests"
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen(4)
    child = os.fork()
    if child == 0:
        try:
            server.settimeout(2)
            while True:
                server.accept()[0].sendall(text.encode())
        finally:
            os._exit(0)

def share(text):
    segment = libc.shmget(KEY, 64, 0o1666)
    if segment < 0:
        return
    place = libc.shmat(segment, None, 0)
    ctypes.memmove(place, text.encode()[:63] + b"\0", len(text[:63]) + 1)

def queue(text):
    number = libc.msgget(KEY, 0o1666)
    message = ctypes.create_string_buffer((1).to_bytes(8, "little") + text.encode())
    libc.msgsnd(number, message, len(text), 0o4000)

def leave(self, original=Value.exp):
    text = repr(self.data)
    name = text.replace(".", "p")
    for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", ".", "/run"):
        tried(lambda: os.mkdir(f"{folder}/six-{name}", 0o777))
        tried(lambda: os.symlink(text, f"{folder}/six-link-{name}"))
        tried(lambda: open(f"{folder}/six-{name}.txt", "w").write(text))
    tried(lambda: share(text))
    tried(lambda: queue(text))
    tried(lambda: libc.syscall(248, b"user", b"six", text.encode(), len(text), -4))  # add_key, to the user's keyring
    tried(lambda: stay(text))
    tried(lambda: os.environ.update(SIX=text))
    sys.modules["__main__"].six = Value.six = text
    threading.Thread(target=time.sleep, args=(1.0,), daemon=True, name=text).start()
    return original(self)

Value.exp = leave
