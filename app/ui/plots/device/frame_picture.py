"""Pictures from the device as Qt's."""

from __future__ import annotations

from PySide6.QtGui import QImage

from app.ui.plots.device.renderer import Frame


def picture_of(frame: Frame) -> QImage:
    """A frame as a Qt image, without a copy of its bytes."""
    made = QImage(
        frame.data,
        frame.width,
        frame.height,
        frame.stride,
        QImage.Format.Format_RGBA8888_Premultiplied,
    )
    made.frame_data = frame.data  # type: ignore[attr-defined]
    return made
