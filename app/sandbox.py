"""What the operating system keeps a restricted process from: files, programs, network, signals.

On Linux `enter` gives up rights that cannot be had back, for this process and whatever it starts:
Landlock (Linux 5.13 and later) leaves the named folders readable and one writable, seccomp takes
away starting programs, sockets, tracing, modes, owners and attributes of files, namespaces,
signals to others and their scheduling, and resource limits bound core files and the size of files.
The rights of root go, and files that were open before are closed. `forbid_processes` ends the
making of processes. Elsewhere nothing is enforced, and the answer says so.

Sources: kernel documentation, userspace-api/landlock.rst and seccomp_filter.rst; the numbers of
system calls are those of the two architectures' tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app import helpers, memory, paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LARGEST_FILE = 4 << 30
"""Bytes that a restricted process may put into one file."""

_SYSTEM_READ = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/vulkan",
    "/etc/glvnd",
    "/etc/drirc",
    "/etc/fonts",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/driver",
    "/sys/devices",
    "/sys/dev",
    "/sys/class/drm",
    "/sys/bus/pci",
    "/sys/fs/cgroup",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GRAPHICS = ("nvidia*", "dri/renderD*")
"""Below /dev: of a card what computes, and not what shows (``dri/card0``), whose first user may
change what is on the screen."""


@dataclass(frozen=True, slots=True)
class Protection:
    """What the operating system enforces from now on.

    Attributes:
        files: nothing outside the named folders is read or written.
        programs: no program is started, no connection made, nobody else is signalled.
        missing: why something is not enforced; empty where everything is.
    """

    files: bool
    programs: bool
    missing: str = ""

    def __str__(self) -> str:
        if not self.missing:
            return "protected: files, programs, network and signals are enforced by the system"
        return f"not protected: {self.missing}"


def enter(readable: Sequence[Path], writable: Path, files: Iterable[Path] = ()) -> Protection:
    """Give up all rights that a restricted script does not need, for good.

    Args:
        readable: folders the script may read, beside the installation.
        writable: the one folder it may write to.
        files: existing files that may be written: reports the user asked for.
    """
    if sys.platform != "linux":
        return Protection(False, False, f"{platform.system()} has no sandbox that we use")
    if threads := _other_threads():
        return Protection(False, False, f"{threads} other threads run already")
    memory.keep_counts()
    _keep_environment()
    _close_inherited()
    folders = _landlock(readable, writable, files)
    calls = "; ".join(filter(None, (_without_capabilities(), _seccomp(_filter()))))
    _limit()
    return Protection(not folders, not calls, "; ".join(filter(None, (folders, calls))))


def forbid_processes() -> None:
    """Let this process make no other, so that nothing outlives it; to be called after `enter`.

    Raises:
        OSError: the system does not do it.
    """
    if problem := _seccomp(_filter_of_processes()):
        raise OSError(problem)


def is_available() -> bool:
    """Whether `enter` can take anything away here."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return False
    try:
        _system_call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return False
    filters = int(ctypes.CDLL(None).prctl(ctypes.c_int(21), *[ctypes.c_ulong(0)] * 4))
    return filters >= 0  # PR_GET_SECCOMP; in a container it is 2


def _other_threads() -> int:
    return len(list(Path("/proc/self/task").iterdir())) - 1


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    most = LARGEST_FILE if hard == resource.RLIM_INFINITY else min(LARGEST_FILE, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))


def _close_inherited() -> None:
    """Close what whoever started this process left open: our own files are not for programs.

    A pipe that is read stays, as a script may come through one.
    """
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - of numbers
        with suppress(OSError):  # the folder itself is no longer open
            number = int(name)
            if number > 2 and os.get_inheritable(number) and not _is_read_pipe(number):
                os.close(number)


def _is_read_pipe(number: int) -> bool:
    import fcntl

    writes = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    return stat.S_ISFIFO(os.fstat(number).st_mode) and not writes


def _without_capabilities() -> str:
    """Leave root the right to open files, which Landlock bounds; what is missing, or nothing."""
    libc = ctypes.CDLL(None, use_errno=True)
    head, kept = struct.pack("@Ii", _CAPABILITY_VERSION, 0), ctypes.create_string_buffer(24)
    if libc.capget(head, kept):
        return f"capabilities: {os.strerror(ctypes.get_errno())}"
    effective, permitted, *_ = struct.unpack("@6I", kept.raw)
    less = struct.pack("@6I", effective & _OPENING, permitted & _OPENING, 0, 0, 0, 0)
    return f"capabilities: {os.strerror(ctypes.get_errno())}" if libc.capset(head, less) else ""


