"""What is loaded before the window is painted: the window, and nothing that computes or draws."""

from __future__ import annotations

import os
import subprocess
import sys

LATER = ("numpy", "scipy", "pyqtgraph", "wgpu", "llvmlite", "lark", "app.engine.session.session")
CODE = f"""
import sys
from pathlib import Path
from app.ui.shell import application, starting
app = application.make_application("dark")
card = starting.show_starting(application.placed(None))
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
window = MainWindow(Path.cwd(), SessionStore(None))
window.use_layout("classic")
window.show()
starting.await_exposed(window)
print([name for name in {LATER!r} if name in sys.modules])
window.close()
"""


def test_the_window_is_painted_before_the_heavy_imports() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr


SETTINGS = """
import os
from PySide6.QtWidgets import QApplication
from app.cli.command_line import Options
from app.ui.shell import application
from app.ui.support.fonts import CodeFont
QApplication.exec = lambda *_: print(CodeFont.family, CodeFont.points, flush=True) or os._exit(0)
application.run_window([], Options("window"))
"""


def test_a_typeface_that_is_not_here_does_not_keep_the_window_from_opening() -> None:
    chosen = {"FUSELAB_EDITOR_FONT": "Of Another Machine", "FUSELAB_EDITOR_FONT_SIZE": "12"}
    words = [sys.executable, "-c", SETTINGS]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=os.environ | chosen
    )
    assert (done.returncode, done.stdout) == (0, "JetBrains Mono 12\n"), done.stderr
