"""Where things are: shipped resources and the user's folders.

``FUSELAB_HOME`` moves all of the user's folders below one folder (tests, portable copies).
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from app import restricted
from app.errors import NO_FILE

PACKAGE = Path(__file__).resolve().parent
_INSTEAD: dict[Path, Path] = {}
_ON_LINUX = sys.platform == "linux"
_XDG = {
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "cache": ("XDG_CACHE_HOME", "~/.cache"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
}
"""Linux's own rule, written here too: importing platformdirs takes a tenth of an empty run."""


def resource_root() -> Path:
    """The folder of icons, themes, examples and help: inside the wheel or beside the package."""
    shipped = PACKAGE / "_resources"
    return shipped if shipped.is_dir() else PACKAGE.parent / "resources"


def resource(name: str) -> Path:
    """The path of a shipped file such as ``examples/quickstart.m``."""
    return resource_root() / name


def config_dir() -> Path:
    """The user's settings; made when missing."""
    return _user_dir("config")


def cache_dir() -> Path:
    """Compiled kernels and calibrations; may be deleted at any time."""
    return _user_dir("cache")


def data_dir() -> Path:
    """Crash reports, history and sessions."""
    return _user_dir("data")


def scripts_dir() -> Path:
    """The folder for a person's scripts, where no other is chosen; made when missing."""
    home = os.environ.get("FUSELAB_HOME")
    if home:
        return _made_somewhere("scripts", Path(home) / "scripts")
    import platformdirs

    return _made_somewhere("scripts", platformdirs.user_documents_path() / "Fuselab")


def own_example(name: str, folder: str = "examples") -> Path:
    """A person's copy of an example, made the first time; the one that was shipped stays whole.

    ``folder`` is ``live`` for the documents.

    What was changed in the copy stays, too.
    """
    copy = _private_folder(scripts_dir() / "examples") / name
    if not copy.exists():
        copy.write_bytes(resource(f"{folder}/{name}").read_bytes())
    return copy


def examples(folder: str = "examples") -> dict[str, str]:
    """The examples, or the documents in ``live``: file names with their titles."""
    found = {}
    for path in sorted((resource_root() / folder).glob("*.m")):
        with path.open(encoding="utf-8") as lines:
            found[path.name] = lines.readline().removeprefix("%[text]").strip("%# \n").rstrip(".")
    return found


def guides() -> dict[str, Path]:
    """The guides by their titles."""
    found = {}
    for path in sorted((resource_root() / "guides").glob("*.md")):
        with path.open(encoding="utf-8") as lines:
            found[lines.readline().strip("# \n")] = path
    return found


def crash_dir() -> Path:
    """Reports about bugs of ours."""
    folder = data_dir() / "crashes"
    if os.path.lexists(folder) and not folder.is_dir():
        set_aside(folder)
    return _private_folder(folder)


def set_aside(path: Path) -> Path:
    """Rename a broken file out of the way, and say what it is called now.

    It keeps its name where nothing may be renamed, or where another process has done it already.
    """
    names = (path.with_name(f"{path.name}.broken-{number}") for number in range(1, 1000))
    target = next(
        (name for name in names if not name.exists()), path.with_name(f"{path.name}.broken")
    )
    try:
        with restricted.restriction_lifted():
            return path.replace(target)
    except OSError:
        return path


