"""Documents on paper: pictures keep their size however dense they are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QSizeF
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.running import Result
from app.ui.documents.pdf import Paper


def png(across: int, up: int, dpi: float) -> bytes:
    """A grey picture that says how dense it is."""
    image = QImage(across, up, QImage.Format.Format_RGB32)
    image.fill(0x808080)
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


@pytest.mark.parametrize(("factor", "dpi"), [(1.0, 96.0), (1.0, 144.0), (2.0, 288.0)])
def test_a_denser_picture_is_as_large(qtbot: QtBot, factor: float, dpi: float) -> None:
    picture = png(round(600 * factor), round(300 * factor), dpi)
    results = (Result(1, "figure", picture=picture),)
    paper = Paper(LiveDocument("plot(1:3)\n"), results, QSizeF(700, 900)).document
    widths = []
    block = paper.begin()
    while block.isValid():
        for fragment in block:
            form = fragment.fragment().charFormat().toImageFormat()
            widths += [form.width()] if form.isValid() else []
        block = block.next()
    assert widths == [pytest.approx(400, abs=1)]
