"""The window in a process of its own, with a socket that answers questions about what it shows.

``python inspected.py SOCKET [WORD…]`` is ``fuselab WORD…`` and nothing else: the product has no hook
for tests. Each line on the socket is an expression, evaluated in the window's thread between two
events; the answer is one line of JSON. Scenarios *ask* here and *act* through the X server;
``reset`` alone acts, and clears the table between two scenarios.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QCoreApplication,
    QObject,
    QPoint,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolButton, QWidget

from app.engine.protocol import RunText

BEAT_MS = 20
LOOK_S = 0.15
ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly
# Numbers of X's protocol; a button's event is one of the XInput extension.
KEY_PRESS, GENERIC, BUTTON_RELEASE = 2, 35, 5


class Waits:
    """How long threads of this process were ready to run while others had the cores.

    The X server is one of them: the window waits for its answers, and nothing of Python runs
    meanwhile.
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def since(self) -> float:
        """Seconds since this was asked last, of all of them together."""
        own = [f"self/task/{thread.native_id}" for thread in threading.enumerate()]
        found, before = {}, self._seen
        for task in [*own, os.environ["DESK_X_SERVER"]]:
            with suppress(OSError):
                found[task] = int(Path(f"/proc/{task}/schedstat").read_text().split()[1])
        self._seen = found  # those that have ended meanwhile are left out
        return sum(ns - before.get(task, ns) for task, ns in found.items()) / 1e9


class Heart(QObject):
    """Knows the longest time in which the window did not answer, less what a busy machine took.

    ``where`` is how long the window's thread computed in the longest pause, and what it did in most
    looks at it. Whoever looks needs Python: a pause without looks that computed little was spent
    waiting, for the screen or for memory; one that computed much was a single call out of Python.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last, self._waits, self._computed = time.monotonic(), Waits(), 0.0
        self.longest = 0.0
        self.where = ""
        self._looks: list[str] = []
        threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True).start()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Begin to listen."""
        self._last, self.longest, self.where = time.monotonic(), 0.0, ""
        self._looks = []
        self._waits.since()
        self._computed = time.thread_time()
        self._timer.start(BEAT_MS)

    def _watch(self, window: int) -> None:
        while True:
            time.sleep(LOOK_S)
            frame = sys._current_frames().get(window)
            if frame is not None and time.monotonic() - self._last > 2 * LOOK_S:
                self._looks.append("".join(traceback.format_stack(frame)[-10:]))

    def _beat(self) -> None:
        now = time.monotonic()
        stood = now - self._last - BEAT_MS / 1000 - self._waits.since()
        looks, self._looks = self._looks, []
        computed = time.thread_time()
        if stood > self.longest:
            self.longest = stood
            told = [f"{looks.count(look)} of {len(looks)} looks:\n{look}" for look in set(looks)]
            often = sorted(told, key=lambda one: -int(one.split()[0]))[:4]
            head = f"of {now - self._last:.2f} s it computed {computed - self._computed:.2f} s"
            self.where = "\n".join([head, *often])
        self._last, self._computed = now, computed