def write_private(path: Path, body: bytes) -> None:
    """Put a file that only this user may read into place: on the disk, and whole, or not at all.

    Raises OSError where it cannot be written; nothing is left behind then.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with restricted.restriction_lifted():
            _write(path, part, body)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _write(path: Path, part: Path, body: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def opened_to_append(path: Path) -> TextIO:
    """A text file that only this user may read, to be written to at its end."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return os.fdopen(os.open(path, flags, 0o600), "a", encoding="utf-8")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A file beside ``path`` to write to, which takes its place; an error leaves what there was.

    Links are followed and the mode is kept. What is no file (a pipe, a device), a file in a
    folder that nobody may write to, and one that may not be written, is written itself.
    """
    target = path.resolve()
    restricted.check_writing(target)  # an error names the file, not the one beside it
    replaceable = not target.exists() or (target.is_file() and os.access(target, os.W_OK))
    if not replaceable or not os.access(target.parent, os.W_OK):
        with with_reader(target):
            yield path
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666
    number = f"{os.getpid()}-{threading.get_ident()}"
    part = target.with_name(f".{target.name[:100]}.{number}.part{target.suffix}")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        if target.exists() and stat.S_IMODE(part.stat().st_mode) != mode:
            part.chmod(mode)
        yield part
        part.replace(target)
    except BaseException as problem:
        part.unlink(missing_ok=True)
        if isinstance(problem, OSError) and problem.filename in (part, str(part)):
            problem.filename, problem.filename2 = str(path), None
        raise


@contextmanager
def with_reader(target: Path) -> Iterator[None]:
    """Within it a pipe has a reader; OSError where it has none, for whom opening would wait."""
    if not target.is_fifo():
        yield
        return
    held = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
    try:
        yield
    finally:
        os.close(held)


def put_whole(path: Path, body: bytes) -> None:
    """Write a file as `written_whole` does."""
    with written_whole(path) as part:
        part.write_bytes(body)


def put_at_end(path: Path, body: bytes) -> None:
    """Add to a file, which is made where there is none."""
    with with_reader(path), path.open("ab") as file:
        file.write(body)


def content(path: Path, most: int = -1) -> bytes:
    """All of a file that comes from outside, or its first ``most`` bytes; OSError where it cannot
    be read."""
    check_file(path)
    opener = None if str(path).startswith(_GIVEN) else _opened_at_once
    with open(path, "rb", opener=opener) as file:
        _check_kind(os.fstat(file.fileno()), path)  # a pipe may have taken its place
        return file.read(most)


def _opened_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to is not waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def check_file(path: Path) -> None:
    """Raise OSError for a pipe, which may never be written to, and for a device, which may have no
    end: a link to ``/dev/zero`` in a folder from elsewhere. What this process was given, such as
    ``/dev/stdin``, is read."""
    _check_kind(path.stat(), path)


def _check_kind(state: os.stat_result, path: Path) -> None:
    kind = stat.S_IFMT(state.st_mode)
    if kind not in {stat.S_IFREG, stat.S_IFDIR} and not str(path).startswith(_GIVEN):
        raise OSError(NO_FILE, os.strerror(NO_FILE), str(path))


_GIVEN = (os.devnull, "/dev/stdin", "/dev/fd/", "/proc/self/fd/")


def _user_dir(kind: str) -> Path:
    home = os.environ.get("FUSELAB_HOME")
    if home:
        return _made_somewhere(kind, Path(home) / kind)
    if _ON_LINUX:
        variable, usual = _XDG[kind]
        base = os.environ.get(variable, "").strip() or os.path.expanduser(usual)  # noqa: PTH111 - as platformdirs does
        return _made_somewhere(kind, Path(base) / "fuselab")
    import platformdirs

    folder: Path = getattr(platformdirs, f"user_{kind}_path")("fuselab", appauthor=False)
    return _made_somewhere(kind, folder)


def _made_somewhere(kind: str, folder: Path) -> Path:
    """The folder; where it cannot be made, a temporary one if there can be one.

    Crash reports stay, the rest goes.
    """
    try:
        with restricted.restriction_lifted():
            return _private_folder(_INSTEAD.get(folder, folder))
    except OSError as problem:
        import atexit
        import logging
        import shutil
        import tempfile

        try:
            made = _INSTEAD[folder] = Path(tempfile.mkdtemp(prefix=f"fuselab-{kind}-"))
        except OSError:  # nothing can be written anywhere, as whoever tries will be told
            return folder
        if kind != "data":
            atexit.register(shutil.rmtree, made, ignore_errors=True)
        logging.getLogger("fuselab.paths").warning("%s; %s is used instead", problem, made)
        return made


def _private_folder(folder: Path) -> Path:
    """A folder for this user alone: what is typed and not yet saved lies there."""
    if not folder.is_dir():
        for place in reversed([p for p in folder.parents if not p.exists()]):
            place.mkdir(mode=0o700, exist_ok=True)  # with `parents` those may be anybody's
        folder.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix":
        state = folder.stat()
        if state.st_uid == os.geteuid() and state.st_mode & 0o077:
            folder.chmod(0o700)
    return folder


def is_file(path: str | Path) -> bool:
    """Whether a file lies there; False for names that no file could have."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def exists(path: str | Path) -> bool:
    """Whether anything lies there; False for names that nothing could have."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a folder lies there; False for names that no folder could have."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
