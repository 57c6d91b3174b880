"""The panel of figures: one tab per figure, tools, and the badge that says what drawing cost."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.engine.protocol import FigureClosed, FigureInput, FigureUpdated
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.cost_badge import cost_of
from app.ui.plots.cost_badge_label import BadgeLabel
from app.ui.plots.device.renderer_pool import close_renderers, is_drawing
from app.ui.plots.figure_controls import CONTROLS
from app.ui.plots.figure_tools import FigureTools, FloatingFigure, copy_key, title_of
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import current_style
from app.ui.support.theme import theme_hub
from app.ui.widgets.panel_parts import EmptyState, IconButton

THUMBNAIL = QSize(92, 66)
NAME = QSize(12, 26)
"""What the name below a thumbnail takes, and what is around both."""
SCROLL_BAR = 16
LOW = 340
"""A panel that is not higher than this has no room for thumbnails: it shows names."""
SETTLE_MS = 120
LEAST_SCALE = 0.6
"""Controls are not shown smaller than this: a figure that has some goes into a window instead."""


class FigurePanel(QWidget):
    """Shows the figures of a session; fed with events by the window."""

    acted = Signal(object)
    """Carries a ``FigureInput``: what somebody did to a figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("FigurePanel")
        self.canvases: dict[int, FigureCanvas] = {}
        self._floating: dict[int, FloatingFigure] = {}
        self._asked: dict[int, tuple[str, bool]] = {}
        """The ``WindowStyle`` of each figure that was heeded, and whether it was found cramped."""
        self._stack = QStackedWidget()
        self._strip = self._make_strip()
        self._badge = BadgeLabel()
        self._arrange()
        self._waiting: dict[int, Exported] = {}
        self._fresh = QTimer(self)
        self._fresh.setSingleShot(True)
        self._fresh.timeout.connect(self._show_waiting)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._refresh_settled)
        self._fit_strip()
        theme_hub().changed.connect(self._retheme)
        copy_key(self, self.copy_figure)

    # --- construction ---------------------------------------------------------------------

    def _make_strip(self) -> QListWidget:
        made = QListWidget()
        made.setObjectName("FigureStrip")
        made.setAccessibleName("Figures")
        made.setViewMode(QListWidget.ViewMode.IconMode)
        made.setFlow(QListWidget.Flow.LeftToRight)
        made.setWrapping(False)
        made.setMovement(QListWidget.Movement.Static)
        made.setSpacing(4)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.currentItemChanged.connect(self._show_chosen)
        made.setVisible(False)
        return made

    def _arrange(self) -> None:
        more = (
            IconButton("float", "In a window of its own", self.float_figure),
            IconButton("close", "Close this figure", self.close_figure),
        )
        self.tools = FigureTools(lambda: self.current, more)
        self._away = EmptyState("float", "No figures here", "They are all in windows of their own.")
        self._away.offer("Take them back", self.dock_all)
        self._stack.addWidget(self._away)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tools)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._badge)
        layout.addWidget(self._strip)

    def _thumbnail_size(self) -> QSize:
        return QSize(THUMBNAIL.width(), 0) if self.height() <= LOW else THUMBNAIL

    def _fit_strip(self) -> None:
        """Thumbnails leave the figure its room."""
        size = self._thumbnail_size()
        if size == self._strip.iconSize():
            return
        self._strip.setIconSize(size)
        self._strip.setFixedHeight(size.height() + NAME.height() + SCROLL_BAR)
        for place in range(self._strip.count()):
            self._strip.item(place).setSizeHint(size + NAME)
            self._strip.item(place).setIcon(QIcon())
        self._settle.start(SETTLE_MS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The strip goes with the height."""
        super().resizeEvent(event)
        self._fit_strip()

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
        else:
            # A loop may draw faster than anybody can see: only the latest state is shown, and
            # what is out of sight waits until it has come to rest.
            self._waiting[event.number] = event.figure
            in_sight = any(self.canvases[number].isVisible() for number in self._waiting)
            self._fresh.start(0 if in_sight else SETTLE_MS)

    def _show_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for number, model in waiting.items():
            canvas = self.canvases[number]
            self._tools_of(number).hide_tips(canvas)
            raised = model["raised"] > canvas.figure.model["raised"]
            canvas.show_model(model)
            if raised:
                self.show_figure(number)
            self._name(number, canvas)
        self._settle.start(SETTLE_MS)
        self._refresh_head()

    def _add(self, number: int, model: Exported) -> None:
        canvas = FigureCanvas(model)
        canvas.figure.moved.connect(self._wait_to_settle)
        canvas.acted.connect(self.acted)
        self.canvases[number] = canvas
        self._stack.addWidget(canvas)
        self.tools.serve(canvas)
        self._add_row(number, canvas)
        self._put_where_it_belongs(number, model)

    def _put_where_it_belongs(self, number: int, model: Exported) -> None:
        """Into a window, where its program says so or its controls would be unreadable in here.

        What a person moves stays there until the program says something else.
        """
        before = self._asked.get(number, ("docked", False))
        asked = model["WindowStyle"], before[1] or self._is_cramped(model)
        self._asked[number] = asked
        if asked == before:
            return
        if asked == ("docked", before[1]):
            self.dock_figure(number)
        elif number not in self._floating:
            self._float(number, with_keyboard=False)

    def _is_cramped(self, model: Exported) -> bool:
        _left, _bottom, across, up = model["Position"]
        scale = min(self._stack.width() / across, self._stack.height() / up)
        controls = any(child["kind"] in CONTROLS for child in model["children"])
        return controls and scale < LEAST_SCALE and self._stack.isVisible()

    def _add_row(self, number: int, canvas: FigureCanvas) -> None:
        """A figure in here has its place in the strip, and is in front now."""
        row = QListWidgetItem(title_of(canvas.figure.model))
        row.setData(Qt.ItemDataRole.UserRole, number)
        row.setSizeHint(self._thumbnail_size() + NAME)
        place = sum(other < number for other in self.docked())
        self._strip.insertItem(place, row)
        self._strip.setCurrentItem(row)
        self._strip.setVisible(self._strip.count() > 1)
        self._settle.start(SETTLE_MS)

    def _take_row(self, number: int) -> None:
        self._strip.takeItem(self._strip.row(self._row(number)))
        self._strip.setVisible(self._strip.count() > 1)
        if not self._strip.count():
            self._stack.setCurrentWidget(self._away)

    def docked(self) -> list[int]:
        """The figures that are in here, not in windows of their own."""
        return [number for number in self.canvases if number not in self._floating]

    def _tools_of(self, number: int) -> FigureTools:
        window = self._floating.get(number)
        return self.tools if window is None else window.tools

    def _name(self, number: int, canvas: FigureCanvas) -> None:
        """Show what a figure is called now."""
        window = self._floating.get(number)
        if window is None:
            self._row(number).setText(title_of(canvas.figure.model))
        else:
            window.show_title()

    def _drop(self, number: int) -> None:
        self._waiting.pop(number, None)
        self._asked.pop(number, None)
        canvas = self.canvases.pop(number, None)
        if canvas is None:
            return
        window = self._floating.pop(number, None)
        if window is None:
            self.tools.leave(canvas)
            self._stack.removeWidget(canvas)
            self._take_row(number)
        canvas.retire()
        canvas.hide()
        canvas.deleteLater()
        if window is not None:
            window.hide()
            window.deleteLater()
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
        window = self._floating.get(number)
        if window is None:
            self._strip.setCurrentItem(self._row(number))
        else:
            window.raise_()

    def _show_chosen(self, row: QListWidgetItem | None, _before: object = None) -> None:
        canvas = self.current if row is not None else None
        if canvas is not None:
            self._stack.setCurrentWidget(canvas)
        self._refresh_head()

    def _wait_to_settle(self) -> None:
        self._settle.start(SETTLE_MS)

    def at_rest(self) -> bool:
        """Whether everything is drawn, thumbnails and badge included."""
        return not (self._settle.isActive() or self._fresh.isActive() or is_drawing())

    def _refresh_settled(self) -> None:
        """Things have come to rest: count again, tell what the mouse changed, take new
        thumbnails."""
        self._refresh_head()
        for number, canvas in self.canvases.items():
            self._put_where_it_belongs(number, canvas.figure.model)
            for change in canvas.changed_views():
                self.acted.emit(change)
        if self._strip.count() > 1 and self._thumbnail_size().height():
            for number in self.docked():
                self._row(number).setIcon(_thumbnail(self.canvases[number]))

    def _refresh_head(self) -> None:
        canvas = self.current
        self.tools.show_current()
        self.tools.setVisible(canvas is not None)
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

    def copy_figure(self) -> None:
        """Put the figure on the clipboard."""
        self.tools.copy()

    def float_figure(self) -> None:
        """Show the figure in a window of its own."""
        if self.current is not None and self.current_number is not None:
            self._float(self.current_number, with_keyboard=True)

    def _float(self, number: int, *, with_keyboard: bool) -> None:
        canvas = self.canvases[number]
        self.tools.leave(canvas)
        self._stack.removeWidget(canvas)
        window = self._floating[number] = FloatingFigure(number, canvas)
        self._take_row(number)
        self._refresh_head()
        window.closed.connect(self.dock_figure)
        canvas.show()
        window.stand_over(self)
        window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not with_keyboard)
        window.show()

    def dock_figure(self, number: int) -> None:
        """Take a figure back from its window."""
        window = self._floating.pop(number, None)
        if window is None:
            return
        self._stack.addWidget(window.canvas)
        self.tools.serve(window.canvas)
        self._add_row(number, window.canvas)
        window.deleteLater()

    def dock_all(self) -> None:
        """Take all figures back."""
        for window in list(self._floating.values()):
            window.close()

    def close_figure(self) -> None:
        """Close the figure in front; the engine hears of it."""
        number = self.current_number
        if number is not None:
            self._drop(number)
            self.acted.emit(FigureInput(number, "close"))

    def contextMenuEvent(self, event: Any) -> None:
        """The tools as a menu."""
        menu = QMenu(self)
        menu.addAction("Reset view", self.tools.reset_view)
        menu.addAction("Copy", self.copy_figure)
        menu.addAction("Save as…", self.tools.export)
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
