"""The attempts of ``fuselab sandbox-test`` that ask the system directly."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from app.cli.sandbox_surroundings import KEPT, SURROUNDINGS, call_number

POST = "post"
CHANGED = 0o612
"""The mode, and the time in seconds, that attempts at them set."""


def _write_by_mapping(place: Path) -> None:
    with (place / KEPT).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0] = 0


def _renamed_away(place: Path) -> None:
    place.rename(place.with_name("away"))


def _by_descriptor(place: Path) -> bytes:
    folder = os.open(place, os.O_PATH)
    return os.read(os.open(KEPT, os.O_RDONLY, dir_fd=folder), 99)


def _signal_parent(_: Path) -> None:
    os.kill(os.getppid(), 0)


def _start_program(command: list[str]) -> None:
    subprocess.run(command, check=True)  # noqa: S603 - that it must not run is what is tried


def _spawn(program: str, words: list[str]) -> None:
    os.waitpid(os.posix_spawn(program, words, {}), 0)


def _from_memory(place: Path) -> None:
    program = os.memfd_create("x")
    os.write(program, Path("/usr/bin/touch").read_bytes())
    if not os.fork():
        try:
            os.execve(program, ["touch", f"{place}/made"], {})  # noqa: S606 - as above
        finally:
            os._exit(9)
    if os.wait()[1]:
        raise OSError("refused")


def _signal_by_owner(_: Path) -> None:
    source, _sink = os.pipe()
    fcntl.fcntl(source, fcntl.F_SETOWN, os.getppid())


def _linked_by_descriptor(place: Path) -> None:
    held = os.open(place / KEPT, os.O_PATH)
    os.link(f"/proc/self/fd/{held}", place / "made", follow_symlinks=True)


def _in_namespace(place: Path) -> None:
    if call_number(272, 0x10000000)(place):  # unshare(CLONE_NEWUSER)
        raise OSError("refused")


def _race_of_links(place: Path) -> None:
    """A link that leads inside and outside by turns, opened again and again."""
    own = place.parents[1] / "temporary" / "turning"
    for k in range(200):
        own.unlink(missing_ok=True)
        own.symlink_to(place / KEPT if k % 2 else own.parent / "inside")
        with contextlib.suppress(OSError):
            own.open("a").write("x")
    raise OSError("refused")


def _inherited(place: Path) -> int:
    """A file that this process was given open."""
    wanted = (place / KEPT).stat().st_ino
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            if os.fstat(number).st_ino == wanted:
                return os.write(number, b"x")
    raise OSError("none")


def _by_pair(kind: int) -> Callable[[Path], object]:
    """A pair of sockets, one of which sends to somebody else's."""

    def call(place: Path) -> int:
        ours, _ = socket.socketpair(socket.AF_UNIX, kind)
        os.chdir(place.parents[1])
        return ours.sendto(b"x", POST)

    return call


def _handed_over(place: Path) -> object:
    """An open file for a process elsewhere."""
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    os.chdir(place.parents[1])
    return socket.send_fds(ours, [b"x"], [0], address=POST)


def _with_readable(act: Callable[[int], object]) -> Callable[[Path], object]:
    """What is done to a file of the script's folder that was opened to be read."""

    def call(place: Path) -> object:
        with (place.parents[1] / "inside" / "attempts.m").open("rb") as file:
            return act(file.fileno())

    return call


def _request(number: int, size: int) -> Callable[[Path], object]:
    """A request to the file system that sets what is 0 anyway."""
    return _with_readable(lambda file: fcntl.ioctl(file, number, bytes(size)))


def _left_behind(_: Path) -> None:
    """A process that may outlive this one."""
    if not os.fork():
        os._exit(0)
    os.wait()


