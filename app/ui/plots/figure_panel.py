"""The panel of figures: one tab per figure, tools, and the badge that says what drawing cost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeySequence, QPainter, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.engine.protocol import FigureClosed, FigureInput, FigureUpdated
from app.ui.plots import export
from app.ui.plots.axes_item import AxesItem
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.cost_badge import cost_of
from app.ui.plots.cost_badge_label import BadgeLabel
from app.ui.plots.data_tip import DataTip, nearest
from app.ui.plots.device.renderer_pool import close_renderers, drawing
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import current_style
from app.ui.support.theme import theme_hub
from app.ui.widgets.panel_parts import ElidedLabel, IconButton

THUMBNAIL = QSize(92, 66)
SETTLE_MS = 120


def title_of(model: Exported) -> str:
    """What a figure is called."""
    name = str(model["Name"])
    if not model["NumberTitle"]:
        return name or f"Figure {model['number']}"
    return f"Figure {model['number']}" + (f": {name}" if name else "")


class FloatingFigure(QWidget):
    """A window of its own for one figure; closing it docks the figure again."""

    closed = Signal(int)

    def __init__(self, number: int, canvas: FigureCanvas, title: str) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.number = number
        self.canvas = canvas
        self.setWindowTitle(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(canvas)
        self.resize(640, 480)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the figure back."""
        self.closed.emit(self.number)
        super().closeEvent(event)