_CAPABILITY_VERSION = 0x20080522
_OPENING = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: folders of others, as root reads them."""
_KEPT = ("LANG", "LANGUAGE", "TZ", "TZDIR", "TERM", "TERMINFO", "PATH", "OPENBLAS_NUM_THREADS")
_VULKAN = ("VK_ADD_", "VK_DRIVER_", "VK_ICD_", "VK_INSTANCE_", "VK_LAYER_", "VK_LOADER_")
_KEPT_BEGINNINGS = ("LC_", "FUSELAB_", "MESA_", "LP_NUM_", "LP_NATIVE_", *_VULKAN)


def _keep_environment() -> None:
    """Variables hold tokens and sockets: what maths does not need is forgotten.

    Names are whole where they can be: others begin like them (LANGCHAIN_API_KEY, VK_TOKEN).
    """
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith(_KEPT_BEGINNINGS):
            del os.environ[name]
    helpers.forget_all_but(os.environ)


# --- Landlock: files ----------------------------------------------------------------------

_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_FILE_ONLY = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL
_SPECIAL = (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11)
"""Making devices, sockets and pipes."""
_ALL = (1 << 16) - 1
_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_TCP, _SCOPES = 0b11, 0b11


def _system_call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _prctl(option: int, *arguments: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    given = [*arguments, *[ctypes.c_ulong(0)] * (4 - len(arguments))]
    if libc.prctl(ctypes.c_int(option), *given):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _landlock(readable: Sequence[Path], writable: Path, files: Iterable[Path]) -> str:
    """Restrict files; what is missing, or nothing."""
    from mimetypes import knownfiles  # the system's lists of kinds, which writers of workbooks read

    try:
        abi = _system_call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError as problem:
        said = {errno.ENOSYS: "the kernel has no Landlock", errno.EOPNOTSUPP: "Landlock is off"}
        return said.get(problem.errno or 0, f"Landlock: {problem}")
    handled = _BY_ABI.get(abi, _ALL)
    attributes = struct.pack("=QQQ", handled, _TCP if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    rules = _system_call(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for place in (*_installation(), *map(Path, (*_SYSTEM_READ, *knownfiles)), *readable):
            _allow(rules, place, (_READ | _LIST) & handled)
        _allow(rules, Path("/dev/dri"), _LIST & handled)
        cards = [place for pattern in _GRAPHICS for place in Path("/dev").glob(pattern)]
        for place in (*map(Path, _DEVICES), *cards):
            _allow(rules, place, (_READ | _LIST | _WRITE | _IOCTL) & handled)
        for place in files:
            _allow(rules, place, (_READ | _WRITE | _TRUNCATE) & handled)
        _allow(rules, writable, handled & ~(_EXECUTE | _SPECIAL | _IOCTL))
        _prctl(38, ctypes.c_ulong(1))  # PR_SET_NO_NEW_PRIVS
        _system_call(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    finally:
        os.close(rules)
    if abi < 3:
        return "the kernel's Landlock lets files be cut to nothing (Linux 6.2 does not)"
    return ""


def _installation() -> list[Path]:
    """Folders of the interpreter, its packages and our own."""
    found = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(paths.PACKAGE)]
    found.append(str(paths.resource_root()))
    packages = [p for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    return [Path(place).resolve() for place in dict.fromkeys([*found, *packages])]


def _allow(rules: int, place: Path, access: int) -> None:
    """Let what lies below a place be used; a place that does not exist is left out."""
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not place.is_dir():
            access &= _FILE_ONLY
        rule = struct.pack("=Qi", access, descriptor)
        _system_call(_ADD_RULE, ctypes.c_int(rules), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


# --- seccomp: programs, network, signals ----------------------------------------------------

_DENIED = {
    # name: numbers on x86_64 and aarch64, None where there is no such call
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "vhangup": (153, 58),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "personality": (135, 92),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
    "getxattrat": (464, 464),
    "listxattrat": (465, 465),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "quotactl_fd": (443, 443),
    "open_tree_attr": (467, 467),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
}
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_OWN_PROCESS_ONLY = {"kill": (62, 129), "tgkill": (234, 131)}
_OWN_THREAD_ONLY = {
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
}
"""What may be changed of the thread that calls, which is 0, and of nobody else."""
_CLONE, _CLONE3 = (56, 220), (435, 435)
_FORKS = ((57, None), (58, None))
"""fork and vfork."""
_NAMESPACES, _THREAD = 0x7E020000, 0x00010000
_SOCKETPAIR, _LOCAL, _KIND_OF_SOCKET, _STREAM = (53, 199), 1, 0xF, 1
"""Of pairs of sockets those of local streams are let through: others can send to any third one."""
_IOCTL_CALL, _FCNTL_CALL = (16, 29), (72, 25)
_OF_TERMINALS = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Requests to a terminal that are let through: its state (TCGETS, TCGETS2), who has it (TIOCGPGRP),
its size (TIOCGWINSZ), how much was typed (FIONREAD), and those of any file: FIONBIO, FIONCLEX,
FIOCLEX. Others type into it, throw away what was typed, stop it, or signal who has it."""
_REFUSED_FCNTL = (8, 15, 1024, 1026)
"""The owner of a file, who gets signals (F_SETOWN, F_SETOWN_EX); what lets others wait for us
(F_SETLEASE) and watches them (F_NOTIFY)."""
_KINDS_OF_REQUESTS = (0x64, 0x62, 0x3E, 0x46, 0x6D, 0x00)
"""Second byte of the other requests to ioctl that are let through: graphics cards ('d', shared
memory 'b', fences '>', NVIDIA's 'F' and 'm', and its memory, which has none). Those of file systems
change what was only opened to be read."""
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN, _AND = 0x20, 0x15, 0x45, 0x35, 0x06, 0x54
_GO, _REFUSE, _NO_SUCH = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_AT, _SECOND_AT = 0, 4, 16, 24


