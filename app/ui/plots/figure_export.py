"""Figures as files and on the clipboard: PNG and other pictures, SVG, PDF, at any resolution."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QImageWriter,
    QPagedPaintDevice,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMessageBox, QWidget

from app import paths
from app.errors import MatlabError, said_by_system
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.device.renderer_pool import synchronous_drawing
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import PAPER, Style
from app.ui.support import dialog_folder

SCREEN_DPI = 96.0
PICTURES = frozenset((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".ppm"))
FILTERS = "PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf);;JPEG picture (*.jpg)"


def picture(canvas: FigureCanvas, dpi: float = SCREEN_DPI) -> QImage:
    """The figure as a picture; sizes on paper stay those on the screen."""
    ratio = dpi / SCREEN_DPI
    size = canvas.viewport().size()
    made = QImage(
        round(size.width() * ratio), round(size.height() * ratio), QImage.Format.Format_RGB32
    )
    made.setDevicePixelRatio(ratio)
    made.setDotsPerMeterX(round(dpi / 0.0254))
    made.setDotsPerMeterY(round(dpi / 0.0254))
    made.fill(canvas.figure.style.canvas)
    _render(canvas, made, size)
    return made


def _render(canvas: FigureCanvas, target: QImage | QSvgGenerator | QPdfWriter, size: QSize) -> None:
    painter = QPainter(target)
    if isinstance(target, QPdfWriter):
        scale = target.resolution() / SCREEN_DPI
        painter.scale(scale, scale)
    _draw(canvas, painter, size)
    painter.end()


def _draw(canvas: FigureCanvas, painter: QPainter, size: QSize) -> None:
    canvas.scene().prepareForPaint()
    with synchronous_drawing():
        canvas.render(painter, QRectF(0, 0, size.width(), size.height()), canvas.viewport().rect())


def save(canvas: FigureCanvas, path: Path, dpi: float = 150.0, style: Style | None = PAPER) -> None:
    """Write the figure to a file; its ending says which kind. Dark figures become light ones
    unless ``style`` is None."""
    with _in_style(canvas, style):
        _save(canvas, path, dpi)


def _save(canvas: FigureCanvas, path: Path, dpi: float) -> None:
    size = canvas.viewport().size()
    ending = path.suffix.lower()
    content = QBuffer()  # files are written by ourselves: Qt does not tell of a full disk
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    if ending == ".svg":
        drawing = QSvgGenerator()
        drawing.setOutputDevice(content)
        drawing.setSize(size)
        drawing.setViewBox(QRectF(0, 0, size.width(), size.height()))
        drawing.setTitle(canvas.accessibleName())
        _render(canvas, drawing, size)
    elif ending == ".pdf":
        _save_pdf(canvas, content, size)
    elif ending in PICTURES:
        if not QImageWriter(content, ending[1:].encode()).write(picture(canvas, dpi)):
            raise MatlabError("MATLAB:print:CannotCreateFile", f"Cannot write '{path}'.")
    else:
        known = ", ".join(sorted({*PICTURES, ".svg", ".pdf"}))
        raise MatlabError(
            "MATLAB:print:InvalidFormat",
            f"'{ending}' is not a file type for figures. Use one of {known}.",
        )
    try:
        paths.put_whole(path, bytes(content.data().data()))
    except OSError as problem:
        text = f"Cannot write '{path}': {said_by_system(problem)}."
        raise MatlabError("MATLAB:print:CannotCreateFile", text) from problem


def _save_pdf(canvas: FigureCanvas, content: QBuffer, size: QSize) -> None:
    document = QPdfWriter(content)
    document.setResolution(300)
    inches = QSizeF(size.width() / SCREEN_DPI, size.height() / SCREEN_DPI)
    document.setPageSize(QPageSize(inches, QPageSize.Unit.Inch))
    document.setPageMargins(QMarginsF(0, 0, 0, 0))
    document.setTitle(canvas.accessibleName())
    _render(canvas, document, size)


def place_on_page(page: QSize, size: QSize, dots: int) -> tuple[float, float, float]:
    """How a figure stands in the middle of a page: its scale, and its left and top edge.

    Args:
        page: room on the page, in dots.
        size: of the figure on the screen.
        dots: dots per inch; the size is kept where there is room.
    """
    scale = min(dots / SCREEN_DPI, page.width() / size.width(), page.height() / size.height())
    across, down = page.width() - scale * size.width(), page.height() - scale * size.height()
    return scale, across / 2, down / 2


def put_on_paper(canvas: FigureCanvas, paper: QPagedPaintDevice) -> None:
    """Print the figure on one page, as it would be saved."""
    size, dots = canvas.viewport().size(), paper.logicalDpiX()
    page = paper.pageLayout().paintRectPixels(dots).size()
    scale, left, top = place_on_page(page, size, dots)
    with _in_style(canvas, PAPER):
        painter = QPainter(paper)
        painter.translate(left, top)
        painter.scale(scale, scale)
        _draw(canvas, painter, size)
        painter.end()


def ask_and_save(parent: QWidget, canvas: FigureCanvas, name: str) -> None:
    """Ask for a file, and write the figure to it; what cannot be written is told."""
    start = dialog_folder.dialog_start(name)
    path = dialog_folder.ask_where(parent, "Save figure", start, FILTERS)
    if path is None:
        return
    try:
        save(canvas, path, dpi=300)
    except MatlabError as problem:
        QMessageBox.warning(parent, "Save figure", problem.message)


def copy(canvas: FigureCanvas, dpi: float = 192.0) -> None:
    """Put the figure on the clipboard as a picture on paper, as it would be saved."""
    with _in_style(canvas, PAPER):
        QGuiApplication.clipboard().setImage(picture(canvas, dpi))


@contextmanager
def _in_style(canvas: FigureCanvas, style: Style | None) -> Iterator[None]:
    """Have other colours for a moment; None keeps those of the screen."""
    before = canvas.figure.base
    if style is not None and before is not style:
        canvas.set_style(style)
    try:
        yield
    finally:
        if canvas.figure.base is not before:
            canvas.set_style(before)


def save_model(model: Exported, path: Path, dpi: float = 150.0) -> None:
    """Write a figure that no window shows."""
    canvas = FigureCanvas(model)
    width, height = model["Position"][2:4]
    canvas.resize(round(width), round(height))
    canvas.set_style(PAPER)
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    canvas.show()
    try:
        _save(canvas, path, dpi)
    finally:
        canvas.hide()
        canvas.deleteLater()
