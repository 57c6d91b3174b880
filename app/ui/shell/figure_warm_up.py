"""What figures need, made ready before the first figure is there: their modules and shaders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.engine import protocol
from app.engine.run_state import RunState
from app.ui.panels.figures import DRAWING
from app.ui.support.background_import import BackgroundImport
from app.ui.support.bridge import Bridge

WARM_MS = 1500
"""How long the window is left alone after the engine, or its device, is there."""


class FigureWarmUp(QObject):
    """Makes it ready once the engine is there, but not while the window is still appearing."""

    def __init__(self, parent: QObject, bridge: Bridge) -> None:
        super().__init__(parent)
        self._provider: Any = None
        self._import = BackgroundImport(self, DRAWING)
        self._import_timer = self._timer_for(self._import.begin)
        self._shader_timer = self._timer_for(self._compile)
        bridge.subscribe(protocol.StateChanged, self._on_state)
        bridge.subscribe(protocol.DeviceReady, self._on_device)

    def _timer_for(self, act: Callable[[], None]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(WARM_MS)
        made.timeout.connect(act)
        return made

    def stop(self) -> None:
        """Make nothing ready any more."""
        self._import_timer.stop()
        self._shader_timer.stop()
        self._provider = None
        self._import.wait()

    def _on_state(self, event: protocol.StateChanged) -> None:
        if event.state == RunState.IDLE and not self._import.begun:
            self._import_timer.start()

    def _on_device(self, event: protocol.DeviceReady) -> None:
        if event.drawing is not None:
            self._provider = event.drawing.provider
            self._shader_timer.start()

    def _compile(self) -> None:
        from app.ui.plots.device.renderer_pool import warm

        provider, self._provider = self._provider, None
        warm(provider)
