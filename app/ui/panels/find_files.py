"""Find in files: below the current folder, with regular expressions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget

from app.ui.language import LanguageClient
from app.ui.models.rows import Column, RowModel
from app.ui.models.search import Hit, Query, search
from app.ui.panels.panel import Context, bar, label
from app.ui.panels.tables import RowTable

PAUSE_MS = 200
_OPTIONS = (("Aa", "Match case"), ("W", "Whole words"), (".*", "Regular expression"))
COLUMNS = (
    Column[Hit]("File", lambda h: h.file.name, width=150, tip=lambda h: str(h.file)),
    Column[Hit]("Line", lambda h: str(h.line), key=lambda h: h.line, numeric=True, width=52,
                tint="muted"),
    Column[Hit]("Text", lambda h: h.text, width=0, code=True),
)  # fmt: skip


class FindFilesPanel(QWidget):
    """A field, three options, and the lines found; a double click opens one."""

    def __init__(self, context: Context, folder: Callable[[], Path]) -> None:
        super().__init__()
        self._context = context
        self._folder = folder
        self._client = LanguageClient(self)
        self._cancel = Event()
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find in files of the current folder")
        self.field.setAccessibleName("Find in files")
        self.field.setClearButtonEnabled(True)
        self._summary = label("", "muted")
        self._options = [_option(text, tip) for text, tip in _OPTIONS]
        self.model = RowModel(COLUMNS, lambda h: (h.file, h.line))
        self.table = RowTable(self.model, "Lines found")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._build()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar(self.field, *self._options, self._summary))
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._timer.start)
        self.field.returnPressed.connect(self.search)
        self.table.doubleClicked.connect(self._open)
        self._timer.timeout.connect(self.search)
        for option in self._options:
            option.toggled.connect(self.search)

    def search(self) -> None:
        """Look for what the field says; an earlier search ends."""
        self._timer.stop()
        self._cancel.set()
        self._cancel = Event()
        case, word, regex = (option.isChecked() for option in self._options)
        query = Query(self.field.text(), self._folder(), case, word, regex)
        self._client.ask("search", partial(search, query, self._cancel.is_set), self._show)

    def close_search(self) -> None:
        """End the search thread."""
        self._cancel.set()
        self._client.close()

    def _show(self, answer: tuple[list[Hit], str]) -> None:
        hits, note = answer
        self.model.set_rows(hits)
        files = len({hit.file for hit in hits})
        found = f"{len(hits)} lines in {files} files" if self.field.text() else ""
        self._summary.setText(note or found)

    def _open(self) -> None:
        hit = self.table.selected()
        if isinstance(hit, Hit):
            self._context.open_location(str(hit.file), hit.line)


def _option(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    return button
