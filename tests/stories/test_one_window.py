"""One window per person, the desktop's entry, and every panel by the keyboard."""

from __future__ import annotations

import configparser
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.shell import single_instance
from app.ui.shell.focus_cycle import FocusCycle
from app.ui.shell.main_window import MainWindow
from app.ui.support.theme import theme
from app.ui.widgets.docks import DockArea

Open = Callable[..., MainWindow]
ROOT = Path(__file__).parents[2]
SHIFT = Qt.KeyboardModifier.ShiftModifier
DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.cli.command_line import Options
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow

app = application.make_application("dark")

def look():
    w = next(w for w in app.topLevelWidgets() if isinstance(w, MainWindow))
    if not w.isMinimized() and len(w.editors.editors()) == 1:
        w.showMinimized()
        print("small", flush=True)
    elif len(w.editors.editors()) == 2 and not w.isMinimized():
        print(json.dumps([w.windowTitle(), [e.name for e in w.editors.editors()],
                          w.isActiveWindow()]), flush=True)
        app.quit()

timer = QTimer()
timer.timeout.connect(look)
timer.start(200)
sys.exit(application.run_window([Path(sys.argv[1])], Options("window")))
"""


@contextmanager
def process(words: list[str], **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the test."""
    started = subprocess.Popen(words, text=True, stdout=subprocess.PIPE, **more)
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def test_a_second_start_hands_its_file_to_the_window(tmp_path: Path) -> None:
    for name in ("first.m", "second.m"):
        (tmp_path / name).write_text("a = 1;\n")
    home = {**os.environ, "PYTHONPATH": str(ROOT)}
    with process([sys.executable, "-c", DRIVER, str(tmp_path / "first.m")], env=home) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "small\n"
        words = [sys.executable, "-m", "app", "second.m"]  # a name in the second one's own folder
        second = subprocess.run(words, cwd=tmp_path, env=home, timeout=60, check=False)
        assert second.returncode == 0
        told, _ = first.communicate(timeout=60)
    assert json.loads(told) == ["second.m[*] – Fuselab", ["first.m", "second.m"], True]


def installed(tmp_path: Path) -> dict[str, Path]:
    """What the command line wrote into a new person's folders, by the ends of the names."""
    environment = {k: v for k, v in os.environ.items() if k != "XDG_DATA_HOME"}
    environment["HOME"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "app", "install-desktop"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    written = [Path(line) for line in done.stdout.splitlines()]
    share = tmp_path / ".local" / "share"
    assert all(path.is_relative_to(share) and path.is_file() for path in written)
    return {path.suffix: path for path in written}


def test_the_desktop_knows_us_and_starts_us(tmp_path: Path) -> None:
    files = installed(tmp_path)
    assert files[".desktop"].parent.name == "applications"
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(files[".desktop"])
    section = entry["Desktop Entry"]
    assert section["Type"] == "Application"
    assert section["Icon"] == files[".svg"].stem
    checker = shutil.which("desktop-file-validate")
    if checker is not None:
        subprocess.run([checker, str(files[".desktop"])], check=True, timeout=120)
    file = tmp_path / "it's mine.m"
    file.write_text("a = 1;\n")
    words = [str(file) if word == "%F" else word for word in shlex.split(section["Exec"])]
    outside = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with process(words, cwd=tmp_path, env=outside) as started:
        deadline = time.monotonic() + 60
        while not (taken := single_instance.hand_over([file])) and time.monotonic() < deadline:
            assert started.poll() is None
            time.sleep(0.2)
    assert taken


def test_the_desktop_can_draw_the_icon_and_tell_the_files(tmp_path: Path) -> None:
    files = installed(tmp_path)
    drawing = QSvgRenderer(QByteArray(files[".svg"].read_bytes()))
    assert drawing.isValid()
    picture = QImage(48, 48, QImage.Format.Format_ARGB32)
    picture.fill(0)
    painter = QPainter(picture)
    drawing.render(painter)
    painter.end()
    assert len({picture.pixel(x, y) for x in range(48) for y in range(48)}) > 3
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = ET.parse(files[".xml"]).getroot().find("m:mime-type", space)
    assert kind is not None
    glob = kind.find("m:glob", space)
    assert glob is not None
    assert (kind.attrib["type"], glob.attrib["pattern"]) == ("text/x-matlab", "*.m")
    if shutil.which("update-mime-database"):
        known = (tmp_path / ".local/share/mime/globs2").read_text()
        assert "60:text/x-matlab:*.m" in known


def lit(area: DockArea) -> bool:
    """Whether the tab in front says that its panel has the keyboard."""
    tab = area.tabBar().tabRect(area.currentIndex())
    picture = area.tabBar().grab().toImage()
    scale = picture.devicePixelRatio()
    colour = picture.pixelColor(round(tab.center().x() * scale), round(tab.top() * scale))
    return bool(colour == theme().colour("accent"))


@pytest.mark.parametrize("layout", ["classic", "gpu", "debug", "focus"])
def test_f6_goes_through_every_panel_and_back(open_window: Open, qtbot: QtBot, layout: str) -> None:
    window = open_window("x = 1;\n", layout=layout)
    focus_cycle: FocusCycle = window.focus_cycle
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    areas = [a for a in window.docks.areas.values() if a.isVisible()]
    assert focus_cycle.places() == [editor, *areas]
    for area in areas:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, Qt.Key.Key_F6)
        qtbot.waitUntil(lambda area=area: area.isAncestorOf(QApplication.focusWidget()))
        assert [a for a in areas if lit(a)] == [area]
    for key, modifier, there in (
        (Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier, editor),
        (Qt.Key.Key_F6, SHIFT, areas[-1] if areas else editor),
    ):
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key, modifier)
        now = QApplication.focusWidget()
        assert now is there or (now is not None and there.isAncestorOf(now))
