"""Cache files that nobody else can have written: one door for whatever is kept between runs.

A file has a header (format, length, digest) and a body. The digest is keyed with a secret of this
user and covers the file's name, so that neither a damaged file, nor another program's, nor one
that was put in its place is ever used. What fails a check is deleted, with one line in the log,
and made again by whoever asked for it.
"""

from __future__ import annotations

import logging
import os
import stat
import struct
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from app import paths, restricted
from app.digests import blake2b, same_digest

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = struct.Struct(">8sQ32s")
_FORMAT = b"fuselab\1"
_KEY_BYTES = 32
_LOG = logging.getLogger("fuselab.cache")
_ONE_KEY = Lock()
"""Two threads that find no secret must not make two."""


def write(path: Path, body: bytes) -> None:
    """Keep ``body`` under ``path``: whole or not at all. A full or read-only disk is logged."""
    try:
        paths.write_private(path, _HEADER.pack(_FORMAT, len(body), _digest(path, body)) + body)
    except OSError as problem:
        _LOG.warning("%s cannot be written: %s", path, problem)


def read(path: Path) -> bytes | None:
    """What `write` put there; None where there is nothing, or nothing that can be trusted."""
    try:
        whole, problem = _content(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        _LOG.warning("%s cannot be read: %s", path, error)
        return None
    if not problem and whole[: len(_FORMAT)] != _FORMAT and whole:
        _LOG.info("%s is of another version; it is made again", path)
        _remove(path)
        return None
    problem = problem or _problem(path, whole)
    if problem:
        _LOG.warning("%s %s; it is made again", path, problem)
        _remove(path)
        return None
    return whole[_HEADER.size :]


def _content(path: Path) -> tuple[bytes, str]:
    """A file's bytes, and what rules it out; one of them is empty. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK | _BINARY | _NO_WAIT)
    try:
        state = os.fstat(descriptor)
        problem = _owner_problem(state) if stat.S_ISREG(state.st_mode) else "is no file"
        if problem:
            return b"", problem
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(), ""
    finally:
        os.close(descriptor)


def _problem(path: Path, whole: bytes) -> str:
    """What is wrong with a file's bytes; empty where nothing is."""
    if len(whole) < _HEADER.size:
        return "is cut short"
    _, length, digest = _HEADER.unpack_from(whole)
    body = whole[_HEADER.size :]
    if length != len(body):
        return "is cut short"
    return "" if same_digest(digest, _digest(path, body)) else "is not what was written"


def _owner_problem(state: os.stat_result) -> str:
    """Why a file's owner or mode rules it out."""
    if os.name != "posix":
        return ""
    if state.st_uid != os.geteuid():
        return "belongs to somebody else"
    return "can be written by others" if state.st_mode & 0o022 else ""


def _remove(path: Path) -> None:
    with suppress(OSError), restricted.restriction_lifted():
        path.unlink()


def _digest(path: Path, body: bytes) -> bytes:
    keyed = blake2b(key=_key(paths.data_dir()), digest_size=_KEY_BYTES)
    keyed.update(path.name.encode(errors="surrogateescape") + b"\0")
    keyed.update(body)
    return keyed.digest()


def _key(folder: Path) -> bytes:
    """This user's secret; where it cannot be kept, one that holds for this process."""
    with _ONE_KEY:
        return _key_of(folder)


@cache
def _key_of(folder: Path) -> bytes:
    place = folder / "cache.key"
    for _ in range(2):
        found = _kept_key(place)
        if found:
            return found
        fresh = os.urandom(_KEY_BYTES)
        try:
            _create(place, fresh)
        except FileExistsError:
            continue  # another process was first
        except OSError as problem:
            _LOG.info("caches hold for this run only: %s", problem)
            return fresh
    return os.urandom(_KEY_BYTES)


def _kept_key(place: Path) -> bytes:
    """The secret on disk; empty where there is none that can be trusted."""
    try:
        found, problem = _content(place)
    except OSError:
        return b""
    if not problem and len(found) == _KEY_BYTES:
        return found
    _LOG.warning("%s %s; caches are made again", place, problem or "is no key")
    _remove(place)
    return b""


def _create(place: Path, secret: bytes) -> None:
    """Put the secret there in one piece, unless there is one."""
    part = place.with_name(f"{place.name}.{os.getpid()}")
    paths.write_private(part, secret)
    try:
        with restricted.restriction_lifted():
            os.link(part, place)
    finally:
        _remove(part)


_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""A pipe in the place of a file is opened at once, to be refused."""
