"""Documents on paper: the text, code and outputs of a live script as a PDF file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
)

from app.engine.livecode.document import CodeBlock, LiveDocument, SectionBreak
from app.engine.livecode.html_page import code_spans
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import Results, code_parts
from app.engine.livecode.typed_outputs import compact
from app.errors import UsageError
from app.ui.documents.formula import has_formulas
from app.ui.documents.text_page import Look, TextSetter, picture_of
from app.ui.support.fonts import CODE_FAMILY, ui_font
from app.ui.support.theme import load_theme

SCREEN_DPI, PAPER_DPI, PICTURE_DPI = 96.0, 1200, 144.0
"""Of what Qt measures in, of what is written, and of pictures that say nothing denser."""
MARGIN_MM = 18.0
FOOT = 26.0
"""Pixels below the text that the number of the page has."""
_KINDS = {"comment": "comment", "keyword": "keyword", "text": "string", "number": "number"}


def write_pdf(document: LiveDocument, results: Results, path: Path, name: str) -> None:
    """Write a document to a file, on A4.

    Raises:
        UsageError: the file cannot be written.
    """
    writer = QPdfWriter(str(path))
    writer.setResolution(PAPER_DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    margins = QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM)
    writer.setPageMargins(margins, QPageLayout.Unit.Millimeter)
    writer.setTitle(document.title or name)
    writer.setCreator("Fuselab")
    scale = PAPER_DPI / SCREEN_DPI
    page = QSizeF(writer.width() / scale, writer.height() / scale - FOOT)
    made = Paper(document, results, page).document
    made.setPageSize(page)
    keep_together(made)
    painter = QPainter()
    if not painter.begin(writer):
        raise UsageError(f"{path} cannot be written")
    painter.scale(scale, scale)
    count = made.pageCount()
    for number in range(count):
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, -number * page.height())
        made.drawContents(painter, QRectF(0, number * page.height(), page.width(), page.height()))
        painter.restore()
        painter.setFont(ui_font(11))
        painter.setPen(load_theme("light").colour("muted"))
        foot = QRectF(0, page.height(), page.width(), FOOT)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        painter.drawText(foot, flags, f"{number + 1} / {count}")
    painter.end()


def keep_together(document: QTextDocument) -> None:
    """Put what would be cut by the end of a page on the next one, with the headings above it.

    What is higher than half a page is cut, and tables are between their rows.
    """
    layout, page = document.documentLayout(), document.pageSize().height()
    block, first = document.begin(), None
    while block.isValid():
        first = block if first is None else first
        top = layout.blockBoundingRect(first).top()
        bottom = layout.blockBoundingRect(block).bottom()
        is_cut = int(top / page) != int((bottom - 1) / page)
        if is_cut and bottom - top <= page / 2 and QTextCursor(first).currentTable() is None:
            form = first.blockFormat()
            form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(first).setBlockFormat(form)
        if not block.blockFormat().headingLevel():
            first = None
        block = block.next()


def paper_look() -> Look:
    """Dark ink on white."""
    light = load_theme("light")
    at = light.colour
    return Look(
        at("text"),
        QColor(light.syntax["section"]),
        at("muted"),
        at("accent"),
        at("border_strong"),
        at("raised"),
        0.9,
    )


class Paper:
    """A document with its code and outputs, laid out by Qt.

    Args:
        source: the document.
        results: what its lines gave.
        page: the size of a page in pixels.

    Attributes:
        document: what is painted.
    """

    def __init__(self, source: LiveDocument, results: Results, page: QSizeF) -> None:
        self._light = load_theme("light")
        self._page = page
        self._look = paper_look()
        self._results = sorted(results, key=lambda result: result.line)
        self._pictures = 0
        self.document = QTextDocument()
        self.document.setUndoRedoEnabled(False)
        self.document.setDocumentMargin(0)
        self.document.setIndentWidth(20)
        has_formulas(self.document)
        self._cursor = QTextCursor(self.document)
        setter = TextSetter(source, self._look, None)
        for block in source.blocks:
            if isinstance(block, CodeBlock):
                self._code(block)
            elif not isinstance(block, SectionBreak):
                setter.write(self._cursor, [block])

    def _code(self, block: CodeBlock) -> None:
        """The lines of a block, cut where outputs belong."""
        for code, made in code_parts(block, self._results):
            if code:
                self._code_part(code)
            for result in made:
                self._result(result)

    def _begin(self, ground: str = "", left: float = 10.0) -> None:
        form = QTextBlockFormat()
        form.setTopMargin(2)
        form.setBottomMargin(8)
        form.setLeftMargin(left)
        form.setRightMargin(6)
        kind = QTextBlockFormat.LineHeightTypes.LineDistanceHeight
        form.setLineHeight(2.0, kind.value)
        if ground:
            form.setBackground(self._light.colour(ground))
        if self._cursor.position() == 0:
            self._cursor.setBlockFormat(form)
        else:
            self._cursor.insertBlock(form, QTextCharFormat())

    def _letters(self, colour: str) -> QTextCharFormat:
        form = QTextCharFormat()
        font = QFont([CODE_FAMILY, "monospace"])
        font.setPixelSize(11)
        form.setFont(font)
        form.setForeground(QColor(colour))
        return form

    def _code_part(self, code: str) -> None:
        self._begin("sunken")
        for text, kind in _pieces(code):
            colour = self._light.syntax[_KINDS.get(kind, "default")]
            self._cursor.insertText(_lines(text), self._letters(colour))

    def _result(self, result: Result) -> None:
        if result.kind == "figure":
            self._figure(result)
            return
        ground = {"error": "error_soft", "warning": "pause_soft"}.get(result.kind, "")
        self._begin(ground, 22.0)
        role = {"error": "error", "warning": "warning"}.get(result.kind, "text")
        text = compact(result.text) if result.kind == "text" else result.text.strip("\n")
        self._cursor.insertText(_lines(text), self._letters(self._light[role]))

    def _figure(self, result: Result) -> None:
        picture = picture_of(result.picture)
        if picture is None:
            return
        self._pictures += 1
        name = f"figure:{self._pictures}"
        kind = QTextDocument.ResourceType.ImageResource
        self.document.addResource(kind, QUrl(name), picture)
        form = QTextImageFormat()
        form.setName(name)
        dpi = max(picture.dotsPerMeterX() * 0.0254, PICTURE_DPI)
        natural = picture.width() * SCREEN_DPI / dpi
        width = min(natural, self._page.width() - 40, 460.0)
        height = width * picture.height() / picture.width()
        if height > self._page.height() * 0.8:
            width, height = width * self._page.height() * 0.8 / height, self._page.height() * 0.8
        form.setWidth(width)
        form.setHeight(height)
        self._begin()
        self._cursor.insertImage(form)


def _lines(text: str) -> str:
    return text.replace("\n", "\N{LINE SEPARATOR}")


def _pieces(code: str) -> Iterator[tuple[str, str]]:
    """The code in pieces of one colour each."""
    place = 0
    for start, end, kind in code_spans(code):
        if start > place:
            yield code[place:start], ""
        yield code[start:end], kind
        place = end
    if place < len(code):
        yield code[place:], ""
