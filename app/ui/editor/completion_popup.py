"""The list of completions, and beside it the help of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.ui.support.fonts import CodeFont
from app.ui.support.theme import theme

if TYPE_CHECKING:
    from app.engine.session.language_service import Completion

ROW_HEIGHT, MOST_ROWS, ICON = 22, 10, 16
LEAST_WIDTH, MOST_WIDTH, HELP_WIDTH = 220, 460, 380
MOST_SHOWN = 200
HELP_MS = 150
_CHOICE = Qt.ItemDataRole.UserRole
_KINDS = {
    "variable": ("x", "accent"),
    "parameter": ("x", "accent"),
    "field": ("·", "accent"),
    "option": ("=", "warning"),
    "function": ("ƒ", "type"),
    "builtin": ("ƒ", "function"),
    "keyword": ("k", "keyword"),
    "snippet": ("…", "both"),
    "file": ("▤", "muted"),
}
"""The letter on the icon of each kind, and the colour it has in the editor."""


class CompletionPopup(QFrame):
    """Offers candidates below a place on the screen; never takes the keyboard.

    Attributes:
        taken: somebody clicked a candidate.
        help_wanted: a candidate has been in view for a moment; ``show_help`` answers.
    """

    taken = Signal()
    help_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("Completions")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_Row(self.list))
        self.list.setAccessibleName("Completions")
        self.help = QLabel()
        self.help.setObjectName("CompletionHelp")
        self.help.setTextFormat(Qt.TextFormat.RichText)
        self.help.setWordWrap(True)
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.help.setFixedWidth(HELP_WIDTH)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.list, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.help, 0, Qt.AlignmentFlag.AlignTop)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(HELP_MS)
        self._timer.timeout.connect(self._ask_for_help)
        self._place = QRect()
        self.list.currentRowChanged.connect(self._on_row)
        self.list.itemClicked.connect(self.taken)

    def offer(self, found: Sequence[tuple[Completion, tuple[int, ...]]], place: QRect) -> None:
        """Show candidates with the letters found in them, below the word at ``place``."""
        chosen = self.chosen()
        self.list.clear()
        for entry in found[:MOST_SHOWN]:
            item = QListWidgetItem(entry[0].label)
            item.setData(_CHOICE, entry)
            self.list.addItem(item)
        self._place = place
        labels = [entry[0].label for entry in found[:MOST_SHOWN]]
        kept = chosen.label if chosen is not None and self.isVisible() else ""
        self.list.setCurrentRow(labels.index(kept) if kept == labels[0] else 0)
        self._arrange()
        self.show()

    def chosen(self) -> Completion | None:
        """The candidate that is chosen now."""
        item = self.list.currentItem()
        return cast("Completion", item.data(_CHOICE)[0]) if item is not None else None

    def labels(self) -> list[str]:
        """What is offered, from top to bottom."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def step(self, rows: int) -> None:
        """Choose another candidate; behind the last one comes the first."""
        count, row = self.list.count(), self.list.currentRow()
        wanted = row + rows
        if abs(rows) == 1:
            wanted %= max(count, 1)
        self.list.setCurrentRow(min(max(wanted, 0), count - 1))

    def show_help(self, about: Completion, html: str) -> None:
        """Show the help of a candidate, if that one is still chosen."""
        if html and about == self.chosen():
            self.help.setText(html)
            self._arrange()

    def _on_row(self, _row: int) -> None:
        self.help.clear()
        self.help.hide()
        self._timer.start()

    def _ask_for_help(self) -> None:
        chosen = self.chosen()
        if chosen is not None and self.isVisible():
            self.help_wanted.emit(chosen)

    def _arrange(self) -> None:
        """Sizes; below the word where there is room, else above it."""
        count = min(self.list.count(), MOST_ROWS)
        wide = self.list.sizeHintForColumn(0) + 12
        self.list.setFixedSize(min(max(wide, LEAST_WIDTH), MOST_WIDTH), count * ROW_HEIGHT + 2)
        self.help.setVisible(bool(self.help.text()))
        if self.help.text():
            self.help.setMaximumHeight(MOST_ROWS * ROW_HEIGHT + 40)
        self.adjustSize()
        size, screen = self.sizeHint(), self.screen().availableGeometry()
        x = min(self._place.left(), screen.right() - size.width())
        below = self._place.bottom() + 2
        fits = below + size.height() <= screen.bottom()
        y = below if fits else max(screen.top(), self._place.top() - size.height() - 2)
        self.move(QPoint(max(x, screen.left()), y))


class _Row(QStyledItemDelegate):
    """An icon that says the kind, the name with the letters found, and a few words."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw one candidate."""
        candidate, letters = index.data(_CHOICE)
        current = theme()
        painter.save()
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, current.colour("accent_soft"))
        _paint_icon(painter, QRect(rect.left() + 5, rect.top() + 3, ICON, ICON), candidate.kind)
        plain, bold = _fonts()
        x = rect.left() + ICON + 12
        for place, letter in enumerate(candidate.label):
            found = place in letters
            painter.setFont(bold if found else plain)
            painter.setPen(current.colour("accent" if found else "text"))
            width = QFontMetrics(painter.font()).horizontalAdvance(letter)
            box = QRect(x, rect.top(), width + 1, rect.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, letter)
            x += width
        if candidate.detail:
            painter.setFont(plain)
            painter.setPen(current.colour("faint"))
            room = QRect(x + 12, rect.top(), rect.right() - x - 18, rect.height())
            metrics = QFontMetrics(plain)
            text = metrics.elidedText(candidate.detail, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(
                room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
            )
        painter.restore()

    def sizeHint(
        self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As wide as name and words."""
        candidate, _ = index.data(_CHOICE)
        metrics = QFontMetrics(_fonts()[1])
        words = candidate.label + ("    " + candidate.detail if candidate.detail else "")
        return QSize(ICON + 24 + metrics.horizontalAdvance(words), ROW_HEIGHT)


def _fonts() -> tuple[QFont, QFont]:
    plain = QFont(CodeFont.family)
    plain.setPointSizeF(max(CodeFont.points - 0.5, 6))
    bold = QFont(plain)
    bold.setBold(True)
    return plain, bold


def _paint_icon(painter: QPainter, box: QRect, kind: str) -> None:
    letter, token = _KINDS.get(kind, ("·", "muted"))
    current = theme()
    name = current.syntax[token] if token in current.syntax else current[token]
    colour = QColor(name)
    soft = QColor(colour)
    soft.setAlpha(48)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(soft)
    painter.drawRoundedRect(box, 4, 4)
    font = QFont(CodeFont.family)
    font.setPixelSize(12)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
