"""The changed files of the repository, each beside what was committed last."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.ui.language_client.client import LanguageClient
from app.ui.panels.git_marks import GitMarks
from app.ui.panels.panel import Context, Panel
from app.ui.run_model import git_status
from app.ui.run_model.row_model import Column, RowModel
from app.ui.run_model.side_by_side import Pair, side_by_side
from app.ui.support import formats
from app.ui.support.fonts import code_font
from app.ui.support.theme import theme, theme_hub
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column, label
from app.ui.widgets.row_table import RowTable
from app.ui.widgets.turning_splitter import TurningSplitter

WORDS = {
    "M": "changed",
    "?": "new",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "U": "in conflict",
}
_TINTS = {"M": "transfer", "?": "good", "A": "good", "D": "error", "R": "both", "U": "error"}
_BACKS = {"removed": ("error_soft", ""), "added": ("", "device_soft")}
_CHANGED = ("error_soft", "device_soft")
LINE_HEIGHT = 19
Entry = tuple[Path, str]
Index = QModelIndex | QPersistentModelIndex

FILES = (
    Column[Entry]("File", lambda e: e[0].name, width=0, tip=lambda e: str(e[0])),
    Column[Entry](
        "State", lambda e: WORDS.get(e[1], e[1]), width=84, tint=lambda e: _TINTS.get(e[1], "text")
    ),
)


class _PairsModel(QAbstractTableModel):
    """Four columns: number and text of the line before, number and text of the line now."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[Pair] = []

    def show(self, pairs: list[Pair]) -> None:
        """Show another comparison."""
        self.beginResetModel()
        self.pairs = pairs
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """One row a pair."""
        return 0 if parent.isValid() else len(self.pairs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Two numbers and two texts."""
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, and colours by what happened to the line."""
        pair, side, text = self.pairs[index.row()], index.column() // 2, index.column() % 2
        number, line = (pair.before, pair.after)[side]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.expandtabs(4) if text else (str(number) if number else "")
        if role == Qt.ItemDataRole.FontRole:
            return code_font(12)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            where = Qt.AlignmentFlag.AlignLeft if text else Qt.AlignmentFlag.AlignRight
            return where | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().colour("text" if text and pair.kind != "left_out" else "faint")
        if role == Qt.ItemDataRole.BackgroundRole:
            token = _CHANGED[side] if pair.kind == "changed" else _background_name(pair.kind, side)
            return theme().colour(token) if token else None
        return None


def _background_name(kind: str, side: int) -> str:
    return _BACKS[kind][side] if kind in _BACKS else ""


class _Tinted(QStyledItemDelegate):
    """The style sheet of tables leaves the colours of cells out: they are painted before."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        back = index.data(Qt.ItemDataRole.BackgroundRole)
        if back is not None:
            painter.fillRect(option.rect, back)
        super().paint(painter, option, index)


class ChangesPanel(Panel):
    """A list of changed files, and the chosen one beside its committed text."""

    empty_icon = "transfers"
    empty_title = "No changes"
    empty_text = "Files that differ from the last commit appear here, in a trusted repository."

    def __init__(self, context: Context, marks: GitMarks) -> None:
        self._marks = marks
        self._client = LanguageClient()
        super().__init__(context)

    def _build(self) -> QWidget:
        self.files = RowTable(RowModel(FILES, lambda e: str(e[0])), "Changed files")
        self.files.selectionModel().currentRowChanged.connect(self._compare)
        self.files.doubleClicked.connect(self._open)
        self.pairs = _PairsModel()
        self.table = self._make_table()
        self.title = ElidedLabel("title")
        self.told = label("", "muted")
        head = bar(
            self.title,
            self.told,
            IconButton("chevron-up", "Previous change", partial(self.step, -1)),
            IconButton("chevron-down", "Next change", partial(self.step, 1)),
            IconButton("file-m", "Open the file", self._open),
            IconButton("refresh", "Look again", self._marks.refresh),
        )
        theme_hub().changed.connect(self.table.viewport().update)
        return TurningSplitter((self.files, 230, 0), (column(head, self.table), 900, 1))

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.pairs)
        table.setAccessibleName("Before and now")
        table.setItemDelegate(_Tinted(table))
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.doubleClicked.connect(self._open)
        rows, columns = table.verticalHeader(), table.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(LINE_HEIGHT)
        rows.setDefaultSectionSize(LINE_HEIGHT)
        columns.hide()
        for number in (0, 2):
            columns.resizeSection(number, 48)
            columns.setSectionResizeMode(number + 1, QHeaderView.ResizeMode.Stretch)
        return table

    def _listen(self) -> None:
        self._marks.changed.connect(self.invalidate)

    def close_questions(self) -> None:
        """Ask no more."""
        self._client.close()

    def _is_empty(self) -> bool:
        return not self._marks.marks

    def _why_empty(self) -> str:
        folder = self._marks.folder
        repository = git_status.repository_of(folder)
        if repository is None:
            return f"{folder.name} is not in a Git repository."
        if not self.context.trusts(repository):
            return (
                f"Git is not started until you trust {repository.name}: its settings there can "
                "name programs that it runs."
            )
        return "No file has changed since the last commit."

    def _refresh(self) -> None:
        found = sorted((Path(name), letter) for name, letter in self._marks.marks.items())
        self.files.rows_model.set_rows(found)
        if self.files.selected() is None and found:
            self.files.select(str(found[0][0]))
        self._compare()

    def _compare(self) -> None:
        entry = self.files.selected()
        if entry is None:
            return
        path, letter = entry
        self.title.setText(f"{path.name}: last commit and now")
        question = partial(git_status.versions, path, self.context.trusts)
        self._client.ask("versions", question, partial(self._show, path, letter))

    def _show(self, path: Path, letter: str, texts: tuple[str, str] | None) -> None:
        if texts is None:
            self.pairs.show([])
            self.told.setText("no text")
            return
        pairs = side_by_side(*texts)
        changed = sum(pair.kind not in ("equal", "left_out") for pair in pairs)
        differing = formats.plural(changed, "line differs", "lines differ")
        self.told.setText(f"{WORDS.get(letter, letter)}, {differing}")
        kept = self.table.verticalScrollBar().value()
        self.pairs.show(pairs)
        self.table.verticalScrollBar().setValue(kept)

    def step(self, way: int) -> None:
        """Go to the first line of the next (1) or the previous (-1) change."""
        pairs, here = self.pairs.pairs, self.table.currentIndex().row()
        differs = [pair.kind not in ("equal", "left_out") for pair in pairs]
        starts = [n for n, one in enumerate(differs) if one and not (n and differs[n - 1])]
        ahead = [n for n in starts if (n - here) * way > 0]
        if ahead:
            index = self.pairs.index(ahead[0 if way > 0 else -1], 0)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _open(self) -> None:
        entry, row = self.files.selected(), self.table.currentIndex().row()
        if entry is not None and entry[0].is_file():
            numbers = [pair.after[0] for pair in self.pairs.pairs[: row + 1] if pair.after[0]]
            self.context.open_location(str(entry[0]), numbers[-1] if numbers else 1)
