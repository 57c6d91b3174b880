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
    QTextImageFormat,
)

from app.engine.livecode.document import CodeBlock, LiveDocument, SectionBreak
from app.engine.livecode.html_page import code_spans
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import Results, results_by_line
from app.errors import UsageError
from app.ui.documents.formula import has_formulas
from app.ui.documents.text_page import Look, TextSetter, picture_of
from app.ui.support.fonts import CODE_FAMILY, ui_font
from app.ui.support.theme import load_theme

SCREEN_DPI, PAPER_DPI, PICTURE_DPI = 96.0, 1200, 144.0
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
    made = _Paper(document, results, page).document
    made.setPageSize(page)
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


class _Paper:
    """A document with its code and outputs, laid out by Qt."""

    def __init__(self, source: LiveDocument, results: Results, page: QSizeF) -> None:
        self._light = load_theme("light")
        self._page = page
        self._look = paper_look()
        self._by_line = results_by_line(results)
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
        lines, start = block.code.split("\n"), block.first
        for line in range(block.first, block.last + 1):
            made = self._by_line.get(line, [])
            if not made and line != block.last:
                continue
            part = "\n".join(lines[start - block.first : line - block.first + 1]).strip("\n")
            if part.strip():
                self._code_part(part)
            start = line + 1
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
        text = "\n".join(line for line in result.text.strip("\n").split("\n") if line.strip())
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
        natural = picture.width() * SCREEN_DPI / PICTURE_DPI
        width = min(natural, self._page.width() - 40, 520.0)
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
