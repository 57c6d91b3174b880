"""The command palette: every command, open file and file of the folder, by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.support import fuzzy_match
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme

ROW = 30
MOST_ROWS = 12
WIDTH = 560
Index = QModelIndex | QPersistentModelIndex
_ENTRY = Qt.ItemDataRole.UserRole
_HITS = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class Entry:
    """One thing to choose: its title, a note on the right, and what happens."""

    title: str
    note: str
    run: Callable[[], object]
    enabled: bool = True


NOTHING = Entry("Nothing found", "", lambda: None, enabled=False)


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[tuple[Entry, tuple[int, ...]]] = []

    def show(self, found: list[tuple[Entry, tuple[int, ...]]]) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry, hits = self.found[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        return entry if role == _ENTRY else hits if role == _HITS else None


class _Delegate(QStyledItemDelegate):
    """A title with the letters found in the accent colour, and its shortcut on the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(WIDTH - 40, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry, hits = index.data(_ENTRY), index.data(_HITS)
        area: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("accent_soft"))
            painter.drawRoundedRect(area.adjusted(2, 1, -2, -1), 5, 5)
        inner = area.adjusted(12, 0, -12, 0)
        painter.setPen(theme().colour("faint"))
        painter.setFont(ui_font(12))
        painter.drawText(inner, _RIGHT, entry.note)
        _draw_title(painter, inner, entry, set(hits))
        painter.restore()


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _draw_title(painter: QPainter, area: QRect, entry: Entry, hits: set[int]) -> None:
    left = area.left()
    plain = "text" if entry.enabled else "faint"
    for position, letter in enumerate(entry.title):
        hit = position in hits
        painter.setFont(ui_font(13, QFont.Weight.DemiBold if hit else QFont.Weight.Normal))
        painter.setPen(theme().colour("accent" if hit else plain))
        painter.drawText(QRect(left, area.top(), 40, area.height()), _LEFT, letter)
        left += painter.fontMetrics().horizontalAdvance(letter)


class Palette(QFrame):
    """A field and a list over the window; Enter runs the chosen entry.

    Attributes:
        entries: what can be chosen.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("Palette")
        self.setAccessibleName("Command palette")
        self.entries: Sequence[Entry] = ()
        self._before: QWidget | None = None
        self.field = QLineEdit()
        self.list = QListView()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setUniformItemSizes(True)
        self._model = _Model(self)
        self.list.setModel(self._model)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(0)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._run)
        self.hide()

    def open(self, entries: Sequence[Entry], prompt: str) -> None:
        """Show the palette with ``entries``; ``prompt`` says what they are."""
        self.entries = entries
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self._before = self.window().focusWidget()
        self.field.clear()
        self._search()
        self.show()
        self.raise_()
        self.field.setFocus()

    def fill(self, entries: Sequence[Entry]) -> None:
        """Offer other entries; what was typed stays."""
        self.entries = entries
        self._search()

    def close_palette(self) -> None:
        """Hide it and give the focus back."""
        self.hide()
        if self._before is not None:
            self._before.setFocus()
        self._before = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field that belong to the list."""
        if event.type() == QEvent.Type.FocusOut and watched is self.field and self.isVisible():
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event.key())
        return super().eventFilter(watched, event)

    def _on_key(self, key: int) -> bool:
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: 8,
            Qt.Key.Key_PageUp: -8,
        }
        step = steps.get(Qt.Key(key))
        if step is not None:
            count = max(1, self._model.rowCount())
            self._select((self.list.currentIndex().row() + step) % count)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_palette()
        else:
            return False
        return True

    def _search(self) -> None:
        query = self.field.text().strip()
        if query:
            found = fuzzy_match.best(query, self.entries, lambda e: e.title)
        else:
            found = [(entry, ()) for entry in self.entries]
        self._model.show(found or [(NOTHING, ())])
        self._select(0)
        self._place()

    def _select(self, row: int) -> None:
        self.list.setCurrentIndex(self._model.index(row, 0))

    def _place(self) -> None:
        rows = min(MOST_ROWS, max(1, self._model.rowCount()))
        room = self.window().width()
        width = min(WIDTH, room - 32)
        height = self.field.sizeHint().height() + rows * ROW + 18
        self.setGeometry((room - width) // 2, 64, width, height)

    def _run(self, index: Index) -> None:
        entry = index.data(_ENTRY) if index.isValid() else None
        if isinstance(entry, Entry) and entry.enabled:
            self.close_palette()
            entry.run()
