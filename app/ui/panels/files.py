"""The file tree below the current folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDir, QFile, QFileInfo, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileSystemModel,
    QLineEdit,
    QMenu,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.ui.panels.git_marks import GitMarks
from app.ui.panels.panel import Context
from app.ui.support.data_files import is_grid, is_no_text, is_table, loading_code
from app.ui.support.icons import icon
from app.ui.support.theme import theme_hub
from app.ui.widgets.panel_parts import IconButton, bar, label


class _Icons(QAbstractFileIconProvider):
    """Our icons for folders and files; the desktop's own would be of another family."""

    def icon(self, about: object) -> QIcon:
        if isinstance(about, QFileInfo):
            if about.isDir():
                return icon("folder", "muted")
            return icon("file-m", "accent") if about.suffix() == "m" else icon("file", "faint")
        return icon("folder", "muted")


class _Tree(QTreeView):
    """Files and folders that can be dragged to where they are wanted, and stay where they are.

    Of a name that is to be changed the part before the ending is selected.
    """

    removed = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The key that deletes removes what is chosen."""
        chosen = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and not event.modifiers() and chosen.isValid():
            self.removed.emit(chosen)
        else:
            super().keyPressEvent(event)

    def edit(self, index: QModelIndex, *how: object) -> bool:  # type: ignore[override]
        """Begin to change a name."""
        begun = bool(super().edit(index, *how))
        field = self.viewport().findChild(QLineEdit) if begun else None
        model = self.model()
        if field is not None and isinstance(model, QFileSystemModel) and not model.isDir(index):
            field.setSelection(0, len(Path(field.text()).stem))
        return begun

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Nothing that takes a file may move it."""
        super().startDrag(Qt.DropAction.CopyAction)


class FilesPanel(QWidget):
    """A tree of files; a double click opens one, the menu makes, renames and removes them.

    A table is not opened as a text but offered to be imported, unless the menu says so.
    """

    opened = Signal(str)
    import_wanted = Signal(object)
    renamed = Signal(object, object)
    folder_wanted = Signal(object)

    def __init__(self, context: Context, folder: Path) -> None:
        super().__init__()
        self._context = context
        self._icons = _Icons()
        self.model = QFileSystemModel(self)
        self.model.setIconProvider(self._icons)
        self.model.setReadOnly(False)
        self.model.setFilter(QDir.Filter.AllDirs | QDir.Filter.Files | QDir.Filter.NoDotAndDotDot)
        self.tree = _Tree()
        self._title = label("", "caption")
        self._build()
        self.git = GitMarks(self.tree, self.model, context.trusts)
        self.show_folder(folder)
        theme_hub().changed.connect(self._retint)

    def _build(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setHeaderHidden(True)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        tree.setAnimated(False)
        tree.setIndentation(12)
        tree.setUniformRowHeights(True)
        tree.setAccessibleName("Files")
        for number in range(1, 4):
            tree.hideColumn(number)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        tree.activated.connect(self._on_open)
        tree.removed.connect(lambda index: self._remove(Path(self.model.filePath(index))))
        self.model.fileRenamed.connect(self._on_renamed)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._menu)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        up = IconButton("chevron-up", "Parent folder", self._go_up)
        layout.addWidget(bar(self._title, None, up))
        layout.addWidget(tree, 1)

    @property
    def folder(self) -> Path:
        """The folder shown."""
        return Path(self.model.rootPath())

    def show_folder(self, folder: Path) -> None:
        """Show the files below ``folder``."""
        self.tree.setRootIndex(self.model.setRootPath(str(folder)))
        self._title.setText(folder.name or str(folder))
        self._title.setToolTip(str(folder))
        self.git.refresh()

    def reveal(self, file: Path) -> None:
        """Select a file if it is below the folder shown."""
        index = self.model.index(str(file))
        if index.isValid() and file.is_relative_to(self.folder):
            self.tree.setCurrentIndex(index)

    def _go_up(self) -> None:
        self.folder_wanted.emit(self.folder.parent)

    def _on_open(self, index: QModelIndex) -> None:
        path = Path(self.model.filePath(index))
        if is_grid(path):
            self.import_wanted.emit(path)
        elif not self.model.isDir(index):
            self.opened.emit(str(path))

    def _menu(self, position: QPoint) -> None:
        index = self.tree.indexAt(position)
        path = Path(self.model.filePath(index)) if index.isValid() else self.folder
        menu = self.menu_for(path)
        menu.exec(self.tree.viewport().mapToGlobal(position))
        menu.deleteLater()

    def menu_for(self, path: Path) -> QMenu:
        """What can be done with a file or a folder; the folder shown is only added to."""
        menu = QMenu(self)
        if path.is_dir():
            menu.addAction("Make current folder", lambda: self.folder_wanted.emit(path))
            for title, call in (
                ("Add to the search path", "addpath"),
                ("Remove from the search path", "rmpath"),
            ):
                quoted = str(path).replace("'", "''")
                code = f"{call}('{quoted}')"
                menu.addAction(title, partial(self._context.run_code, code))
        else:
            if not is_no_text(path):
                title = "Open as Text" if is_grid(path) else "Open"
                menu.addAction(title, lambda: self.opened.emit(str(path)))
            if loading_code(path, values=True):
                title = "Import Data…" if is_table(path) else "Import Data"
                menu.addAction(title, lambda: self.import_wanted.emit(path))
        menu.addSeparator()
        folder = path if path.is_dir() else path.parent
        menu.addAction("New Script", partial(self.make, folder, "untitled.m"))
        menu.addAction("New Folder", partial(self.make, folder, "folder"))
        if path != self.folder:
            menu.addAction("Rename", partial(self._edit, path))
            menu.addAction("Move to the Trash", partial(self._remove, path))
        menu.addSeparator()
        menu.addAction("Copy the Path", lambda: QApplication.clipboard().setText(str(path)))
        return menu

    def make(self, folder: Path, name: str) -> None:
        """Make a file or a folder under a free name, and let the person name it."""
        stem, dot, ending = name.partition(".")
        names = (name, *(f"{stem}{n}{dot}{ending}" for n in range(2, 1000)))
        path = next(folder / n for n in names if not (folder / n).exists())
        try:
            path.touch() if dot else path.mkdir()
        except OSError as problem:
            self._context.notify(f"{path.name} could not be created: {problem.strerror}")
            return
        self.tree.expand(self.model.index(str(folder)))
        self._edit(path)

    def _edit(self, path: Path) -> None:
        index = self.model.index(str(path))
        self.tree.setCurrentIndex(index)
        self.tree.edit(index)

    def _remove(self, path: Path) -> None:
        moved, _there = QFile.moveToTrash(str(path))
        done = "was moved" if moved else "could not be moved"
        self._context.notify(f"{path.name} {done} to the trash")

    def _on_renamed(self, folder: str, old: str, new: str) -> None:
        self.renamed.emit(Path(folder) / old, Path(folder) / new)

    def _retint(self) -> None:
        self.model.setIconProvider(self._icons)
