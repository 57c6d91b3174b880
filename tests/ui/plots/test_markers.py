"""Markers of the host: very many are stamped at once, where each of them would be."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.ui.plots.host import markers

WIDTH, HEIGHT = 300, 200


def picture(count: int, ratio: float, marker: str) -> tuple[NDArray[np.float64], float]:
    """The alpha of markers at random places, and the seconds that drawing them took."""
    image = QImage(
        round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    random = np.random.default_rng(1)
    x, y = random.random(count) * WIDTH, random.random(count) * HEIGHT
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    began = time.process_time()
    markers.draw_markers(painter, x, y, marker, 3.0, QColor(0, 0, 0, 0), QColor("red"))
    took = time.process_time() - began
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint8)
    return bits.reshape(image.height(), -1, 4)[..., 3].astype(np.float64), took


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("marker", ["o", "+", "square"])
def test_a_crowd_stands_where_each_marker_would(
    monkeypatch: pytest.MonkeyPatch, ratio: float, marker: str
) -> None:
    one_by_one, _ = picture(1000, ratio, marker)
    monkeypatch.setattr(markers, "CROWD_FROM", 900)
    at_once, _ = picture(1000, ratio, marker)
    assert at_once.mean() == pytest.approx(one_by_one.mean(), rel=0.06)
    difference = np.abs(at_once - one_by_one).mean()
    for shift in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        assert np.abs(np.roll(at_once, shift, (0, 1)) - one_by_one).mean() > 1.3 * difference


@pytest.mark.usefixtures("qapp")
def test_the_time_of_a_crowd_is_not_that_of_calls() -> None:
    picture(markers.CROWD_FROM, 1.0, "o")
    few = min(picture(markers.CROWD_FROM, 1.0, "o")[1] for _ in range(3))
    many = min(picture(4 * markers.CROWD_FROM, 1.0, "o")[1] for _ in range(3))
    assert many < 2 * few
