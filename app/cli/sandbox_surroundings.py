"""Attempts of ``fuselab sandbox-test`` at what surrounds a process: its terminal, devices, other
processes, the installation and the user's folder. What they do where nothing holds is undone."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
import termios
from collections.abc import Callable
from pathlib import Path

HOME = Path.home()
KEPT = "keep.txt"
PARENT = object()
"""Stands for the number of the parent, which a child does not know before it runs."""
_PRIVATE, _REMOVED = 0, 0


def call_number(number: int, *arguments: object) -> Callable[[Path], int]:
    """A system call by its number on x86_64; what is none elsewhere fails there too."""

    def call(_: Path) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        result = int(libc.syscall(ctypes.c_long(number), *arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    return call


def _of_parent(number: int, *arguments: object) -> Callable[[Path], int]:
    """A system call about whoever started the process."""

    def call(place: Path) -> int:
        given = [os.getppid() if a is PARENT else a for a in arguments]
        return call_number(number, *given)(place)

    return call


def take_a_terminal() -> None:
    """Make a terminal of our own the standard input, where the system has one."""
    _ours, theirs = os.openpty()
    os.setsid()
    os.dup2(theirs, 0)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _ask(number: int, given: int | bytes = 0) -> Callable[[Path], object]:
    return lambda _: fcntl.ioctl(0, number, given)


def _opened(name: str, flags: int) -> Callable[[Path], None]:
    """A file or a device that is opened, and neither read nor written."""
    return lambda _: os.close(os.open(name.format(parent=os.getppid()), flags))


def _made_in(folder: Path) -> Callable[[Path], None]:
    """A file in a folder that nobody may write to."""

    def call(place: Path) -> None:
        made = folder / f"made_{place.name}"
        made.touch()
        made.unlink()

    return call


def _silent(_: Path) -> None:
    """Another state, which may be one in which nothing is shown."""
    fcntl.ioctl(0, 0x5402, fcntl.ioctl(0, 0x5401, bytes(60)))


def _temporary(place: Path, name: str) -> Path:
    return place.parents[1] / "temporary" / name


def _linked_in(place: Path) -> str:
    own = _temporary(place, "linked")
    os.link(place / KEPT, own)
    return own.read_text()


def _moved_out(place: Path) -> None:
    own = _temporary(place, "moved")
    own.write_text("x")
    own.rename(place / "made")


def _linked_out(place: Path) -> None:
    own = _temporary(place, "linked_out")
    own.write_text("x")
    os.link(own, place / "made")


def _written_through_a_link(place: Path) -> None:
    own = _temporary(place, "through")
    own.symlink_to(place / KEPT)
    try:
        own.write_text("x")
    finally:
        own.unlink()


def _by_path_of_a_descriptor(place: Path) -> str:
    folder = os.open(place, os.O_PATH)
    try:
        return Path(f"/proc/self/fd/{folder}/{KEPT}").read_text()
    finally:
        os.close(folder)


def _opened_again(place: Path) -> None:
    """To be written, through a descriptor that may be read."""
    with (place.parents[1] / "inside" / "attempts.m").open("rb") as file:
        os.close(os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDWR))


def _rules_of_our_own(place: Path) -> str:
    """Rules that allow everything, on top of those that do not."""
    rules = call_number(444, struct.pack("=Q", 4), ctypes.c_size_t(8), ctypes.c_uint(0))(place)
    top = os.open("/", os.O_PATH)
    rule = struct.pack("=Qi", 4, top)
    try:
        call_number(445, ctypes.c_int(rules), ctypes.c_int(1), rule, ctypes.c_uint(0))(place)
        call_number(446, ctypes.c_int(rules), ctypes.c_uint(0))(place)
    finally:
        os.close(top)
        os.close(rules)
    return (place / KEPT).read_text()


def _semaphore(place: Path) -> None:
    held = call_number(64, _PRIVATE, 1, ctypes.c_int(0o600))(place)
    call_number(66, held, 0, ctypes.c_int(_REMOVED), None)(place)


def _queue(place: Path) -> None:
    held = call_number(68, _PRIVATE, ctypes.c_int(0o600))(place)
    call_number(71, held, ctypes.c_int(_REMOVED), None)(place)


def _connected(address: str) -> Callable[[Path], None]:
    def call(_: Path) -> None:
        with socket.socket(socket.AF_UNIX) as made:
            made.connect(address)

    return call


def _same_order(_: Path) -> None:
    parent = os.getppid()
    os.setpriority(os.PRIO_PROCESS, parent, os.getpriority(os.PRIO_PROCESS, parent))


def _name_of_the_machine(_: Path) -> None:
    socket.sethostname(socket.gethostname())


_PACKAGE = Path(__file__).parents[1]
_READ, _WRITE, _BOTH = os.O_RDONLY, os.O_WRONLY, os.O_RDWR

SURROUNDINGS: dict[str, Callable[[Path], object]] = {
    "typing into the terminal": _ask(0x5412, b"x"),
    "the terminal alone": _ask(termios.TIOCEXCL),
    "a terminal that stands still": _ask(0x540A, 1),
    "what was typed, thrown away": _ask(0x540B),
    "what goes to the terminal, waited for": _ask(0x5409, 1),
    "size of the terminal": _ask(termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0)),
    "who has the terminal": lambda _: os.tcsetpgrp(0, os.getpgrp()),
    "how the terminal shows": _silent,
    "discipline of the terminal": _ask(termios.TIOCSETD, struct.pack("i", 0)),
    "signals of the terminal": _ask(termios.FIOASYNC, struct.pack("i", 0)),
    "another terminal": _opened("/dev/ptmx", _BOTH | os.O_NOCTTY),
    "the terminal by name": lambda _: os.close(os.open(os.ttyname(0), _BOTH | os.O_NOCTTY)),
    "the terminal of the session": _opened("/dev/tty", _BOTH | os.O_NOCTTY),
    "messages of the kernel": _opened("/dev/kmsg", _READ),
    "memory of the machine": _opened("/dev/mem", _READ),
    "made keys": _opened("/dev/uinput", _WRITE),
    "typed keys": _opened("/dev/input/event0", _READ),
    "network cards": _opened("/dev/net/tun", _BOTH),
    "file systems of our own": _opened("/dev/fuse", _BOTH),
    "virtual machines": _opened("/dev/kvm", _BOTH),
    "keys of the system": _opened("/proc/sysrq-trigger", _WRITE),
    "program for core files": _opened("/proc/sys/kernel/core_pattern", _WRITE),
    "sleep of the machine": _opened("/sys/power/state", _WRITE),
    "groups of processes": _opened("/sys/fs/cgroup/cgroup.procs", _WRITE),
    "users of a namespace": _opened("/proc/self/uid_map", _WRITE),
    "who dies first": _opened("/proc/self/oom_score_adj", _WRITE),
    "whether the parent dies": _opened("/proc/{parent}/oom_score_adj", _WRITE),
    "name of the parent": _opened("/proc/{parent}/comm", _WRITE),
    "command of the parent": _opened("/proc/{parent}/cmdline", _READ),
    "map of our memory": _opened("/proc/self/maps", _READ),
    "place of our memory": _opened("/proc/self/pagemap", _READ),
    "connections of the machine": _opened("/proc/net/tcp", _READ),
    "passwords": _opened("/etc/shadow", _READ),
    "namespace of the parent": _opened("/proc/{parent}/ns/net", _READ),
    "the installation": _made_in(_PACKAGE),
    "compiled code of ours": _made_in(_PACKAGE / "cli"),
    "packages of Python": _made_in(Path(sys.prefix)),
    "the user's folder": _made_in(HOME),
    "what is in the user's folder": lambda _: list(HOME.iterdir()),
    "the user's keys": lambda _: list((HOME / ".ssh").iterdir()),
    "programs of the system": _made_in(Path("/usr/local/bin")),
    "folder for everybody": _made_in(Path("/tmp")),  # noqa: S108 - that it cannot be is what is tried
    "hard link to read": _linked_in,
    "moved out": _moved_out,
    "hard link out": _linked_out,
    "written through a link": _written_through_a_link,
    "read by a path of a descriptor": _by_path_of_a_descriptor,
    "opened again to be written": _opened_again,
    "rules of our own": _rules_of_our_own,
    "semaphores": _semaphore,
    "queue of messages": _queue,
    "name of the machine": _name_of_the_machine,
    "order of the parent": _same_order,
    "groups of the user": lambda _: os.setgroups(os.getgroups()),
    "disk order of the parent": _of_parent(251, 1, PARENT, 0),
    "memory that the parent has": _of_parent(279, PARENT, ctypes.c_ulong(0), None, None, None, 0),
    "locks of the parent": _of_parent(274, PARENT, bytes(8), bytes(8)),
    "likeness to the parent": _of_parent(312, os.getpid(), PARENT, 0, 0, 0),
    "handle of a file": lambda p: call_number(
        303, -100, bytes(p), struct.pack("II", 128, 0) + bytes(128), bytes(4), 0
    )(p),
    "a file system without a place": call_number(430, b"tmpfs", ctypes.c_uint(0)),
    "a tree of files": call_number(428, -100, b"/", ctypes.c_uint(0)),
    "watch over all files": call_number(300, ctypes.c_uint(0), ctypes.c_uint(0)),
    "bus of the system": _connected("/run/dbus/system_bus_socket"),
    "the X server": _connected("/tmp/.X11-unix/X0"),  # noqa: S108 - as above
    "the X server without a file": _connected("\0/tmp/.X11-unix/X0"),
}
