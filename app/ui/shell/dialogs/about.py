"""What this program is."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from app import __version__
from app.ui.support.icons import application_icon


def show_about(parent: QWidget) -> None:
    """Show version and licences."""
    box = QMessageBox(parent)
    box.setWindowTitle("About Fuselab")
    box.setIconPixmap(application_icon().pixmap(64, 64))
    box.setText(f"<b>Fuselab {__version__}</b>")
    box.setInformativeText(
        "Runs MATLAB-syntax scripts, fused and placed on the GPU.\n\n"
        "Typefaces: Inter and JetBrains Mono (SIL Open Font License).\n"
        "Editor: Scintilla and Lexilla. Window: Qt for Python (LGPL)."
    )
    box.open()