class Arrivals(QAbstractNativeEventFilter):
    """Counts the keys pressed and the buttons let go: what came before them has been handled.

    A key whose press closes a window may be let go while no window has the keyboard.
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys = self.buttons = 0

    def nativeEventFilter(self, _kind: object, message: Any) -> tuple[bool, int]:  # noqa: N802
        head = ctypes.string_at(int(message), 10)
        kind = head[0] & 0x7F
        self.keys += kind == KEY_PRESS
        self.buttons += kind == GENERIC and int.from_bytes(head[8:10], "little") == BUTTON_RELEASE
        return False, 0


class Answers(QObject):
    """Takes questions in a thread of its own and answers them in the window's."""

    asked = Signal(object)

    def __init__(self, place: str) -> None:
        super().__init__()
        self.heart = Heart()
        self.arrivals = Arrivals()
        self.asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{place}.new")
        self._listener.listen(1)
        Path(f"{place}.new").rename(place)  # whoever sees it can connect
        threading.Thread(target=self._serve, daemon=True).start()

    def begin(self) -> None:
        """The application is there."""
        self.heart.start()
        QCoreApplication.instance().installNativeEventFilter(self.arrivals)

    def _serve(self) -> None:
        talk, _ = self._listener.accept()
        with suppress(OSError, RuntimeError), talk, talk.makefile("rw", encoding="utf-8") as lines:
            for line in lines:  # until either side ends
                future: Future[str] = Future()
                self.asked.emit((json.loads(line), future))
                lines.write(future.result() + "\n")
                lines.flush()

    @Slot(object)
    def _answer(self, question: tuple[str, Future[str]]) -> None:
        text, future = question
        try:
            found = {
                "is": eval(
                    text,
                    {
                        **globals(),
                        "window": main_window(),
                        "heart": self.heart,
                        "arrived": self.arrivals,
                    },
                )
            }
            future.set_result(json.dumps(found, default=str))
        except Exception:
            future.set_result(json.dumps({"broke": traceback.format_exc()}))


def main_window() -> Any:
    """The main window once it is there."""
    for widget in QApplication.topLevelWidgets() if QApplication.instance() else ():
        if type(widget).__name__ == "MainWindow":
            return widget
    return None


def name_of(widget: QWidget | None) -> str:
    """What a person would call a widget: its accessible name, its text or its class."""
    if widget is None:
        return ""
    text = getattr(widget, "text", None)
    said = text() if callable(text) and type(widget).__name__ != "CodeEditor" else ""
    return widget.accessibleName() or widget.objectName() or said or type(widget).__name__


def focus() -> str:
    """Who has the keyboard."""
    widget = QApplication.focusWidget()
    if type(widget).__name__ == "CodeEditor":
        return "editor"
    return name_of(widget)


def find(name: str) -> QWidget:
    """The widget on the screen with an accessible name, object name, text or class."""
    for widget in reversed(QApplication.allWidgets()):
        text = getattr(widget, "text", None)
        known = {widget.accessibleName(), widget.objectName(), type(widget).__name__}
        if callable(text) and not hasattr(widget, "textLength"):
            known.add(str(text()).replace("&", ""))
        if name in known and widget.isVisible():
            return widget
    raise LookupError(name)


def seen(name: str) -> bool:
    """Whether there is such a widget on the screen."""
    try:
        find(name)
    except LookupError:
        return False
    return True


def place(widget: QWidget | str) -> list[int]:
    """Left, top, width and height on the screen, in the pixels of the X server."""
    widget = find(widget) if isinstance(widget, str) else widget
    corner = widget.mapToGlobal(QPoint(0, 0))
    ratio = widget.devicePixelRatioF()
    return [round(n * ratio) for n in (corner.x(), corner.y(), widget.width(), widget.height())]


def is_on_top(x: int, y: int) -> bool:
    """Whether the main window is at a point of the screen, and nothing of another one over it."""
    ratio = main_window().devicePixelRatioF()
    widget = QApplication.widgetAt(round(x / ratio), round(y / ratio))
    return widget is not None and widget.window() is main_window()


def exposed(widget: QWidget | str) -> bool:
    """True when the window of a widget is on the screen."""
    widget = find(widget) if isinstance(widget, str) else widget
    handle = widget.window().windowHandle()
    return handle is not None and handle.isExposed()


def editor() -> Any:
    """The editor in front."""
    return main_window().editors.current()


def output() -> str:
    """What stands in the command window."""
    return str(main_window().command_window.transcript.text())


def typed() -> str:
    """What stands behind the prompt."""
    return str(main_window().command_window.input.text())


def state() -> str:
    """What the engine does."""
    return str(main_window().run_model.state.name)


def in_front(panel: str) -> bool:
    """Whether somebody can see a panel."""
    content = main_window().docks.made(panel)
    return content is not None and content.isVisible()


def figures() -> list[int]:
    """The numbers of the figures in the panel."""
    dock = main_window().docks.made("figures")
    return [] if dock is None or dock.panel is None else sorted(dock.panel.canvases)


