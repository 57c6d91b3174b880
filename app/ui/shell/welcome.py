"""The page in the place of the editor while no file is open: begin, go on, look at examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import paths
from app.ui.support.icons import application_icon, icon
from app.ui.support.theme import theme_hub
from app.ui.widgets.panel_parts import label

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

MOST_RECENT = 5
NARROW = 660
"""Below this width the columns stand one above the other."""
INDENT = 7
LEAST_TITLE = 150
"""Pixels of a title that are always shown."""
ROUNDING = 2
"""Pixels more than a title is said to have: it is shortened where a part of one is missing."""
Entry = tuple[str, str, str, str, Callable[[], object]]
"""Icon, title, keys, tooltip and what a click does."""


class WelcomePage(QScrollArea):
    """Quiet lists of links; what they do are the window's own commands."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window
        self.setObjectName("Welcome")
        self.setAccessibleName("Welcome")
        self._columns = QGridLayout()
        self._columns.setHorizontalSpacing(40)
        self._columns.setVerticalSpacing(22)
        self._lists = [_LinkList("Start"), _LinkList("Recent"), _LinkList("Examples")]
        inside = QVBoxLayout()
        inside.setSpacing(22)
        inside.addLayout(_head())
        inside.addLayout(self._columns)
        page = QWidget()
        page.setObjectName("Welcome")
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._around = outer = QVBoxLayout(page)
        outer.addStretch(2)
        outer.addLayout(inside)
        outer.addStretch(3)
        theme_hub().changed.connect(self._fill)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """What is recent may have changed."""
        super().showEvent(event)
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wide = self.width() >= NARROW
        side = 32 if wide else 12
        self._around.setContentsMargins(side, 24, side, 24)
        for number, one in enumerate(self._lists):
            self._columns.removeWidget(one)
            row, column = (0, number) if wide else (number, 0)
            self._columns.addWidget(one, row, column, Qt.AlignmentFlag.AlignTop)
            self._columns.setColumnStretch(number, 0 if wide or number else 1)
        self._columns.setColumnStretch(len(self._lists), 1 if wide else 0)  # what is over

    def _fill(self) -> None:
        self._lists[0].show_entries(self._beginnings())
        recent = self._recent()
        self._lists[1].show_entries(recent)
        self._lists[1].setVisible(bool(recent))
        self._lists[2].show_entries(self._examples())

    def _beginnings(self) -> list[Entry]:
        commands = self._window.commands
        chosen = (
            ("file.new", "New script"),
            ("file.open", "Open file…"),
            ("file.open_folder", "Open your own folder…"),
            ("file.template", "New from template…"),
            ("help.tour", "Take the tour"),
        )
        keys = {id_: commands.actions[id_].shortcut().toString() for id_, _ in chosen}
        pictures = ("new", "open", "folder", "file-m", "help")
        return [
            (picture, title, keys[id_], "", partial(commands.run, id_))
            for picture, (id_, title) in zip(pictures, chosen, strict=True)
        ]

    def _recent(self) -> list[Entry]:
        window = self._window
        folders = [Path(name) for name in window.store.recent_folders()]
        files = [Path(name) for name in window.store.recent_files()]
        found: list[Entry] = [
            ("folder", p.name or str(p), "", str(p), partial(window.change_folder, p))
            for p in _existing_places(folders)
        ]
        found += [
            ("file-m", p.name, "", str(p), partial(window.open_file, p))
            for p in _existing_places(files)
        ]
        return found

    def _examples(self) -> list[Entry]:
        return [
            ("file-m", title.split(":")[0], "", title, partial(self.open_example, name))
            for name, title in paths.examples().items()
        ]

    def open_example(self, name: str, shipped: str = "examples") -> None:
        """Open the person's own copy of an example, or of a document in ``live``."""
        folder = paths.scripts_dir() / "examples"
        new = not folder.exists()
        copy = paths.own_example(name, shipped)
        if new and self._window.trust is not None:
            self._window.trust.vouch(folder)
        self._window.change_folder(folder)
        self._window.open_file(copy)


class _LinkList(QWidget):
    """A title with links below it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(1)
        caption = label(title, "caption")
        caption.setContentsMargins(INDENT, 0, 0, 0)
        self._layout.addWidget(caption)
        self._layout.addSpacing(4)
        self._made: list[QWidget] = []

    def show_entries(self, entries: Iterable[Entry]) -> None:
        """Show these links."""
        for widget in self._made:
            self._layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._made = [_Link(*entry) for entry in entries]
        for widget in self._made:
            self._layout.addWidget(widget)


class _Link(QPushButton):
    """A picture, a title that is shortened where room lacks, and the keys that do the same."""

    def __init__(
        self, picture: str, title: str, keys: str, tip: str, act: Callable[[], object]
    ) -> None:
        super().__init__(icon(picture, "muted"), title)
        self.setObjectName("Link")
        self.setAccessibleName(title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda _checked=False: act())
        words = label(keys, "faint")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.addStretch(1)
        row.addWidget(words)
        self.ensurePolished()
        words.ensurePolished()
        room = super().sizeHint()
        beside = words.sizeHint().width() + 16 + ROUNDING
        self._title = title
        self._taken = room.width() - self.fontMetrics().horizontalAdvance(title) + beside - ROUNDING
        self._wanted = QSize(room.width() + beside, room.height())
        self.setMinimumSize(min(self._wanted.width(), self._taken + LEAST_TITLE), room.height())

    def sizeHint(self) -> QSize:
        """With the whole title."""
        return self._wanted

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As much of the title as fits."""
        super().resizeEvent(event)
        room = max(self.width() - self._taken, 0)
        end = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._title, end, room))


def _head() -> QHBoxLayout:
    """The name of the program and what it is, in one line."""
    picture = QLabel()
    picture.setPixmap(application_icon().pixmap(36, 36))
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(label("Fuselab", "figure"))
    motto = label("Scripts in MATLAB's syntax, on the GPU automatically.", "muted")
    motto.setWordWrap(True)
    words.addWidget(motto)
    row = QHBoxLayout()
    row.setContentsMargins(INDENT, 0, 0, 0)
    row.setSpacing(12)
    row.addWidget(picture)
    row.addLayout(words, 1)
    return row


def _existing_places(places: Iterable[Path]) -> list[Path]:
    return [place for place in places if paths.is_file(place) or paths.is_folder(place)][
        :MOST_RECENT
    ]
