"""The place of figures; their drawing is imported when the first one arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.engine.protocol import FigureClosed, FigureUpdated
from app.ui.panels.panel import Context, EmptyState

if TYPE_CHECKING:
    from app.ui.plots.figure_panel import FigurePanel


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
        self._post = context.bridge.post
        context.bridge.subscribe(FigureUpdated, self.handle_event)
        context.bridge.subscribe(FigureClosed, self.handle_event)

    @property
    def panel(self) -> QWidget | None:
        """The figure panel, once there is a figure."""
        return self._panel

    def handle_event(self, event: FigureUpdated | FigureClosed) -> None:
        """Hand an event of the engine to the figures."""
        if self._panel is None:
            if isinstance(event, FigureClosed):
                return
            self._make()
            self.first_figure.emit()
        if self._panel is not None:
            self._panel.handle_event(event)

    def at_rest(self) -> bool:
        """Whether nothing is being drawn."""
        return self._panel is None or self._panel.at_rest()

    def shut_down(self) -> None:
        """Let go of the device that figures are drawn on; call before the engine closes it."""
        if self._panel is not None:
            self._panel.shut_down()

    def _make(self) -> None:
        from app.ui.plots.figure_panel import FigurePanel

        self._panel = FigurePanel()
        self._panel.acted.connect(self._post)
        self.addWidget(self._panel)
        self.setCurrentWidget(self._panel)
