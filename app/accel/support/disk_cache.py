"""What runs leave for the next ones: files of our own plain classes, good for one version of us.

Reading gives back classes of the accelerator and nothing else, whatever the file says.
"""

from __future__ import annotations

import logging
import os
import pickle
from functools import cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

from app import __version__, paths

DIGEST = 16
_log = logging.getLogger("fuselab.gpu")


@cache
def stamp() -> bytes:
    """Names this version of the accelerator: plans and kernels of another one are not ours."""
    found = sorted(Path(__file__).parent.parent.rglob("*.py"))
    facts = [(path.name, (about := path.stat()).st_size, about.st_mtime_ns) for path in found]
    return blake2b(repr((__version__, facts)).encode(), digest_size=DIGEST).digest()


class _Reader(pickle.Unpickler):
    """Knows the accelerator's classes only."""

    def find_class(self, module: str, name: str) -> Any:
        """A class by its name. Raises UnpicklingError for everything that is not ours."""
        ours = module.startswith("app.accel.") and "." not in name
        found = super().find_class(module, name) if ours else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong here")
        return found


def write(path: Path, content: object) -> None:
    """Put plain objects into a file, in one piece or not at all."""
    body = pickle.dumps(content, protocol=4)
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(stamp() + blake2b(body, digest_size=DIGEST).digest() + body)
        fresh.replace(path)
    except OSError as problem:
        _log.warning("%s cannot be written: %s", path, problem)


def read(path: Path) -> Any:
    """What was written; None where there is nothing, or nothing of this version of us."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        _log.warning("%s cannot be read: %s", path, problem)
        return None
    if whole[:DIGEST] != stamp():
        return None
    try:
        return _Reader(BytesIO(_body(whole[DIGEST:]))).load()
    except pickle.UnpicklingError as problem:
        kept = paths.set_aside(path)
        _log.warning("%s is broken (%s); it is kept as %s", path.name, problem, kept.name)
        return None


def _body(whole: bytes) -> bytes:
    """What follows the digest, if it is what was written. Raises UnpicklingError."""
    digest, body = whole[:DIGEST], whole[DIGEST:]
    if blake2b(body, digest_size=DIGEST).digest() != digest:
        raise pickle.UnpicklingError("it is not what was written")
    return body