def _before_everybody(_: Path) -> None:
    """A schedule under which others wait."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _rights_of_root(_: Path) -> int:
    """More than opening files, which the folders bound."""
    held = (ctypes.c_uint32 * 6)()
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if ctypes.CDLL(None).capget(head, held) or not held[0] & ~0b110:
        raise OSError("none")
    return held[0]


def _run_in_memory(place: Path) -> None:
    held = os.memfd_create("x", 0)
    os.write(held, f"#!/bin/sh\ntouch '{place}/made'\n".encode())
    _spawn(f"/proc/self/fd/{held}", ["x"])


def _in_shared_memory(place: Path) -> None:
    made = Path("/dev/shm", place.name)  # noqa: S108 - that it cannot be made is what is tried
    made.write_text("x")
    made.unlink()


def _exchanged(place: Path) -> None:
    """Two files that take each other's names: one of ours and one outside."""
    own = place.parents[1] / "temporary" / "other"
    own.write_text("x")
    call_number(316, -100, bytes(own), -100, bytes(place / KEPT), ctypes.c_uint(2))(place)


def _raised_limit(_: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


CALLS: dict[str, Callable[[Path], object]] = {
    **SURROUNDINGS,
    "datagram by a pair": _by_pair(socket.SOCK_DGRAM),
    "packet by a pair": _by_pair(socket.SOCK_RAW),
    "pair of another family": lambda _: socket.socketpair(30, socket.SOCK_STREAM),
    "what a screen shows": lambda _: os.open("/dev/dri/card0", os.O_RDWR),
    "open file by a pair": _handed_over,
    "flags of a file": _with_readable(
        lambda file: fcntl.ioctl(file, 0x40086602, fcntl.ioctl(file, 0x80086601, bytes(8)))
    ),
    "version of a file": _request(0x40087602, 8),
    "project of a file": _request(0x401C5820, 28),
    "let others wait to write": _with_readable(
        lambda file: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    ),
    "watch by a descriptor": lambda p: fcntl.fcntl(
        os.open(p.parents[1] / "inside", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_MODIFY
    ),
    "another process": _left_behind,
    "before everybody": _before_everybody,
    "rights of root": _rights_of_root,
    "links that change": _race_of_links,
    "open files of the parent": _inherited,
    "spawn from memory": _run_in_memory,
    "larger files than allowed": _raised_limit,
    "signal to a group": lambda _: os.killpg(os.getppid(), 0),
    "signal by a queue": call_number(129, ctypes.c_int(1), ctypes.c_int(0), None),
    "page faults": call_number(323, ctypes.c_int(1)),
    "abstract socket": lambda _: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET),
    "virtual socket": lambda _: socket.socket(40, socket.SOCK_STREAM),
    "message queue": call_number(240, b"fuselab", ctypes.c_int(0o102), ctypes.c_int(0o600), None),
    "memory of the parent": call_number(310, os.getppid(), None, 0, None, 0, 0),
    "shared memory by name": _in_shared_memory,
    "root of the parent": lambda p: Path(f"/proc/{os.getppid()}/root{p / KEPT}").read_text(),
    "environment of the parent": lambda _: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "files of the parent": lambda _: list(Path(f"/proc/{os.getppid()}/fd").iterdir()),
    "exchange of names": _exchanged,
    "truncate by mode": lambda p: os.close(os.open(p / KEPT, os.O_RDONLY | os.O_TRUNC)),
    "file without a name": lambda p: os.close(os.open(p, os.O_TMPFILE | os.O_RDWR)),
    "open to write": lambda p: (p / KEPT).write_text("x"),
    "open to append": lambda p: (p / KEPT).open("a").write("x"),
    "open to read": lambda p: (p / KEPT).read_text(),
    "read by a folder's descriptor": _by_descriptor,
    "create": lambda p: (p / "made").touch(),
    "truncate": lambda p: os.truncate(p / KEPT, 0),
    "unlink": lambda p: (p / KEPT).unlink(),
    "rmdir": lambda p: (p / "empty").rmdir(),
    "mkdir": lambda p: (p / "made").mkdir(),
    "rename": lambda p: (p / KEPT).rename(p / "other"),
    "rename the folder": _renamed_away,
    "hard link": lambda p: os.link(p / KEPT, p / "made"),
    "symbolic link": lambda p: (p / "made").symlink_to("/"),
    "named pipe": lambda p: os.mkfifo(p / "made"),
    "device node": lambda p: os.mknod(p / "made"),
    "mode": lambda p: (p / KEPT).chmod(CHANGED),
    "times": lambda p: os.utime(p / KEPT, (CHANGED, CHANGED)),
    "owner": lambda p: os.chown(p / KEPT, os.getuid(), os.getgid()),
    "attribute": lambda p: os.setxattr(p / KEPT, "user.a", b"x"),
    "map": _write_by_mapping,
    "list": lambda p: list(p.iterdir()),
    "list /": lambda _: list(Path("/").iterdir()),
    "read /etc/passwd": lambda _: Path("/etc/passwd").read_text(),
    "read our environment": lambda _: Path("/proc/self/environ").read_bytes(),
    "read the parent's memory": lambda _: Path(f"/proc/{os.getppid()}/mem").read_bytes(),
    "write our memory": lambda _: os.open("/proc/self/mem", os.O_RDWR),
    "run": lambda p: _start_program(["/usr/bin/touch", f"{p}/made"]),
    "run by a shell": lambda p: _start_program(["/bin/sh", "-c", f"touch {p}/made"]),
    "spawn": lambda p: _spawn("/usr/bin/touch", ["touch", str(p / "made")]),
    "exec from memory": _from_memory,
    "connect": lambda _: socket.create_connection(("127.0.0.1", 80), 0.2),
    "datagram": lambda _: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "local socket": lambda _: socket.socket(socket.AF_UNIX),
    "netlink": lambda _: socket.socket(16, socket.SOCK_RAW, 0),
    "packets": lambda _: socket.socket(17, socket.SOCK_RAW, 0),
    "signal to the parent": _signal_parent,
    "signal to everybody": lambda _: os.kill(-1, 0),
    "new namespace": _in_namespace,
    "trace": call_number(101, ctypes.c_long(16), ctypes.c_long(1), None, None),
    "mount": call_number(165, b"none", b"/tmp", b"tmpfs", ctypes.c_ulong(0), None),
    "chroot": call_number(161, b"/tmp"),
    "io_uring": call_number(425, ctypes.c_uint(1), ctypes.create_string_buffer(128)),
    "bpf": call_number(321, ctypes.c_int(0), ctypes.create_string_buffer(64), ctypes.c_uint(64)),
    "perf": call_number(298, ctypes.create_string_buffer(128), 0, -1, -1, ctypes.c_ulong(0)),
    "shared memory": call_number(29, ctypes.c_int(0), ctypes.c_size_t(4096), ctypes.c_int(0o1600)),
    "keys": call_number(250, ctypes.c_int(0), ctypes.c_int(-3), ctypes.c_int(1)),
    "another's files": call_number(438, ctypes.c_int(0), ctypes.c_int(0), ctypes.c_uint(0)),
    "a process by number": call_number(434, ctypes.c_int(1), ctypes.c_uint(0)),
    "signal by a file's owner": _signal_by_owner,
    "list attributes": lambda p: os.listxattr(p / KEPT),
    "watch a folder": call_number(294, ctypes.c_int(0)),
    "processors of the parent": lambda _: os.sched_setaffinity(os.getppid(), {0}),
    "schedule of the parent": lambda _: os.sched_setscheduler(
        os.getppid(), os.SCHED_OTHER, os.sched_param(0)
    ),
    "another's limits": lambda _: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE),
    "link by descriptor": _linked_by_descriptor,
    "32-bit calls": call_number(0x40000000 + 39),
    "clock": call_number(227, ctypes.c_int(0), ctypes.create_string_buffer(16)),
}
