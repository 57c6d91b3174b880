"""What runs leave for the next ones: files of our own plain classes, good for one version of us.

Reading gives back classes of the accelerator and nothing else, whatever the file says.
"""

from __future__ import annotations

import logging
import pickle
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from app import __version__, cachefile, paths
from app.digests import blake2b

DIGEST = 16
_log = logging.getLogger("fuselab.gpu")


@cache
def stamp() -> bytes:
    """Names this version of the accelerator: plans and kernels of another one are not ours."""
    folder = Path(__file__).parent.parent
    found = sorted(path for kind in ("py", "wgsl") for path in folder.rglob(f"*.{kind}"))
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
    cachefile.write(path, stamp() + pickle.dumps(content, protocol=4))


def read(path: Path) -> Any:
    """What was written; None where there is nothing, or nothing of this version of us."""
    whole = cachefile.read(path)
    if whole is None or whole[:DIGEST] != stamp():
        return None
    try:
        return _Reader(BytesIO(whole[DIGEST:])).load()
    except pickle.UnpicklingError as problem:
        kept = paths.set_aside(path)
        _log.warning("%s is broken (%s); it is kept as %s", path.name, problem, kept.name)
        return None