def dialogs() -> list[str]:
    """The titles of all windows but the main one."""
    tops = QApplication.topLevelWidgets()
    return [
        w.windowTitle()
        for w in tops
        if w.isVisible() and w is not main_window() and w.windowTitle()
    ]


def workspace_columns() -> list[str]:
    """The columns of the workspace that are wholly in view."""
    table = main_window().panel("workspace").table
    header, model = table.horizontalHeader(), table.model()
    shown = [n for n in range(model.columnCount()) if not table.isColumnHidden(n)]
    ends = {n: header.sectionViewportPosition(n) + header.sectionSize(n) for n in shown}
    across = Qt.Orientation.Horizontal
    return [model.headerData(n, across) for n in shown if ends[n] <= table.viewport().width()]


def cut_buttons() -> list[str]:
    """Buttons with words that are wider than they are, and text without room for a line."""
    found = []
    for button in main_window().findChildren(QAbstractButton):
        iconic = isinstance(button, QToolButton) and button.toolButtonStyle() == ICON_ONLY
        spoken = not (iconic and not button.icon().isNull())
        words = button.text() if spoken and type(button).__name__ != "SearchButton" else ""
        needed = button.fontMetrics().horizontalAdvance(words.replace("&", ""))
        if button.isVisible() and words and needed > button.width():
            found.append(f"{words}: {button.width()} of {needed}")
    for part in main_window().statusBar().findChildren(QLabel):
        cut = part.isVisible() and part.width() < part.sizeHint().width()
        if cut and part.text() and part is not main_window().status._notice:
            found.append(f"{part.text()}: {part.width()} of {part.sizeHint().width()}")
    return found


heard: list[str] = []
"""The commands whose keys arrived, while ``listen`` has taken their work from them."""


def _offer(action: QAction) -> None:
    action.setEnabled(True)
    action.setVisible(True)


def listen() -> bool:
    """From now on commands do nothing but say that they were wanted."""
    for name, action in main_window().commands.actions.items():
        action.triggered.disconnect()
        action.triggered.connect(lambda *_checked, name=name: heard.append(name))
        _offer(action)
        action.changed.connect(lambda one=action: _offer(one))  # whatever runs meanwhile
    for shortcut in main_window().findChildren(QShortcut):
        shortcut.activated.disconnect()
        shortcut.activated.connect(lambda one=shortcut: heard.append(one.key().toString()))
    return True


def shortcuts() -> dict[str, tuple[str, str]]:
    """The keys of every command, and where they live."""
    commands = main_window().commands
    found = ((name, action.shortcut().toString()) for name, action in commands.actions.items())
    return {name: (keys, commands.declared[name].scope) for name, keys in found if keys}


def reset(folder: str) -> int:
    """Close everything that an earlier scenario left; the engine clears up with the next run."""
    window = main_window()
    before = int(window.run_model.run)
    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()
    window.bridge.stop_run()
    for one in window.editors.editors():
        one.setSavePoint()
        window.editors.close_tab(0)
    window.store.state.pop("layouts", None)
    window.layout_name = ""
    variables = window.docks.made("variable")
    while variables is not None and variables.tabs.count():
        variables.close_tab(0)
    window.editors.find_bar.hide()
    window.editors.set_zoom(0)
    for panel in list(window.docks._floating):
        window.docks.dock_panel(panel)
    window.use_layout("classic", fresh=True)
    window.breakpoints.clear()
    window.command_window.input.put("")
    window.bridge.post(RunText("clear all; close all force; clc", "<command>"))
    window.change_folder(Path(folder))  # with nothing to take along
    QApplication.clipboard().clear()
    return before


def main() -> int:
    """The program."""
    from app.main import main as fuselab

    faulthandler.register(signal.SIGUSR1)  # where everybody is, for whoever gets no answer
    answers = Answers(sys.argv[1])
    QTimer.singleShot(0, answers.heart, answers.begin)
    sys.argv = ["fuselab", *sys.argv[2:]]
    return fuselab(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
