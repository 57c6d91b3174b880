"""A window of its own process: a second start hands over, SIGKILL loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from app.cli.command_line import Options
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow

app = application.make_application("dark")

def window():
    return next(w for w in app.topLevelWidgets() if isinstance(w, MainWindow))

def write():
    w = window()
    w.docks.float_panel("workspace")
    w.docks._floating["workspace"].setGeometry(60, 70, 310, 220)
    w.docks.show_panel("history")
    w.editors.current().stops.toggle(2)
    w.editors.current().go_to(3)
    editor = w.editors.new()
    QTest.keyClicks(editor, "unsaved = 42;")
    print("typed", flush=True)

def tell():
    w = window()
    floating = w.docks.save()["floating"]
    print(json.dumps({
        "texts": {e.name: e.text() for e in w.editors.editors()},
        "lines": {e.name: e.caret_line for e in w.editors.editors()},
        "stops": {e.name: [n for n, _ in e.stops.all()] for e in w.editors.editors()},
        "floating": sorted(floating),
        "place": w.docks._floating["workspace"].geometry().getRect(),
        "history": w.docks.area_of("history"),
        "folder": str(w.current_folder),
    }), flush=True)
    app.quit()

def begin():
    # The window is there some time after the card that stands for it.
    if any(isinstance(w, MainWindow) and w.isVisible() for w in app.topLevelWidgets()):
        QTimer.singleShot(300, {"write": write, "tell": tell}[sys.argv[1]])
    else:
        QTimer.singleShot(50, begin)

begin()
files = [Path(name) for name in sys.argv[2:]]
sys.exit(application.run_window(files, Options("window")))
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A process with a window, in the tests' own home."""
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, *words],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_killed_window_comes_back_as_it_was(tmp_path: Path) -> None:
    for name in ("saved.m", "second.m"):
        (tmp_path / name).write_text("a = 1;\nb = 2;\nc = 3;\n")
    first = start(tmp_path, "write", str(tmp_path / "saved.m"))
    assert first.stdout is not None
    assert first.stdout.readline() == "typed\n"
    second = [sys.executable, "-m", "app", str(tmp_path / "second.m")]
    done = subprocess.run(second, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0
    time.sleep(2.0)  # what is older than that is never lost
    first.send_signal(signal.SIGKILL)
    first.wait()
    first.stdout.close()

    again = start(tmp_path, "tell")
    told, _ = again.communicate(timeout=60)
    state: dict[str, Any] = json.loads(told)
    texts = state["texts"]
    assert texts["untitled1.m"] == "unsaved = 42;"
    assert texts["saved.m"] == texts["second.m"] == "a = 1;\nb = 2;\nc = 3;\n"
    assert state["lines"]["saved.m"] == 3
    assert state["stops"]["saved.m"] == [2]
    assert state["floating"] == ["workspace"]
    assert state["place"] == [60, 70, 310, 220]
    assert state["history"] == "bottom"
    assert state["folder"] == str(tmp_path)
