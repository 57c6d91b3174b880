"""The shaders of figures, compiled before the first figure is there."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.engine import protocol
from app.ui.support.bridge import Bridge

WARM_MS = 1500
"""When the shaders of figures are compiled, after the device is known."""


class RendererWarmUp(QObject):
    """Compiles them once the device is known, but not while the window is still appearing."""

    def __init__(self, parent: QObject, bridge: Bridge) -> None:
        super().__init__(parent)
        self._provider: Any = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._warm)
        bridge.subscribe(protocol.DeviceReady, self._on_device)

    def stop(self) -> None:
        """Compile nothing any more."""
        self._timer.stop()
        self._provider = None

    def _on_device(self, event: protocol.DeviceReady) -> None:
        if event.drawing is not None:
            self._provider = event.drawing.provider
            self._timer.start(WARM_MS)

    def _warm(self) -> None:
        from app.ui.plots.device.renderer_pool import warm

        provider, self._provider = self._provider, None
        warm(provider)
