"""Writes figures to files, in a process of its own that an engine started.

Requests come on standard input, each a length and a pickle of (path, resolution, figure as plain
data); each is answered by a line: ``done``, or the problem.
"""

from __future__ import annotations

import pickle
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO


def requests(wire: BinaryIO) -> Any:
    """The requests, until the engine is gone."""
    while len(head := wire.read(8)) == 8:
        yield pickle.loads(wire.read(*struct.unpack("<Q", head)))  # noqa: S301 - our own parent


def answer(path: Path, dpi: float, model: Any) -> str:
    """Write one figure; what to answer."""
    from app.errors import FuselabError
    from app.ui.plots.figure_export import save_model

    try:
        save_model(model, path, dpi)
    except (FuselabError, OSError) as problem:
        return str(problem).replace("\n", " ")
    return "done" if path.exists() else f"nothing was written to '{path}'"


def main() -> int:
    """Serve until standard input ends."""
    from PySide6.QtWidgets import QApplication

    from app.ui.support.fonts import load_fonts

    application = QApplication([])
    load_fonts()
    for path, dpi, model in requests(sys.stdin.buffer):
        sys.stdout.write(answer(Path(path), dpi, model) + "\n")
        sys.stdout.flush()
        application.processEvents()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
