"""What the canary attempts: what a submission could try, one function each.

An attempt raises an OSError when it is stopped, and leaves nothing behind whether it is stopped or not. `scene` says
what there is to attack.
"""

from __future__ import annotations

import _socket
import ctypes
import errno
import fcntl
import mmap
import os
import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_IPC_PRIVATE, _IPC_RMID, _NEW_USER = 0, 0, 0x10000000
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # the C library has no function for it
_libc = ctypes.CDLL(None, use_errno=True)


def _be_the_graders_user(scene: dict[str, Any]) -> None:
    if os.getuid() != scene["uid"]:
        os.setresuid(scene["uid"], scene["uid"], scene["uid"])


def _read_a_secret_file(scene: dict[str, Any]) -> None:
    _read(scene["secret"])


def _list_a_secret_directory(scene: dict[str, Any]) -> None:
    os.listdir(os.path.dirname(scene["secret"]))


def _read_a_file_that_all_may_read(scene: dict[str, Any]) -> None:
    _read(scene["readable"])


def _learn_that_a_file_exists(scene: dict[str, Any]) -> None:
    os.stat(scene["readable"])


def _read_what_the_assignment_hides(scene: dict[str, Any]) -> None:
    for path in scene["hidden"]:
        try:
            os.close(os.open(path, os.O_RDONLY))
        except OSError:
            continue
        return
    raise PermissionError(errno.EACCES, "none of them could be opened, or there is none")


def _change_the_report(scene: dict[str, Any]) -> None:
    os.close(os.open(scene["report"], os.O_WRONLY | os.O_APPEND))


def _add_a_file_beside_the_report(scene: dict[str, Any]) -> None:
    _create(scene["report"] + ".canary")


def _replace_the_report(scene: dict[str, Any]) -> None:
    os.rename(scene["report"], scene["report"])


def _signal_the_grader(scene: dict[str, Any]) -> None:
    os.kill(scene["grader"], 0)


def _read_the_environment_of_a_process(scene: dict[str, Any]) -> None:
    _read(f"/proc/{scene['process']}/environ")


def _read_the_arguments_of_a_process(scene: dict[str, Any]) -> None:
    _read(f"/proc/{scene['process']}/cmdline")


def _lower_the_limits_of_a_process(scene: dict[str, Any]) -> None:
    resource.prlimit(scene["process"], resource.RLIMIT_CORE, (0, 0))


def _have_a_descriptor_send_signals(_: dict[str, Any]) -> None:
    fcntl.fcntl(0, fcntl.F_SETOWN, 0)  # with a pid, and F_SETSIG, it kills like kill(2)


def _run_a_program(_: dict[str, Any]) -> None:
    _checked(_libc.execve(None, None, None))


def _fork(_: dict[str, Any]) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _make_a_memory_file(_: dict[str, Any]) -> None:
    os.close(os.memfd_create("canary"))


def _watch_files(_: dict[str, Any]) -> None:
    os.close(_checked(_libc.inotify_init1(0)))


def _make_a_user_namespace(_: dict[str, Any]) -> None:
    _checked(_libc.unshare(_NEW_USER))


def _connect(scene: dict[str, Any]) -> None:
    tried = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    tried.connect(("127.0.0.1", scene["tcp"]))
    tried.close()


def _send_a_datagram(scene: dict[str, Any]) -> None:
    tried = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    tried.sendto(b"canary", ("127.0.0.1", scene["udp"]))
    tried.close()


def _reach_an_abstract_socket(scene: dict[str, Any]) -> None:
    tried = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    tried.connect("\0" + scene["abstract"])
    tried.close()


def _leave_shared_memory(_: dict[str, Any]) -> None:
    segment = _checked(_libc.shmget(_IPC_PRIVATE, ctypes.c_size_t(mmap.PAGESIZE), 0o600))
    _libc.shmctl(segment, _IPC_RMID, None)


def _leave_a_message(_: dict[str, Any]) -> None:
    queue = _checked(_libc.msgget(_IPC_PRIVATE, 0o600))
    _libc.msgctl(queue, _IPC_RMID, None)


def _leave_a_key(_: dict[str, Any]) -> None:
    number = _KEYCTL[os.uname().machine]
    _checked(_libc.syscall(number, 0, -3, 0))  # KEYCTL_GET_KEYRING_ID of the session's keyring


def _leave_a_file(scene: dict[str, Any]) -> None:
    _create(scene["anyones"] + f"/{os.getpid()}")


def _leave_a_file_in_memory(_: dict[str, Any]) -> None:
    _create(f"/dev/shm/autograder-canary-{os.getpid()}")  # noqa: S108 - where a submission would try it


def _leave_a_file_beside_the_submission(_: dict[str, Any]) -> None:
    _create(os.path.join(os.getcwd(), "canary"))


def _take_more_memory(scene: dict[str, Any]) -> None:
    size = scene["memory"] + (1 << 20)
    mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def _fill_a_file(_: dict[str, Any]) -> None:
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] == 0:
        raise OSError(errno.EFBIG, "the limit")


ATTEMPTS: tuple[tuple[str, Callable[[dict[str, Any]], None]], ...] = (
    ("user", _be_the_graders_user),
    ("files", _read_a_secret_file),
    ("files", _list_a_secret_directory),
    ("files", _read_a_file_that_all_may_read),
    ("files", _read_what_the_assignment_hides),
    ("names", _learn_that_a_file_exists),
    ("report", _change_the_report),
    ("report", _add_a_file_beside_the_report),
    ("report", _replace_the_report),
    ("grader", _signal_the_grader),
    ("grader", _read_the_environment_of_a_process),
    ("grader", _read_the_arguments_of_a_process),
    ("grader", _lower_the_limits_of_a_process),
    ("processes", _run_a_program),
    ("processes", _fork),
    ("syscalls", _make_a_memory_file),
    ("syscalls", _watch_files),
    ("syscalls", _have_a_descriptor_send_signals),
    ("network", _connect),
    ("network", _send_a_datagram),
    ("network", _reach_an_abstract_socket),
    ("traces", _leave_shared_memory),
    ("traces", _leave_a_message),
    ("traces", _leave_a_key),
    ("traces", _leave_a_file),
    ("traces", _leave_a_file_in_memory),
    ("traces", _leave_a_file_beside_the_submission),
    ("limits", _take_more_memory),
    ("limits", _fill_a_file),
    ("syscalls", _make_a_user_namespace),  # last: the control is in it afterwards
)


def _read(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.read(descriptor, 1)
    os.close(descriptor)


def _create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
