"""Find in files: below the current folder, with regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import textfile
from app.errors import UsageError, reason_of
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
from app.ui.widgets.panel_parts import ElidedLabel, EmptyState, bar
from app.ui.widgets.row_table import RowTable

PAUSE_MS = 200
_OPTIONS = (("Aa", "Match case"), ("W", "Whole words"), (".*", "Regular expression"))
TEXT = 2
NOT_YET, NOTHING = "Nothing searched yet", "Nothing found"
WHAT = "Type what to find in the code below the current folder."


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
        self.field.setPlaceholderText("Find in files")
        self.field.setAccessibleName("Find in files")
        self.field.setClearButtonEnabled(True)
        self.replacement = QLineEdit()
        self.replacement.setPlaceholderText("Replace with")
        self.replacement.setAccessibleName("Replace with")
        self.replace_button = QPushButton("Replace all")
        self.replace_button.clicked.connect(self.replace_all)
        self.undo_button = QPushButton("Undo")
        self.undo_button.setToolTip("Undo the replacement, also in files that are not open")
        self.undo_button.setVisible(False)
        self.undo_button.clicked.connect(self.take_back)
        self._replacements: list[tuple[Path, str, str]] = []
        self._summary = ElidedLabel("muted")
        self._options = [_option(text, tip) for text, tip in _OPTIONS]
        self.model = RowModel(_columns(folder), lambda h: (h.file, h.line))
        self.table = RowTable(self.model, "Lines found")
        self.table.setItemDelegateForColumn(TEXT, MarkedText(self._pattern, self.table))
        self.nothing = EmptyState("find", NOT_YET, "")
        self.pages = QStackedWidget()
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
        buttons = self.replace_button, self.undo_button
        top = bar(self.field, *self._options, self.replacement, *buttons, self._summary)
        layout.addWidget(top)
        self.pages.addWidget(self.nothing)
        self.pages.addWidget(self.table)
        layout.addWidget(self.pages, 1)
        self._say_nothing(NOT_YET, WHAT)
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
        self.field.setText(name)
        self._begin(name)  # instead of the search that another text begins
        question = partial(references, name, self._folder(), self._cancel.is_set, self._unsaved())
        self._client.ask("search", question, self._show)

    def replace_all(self) -> int:
        """Replace every match of the query, or every reference, in the files that were found."""
        files = sorted({hit.file for hit in self.model.rows})
        counts: list[int] = []
        self._replacements = []

        def replace_in(file: Path) -> None:
            before = self._text_of(file)
            after, count = self._replaced(file, before)
            if count:
                self._put(file, before, after)
                self._replacements.append((file, before, after))
                counts.append(count)

        problems = _tried(files, replace_in)
        said = f"{plural(sum(counts), 'place')} in {plural(len(counts), 'file')} replaced"
        if problems:
            said += f"; not replaced in {plural(len(problems), 'file')} ({problems[0]})"
        self._replacing_ended(said)
        return sum(counts)

    def take_back(self) -> None:
        """Put back what was replaced last, wherever nothing else has changed since."""
        made, self._replacements = self._replacements, []
        texts = {file: (before, after) for file, before, after in made}

        def put_back(file: Path) -> None:
            before, after = texts[file]
            self._put(file, after, before)

        problems = _tried(list(texts), put_back)
        said = f"{plural(len(texts) - len(problems), 'file')} as before"
        if problems:
            said += f"; {plural(len(problems), 'file')} kept ({problems[0]})"
        self._replacing_ended(said)

    def _replacing_ended(self, said: str) -> None:
        self.undo_button.setVisible(bool(self._replacements))
        self._context.notify(said)
        if self._name:
            self.show_references(self._name)
        else:
            self.search()

    def _text_of(self, file: Path) -> str:
        editor = self._editor_of(str(file))
        return textfile.read(file).text if editor is None else editor.text()

    def _put(self, file: Path, before: str, after: str) -> None:
        """Change a text, in its editor where it is open; UsageError where it is another one."""
        editor = self._editor_of(str(file))
        found = None if editor is not None else textfile.read(file)
        if (editor.text() if editor is not None else found and found.text) != before:
            raise UsageError("it has changed since")
        if editor is not None:
            change_to(editor, after)
        elif found is not None:
            file_writing.write(file, replace(found, text=after))

    def _replaced(self, file: Path, text: str) -> tuple[str, int]:
        if self._name:
            return replace_references(self._name, self.replacement.text(), str(file), text)
        return replace_matches(self._query(), self.replacement.text(), text)

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
        wanted = self.field.text()
        self._summary.setText(note or (found if wanted else ""))
        if hits:
            self.pages.setCurrentWidget(self.table)
        elif not wanted:
            self._say_nothing(NOT_YET, WHAT)
        else:
            where = f"No {what} in the code below {self._folder().name} matches “{wanted}”."
            self._say_nothing(NOTHING, note or where)

    def _say_nothing(self, title: str, text: str) -> None:
        """Say why no lines are listed."""
        self.nothing.say(text, title)
        self.pages.setCurrentWidget(self.nothing)

    def _open(self) -> None:
        hit = self.table.selected()
        if isinstance(hit, Hit):
            self._context.open_location(str(hit.file), hit.line)


def _tried(files: Iterable[Path], change: Callable[[Path], None]) -> list[str]:
    """Change files one after the other; what kept any from it."""
    problems = []
    for file in files:
        try:
            change(file)
        except (OSError, UsageError, re.error) as problem:
            problems.append(f"{file.name}: {reason_of(problem)}")
    return problems


def _option(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    return button
