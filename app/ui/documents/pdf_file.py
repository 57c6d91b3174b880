"""Writes a document as a PDF file, in a process of its own that a headless verb started.

Standard input holds one pickle: path, name, the document's text, whether it shows its code,
and its results.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path


def main() -> int:
    """Write it; what goes wrong is said on standard error."""
    from PySide6.QtWidgets import QApplication

    from app.engine.livecode.document import LiveDocument
    from app.errors import FuselabError
    from app.ui.documents.pdf import write_pdf
    from app.ui.support.fonts import load_fonts

    application = QApplication([])
    load_fonts()
    path, name, text, shows_code, results = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent
    try:
        document = LiveDocument(text)
        shown = document if shows_code else document.without_code()
        write_pdf(shown, results, Path(path), name)
    except (FuselabError, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    application.processEvents()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
