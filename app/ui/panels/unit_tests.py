"""The unit tests of the current folder: found by reading, run, and gone to where they failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QWidget

from app.engine.protocol import FolderChanged, RunText, TestFinished
from app.engine.session import language_service
from app.engine.session.language_service import Discovery, UnitTest
from app.ui.language_client.client import LanguageClient
from app.ui.panels.panel import Context, Panel
from app.ui.run_model.row_model import Column, RowModel
from app.ui.run_model.run_model import BUSY
from app.ui.support import formats
from app.ui.support.fonts import code_font
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowTable
from app.ui.widgets.turning_splitter import TurningSplitter

_GLYPHS = {"passed": "✓", "failed": "✗", "incomplete": "–", "waiting": "…"}
_TINTS = {"passed": "good", "failed": "error", "incomplete": "transfer"}
_LINE = re.compile(r"\(line (\d+)\)|\.m:(\d+)")


@dataclass(frozen=True)
class Row:
    """A test with what is known of its last run."""

    test: UnitTest
    state: str = ""
    seconds: float = 0.0
    details: str = ""


COLUMNS = (
    Column[Row](
        "",
        lambda r: _GLYPHS.get(r.state, "○"),
        width=26,
        tint=lambda r: _TINTS.get(r.state, "faint"),
    ),
    Column[Row]("Test", lambda r: r.test.name, width=0, tip=lambda r: r.test.file),
    Column[Row](
        "Time",
        lambda r: formats.milliseconds(r.seconds * 1000) if r.seconds else "",
        lambda r: r.seconds,
        numeric=True,
        width=76,
        tint="muted",
    ),
)


class TestsPanel(Panel):
    """A list of tests with their results, and why the chosen one failed."""

    __test__ = False
    empty_icon = "check"
    empty_title = "No tests in this folder"
    empty_text = (
        "Files whose name begins or ends with test, and classes below matlab.unittest.TestCase, "
        "appear here."
    )
    empty_button = "Look Again"

    def __init__(self, context: Context, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._client = LanguageClient()
        self._rows: dict[str, Row] = {}
        self._left = 0
        self._newest = ""
        self._is_run_wanted = False
        super().__init__(context)

    def _build(self) -> QWidget:
        self.table = RowTable(RowModel(COLUMNS, lambda r: r.test.name), "Tests")
        self.table.doubleClicked.connect(self.go_to)
        self.table.selectionModel().currentRowChanged.connect(self._show_details)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter tests")
        self.filter.setFixedWidth(130)
        self.filter.textChanged.connect(self.table.rows_model.set_filter)
        self.run_button = QPushButton("Run All")
        self.run_button.clicked.connect(self.run_all)
        self.again_button = QPushButton("Run Failed")
        self.again_button.clicked.connect(self.run_failed)
        self.summary = ElidedLabel("muted")
        head = bar(
            self.run_button,
            self.again_button,
            IconButton("run", "Run the selected test", self.run_selected),
            self.summary,
            self.filter,
            IconButton("refresh", "Look for tests again", self.look),
        )
        self.details = QPlainTextEdit()
        self.details.setObjectName("TestDetails")
        self.details.setReadOnly(True)
        self.details.setFont(code_font(12))
        self.details.setAccessibleName("Why it failed")
        self.details.setPlaceholderText("Choose a test to see why it failed.")
        return column(head, TurningSplitter((self.table, 520, 1), (self.details, 420, 1)))

    def _listen(self) -> None:
        self.context.bridge.subscribe(TestFinished, self._on_finished)
        self.context.bridge.subscribe(FolderChanged, lambda _event: self.look())
        self.run_model.run_finished.connect(self._on_run_finished)
        self.look()

    def close_questions(self) -> None:
        """Ask no more."""
        self._client.close()

    def _on_empty_button(self) -> None:
        self.look()

    # --- finding --------------------------------------------------------------------------

    def showEvent(self, event: object) -> None:
        """Files may have been written meanwhile."""
        super().showEvent(event)
        self.look()

    def look(self) -> None:
        """Read the files of the folder, away from the window's thread."""
        self._client.ask("tests", partial(_found_below, self._folder()), self._take)

    def _take(self, found: Discovery) -> None:
        known = self._rows
        self._rows = {
            test.name: Row(test, before.state, before.seconds, before.details)
            for test in found.tests
            for before in (known.get(test.name, Row(test)),)
        }
        for file, reason in found.problems:
            self.context.notify(f"{Path(file).name} is left out: {reason}")
        if self._is_run_wanted:
            self._is_run_wanted = False
            self._run(list(self._rows.values()))
        self.invalidate()

    def _is_empty(self) -> bool:
        return not self._rows

    def _refresh(self) -> None:
        self.table.rows_model.set_rows(list(self._rows.values()))
        if self.running() and not self.table.underMouse():  # whoever points there is reading
            self.table.bring_into_view(self._newest)
        counts = Counter(row.state for row in self._rows.values())
        words = [f"{counts[state]} {state}" for state in _TINTS if counts[state]]
        self.summary.setText("   ".join([formats.plural(len(self._rows), "test"), *words]))
        self.again_button.setEnabled(bool(counts["failed"]))
        self._show_details()

    def _show_details(self) -> None:
        row = self.table.selected()
        text = row.details.strip() if row is not None else ""
        if self.details.toPlainText() != text:
            self.details.setPlainText(text)

    # --- running --------------------------------------------------------------------------

    def run_all(self) -> None:
        """Run every test that is listed."""
        self._run(self.table.rows_model.rows)

    def run_folder(self) -> None:
        """Run every test of the folder, once they are found."""
        self._is_run_wanted = True
        self.look()

    def run_file(self, file: Path) -> bool:
        """Run the tests of a file, listed or not; false where it has none."""
        found = language_service.discover([file]).tests
        self._run([Row(test) for test in found])
        return bool(found)

    def run_failed(self) -> None:
        """Run those that failed the last time."""
        self._run([row for row in self._rows.values() if row.state == "failed"])

    def run_selected(self) -> None:
        """Run the chosen test."""
        row = self.table.selected()
        if row is not None:
            self._run([row])

    def _run(self, rows: Iterable[Row]) -> None:
        if self.run_model.busy:
            self.context.notify(BUSY)
            return
        by_file: dict[str, list[str]] = {}
        for row in rows:
            by_file.setdefault(row.test.file, []).append(row.test.name)
            self._rows[row.test.name] = Row(row.test, "waiting")
        for file, names in by_file.items():
            listed = ", ".join(map(_quoted_text, names))
            code = f"matlab.unittest.internal.runfile({_quoted_text(file)}, {{{listed}}})"
            self.context.post(RunText(code))
            self._left += 1
        self.invalidate()

    def running(self) -> bool:
        """Whether runs of tests have not come to their end."""
        return self._left > 0

    def _on_finished(self, event: TestFinished) -> None:
        row = self._rows.get(event.name)
        if row is not None:
            found = Row(row.test, event.state, event.seconds, event.details)
            self._rows[event.name] = found
            self._newest = event.name
            self.invalidate()
            if event.state == "failed" and self.table.selected() is None:
                self.table.select(event.name)

    def _on_run_finished(self) -> None:
        """Nothing waits any more when the engine has stopped or given up."""
        self._left = max(0, self._left - 1)
        if self.run_model.status != "ok":
            for name, row in self._rows.items():
                self._rows[name] = Row(row.test) if row.state == "waiting" else row
            self.invalidate()

    # --- going ----------------------------------------------------------------------------

    def go_to(self) -> None:
        """Show the line where the chosen test failed, else where it begins."""
        row = self.table.selected()
        if row is not None:
            self.context.open_location(row.test.source, failed_line(row) or row.test.line)


def failed_line(row: Row) -> int:
    """The line of the test's own file that its report names first; 0 where it names none."""
    stem = re.escape(Path(row.test.source).stem)
    for line in row.details.splitlines():
        found = _LINE.search(line) if re.search(rf"\b{stem}\b", line) else None
        if found is not None:
            return int(found[1] or found[2])
    return 0


def _found_below(folder: Path) -> Discovery:
    return language_service.discover([folder])


def _quoted_text(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