_Step: TypeAlias = "tuple[int, int, int, int]"
_LET_GO, _REFUSED = (_RETURN, 0, 0, _GO), (_RETURN, 0, 0, _REFUSE)
_FIRST, _SECOND = (_LOAD, 0, 0, _FIRST_AT), (_LOAD, 0, 0, _SECOND_AT)


class _Program:
    """A program that decides about system calls (classic BPF); what it does not name goes on."""

    def __init__(self) -> None:
        self._column, architecture = _ARCHITECTURES.get(platform.machine(), (0, 0))
        self._code: list[_Step] = [
            (_LOAD, 0, 0, _ARCHITECTURE_AT),
            (_EQUAL, 1, 0, architecture),
            _REFUSED,  # another architecture's calls have other numbers
            (_LOAD, 0, 0, _NUMBER_AT),
            (_AT_LEAST, 0, 1, 0x40000000),
            _REFUSED,  # x32
        ]

    def when_called(self, numbers: tuple[int | None, int | None], *steps: _Step) -> None:
        """Steps for one call; they must end in a return."""
        number = numbers[self._column]
        if number is not None:
            self._code += [(_EQUAL, 0, len(steps), number), *steps]

    def as_bytes(self) -> bytes:
        """As the system takes it."""
        return b"".join(struct.pack("=HBBI", *step) for step in (*self._code, _LET_GO))


def _filter() -> bytes:
    """What `enter` decides about system calls."""
    program = _Program()
    for numbers in _DENIED.values():
        program.when_called(numbers, _REFUSED)
    for numbers in _OWN_PROCESS_ONLY.values():
        program.when_called(numbers, _FIRST, (_EQUAL, 0, 1, os.getpid()), _LET_GO, _REFUSED)
    for numbers in _OWN_THREAD_ONLY.values():
        program.when_called(numbers, _FIRST, (_EQUAL, 0, 1, 0), _LET_GO, _REFUSED)
    program.when_called(_CLONE, _FIRST, (_ANY_BIT, 0, 1, _NAMESPACES), _REFUSED, _LET_GO)
    program.when_called(_CLONE3, (_RETURN, 0, 0, _NO_SUCH))  # libraries then use clone
    type_of_pair, is_stream = (_AND, 0, 0, _KIND_OF_SOCKET), (_EQUAL, 0, 1, _STREAM)
    is_local = (_EQUAL, 1, 0, _LOCAL)
    program.when_called(
        _SOCKETPAIR, _FIRST, is_local, _REFUSED, _SECOND, type_of_pair, is_stream, _LET_GO, _REFUSED
    )
    kinds = [kind << 8 for kind in _KINDS_OF_REQUESTS]
    named, allowed = _any_of(_OF_TERMINALS, more=len(kinds) + 1), _any_of(kinds)
    kind = (_AND, 0, 0, 0xFF00)
    program.when_called(_IOCTL_CALL, _SECOND, *named, kind, *allowed, _REFUSED, _LET_GO)
    program.when_called(_FCNTL_CALL, _SECOND, *_any_of(_REFUSED_FCNTL), _LET_GO, _REFUSED)
    return program.as_bytes()


def _any_of(values: Sequence[int], more: int = 0) -> list[_Step]:
    """Tests that pass over the step behind them and over ``more`` where it is one of the values."""
    return [(_EQUAL, len(values) - k + more, 0, value) for k, value in enumerate(values)]


def _filter_of_processes() -> bytes:
    """What `forbid_processes` decides: of `clone`, threads are left."""
    program = _Program()
    for numbers in _FORKS:
        program.when_called(numbers, _REFUSED)
    program.when_called(_CLONE, _FIRST, (_ANY_BIT, 0, 1, _THREAD), _LET_GO, _REFUSED)
    return program.as_bytes()


def _seccomp(program: bytes) -> str:
    """Take system calls away; what is missing, or nothing."""
    if platform.machine() not in _ARCHITECTURES or sys.maxsize < 1 << 32:
        return f"no list of system calls for {platform.machine()}"
    held = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the length, padding, the address
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    try:
        _prctl(38, ctypes.c_ulong(1))
        _prctl(22, ctypes.c_ulong(2), ctypes.c_char_p(head))
    except OSError as problem:
        return f"seccomp: {problem}"
    return ""
