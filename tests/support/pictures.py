"""What two pictures have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QImage


def pixels(image: QImage) -> Any:
    wide = image.convertToFormat(QImage.Format.Format_RGB32)
    bits = np.frombuffer(wide.constBits(), np.uint8)
    return bits.reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)
