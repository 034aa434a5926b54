"""Landlock: the kernel's own way for a process to give up files, network and signals without being root.

Three system calls, made here by number: the C library has no functions for them, the numbers are the same on every
architecture, and the zygote runs without site-packages, where a binding would be found.
The structures are those of linux/landlock.h; what a kernel can do is counted by its ABI version.
"""

from __future__ import annotations

import ctypes
import os

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # flag of create_ruleset: answer with the ABI version alone
_PATH_BENEATH = 1

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # ABI version: how many of the rights, from bit 0 on, it knows
_BIND_AND_CONNECT_TCP = 0b11  # from version 4 on
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # from version 6 on

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what _pack_ implies; Python 3.14 wants it said
    _fields_ = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def version() -> int:
    """Return the ABI version of the kernel's Landlock; 0 where there is none."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def restrict(directory: str) -> None:
    """Leave this process, for good, only reading below `directory`: no other file, TCP, or signal to others.

    Needs no_new_privs. Raises OSError where the kernel has no Landlock.
    """
    abi = version()
    if not abi:
        raise OSError("this kernel has no Landlock")
    rights = _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= abi)]
    ruleset = _Ruleset(
        (1 << rights) - 1,
        _BIND_AND_CONNECT_TCP if abi >= 4 else 0,
        _ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0,
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8  # an older kernel takes a shorter structure
    rules = _call(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    parent = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    rule = _PathBeneath(_READ_FILE | _READ_DIR, parent)
    _call(_ADD_RULE, ctypes.c_int(rules), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))
    _call(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(parent)
    os.close(rules)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result
