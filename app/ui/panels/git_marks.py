"""Marks of git in the file tree: a letter at the right end, a dot at folders that hold changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import (
    QFileSystemWatcher,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFileSystemModel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from app.ui.language_client.client import LanguageClient
from app.ui.run_model import git_status
from app.ui.support.theme import theme

PAUSE_MS = 300
ROOM = 18
_TOKENS = {"M": "transfer", "?": "good", "A": "good", "R": "both", "D": "error", "U": "error"}
_SHOWN = {"?": "U", "U": "!"}
Index = QModelIndex | QPersistentModelIndex


class GitMarks(QObject):
    """Asks git away from the UI thread whenever files change, and repaints the tree."""

    changed = Signal()

    def __init__(
        self, tree: QTreeView, model: QFileSystemModel, trusts: Callable[[Path], bool]
    ) -> None:
        super().__init__(tree)
        self._trusts = trusts
        self._tree = tree
        self._model = model
        self.marks: dict[str, str] = {}
        self.folders: set[str] = set()
        self._client = LanguageClient(self)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self.refresh)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask_for_marks)
        tree.setItemDelegate(_MarkedNames(self, model))
        for signal in (model.rowsInserted, model.rowsRemoved, model.dataChanged):
            signal.connect(self.refresh)

    @property
    def folder(self) -> Path:
        """The folder whose files are marked."""
        return Path(self._model.rootPath())

    def refresh(self) -> None:
        """Ask soon."""
        self._pause.start()

    def close(self) -> None:
        """Ask no more."""
        self._pause.stop()
        self._client.close()

    def _ask_for_marks(self) -> None:
        folder = self.folder
        self._client.ask("git", lambda: git_status.marks_below(folder, self._trusts), self._show)

    def _show(self, answer: tuple[dict[str, str], str]) -> None:
        marks, kept = answer
        self._watch(kept)
        self.marks = marks
        self.folders = git_status.folders_of(marks, self.folder)
        self._tree.viewport().update()
        self.changed.emit()

    def _watch(self, kept: str) -> None:
        """A commit changes nothing but git's own records."""
        watched = self._watcher.directories()
        if watched != [kept]:
            if watched:
                self._watcher.removePaths(watched)
            if kept:
                self._watcher.addPath(kept)


class _MarkedNames(QStyledItemDelegate):
    """Names as usual; changed ones in the colour of their mark."""

    def __init__(self, marks: GitMarks, model: QFileSystemModel) -> None:
        super().__init__(marks)
        self._marks = marks
        self._model = model

    def mark_of(self, index: Index) -> str:
        """The letter of a file, a dot for a folder with changes."""
        path = self._model.filePath(index) if isinstance(index, QModelIndex) else ""
        if path in self._marks.folders:
            return "•"
        return self._marks.marks.get(path, "")

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        mark = self.mark_of(index)
        if not mark:
            super().paint(painter, option, index)
            return
        rectangle = option.rect
        option.rect = rectangle.adjusted(0, 0, -ROOM, 0)
        super().paint(painter, option, index)
        painter.save()
        painter.setPen(theme().colour(_TOKENS.get(mark, "faint")))
        place = rectangle.adjusted(rectangle.width() - ROOM, 0, -6, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _SHOWN.get(mark, mark))
        painter.restore()
