"""Writes one figure to a file, in a process of its own: ``render_file PATH DPI < figure``.

The figure comes as a pickled snapshot from the engine that started this process.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Draw the figure on standard input; the exit status says whether it worked."""
    from PySide6.QtWidgets import QApplication

    from app.errors import FuselabError
    from app.ui.fonts import load_fonts
    from app.ui.plots.export import save_model

    path, dpi = Path(arguments[0]), float(arguments[1])
    application = QApplication([])
    load_fonts()
    model = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by our own parent process
    try:
        save_model(model, path, dpi)
        if not path.exists():
            raise FileNotFoundError(f"nothing was written to '{path}'")
    except (FuselabError, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    finally:
        application.processEvents()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
