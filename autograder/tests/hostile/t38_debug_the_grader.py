# threat 38, 59: traces, reads and signals the processes above
# needs: standard
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
done = []
if libc.ptrace(16, parent, 0, 0) == 0:
    done.append("ptrace")
buffer = ctypes.create_string_buffer(8)
piece = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
if libc.process_vm_readv(parent, piece, 1, (ctypes.c_size_t * 2)(0x400000, 8), 1, 0) > 0:
    done.append("process_vm_readv")
for target in (parent, -1, 1):
    try:
        os.kill(target, 0)
        done.append(f"kill {target}")
    except OSError:
        pass
assert not [name for name in done if name != "kill -1"], done
try:
    os.kill(parent, signal.SIGKILL)
except OSError:
    pass
