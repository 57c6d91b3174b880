"""The tools of a figure, in the panel and in a window of its own: tips, zoom, copies."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from app.engine.figures.schema import KINDS
from app.ui.plots import figure_export
from app.ui.plots.axes_item import AxesItem
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.data_tip import DataTip, Sample, clicked_point, inner_item, nearest
from app.ui.plots.series_arrays import Exported
from app.ui.support.placing import brought_on_screen
from app.ui.widgets.panel_parts import ElidedLabel, IconButton


def title_of(model: Exported) -> str:
    """What a figure is called."""
    name = str(model["Name"])
    if not model["NumberTitle"]:
        return name or f"Figure {model['number']}"
    return f"Figure {model['number']}" + (f": {name}" if name else "")


class FigureTools(QWidget):
    """The bar over a figure; ``canvas`` says which one is meant, ``more`` are further buttons."""

    def __init__(
        self, canvas: Callable[[], FigureCanvas | None], more: tuple[IconButton, ...]
    ) -> None:
        super().__init__()
        self._canvas = canvas
        self._tips: dict[AxesItem, list[DataTip]] = {}
        self._pressed: QPoint | None = None
        self._dragged: list[DataTip] | None = None
        self.setObjectName("PanelBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = ElidedLabel("title")
        self._tip_button = IconButton(
            "datatip",
            "Data tips: click a point to see its value; Shift+click adds another",
            self._tips_toggled,
        )
        self._zoom_button = IconButton("zoom", "Zoom into a rectangle", self._zoom_toggled)
        self._brush_button = IconButton(
            "wand",
            "Brush points: they are marked, and become the variable brushedData",
            self._brush_toggled,
        )
        for button in (self._tip_button, self._zoom_button, self._brush_button):
            button.setCheckable(True)
        buttons = (
            self._tip_button,
            self._zoom_button,
            self._brush_button,
            IconButton("home", "Show everything again (double click)", self.reset_view),
            IconButton("copy", "Copy as a picture", self.copy),
            IconButton("export", "Save as PNG, SVG or PDF", self.export),
            *more,
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 3, 6, 3)
        row.setSpacing(2)
        row.addWidget(self.title, 1)
        for button in buttons:
            row.addWidget(button)

    def serve(self, canvas: FigureCanvas) -> None:
        """Clicks and drags on a canvas mean what these buttons say."""
        canvas.viewport().installEventFilter(self)
        canvas.installEventFilter(self)
        self._use_modes(canvas)

    def leave(self, canvas: FigureCanvas) -> None:
        """The canvas goes elsewhere, or away."""
        canvas.viewport().removeEventFilter(self)
        canvas.removeEventFilter(self)
        self.hide_tips(canvas)
        self._tips = {k: tips for k, tips in self._tips.items() if k.scene() is not canvas.scene()}

    def show_current(self) -> None:
        """Name the figure in front, and let its drags mean what the buttons say."""
        canvas = self._canvas()
        self.title.setText("" if canvas is None else title_of(canvas.figure.model))
        if canvas is not None:
            self._use_modes(canvas)

    # --- what the buttons do --------------------------------------------------------------

    def reset_view(self) -> None:
        """Show what the script asked for."""
        canvas = self._canvas()
        if canvas is not None:
            self.hide_tips(canvas)
            for axes in canvas.figure.axes.values():
                axes.reset_view()

    def _tips_toggled(self) -> None:
        canvas = self._canvas()
        if canvas is not None and not self._tip_button.isChecked():
            self.hide_tips(canvas)

    def _zoom_toggled(self) -> None:
        self._brush_button.setChecked(False)
        self._modes_changed()

    def _brush_toggled(self) -> None:
        self._zoom_button.setChecked(False)
        self._modes_changed()

    def _modes_changed(self) -> None:
        canvas = self._canvas()
        if canvas is not None:
            self._use_modes(canvas)

    def _use_modes(self, canvas: FigureCanvas) -> None:
        """Dragging zooms into a rectangle, chooses the points in one, or pans."""
        brush = self._brush_button.isChecked()
        wanted = self._zoom_button.isChecked() or brush
        for axes in canvas.figure.axes.values():
            axes.box.brushing = brush
            axes.box.setMouseMode(axes.box.RectMode if wanted else axes.box.PanMode)

    def copy(self) -> None:
        """Put the figure on the clipboard."""
        canvas = self._canvas()
        if canvas is not None:
            figure_export.copy(canvas)

    def export(self) -> None:
        """Ask for a file and write the figure to it."""
        canvas = self._canvas()
        if canvas is not None:
            figure_export.ask_and_save(self, canvas, f"figure{canvas.figure.model['number']}.png")

    # --- data tips ------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click with data tips on says what is there, one on a line always; one with Shift
        leaves what is said already."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Delete) and self._take_tips()
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            self._pressed = event.position().toPoint()
            left = event.button() == Qt.MouseButton.LeftButton
            if self._tip_button.isChecked() and left and not self._is_on_legend(self._pressed):
                self._start_tip(self._pressed, more=_adds(event))
                return True
        elif (
            kind == QEvent.Type.MouseMove
            and isinstance(event, QMouseEvent)
            and self._dragged is not None
        ):
            self._drag_tip(event.position().toPoint(), self._dragged)
            return True
        elif kind == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            started, self._pressed, self._dragged = self._pressed, None, None
            place = event.position().toPoint()
            near = started is not None and (
                (place - started).manhattanLength() < QApplication.startDragDistance()
            )
            if near and event.button() == Qt.MouseButton.LeftButton:
                self._click(place, more=_adds(event))
        return super().eventFilter(watched, event)

    def _click(self, place: QPoint, *, more: bool) -> None:
        """Say what point of a line was clicked on; any other click takes what is said away."""
        canvas = self._canvas()
        modes = (self._tip_button, self._zoom_button, self._brush_button)
        if canvas is None or any(button.isChecked() for button in modes):
            return
        if canvas.figure.model.get("wants"):  # the script hears of clicks
            return
        if not more:
            self.hide_tips(canvas)
        self._tips_at(canvas, place, clicked_point)

    def _start_tip(self, place: QPoint, *, more: bool) -> None:
        """Say what is nearest to a place, until the button is let go."""
        canvas = self._canvas()
        if canvas is None:
            return
        if not more:
            self.hide_tips(canvas)
        self._dragged = self._tips_at(canvas, place, nearest)

    def _drag_tip(self, place: QPoint, before: list[DataTip]) -> None:
        """What is nearest now is said instead; where nothing is, it stays."""
        canvas = self._canvas()
        for tip in before:
            tip.setVisible(False)
        self._dragged = (self._tips_at(canvas, place, nearest) if canvas else []) or before
        for tip in self._dragged:
            tip.setVisible(True)

    def _tips_at(
        self,
        canvas: FigureCanvas,
        place: QPoint,
        find: Callable[[AxesItem, QPointF], Sample | None],
    ) -> list[DataTip]:
        spot = canvas.mapToScene(place)
        met = (a for a in canvas.figure.axes.values() if _covers(a, spot))
        return [tip for axes in met if (tip := self._show_tip(axes, find(axes, spot))) is not None]

    def _is_on_legend(self, place: QPoint) -> bool:
        """Whether a legend is there, which is clicked and dragged whatever else clicks mean."""
        canvas = self._canvas()
        if canvas is None:
            return False
        legends = (axes.legend for axes in canvas.figure.axes.values())
        spot = canvas.mapToScene(place)
        return any(one is not None and one.sceneBoundingRect().contains(spot) for one in legends)

    def _take_tips(self) -> bool:
        """Take away what is said; False where nothing was."""
        canvas, shown = self._canvas(), bool(self.said())
        if canvas is not None:
            self.hide_tips(canvas)
        return shown

    def said(self) -> list[str]:
        """What the tips say that are seen."""
        return [t.sample.text for tips in self._tips.values() for t in tips if t.isVisible()]

    def add_tip(self, axes: AxesItem, spot: QPointF) -> DataTip | None:
        """Say what the point nearest to a place in the scene is."""
        return self._show_tip(axes, nearest(axes, spot))

    def _show_tip(self, axes: AxesItem, sample: Sample | None) -> DataTip | None:
        if sample is None:
            return None
        tips = self._tips.setdefault(axes, [])
        tip = next((tip for tip in tips if not tip.isVisible()), None)
        if tip is None:
            tip = DataTip(axes)
            tips.append(tip)
        tip.show_sample(sample)
        return tip

    def hide_tips(self, canvas: FigureCanvas) -> None:
        """No more tips on a canvas."""
        for axes, tips in self._tips.items():
            for tip in tips if axes.scene() is canvas.scene() else ():
                tip.setVisible(False)


def _adds(event: QMouseEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def _covers(axes: AxesItem, spot: QPointF) -> bool:
    return bool(inner_item(axes).sceneBoundingRect().contains(spot))


def copy_key(owner: QWidget, copy: Callable[[], object]) -> None:
    """The copy key means the figure, only where the figure has the keyboard."""
    shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), owner, copy)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)


class FloatingFigure(QWidget):
    """A window of its own for one figure; closing it docks the figure again."""

    closed = Signal(int)

    def __init__(self, number: int, canvas: FigureCanvas) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("FigureWindow")
        self.number = number
        self.canvas = canvas
        back = IconButton("dock", "Back into the panel", self.close)
        self.tools = FigureTools(lambda: self.canvas, (back,))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tools)
        layout.addWidget(canvas, 1)
        self.tools.serve(canvas)
        copy_key(self, self.tools.copy)
        canvas.setFocus()
        self.show_title()

    def stand_over(self, panel: QWidget) -> None:
        """Stand where the figure was, in the size its program gave it, wholly on its screen.

        A figure that nobody has sized is at least as large as it was.
        """
        given = self.canvas.figure.model["Position"][2:]
        wanted = QSize(*map(round, given))
        if tuple(given) == KINDS["figure"].properties["Position"][1][2:]:
            wanted = wanted.expandedTo(panel.size())
        self.resize(wanted + QSize(0, self.tools.sizeHint().height()))
        place = QRect(QPoint(0, 0), self.size())
        place.moveBottomRight(panel.mapToGlobal(panel.rect().bottomRight()))
        self.setGeometry(brought_on_screen(place, panel.mapToGlobal(panel.rect().center())))

    def show_title(self) -> None:
        """The window is called what its figure is called now."""
        self.setWindowTitle(title_of(self.canvas.figure.model))
        self.tools.show_current()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the figure back."""
        self.tools.leave(self.canvas)
        self.closed.emit(self.number)
        super().closeEvent(event)
