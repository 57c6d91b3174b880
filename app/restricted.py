"""What a restricted script must not do, refused by name wherever Python would do it.

An audit hook looks at every file that is opened for writing, removed or renamed, at processes and
at connections, on the threads that run restricted scripts. It gives good errors everywhere; what
holds against hostile code is the operating system's own protection (`sandbox`).
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import MatlabError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.temporary_folders import OwnedFolder

IDENTIFIER = "Fuselab:restricted"
REMEDY = "trust the folder of the script, or run without --restricted"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


_on: ContextVar[bool | None] = ContextVar("restricted", default=None)
"""Whether a restricted script runs, on this thread and on those that it waits for; None where no
script runs."""


def is_on() -> bool:
    """Whether this thread runs a restricted script."""
    return bool(_on.get())


def runs_script() -> bool:
    """Whether this thread runs a script, restricted or not."""
    return _on.get() is not None


def error(what: str) -> MatlabError:
    """The error of a call that a restricted script must not make."""
    return MatlabError(IDENTIFIER, f"{what} is not allowed in a restricted run: {REMEDY}.")


def refuse(what: str) -> None:
    """Raise MatlabError in a restricted run; ``what`` is what was asked for."""
    if _on.get():
        raise error(what)


def explain(problem: OSError) -> None:
    """Raise MatlabError where the system refused a file to a restricted run: that is why."""
    if _on.get() and problem.errno in {errno.EACCES, errno.EPERM}:
        name = problem.filename2 or problem.filename
        file = f"'{os.fsdecode(name)}'" if isinstance(name, str | bytes) else "a file elsewhere"
        raise error(f"using {file}") from problem


def check_folder(folder: Path) -> None:
    """Raise MatlabError where a restricted run may not look into a folder."""
    if _on.get():
        try:
            os.scandir(folder).close()
        except OSError as problem:
            explain(problem)
        except ValueError:  # no folder has a name with a zero byte
            return


@contextmanager
def restriction_applied(on: bool) -> Iterator[None]:
    """Within it this thread runs a restricted script, or one that may do everything."""
    before = _on.get()
    if on:
        _install()
        temporary_folder()
    _on.set(on)
    try:
        yield
    finally:
        _on.set(before)


@contextmanager
def restriction_lifted() -> Iterator[None]:
    """Within it the program itself is at work: its own caches and reports."""
    before = _on.get()
    _on.set(False)
    try:
        yield
    finally:
        _on.set(before)


@cache
def temporary_folder() -> Path:
    """The one folder that restricted scripts may write to; it goes with the process."""
    import tempfile

    made = Path(_own_folder().name).resolve()
    tempfile.tempdir = str(made)
    return made


@cache
def _own_folder() -> OwnedFolder:
    from app.temporary_folders import OwnedFolder

    return OwnedFolder("restricted")


def check_writing(path: object, folder: int | None = None) -> None:
    """Raise MatlabError where a restricted script must not write.

    Args:
        path: a path, or the number of an open file, which is always fine.
        folder: the number of the open folder that the path is relative to.
    """
    if not _on.get() or isinstance(path, int):
        return
    name = os.fsdecode(os.fspath(path))  # type: ignore[call-overload]
    with restriction_lifted():
        above = _folder_of(folder) if folder is not None and folder >= 0 else Path()
        place = (above / name).resolve()
        if place == Path(os.devnull) or place.is_relative_to(temporary_folder()):
            return
    what = f"writing to '{place}' (other than below '{temporary_folder()}')"
    raise error(what)


def _folder_of(descriptor: int) -> Path:
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return Path(f"/folder {descriptor}")  # unknown: nothing of ours lies there


@cache
def _install() -> None:
    """Begin to listen; a hook cannot be taken back, so it looks at the thread first."""
    sys.dont_write_bytecode = True  # a module that a script brings in would be kept beside it
    sys.addaudithook(_hook)


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _on.get() and (check := _CHECKS.get(event)) is not None:
        check(*arguments)


def _open(path: object, mode: object, flags: object) -> None:
    if isinstance(flags, int) and flags & _WRITING:
        check_writing(path)


def _check_written_path(path: object, *more: object) -> None:
    folder = more[-1] if more and isinstance(more[-1], int) else None
    check_writing(path, folder)


def _two(source: object, target: object, *folders: object) -> None:
    first, second = (f if isinstance(f, int) else None for f in (*folders, None, None)[:2])
    check_writing(source, first)
    check_writing(target, second)


def _target(source: object, target: object, *folders: object) -> None:
    del source
    check_writing(target, folders[-1] if folders and isinstance(folders[-1], int) else None)


def _refusal_of(what: str) -> Callable[..., None]:
    """A refusal as the system words it: libraries try such things and know what to do then."""

    def check(*_arguments: object) -> None:
        raise PermissionError(errno.EPERM, error(what).message)

    return check


_CHECKS: dict[str, Callable[..., None]] = {
    "open": _open,
    **dict.fromkeys(("os.remove", "os.rmdir", "os.mkdir"), _check_written_path),
    **dict.fromkeys(
        ("os.truncate", "os.chflags", "os.lchflags"), lambda path, *_: _check_written_path(path)
    ),
    "os.chmod": lambda path, _mode, folder: _check_written_path(path, folder),
    "os.chown": lambda path, _user, _group, folder: _check_written_path(path, folder),
    "os.utime": lambda path, _times, _ns, folder: _check_written_path(path, folder),
    "os.setxattr": lambda path, *_: _check_written_path(path),
    "os.removexattr": lambda path, *_: _check_written_path(path),
    "os.rename": _two,
    "os.link": _two,
    "os.symlink": _target,
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.startfile"),
        _refusal_of("starting a program"),
    ),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), _refusal_of("a signal")),
    **dict.fromkeys(
        ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"),
        _refusal_of("a connection"),
    ),
    "webbrowser.open": _refusal_of("a browser"),
}
