"""The place of figures; their drawing is imported when the first one arrives, if not before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.engine.protocol import FigureClosed, FigureInput, FigureUpdated, PicturesClosed
from app.ui.panels.panel import Context
from app.ui.support.background_import import BackgroundImport
from app.ui.widgets.panel_parts import EmptyState

if TYPE_CHECKING:
    from app.ui.plots.canvas import FigureCanvas
    from app.ui.plots.figure_panel import FigurePanel


DRAWING = "app.ui.plots.figure_panel"
"""All that draws comes with it; it takes a second, in which a window would stand still."""
RECALL_MS = 300
"""Figures of the last session come after the window has settled: drawing takes imports."""


class FigureDock(QStackedWidget):
    """Shows an empty state until a script draws, then the figure panel."""

    first_figure = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._panel: FigurePanel | None = None
        self.addWidget(
            EmptyState(
                "chart", "No figure yet", "plot, imagesc and surf draw here, from GPU memory."
            )
        )
        self._drawing = BackgroundImport(self, DRAWING)
        self._drawing.done.connect(self._show_held)
        self._held: list[FigureUpdated | FigureClosed] = []
        self._waiting: dict[int, dict[str, Any]] = {}
        self._recalled: set[int] = set()
        self._post = context.bridge.post
        context.bridge.subscribe(FigureUpdated, self.handle_event)
        context.bridge.subscribe(FigureClosed, self.handle_event)
        context.bridge.subscribe(PicturesClosed, self._on_pictures_closed)

    @property
    def panel(self) -> QWidget | None:
        """The figure panel, once there is a figure."""
        return self._panel

    @property
    def front(self) -> FigureCanvas | None:
        """The figure in front of the panel; where all have windows of their own the first one."""
        if self._panel is None:
            return None
        return self._panel.current or next(iter(self._panel.canvases.values()), None)

    @property
    def recalled(self) -> tuple[int, ...]:
        """The numbers of the figures of an earlier session that are still there."""
        return tuple(sorted(self._recalled | set(self._waiting)))

    def handle_event(self, event: FigureUpdated | FigureClosed) -> None:
        """Hand an event of the engine to the figures."""
        if isinstance(event, FigureUpdated):
            self._forget_recalled()
        else:
            self._recalled.discard(event.number)
            self._waiting.pop(event.number, None)
        self._show(event)

    def _on_pictures_closed(self, event: PicturesClosed) -> None:
        if event.every:
            self._forget_recalled()
            return
        self._show_recalled()
        front = self._panel.current_number if self._panel is not None else None
        if front is not None and front in self._recalled:
            self.handle_event(FigureClosed(front))

    def _forget_recalled(self) -> None:
        """What an earlier session left goes: a script draws, or closes all figures."""
        gone, self._recalled, self._waiting = self._recalled, set(), {}
        for number in gone:
            self._show(FigureClosed(number))

    def _show(self, event: FigureUpdated | FigureClosed) -> None:
        if self._panel is None and not self._held and isinstance(event, FigureClosed):
            return
        self._held.append(event)
        if self._panel is not None or self._drawing.is_ready():
            self._show_held()

    def _show_held(self) -> None:
        """What arrived while the drawing was being imported, in order."""
        held, self._held = self._held, []
        if not held:
            return
        if self._panel is None:
            self._panel = self._made()
            self.first_figure.emit()
        for event in held:
            self._panel.handle_event(event)
        self.setCurrentIndex(1 if self._panel.canvases else 0)

    def recall(self, figures: Sequence[tuple[int, dict[str, Any]]]) -> None:
        """Show figures of an earlier session once somebody looks; they can be closed."""
        self._waiting = dict(figures)
        if self.isVisible():
            QTimer.singleShot(RECALL_MS, self, self._show_recalled)

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        if self._waiting:
            QTimer.singleShot(0, self, self._show_recalled)

    def _show_recalled(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for number, model in waiting.items():
            self._show(FigureUpdated(number, model))
            self._recalled.add(number)

    def _post_or_close(self, request: FigureInput) -> None:
        """What is done to a figure goes to the engine, which has not heard of recalled ones."""
        if request.number not in self._recalled:
            self._post(request)
        elif request.action == "close":
            self._recalled.discard(request.number)
            self._show(FigureClosed(request.number))

    def at_rest(self) -> bool:
        """Whether nothing is being drawn."""
        return not self._held and (self._panel is None or self._panel.at_rest())

    def shut_down(self) -> None:
        """Let go of the device that figures are drawn on; call before the engine closes it."""
        self._drawing.wait()
        if self._panel is not None:
            self._panel.shut_down()

    def _made(self) -> FigurePanel:
        from app.ui.plots.figure_panel import FigurePanel

        made = FigurePanel()
        made.acted.connect(self._post_or_close)
        self.addWidget(made)
        self.setCurrentWidget(made)
        return made
