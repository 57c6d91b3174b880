"""The text of documents as Qt lays it out: headings, lists, tables, links, formulas, images."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QImageReader,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextTableFormat,
)

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.markup import (
    Anchor,
    Equation,
    Image,
    Inline,
    Link,
    Span,
    Underlined,
    is_formula,
    plain_text,
)
from app.engine.livecode.stored_results import image_content
from app.engine.livecode.text_blocks import (
    CodeExample,
    Contents,
    ListBlock,
    Paragraph,
    TableBlock,
    TextBlock,
)
from app.ui.documents.formula import has_formulas, insert_formula
from app.ui.support.fonts import CODE_FAMILY, CodeFont, ui_font
from app.ui.support.theme import theme

TEXT_PIXELS = 15
_PIXELS = {"title": 30, "heading": 22, "subheading": 17}
_ABOVE = {"title": 6, "heading": 14, "subheading": 10}
_ALIGNED = {
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}
_LINE_DISTANCE = 5.0
MOST_PIXELS = 40_000_000
"""A picture with more is not decoded."""


@dataclass(frozen=True)
class Look:
    """Colours and sizes of text.

    Attributes:
        ink: of words.
        strong: of headings.
        muted: of quotes.
        link: of links.
        line: of tables and rules.
        ground: behind code within words.
        scale: what all sizes are multiplied by.
    """

    ink: QColor
    strong: QColor
    muted: QColor
    link: QColor
    line: QColor
    ground: QColor
    scale: float = 1.0

    def font(self, pixels: float, *, heavy: bool = False) -> QFont:
        """The face of text in that size."""
        weight = QFont.Weight.DemiBold if heavy else QFont.Weight.Normal
        return ui_font(max(6, round(pixels * self.scale)), weight)


def screen_look(scale: float = 1.0) -> Look:
    """What the theme says."""
    at = theme().colour
    return Look(
        at("text"),
        QColor(theme().syntax["section"]),
        at("muted"),
        at("accent"),
        at("border"),
        at("raised"),
        scale,
    )


class TextSetter:
    """Writes blocks of text into a Qt document.

    Args:
        source: the live document, for its headings and the pictures of its appendix.
        look: colours and sizes.
        folder: where pictures beside the file are looked for; None where none may be read.
    """

    def __init__(self, source: LiveDocument, look: Look, folder: Path | None) -> None:
        self._source = source
        self._look = look
        self._folder = folder

    def document(self, blocks: Iterable[TextBlock]) -> QTextDocument:
        """A new document of these blocks."""
        made = QTextDocument()
        made.setUndoRedoEnabled(False)
        made.setDocumentMargin(0)
        made.setDefaultFont(self._look.font(TEXT_PIXELS))
        made.setIndentWidth(22 * self._look.scale)
        has_formulas(made)
        cursor = QTextCursor(made)
        self.write(cursor, blocks)
        return made

    def write(self, cursor: QTextCursor, blocks: Iterable[TextBlock]) -> None:
        """Write blocks at a cursor; the document must have formulas."""
        for number, block in enumerate(blocks):
            first = not number and cursor.position() == 0
            match block:
                case Paragraph():
                    self._paragraph(cursor, block, first)
                case ListBlock():
                    self._list(cursor, block, first)
                case CodeExample():
                    self._example(cursor, block, first)
                case TableBlock():
                    self._table(cursor, block)
                case Contents():
                    self._contents(cursor, block, first)

    # --- blocks ---------------------------------------------------------------------------

    def _begin(self, cursor: QTextCursor, form: QTextBlockFormat, first: bool) -> None:
        if first:
            cursor.setBlockFormat(form)
        else:
            cursor.insertBlock(form, QTextCharFormat())

    def _block_format(self, above: float = 0.0, below: float = 8.0) -> QTextBlockFormat:
        form = QTextBlockFormat()
        form.setTopMargin(above * self._look.scale)
        form.setBottomMargin(below * self._look.scale)
        kind = QTextBlockFormat.LineHeightTypes.LineDistanceHeight
        form.setLineHeight(_LINE_DISTANCE * self._look.scale, kind.value)
        return form

    def _letters(self, pixels: float = TEXT_PIXELS, *, heavy: bool = False) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setFont(self._look.font(pixels, heavy=heavy))
        form.setForeground(self._look.strong if heavy else self._look.ink)
        return form

    def _paragraph(self, cursor: QTextCursor, block: Paragraph, first: bool) -> None:
        is_heading = block.kind in _PIXELS
        form = self._block_format(0 if first else _ABOVE.get(block.kind, 0))
        form.setAlignment(_ALIGNED.get(block.align, Qt.AlignmentFlag.AlignLeft))
        letters = self._letters(_PIXELS.get(block.kind, TEXT_PIXELS), heavy=is_heading)
        if block.kind == "quote":
            form.setLeftMargin(18 * self._look.scale)
            letters.setForeground(self._look.muted)
            letters.setFontItalic(True)
        if is_formula(block.content):
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._begin(cursor, form, first)
        if is_heading:
            form.setHeadingLevel(list(_PIXELS).index(block.kind) + 1)
            cursor.setBlockFormat(form)
            letters.setAnchor(True)
            letters.setAnchorNames([f"line-{block.line}"])
        self._inlines(cursor, block.content, letters)

    def _list(self, cursor: QTextCursor, block: ListBlock, first: bool) -> None:
        styles = (
            (QTextListFormat.Style.ListDecimal, QTextListFormat.Style.ListLowerAlpha)
            if block.numbered
            else (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle)
        )
        held: dict[int, QTextListFormat] = {}
        lists: dict[int, QTextList] = {}
        for number, (depth, content) in enumerate(block.items):
            last = number == len(block.items) - 1
            self._begin(cursor, self._block_format(0, 8 if last else 2), first and not number)
            for deeper in [d for d in lists if d > depth]:
                del lists[deeper]
            if depth in lists:
                lists[depth].add(cursor.block())
            else:
                held[depth] = QTextListFormat()
                held[depth].setStyle(styles[min(depth, 1)])
                held[depth].setIndent(depth + 1)
                lists[depth] = cursor.createList(held[depth])
            cursor.setBlockCharFormat(self._letters())
            self._inlines(cursor, content, self._letters())

    def _example(self, cursor: QTextCursor, block: CodeExample, first: bool) -> None:
        form = self._block_format(4)
        form.setLeftMargin(14 * self._look.scale)
        form.setNonBreakableLines(True)
        letters = self._mono(self._letters())
        letters.clearBackground()
        self._begin(cursor, form, first)
        cursor.insertText(block.code.replace("\n", "\N{LINE SEPARATOR}"), letters)

    def _table(self, cursor: QTextCursor, block: TableBlock) -> None:
        columns = max((len(row) for row in block.rows), default=0)
        if not columns:
            return
        form = QTextTableFormat()
        form.setCellPadding(6 * self._look.scale)
        form.setCellSpacing(0)
        form.setBorderCollapse(True)
        form.setBorder(1)
        form.setBorderBrush(self._look.line)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setTopMargin(4 * self._look.scale)
        form.setBottomMargin(10 * self._look.scale)
        form.setHeaderRowCount(1 if block.has_head else 0)
        form.setWidth(QTextLength(QTextLength.Type.VariableLength, 0))
        table = cursor.insertTable(len(block.rows), columns, form)
        for place, row in enumerate(block.rows):
            for column, content in enumerate(row):
                cell = table.cellAt(place, column)
                is_head = block.has_head and not place
                if is_head:
                    head = cell.format()
                    head.setBackground(self._look.ground)
                    cell.setFormat(head)
                inner = cell.firstCursorPosition()
                stands = QTextBlockFormat()
                stands.setAlignment(_ALIGNED.get(block.align(column), Qt.AlignmentFlag.AlignLeft))
                inner.mergeBlockFormat(stands)
                self._inlines(inner, content, self._letters(14, heavy=is_head))
        cursor.movePosition(QTextCursor.MoveOperation.End)

    def _contents(self, cursor: QTextCursor, block: Contents, first: bool) -> None:
        if block.title:
            self._begin(cursor, self._block_format(4), first)
            self._inlines(cursor, block.title, self._letters(17, heavy=True))
        for number, heading in enumerate(self._headings()):
            form = self._block_format(0, 2)
            form.setLeftMargin((0 if heading.kind == "heading" else 18) * self._look.scale)
            self._begin(cursor, form, first and not number and not block.title)
            letters = self._link(self._letters(), f"#line-{heading.line}")
            cursor.insertText(plain_text(heading.content), letters)

    def _headings(self) -> list[Paragraph]:
        return [
            block
            for block in self._source.blocks
            if isinstance(block, Paragraph) and block.kind in ("heading", "subheading")
        ]

    # --- within a paragraph ---------------------------------------------------------------

    def _inlines(
        self, cursor: QTextCursor, content: tuple[Inline, ...], letters: QTextCharFormat
    ) -> None:
        is_even = not any(isinstance(piece, Equation) for piece in content)
        for piece in content:
            match piece:
                case Span(text, style):
                    form = self._styled_format(letters, style)
                    if not is_even:  # a ground is as high as its line, and formulas make that high
                        form.clearBackground()
                    cursor.insertText(text, form)
                case Link(label, target):
                    self._inlines(cursor, label, self._link(letters, target))
                case Equation(latex, description):
                    insert_formula(cursor, latex, description, letters)
                case Image(description, source):
                    self._image(cursor, description, source, letters)
                case Underlined(inner):
                    under = QTextCharFormat(letters)
                    under.setFontUnderline(True)
                    self._inlines(cursor, inner, under)
                case Anchor(name):
                    letters = QTextCharFormat(letters)
                    letters.setAnchor(True)
                    letters.setAnchorNames([name])

    def _styled_format(self, letters: QTextCharFormat, style: str) -> QTextCharFormat:
        form = QTextCharFormat(letters)
        if "bold" in style:
            form.setFontWeight(QFont.Weight.DemiBold)
            form.setForeground(self._look.strong)
        if "italic" in style:
            form.setFontItalic(True)
        if style == "underline":
            form.setFontUnderline(True)
        return self._mono(form) if style == "mono" else form

    def _mono(self, letters: QTextCharFormat) -> QTextCharFormat:
        form = QTextCharFormat(letters)
        form.setFontFamilies([CodeFont.family, CODE_FAMILY, "monospace"])
        form.setProperty(QTextCharFormat.Property.FontPixelSize, round(13 * self._look.scale))
        form.setBackground(self._look.ground)
        return form

    def _link(self, letters: QTextCharFormat, target: str) -> QTextCharFormat:
        form = QTextCharFormat(letters)
        target = "#" + target[9:] if target.startswith("internal:") else target
        form.setAnchor(True)
        form.setAnchorHref(target)
        form.setForeground(self._look.link)
        form.setToolTip(target)
        return form

    def _image(
        self, cursor: QTextCursor, description: str, source: str, letters: QTextCharFormat
    ) -> None:
        picture = self._picture(source)
        if picture is None:
            missing = QTextCharFormat(letters)
            missing.setForeground(self._look.muted)
            cursor.insertText(f"[{description or source}]", missing)
            return
        name = f"picture:{source}"
        cursor.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), picture)
        form = QTextImageFormat()
        form.setName(name)
        size = self._source.appendix.get(source, {})
        for side, put in (("width", form.setWidth), ("height", form.setHeight)):
            if isinstance(size.get(side), int | float) and 0 < size[side] < 10_000:
                put(float(size[side]) * self._look.scale)
        form.setToolTip(description)
        cursor.insertImage(form)

    def _picture(self, source: str) -> QImage | None:
        if source.startswith("text:image:"):
            return decoded(str(self._source.appendix.get(source, {}).get("src", "")))
        if self._folder is None or ":" in source:
            return None
        path = (self._folder / source).resolve()
        if not path.is_relative_to(self._folder.resolve()) or not path.is_file():
            return None
        return _read(QImageReader(str(path)))


def decoded(address: str) -> QImage | None:
    """The picture that a ``data:`` address holds; None where it is none."""
    content = image_content(address)
    return None if content is None else picture_of(content)


def picture_of(content: bytes) -> QImage | None:
    """The picture that a file's content is; None where it is none, or too large."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return _read(QImageReader(buffer))


def _read(reader: QImageReader) -> QImage | None:
    size: QSize = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        return None
    made = reader.read()
    return None if made.isNull() else made
