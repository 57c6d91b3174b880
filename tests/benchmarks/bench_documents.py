"""Times that documents promise: five hundred sections, and a slider over ten million points."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import settings
from app.engine.protocol import RunState
from app.engine.session.worker import EngineWorker
from app.ui.documents.editor_faces import Face
from app.ui.documents.rows import CodeRow
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.series_item import DeviceItem, SeriesItem
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from tests.ui.conftest import make_window

DATA = (DeviceItem, SeriesItem)
SECTIONS = "\n".join(
    f"%%\n%[text] ## Section {n}\n%[text] Words of it, **bold** too, and $ x^{n} $.\n"
    f"x{n} = {n};\ny = x{n}^2\n"
    for n in range(500)
)
SINE = """t = single(linspace(0, 100, 1e7));
%%
%[text] A chain of six operations and a line of ten million points.
f = 1; %[control:slider:0001]{"position":[5,6]}
y = 0.5 * sin(f * t + 0.3) .* exp(-t / 50) + 0.1;
plot(t, y)

%[appendix]{"version":"1.0"}
%---
%[control:slider:0001]
%   data: {"label":"f","max":5,"min":0,"run":"Section","runOn":"ValueChanging","step":0.01}
%---
"""


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return application.make_application("dark")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window(qtbot, SessionStore(None), "focus")
    made.resize(1400, 1000)

    def engine(emit: object) -> EngineWorker:
        worker = EngineWorker(settings.Settings(), emit)  # type: ignore[arg-type]
        worker.start()
        return worker

    made.bridge.start(engine)
    qtbot.waitUntil(lambda: made.run_model.state == RunState.IDLE, timeout=30_000)
    yield made
    for editor in made.editors.editors():
        editor.setSavePoint()
    made.close()


def shown(window: MainWindow, text: str) -> Face:
    editor = window.editors.new(text)
    return window.documents.show(editor)


class Pictures(QObject):
    """Counts the paintings of a document's figure that show something new.

    Attributes:
        count: how many there were.
        is_device: whether the device drew the last one.
    """

    def __init__(self, face: Face) -> None:
        super().__init__()
        self.count, self.is_device, self._shown = 0, False, 0
        (self._canvas,) = face.view.findChildren(FigureCanvas)
        self._canvas.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Hear of paintings."""
        if event.type() == QEvent.Type.Paint:
            (item,) = (i for i in self._canvas.scene().items() if isinstance(i, DATA) and i.series)
            self.is_device = isinstance(item, DeviceItem)
            shown = id(item.frame if isinstance(item, DeviceItem) else item.series)
            self.count += shown != self._shown
            self._shown = shown
        return False


def test_five_hundred_sections_open_and_scroll(window: MainWindow, qtbot: QtBot) -> None:
    began = time.perf_counter()
    face = shown(window, SECTIONS)
    QApplication.processEvents()
    opened = time.perf_counter() - began
    bar = face.view.verticalScrollBar()
    times = []
    for step in range(120):
        began = time.perf_counter()
        bar.setValue(step * 120)
        face.view.viewport().repaint()
        times.append(time.perf_counter() - began)
    times.sort()
    print(f"\n500 sections: open {opened * 1e3:.0f} ms (at most 500 on two quiet cores)")
    print(
        f"scrolling by 120 pixels: median {times[60] * 1e3:.1f} ms, worst {times[-1] * 1e3:.0f} ms"
    )
    assert len(face.view.rows) == 1000


def test_a_slider_over_ten_million_points(window: MainWindow, qtbot: QtBot) -> None:
    face = shown(window, SINE)
    face.runs.run(face.runs.sections)
    qtbot.waitUntil(lambda: not face.runs.busy, timeout=120_000)
    row = next(r for r in face.view.rows if isinstance(r.widget, CodeRow) and r.widget.controls)
    assert isinstance(row.widget, CodeRow)
    slider = row.widget.controls.faces[0].face.slider  # type: ignore[union-attr]
    slider.setSliderDown(True)
    pictures = Pictures(face)
    compiled: list[float] = []
    face.runs.phases_changed.connect(
        lambda: compiled.append(window.run_model.counters.get("kernels_compiled", 0))
    )
    for seconds in (3.0, 5.0):  # the first ones compile what the figure needs
        compiled.clear()
        pictures.count = 0
        before, began, value = face.runs.updates, time.perf_counter(), 0
        cpu = time.process_time()
        while time.perf_counter() - began < seconds:
            value += 1
            slider.setValue(100 + value % 400)
            until = time.perf_counter() + 0.016
            while time.perf_counter() < until:
                QApplication.processEvents()
                time.sleep(0.001)
        drawn = pictures.count
    made = face.runs.updates - before
    spent = (time.process_time() - cpu) / max(made, 1)
    slider.setSliderDown(False)
    counters = window.run_model.counters
    qtbot.waitUntil(lambda: not face.runs.busy, timeout=60_000)
    print(f"\n{made / seconds:.1f} updates a second (10 promised on two cores, 30 on an H200),")
    where = "device" if pictures.is_device else "host"
    print(f"{drawn / seconds:.1f} pictures drawn by the {where}, {spent:.3f} CPU s for each;")
    print(f"compiled {sum(compiled):.0f}, down {counters.get('download_bytes')} B")
    assert made
