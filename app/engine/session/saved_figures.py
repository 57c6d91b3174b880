"""Figures that outlive the program: pictures of what they were, for the next window to show.

A kept figure has its numbers, not its objects: it can be looked at until a script draws anew. Large
data is not kept, and what lies on a device only where fetching it costs nothing.
"""

from __future__ import annotations

import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from app import cachefile
from app.engine.figures.model import Figures
from app.engine.figures.snapshot import Snapshot, figure_snapshot

MOST_BYTES = 16 << 20
MOST_FETCHED = 1 << 20
_NUMPY = frozenset(("_reconstruct", "ndarray", "dtype", "scalar", "_frombuffer"))


class _Reader(pickle.Unpickler):
    """Knows numbers, texts and arrays of them only, whatever the file says."""

    def find_class(self, module: str, name: str) -> Any:
        """One of NumPy's own makers of arrays."""
        if module.split(".", maxsplit=1)[0] != "numpy" or name not in _NUMPY:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong here")
        return super().find_class(module, name)


def state_of(figures: Figures) -> int:
    """A number that is another one whenever a figure looks different."""
    return hash(tuple((f.serial, f.revision) for f in figures.root.descendants()))


def keep(figures: Figures, path: Path, recalled: tuple[int, ...] = ()) -> None:
    """Write the visible figures, in one piece or not at all; ``recalled`` are the numbers of those
    in the file that are still shown."""
    found = {n: model for n, model in recall(path).items() if n in recalled} if recalled else {}
    room = MOST_BYTES
    for number in figures.numbers():
        figure = figures.figure_numbered(number)
        model = figure_snapshot(figure) if figure is not None else {}
        size, fetched = _bytes_of(model)
        if model.get("Visible") and size <= room and fetched <= MOST_FETCHED:
            found[number] = _portable_snapshot(model)
            room -= size
    cachefile.write(path, pickle.dumps(found, protocol=5))


def recall(path: Path) -> dict[int, Snapshot]:
    """The figures that were kept; none when there is no such file or it is another program's."""
    kept = cachefile.read(path)
    if kept is None:
        return {}
    try:
        found = _Reader(BytesIO(kept)).load()
    except (pickle.UnpicklingError, EOFError, ValueError, AttributeError, IndexError):
        return {}  # of another version; they are a comfort: without them the window is as new
    return found if isinstance(found, dict) else {}


def _bytes_of(item: Any) -> tuple[int, int]:
    """Bytes of all data, and of those on a device."""
    if isinstance(item, dict) and item.get("kind") == "device":
        size = int(np.prod(item["shape"])) * 8
        return size, size
    if isinstance(item, np.ndarray):
        return item.nbytes, 0
    inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    parts = [_bytes_of(part) for part in inner]
    return sum(all_ for all_, _ in parts), sum(fetched for _, fetched in parts)


def _portable_snapshot(model: Snapshot) -> Snapshot:
    from app.engine.builtins.graphics.export import portable

    made: Snapshot = portable(model)
    return made
