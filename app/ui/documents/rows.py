"""The rows of a document: text set in type, and code with its controls and outputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QTextBrowser, QTextEdit, QWidget

from app.engine.livecode.markup import plain_text
from app.engine.livecode.segments import Segment
from app.engine.livecode.text_blocks import CodeExample, ListBlock, Paragraph, TableBlock
from app.ui.documents.cell import PADDING, Cell
from app.ui.documents.outputs import GAP, OutputsBox
from app.ui.support.theme import theme

TEXT = "%[text] "
PUBLISHED = "% "
"""What lines of text begin with in live scripts, and in published ones."""
EDGE = 7
"""Pixels around the lines of a cell."""
LINE = 24
BESIDE = 0.54
"""The part of the width that code has where outputs stand at its right."""


@dataclass(eq=False)
class Row:
    """One segment of the document on the page.

    Attributes:
        segment: its lines and what is in them.
        top: where it begins on the page.
        height: its height, guessed until it has been shown.
        widget: what shows it while it is near the screen.
        measured: whether the height was measured.
        editing: whether its text is shown as written.
    """

    segment: Segment
    first: int
    last: int
    top: int = 0
    height: int = 0
    widget: TextRow | CodeRow | None = None
    measured: bool = False
    editing: bool = False

    @property
    def is_code(self) -> bool:
        """Whether it is code."""
        return self.segment.is_code

    def measure(self, width: int, *, beside: bool) -> bool:
        """Ask the widget how high it is at this width; True when that is another height."""
        before = self.height
        match self.widget:
            case CodeRow() as widget:
                self.height = widget.arrange(width, beside=beside)
            case TextRow() as widget:
                self.height = widget.needed(width)
        self.measured = True
        return self.height != before

    def guess(self, line_height: int) -> int:
        """The height it may have."""
        if self.is_code:
            return max(1, self.last - self.first + 1) * line_height + PADDING + 2 * EDGE
        total = 0
        for block in self.segment.blocks:
            match block:
                case Paragraph(content, kind):
                    length = len(plain_text(content))
                    total += LINE * (1 + length // 100) + (20 if kind != "paragraph" else 8)
                case ListBlock(items):
                    total += LINE * len(items)
                case TableBlock(rows):
                    total += 32 * len(rows) + 14
                case CodeExample(code):
                    total += LINE * (code.count("\n") + 1)
                case _:
                    total += 6 * LINE
        return total


class TextRow(QTextBrowser):
    """Text as people read it; a double click or Enter shows how it is written."""

    edit_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown: QTextDocument | None = None
        self.setObjectName("DocumentText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.setAccessibleName("Text")
        self.viewport().setAutoFillBackground(False)

    def show_document(self, document: QTextDocument) -> None:
        """Show this text."""
        document.setParent(self)
        before, self._shown = self._shown, document
        self.setDocument(document)
        if before is not None:
            before.deleteLater()

    def mark(self, text: str) -> None:
        """Mark what a search has found; nothing for an empty text."""
        found, colour = [], theme().colour("selection")
        place = self.document().find(text) if text else QTextCursor()
        while not place.isNull():
            selection = QTextEdit.ExtraSelection()
            selection.cursor = place
            selection.format.setBackground(colour)
            found.append(selection)
            place = self.document().find(text, place)
        self.setExtraSelections(found)

    def needed(self, width: int) -> int:
        """The height at this width."""
        self.document().setTextWidth(width)
        return round(self.document().size().height()) + 2

    def sizeHint(self) -> QSize:
        """What the layout asks; the page says what is used."""
        return QSize(400, 40)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Show it as written."""
        self.edit_wanted.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done here."""
        menu = self.menu_at(event.pos())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu_at(self, place: QPoint) -> QMenu:
        """What can be done with the text; the address of a link is copied on it only."""
        menu, link = QMenu(self), self.anchorAt(place)
        for title, wanted in (("Edit", self.edit_wanted), ("Delete", self.delete_wanted)):
            # This widget goes with it, so the menu ends first.
            menu.addAction(title, partial(QTimer.singleShot, 0, self, wanted.emit))
        menu.addSeparator()
        menu.addAction("Copy", self.copy).setEnabled(self.textCursor().hasSelection())
        menu.addAction("Select All", self.selectAll)
        if link:
            menu.addAction("Copy Link", partial(QApplication.clipboard().setText, link))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copying is for the text; every other key for the page."""
        if event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls."""
        event.ignore()


class CodeRow(QWidget):
    """A cell in its frame, controls above it, outputs below or beside it.

    It also shows the lines of text that are being edited.
    """

    def __init__(self, cell: Cell, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("DocumentCode")
        self.cell = cell
        cell.view.setParent(self)
        cell.view.show()
        self.outputs = OutputsBox()
        self.outputs.setParent(self)
        self.controls: QWidget | None = None
        self.running = False
        self._frame = QRectF()
        cell.focused.connect(self._on_focus)

    def use_controls(self, controls: QWidget | None) -> None:
        """Show these controls above the code."""
        before, self.controls = self.controls, controls
        if before is not None and before is not controls:
            before.hide()
            before.deleteLater()
        if controls is not None:
            controls.setParent(self)
            controls.show()

    def take_cell(self) -> Cell:
        """Give the cell away; the row is not shown any more."""
        self.cell.focused.disconnect(self._on_focus)
        self.cell.view.hide()
        return self.cell

    def arrange(self, width: int, *, beside: bool) -> int:
        """Give everything its place at this width; the height that takes."""
        beside = beside and bool(self.outputs.shown)
        across = round(width * BESIDE) if beside else width
        top = 0
        if self.controls is not None:
            high = self.controls.heightForWidth(across)
            high = high if high > 0 else self.controls.sizeHint().height()
            self.controls.setGeometry(0, 0, across, high)
            top = high + 4
        self.cell.view.setFixedWidth(across - 2 * EDGE)
        high = self.cell.height()
        self._frame = QRectF(0.5, top + 0.5, across - 1, high + 2 * EDGE - 1)
        self.cell.view.setGeometry(EDGE, top + EDGE, across - 2 * EDGE, high)
        bottom = top + high + 2 * EDGE
        if not self.outputs.shown:
            self.outputs.hide()
            return bottom
        needed = self.outputs.needed()
        self.outputs.show()
        if beside:
            self.outputs.setGeometry(across + 16, 0, width - across - 16, needed)
            return max(bottom, needed)
        self.outputs.setGeometry(EDGE, bottom + GAP, width - EDGE, needed)
        return bottom + GAP + needed

    def outputs_width(self, width: int, *, beside: bool) -> int:
        """How wide outputs may be."""
        return width - round(width * BESIDE) - 16 if beside else width - EDGE

    def _on_focus(self, _on: bool) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame of the cell: the accent when it has the keyboard."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.cell.view.hasFocus()
        painter.setPen(QPen(theme().colour("accent" if focused else "border"), 1))
        painter.setBrush(theme().colour("sunken"))
        painter.drawRoundedRect(self._frame, 6, 6)
        if self.running:
            painter.setPen(QPen(theme().colour("device"), 2))
            left = self._frame.left() + 1
            painter.drawLine(
                QPointF(left, self._frame.top() + 6), QPointF(left, self._frame.bottom() - 6)
            )
        painter.end()