class FigurePanel(QWidget):
    """Shows the figures of a session; fed with events by the window."""

    acted = Signal(object)
    """Carries a ``FigureInput``: what somebody did to a figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("FigurePanel")
        self.canvases: dict[int, FigureCanvas] = {}
        self._floating: dict[int, FloatingFigure] = {}
        self._tips: dict[AxesItem, DataTip] = {}
        self._tip_mode = False
        self._stack = QStackedWidget()
        self._strip = self._make_strip()
        self._title = ElidedLabel("title")
        self._badge = BadgeLabel()
        self._arrange()
        self._waiting: dict[int, Exported] = {}
        self._fresh = QTimer(self)
        self._fresh.setSingleShot(True)
        self._fresh.timeout.connect(self._show_waiting)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._settled)
        theme_hub().changed.connect(self._retheme)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self, self.copy_figure)
        # Only where the figure has the keyboard: other panels have texts to copy.
        copy.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    # --- construction ---------------------------------------------------------------------

    def _make_strip(self) -> QListWidget:
        made = QListWidget()
        made.setObjectName("FigureStrip")
        made.setAccessibleName("Figures")
        made.setViewMode(QListWidget.ViewMode.IconMode)
        made.setFlow(QListWidget.Flow.LeftToRight)
        made.setWrapping(False)
        made.setMovement(QListWidget.Movement.Static)
        made.setIconSize(THUMBNAIL)
        made.setFixedHeight(THUMBNAIL.height() + 34)
        made.setSpacing(4)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.currentItemChanged.connect(self._chosen)
        made.setVisible(False)
        return made

    def _arrange(self) -> None:
        self._tip_button = IconButton(
            "datatip", "Data tips: click a point to see its value", self.toggle_tips
        )
        self._tip_button.setCheckable(True)
        self._zoom_button = IconButton("zoom", "Zoom into a rectangle", self.toggle_zoom)
        self._zoom_button.setCheckable(True)
        self._brush_button = IconButton(
            "wand", "Choose points into the variable brushedData", self.toggle_zoom
        )
        self._brush_button.setCheckable(True)
        buttons = [
            self._tip_button,
            self._zoom_button,
            self._brush_button,
            IconButton("home", "Show everything again (double click)", self.reset_view),
            IconButton("copy", "Copy as a picture", self.copy_figure),
            IconButton("export", "Save as PNG, SVG or PDF", self.export_figure),
            IconButton("float", "In a window of its own", self.float_figure),
            IconButton("close", "Close this figure", self.close_figure),
        ]
        head = QWidget()
        head.setObjectName("PanelBar")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(10, 3, 6, 3)
        row.setSpacing(2)
        row.addWidget(self._title, 1)
        for button in buttons:
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._badge)
        layout.addWidget(self._strip)

    # --- events of the engine -------------------------------------------------------------

    def handle_event(self, event: FigureUpdated | FigureClosed) -> None:
        """Show a new state of a figure, or drop a closed one."""
        if isinstance(event, FigureClosed):
            self._drop(event.number)
            return
        if not event.figure["Visible"]:
            self._drop(event.number)
        elif event.number not in self.canvases:
            self._add(event.number, event.figure)
            self._settle.start(SETTLE_MS)
        else:
            # A loop may draw faster than anybody can see: only the latest state is shown.
            self._waiting[event.number] = event.figure
            self._fresh.start(0)

    def _show_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for number, model in waiting.items():
            canvas = self.canvases[number]
            self._clear_tips(canvas)
            raised = model["raised"] > canvas.figure.model["raised"]
            canvas.show_model(model)
            if raised:
                self.show_figure(number)
            self._row(number).setText(title_of(model))
        self._settle.start(SETTLE_MS)
        self._refresh_head()

    def _add(self, number: int, model: Exported) -> None:
        canvas = FigureCanvas(model)
        canvas.viewport().installEventFilter(self)
        canvas.figure.moved.connect(self._moved)
        canvas.acted.connect(self.acted)
        self.canvases[number] = canvas
        self._stack.addWidget(canvas)
        row = QListWidgetItem(title_of(model))
        row.setData(Qt.ItemDataRole.UserRole, number)
        row.setSizeHint(THUMBNAIL + QSize(12, 26))
        place = sum(other < number for other in self.canvases)
        self._strip.insertItem(place, row)
        self._strip.setCurrentItem(row)
        self._strip.setVisible(len(self.canvases) > 1)

    def _drop(self, number: int) -> None:
        self._waiting.pop(number, None)
        canvas = self.canvases.pop(number, None)
        if canvas is None:
            return
        window = self._floating.pop(number, None)
        self._forget_tips(canvas)
        self._strip.takeItem(self._strip.row(self._row(number)))
        self._stack.removeWidget(canvas)
        canvas.retire()
        canvas.hide()
        canvas.deleteLater()
        if window is not None:
            window.deleteLater()
        self._strip.setVisible(len(self.canvases) > 1)
        self._refresh_head()

    def _row(self, number: int) -> QListWidgetItem:
        for place in range(self._strip.count()):
            row = self._strip.item(place)
            if row.data(Qt.ItemDataRole.UserRole) == number:
                return row
        raise KeyError(number)

    # --- which figure ---------------------------------------------------------------------

    @property
    def current_number(self) -> int | None:
        """The number of the figure in front."""
        row = self._strip.currentItem()
        return None if row is None else int(row.data(Qt.ItemDataRole.UserRole))

    @property
    def current(self) -> FigureCanvas | None:
        """The figure in front."""
        number = self.current_number
        return None if number is None else self.canvases.get(number)

    def show_figure(self, number: int) -> None:
        """Bring a figure to the front."""
        self._strip.setCurrentItem(self._row(number))

    def _chosen(self, row: QListWidgetItem | None, _before: object = None) -> None:
        canvas = self.current if row is not None else None
        if canvas is not None and self.current_number not in self._floating:
            self._stack.setCurrentWidget(canvas)
        self._refresh_head()

    def _moved(self) -> None:
        self._settle.start(SETTLE_MS)

    def at_rest(self) -> bool:
        """Whether everything is drawn, thumbnails and badge included."""
        return not (self._settle.isActive() or self._fresh.isActive() or drawing())

    def _settled(self) -> None:
        """Things have come to rest: count again, tell what the mouse changed, take new
        thumbnails."""
        self._refresh_head()
        for canvas in self.canvases.values():
            for change in canvas.changed_views():
                self.acted.emit(change)
        if len(self.canvases) > 1:
            for number, canvas in self.canvases.items():
                self._row(number).setIcon(_thumbnail(canvas))

    def _refresh_head(self) -> None:
        canvas = self.current
        self._title.setText("" if canvas is None else title_of(canvas.figure.model))
        if canvas is None:
            self._badge.show_parts(())
            return
        cost = cost_of(canvas.figure)
        self._badge.show_parts(cost.parts())
        self._badge.setToolTip(cost.tip())
        role = "device" if cost.device_points and not cost.moved_bytes else "muted"
        if self._badge.property("role") != role:
            self._badge.setProperty("role", role)
            self._badge.style().polish(self._badge)

    def _retheme(self) -> None:
        style = current_style()
        for canvas in self.canvases.values():
            canvas.set_style(style)
        self._settle.start(SETTLE_MS)

    # --- tools ----------------------------------------------------------------------------

    def reset_view(self) -> None:
        """Show what the script asked for."""
        if self.current is not None:
            self._clear_tips(self.current)
            for axes in self.current.figure.axes.values():
                axes.reset_view()

    def toggle_tips(self) -> None:
        """Turn data tips on or off."""
        self._tip_mode = not self._tip_mode
        self._tip_button.setChecked(self._tip_mode)
        if not self._tip_mode and self.current is not None:
            self._clear_tips(self.current)

    def toggle_zoom(self) -> None:
        """Let dragging zoom into a rectangle, choose the points in one, or pan again."""
        brush = self._brush_button.isChecked()
        wanted = self._zoom_button.isChecked() or brush
        for canvas in self.canvases.values():
            for axes in canvas.figure.axes.values():
                axes.box.brushing = brush
                axes.box.setMouseMode(axes.box.RectMode if wanted else axes.box.PanMode)

    def copy_figure(self) -> None:
        """Put the figure on the clipboard."""
        if self.current is not None:
            export.copy(self.current)

    def export_figure(self) -> None:
        """Ask for a file and write the figure to it."""
        canvas = self.current
        if canvas is None:
            return
        name = f"figure{canvas.figure.model['number']}.png"
        path, _kind = QFileDialog.getSaveFileName(self, "Save figure", name, export.FILTERS)
        if path:
            export.save(canvas, Path(path), dpi=300)

    def float_figure(self) -> None:
        """Show the figure in a window of its own."""
        number, canvas = self.current_number, self.current
        if number is None or canvas is None or number in self._floating:
            return
        self._stack.removeWidget(canvas)
        window = FloatingFigure(number, canvas, title_of(canvas.figure.model))
        window.closed.connect(self.dock_figure)
        self._floating[number] = window
        canvas.show()
        window.show()

    def dock_figure(self, number: int) -> None:
        """Take a figure back from its window."""
        window = self._floating.pop(number, None)
        if window is None:
            return
        self._stack.addWidget(window.canvas)
        self._chosen(self._strip.currentItem())
        window.deleteLater()

    def close_figure(self) -> None:
        """Close the figure in front; the engine hears of it."""
        number = self.current_number
        if number is not None:
            self._drop(number)
            self.acted.emit(FigureInput(number, "close"))

    def contextMenuEvent(self, event: Any) -> None:
        """The tools as a menu."""
        menu = QMenu(self)
        menu.addAction("Reset view", self.reset_view)
        menu.addAction("Copy", self.copy_figure)
        menu.addAction("Save as…", self.export_figure)
        menu.addAction("Float", self.float_figure)
        self._add_entries(menu)
        menu.exec(event.globalPos())
        menu.deleteLater()

    def _add_entries(self, menu: QMenu) -> None:
        """The entries that the script has added to the figure's menu."""
        model = {"children": []} if self.current is None else self.current.figure.model
        for entry in model["children"]:
            if entry["kind"] == "uimenu":
                text = entry["Text"] or entry["Label"]
                wish = FigureInput(model["number"], "menu", entry["id"])
                menu.addAction(text, partial(self.acted.emit, wish))

    # --- data tips ------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click with data tips on says what is there."""
        if self._tip_mode and event.type() == QEvent.Type.MouseButtonPress:
            self._place_tip(event.position().toPoint())  # type: ignore[attr-defined]
            return True
        return super().eventFilter(watched, event)

    def _place_tip(self, place: QPoint) -> None:
        canvas = self.current
        if canvas is None:
            return
        self._clear_tips(canvas)
        spot = canvas.mapToScene(place)
        for axes in canvas.figure.axes.values():
            if axes.box.sceneBoundingRect().contains(spot):
                self.add_tip(axes, spot)

    def add_tip(self, axes: AxesItem, spot: QPointF) -> DataTip | None:
        """Say what the point nearest to a place in the scene is."""
        sample = nearest(axes, spot)
        if sample is None:
            return None
        if axes not in self._tips:
            self._tips[axes] = DataTip(axes)
        self._tips[axes].show_sample(sample)
        return self._tips[axes]

    def _clear_tips(self, canvas: FigureCanvas) -> None:
        for axes, tip in self._tips.items():
            if axes.scene() is canvas.scene():
                tip.setVisible(False)

    def _forget_tips(self, canvas: FigureCanvas) -> None:
        """The canvas goes, and its tips with it."""
        for axes in [axes for axes in self._tips if axes.scene() is canvas.scene()]:
            del self._tips[axes]

    def shut_down(self) -> None:
        """Close all figures and let go of the device."""
        self._settle.stop()
        self._fresh.stop()
        for number in list(self.canvases):
            self._drop(number)
        close_renderers()


def _thumbnail(canvas: FigureCanvas) -> QIcon:
    """A small picture of the whole figure, the same whether chosen or not."""
    fit, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    whole = canvas.grab().scaled(THUMBNAIL, fit, smooth)
    part = QPixmap(THUMBNAIL)
    part.fill(canvas.figure.style.canvas)
    painter = QPainter(part)
    painter.drawPixmap(
        (part.width() - whole.width()) // 2, (part.height() - whole.height()) // 2, whole
    )
    painter.end()
    made = QIcon(part)
    made.addPixmap(part, QIcon.Mode.Selected)
    return made
