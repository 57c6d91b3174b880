"""Find in files: below the current folder, with regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from app import textfile
from app.ui.editor import file_writing
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.text_changes import change_to
from app.ui.language_client.client import LanguageClient
from app.ui.panels.panel import Context
from app.ui.run_model.file_search import (
    Hit,
    Query,
    references,
    replace_matches,
    replace_references,
    search,
)
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support.formats import plural
from app.ui.widgets.marked_text import MarkedText
from app.ui.widgets.panel_parts import ElidedLabel, bar
from app.ui.widgets.row_table import RowTable

PAUSE_MS = 200
_OPTIONS = (("Aa", "Match case"), ("W", "Whole words"), (".*", "Regular expression"))
TEXT = 2


def _columns(folder: Callable[[], Path]) -> tuple[Column[Hit], ...]:
    def shown(hit: Hit) -> str:
        below = hit.file.is_relative_to(folder())
        return str(hit.file.relative_to(folder())) if below else hit.file.name

    return (
        Column[Hit]("File", shown, width=150, tip=lambda h: str(h.file)),
        Column[Hit](
            "Line",
            lambda h: str(h.line),
            key=lambda h: h.line,
            numeric=True,
            width=52,
            tint="muted",
        ),
        Column[Hit]("Text", lambda h: h.text, width=0, code=True),
    )


class FindFilesPanel(QWidget):
    """A field, three options, and the lines found; a double click opens one.

    ``editor_of`` gives the editor of an open file: there replacing can be undone. ``unsaved`` gives
    the texts that are not in their files yet.
    """

    def __init__(
        self,
        context: Context,
        folder: Callable[[], Path],
        editor_of: Callable[[str], CodeEditor | None],
        unsaved: Callable[[], Mapping[Path, str]],
    ) -> None:
        super().__init__()
        self._editor_of = editor_of
        self._unsaved = unsaved
        self._context = context
        self._folder = folder
        self._client = LanguageClient(self)
        self._cancel = Event()
        self._name = ""  # whose references are listed; empty while a text is looked for
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find in files of the current folder")
        self.field.setAccessibleName("Find in files")
        self.field.setClearButtonEnabled(True)
        self.replacement = QLineEdit()
        self.replacement.setPlaceholderText("Replace with")
        self.replacement.setAccessibleName("Replace with")
        self.replace_button = QPushButton("Replace all")
        self.replace_button.clicked.connect(self.replace_all)
        self._summary = ElidedLabel("muted")
        self._options = [_option(text, tip) for text, tip in _OPTIONS]
        self.model = RowModel(_columns(folder), lambda h: (h.file, h.line))
        self.table = RowTable(self.model, "Lines found")
        self.table.setItemDelegateForColumn(TEXT, MarkedText(self._pattern, self.table))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._build()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.field.setMinimumWidth(180)
        self.field.setMaximumWidth(320)
        self.replacement.setMaximumWidth(240)
        top = bar(self.field, *self._options, self.replacement, self.replace_button, self._summary)
        layout.addWidget(top)
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
        self._begin("")
        query = self._query()
        self._client.ask(
            "search", partial(search, query, self._cancel.is_set, self._unsaved()), self._show
        )

    def _begin(self, name: str) -> None:
        self._timer.stop()
        self._cancel.set()
        self._cancel, self._name = Event(), name

    def _pattern(self) -> re.Pattern[str] | None:
        """What is looked for; None while there is nothing, or no regular expression."""
        try:
            return self._query().pattern() if self.field.text() else None
        except re.error:
            return None

    def _query(self) -> Query:
        if self._name:
            return Query(self._name, self._folder(), case=True, word=True)
        case, word, regex = (option.isChecked() for option in self._options)
        return Query(self.field.text(), self._folder(), case, word, regex)

    def show_references(self, name: str) -> None:
        """List every mention of a name in the code of the folder."""
        self.field.blockSignals(True)
        self.field.setText(name)
        self.field.blockSignals(False)
        self._begin(name)
        question = partial(references, name, self._folder(), self._cancel.is_set, self._unsaved())
        self._client.ask("search", question, self._show)

    def replace_all(self) -> int:
        """Replace every match of the query, or every reference, in the files that were found."""
        counts, problems = list[int](), list[str]()
        for file in sorted({hit.file for hit in self.model.rows}):
            try:
                counts.append(self._replace_in(file))
            except (OSError, re.error) as problem:
                problems.append(f"{file.name}: {problem}")
        total, files = sum(counts), sum(map(bool, counts))
        said = f"{plural(total, 'place')} in {plural(files, 'file')} replaced"
        if problems:
            said += f"; not replaced in {plural(len(problems), 'file')} ({problems[0]})"
        self._context.notify(said)
        if self._name:
            self.show_references(self._name)
        else:
            self.search()
        return total

    def _replaced(self, file: Path, text: str) -> tuple[str, int]:
        if self._name:
            return replace_references(self._name, self.replacement.text(), str(file), text)
        return replace_matches(self._query(), self.replacement.text(), text)

    def _replace_in(self, file: Path) -> int:
        editor = self._editor_of(str(file))
        if editor is not None:
            text, count = self._replaced(file, editor.text())
            if count:
                change_to(editor, text)
            return count
        found = textfile.read(file)
        text, count = self._replaced(file, found.text)
        if count:
            file_writing.write(file, replace(found, text=text))
        return count

    def close_search(self) -> None:
        """End the search thread."""
        self._cancel.set()
        self._client.close()

    def _show(self, answer: tuple[list[Hit], str]) -> None:
        hits, note = answer
        self.model.set_rows(hits)
        files = len({hit.file for hit in hits})
        what = "reference" if self._name else "line"
        found = f"{plural(len(hits), what)} in {plural(files, 'file')}"
        self._summary.setText(note or (found if self.field.text() else ""))

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
