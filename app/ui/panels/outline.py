"""The outline of the file in front: functions, classes and sections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakSet

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStackedWidget

from app.ui.editor import sections
from app.ui.editor.area import EditorArea
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.semantic_colouring import Colouring
from app.ui.run_model.row_model import Column, RowModel
from app.ui.widgets.panel_parts import EmptyState
from app.ui.widgets.row_table import RowTable

_GLYPHS = {"function": "ƒ", "method": "ƒ", "class": "◆", "section": "§"}
_TINTS = {"function": "accent", "method": "accent", "class": "both"}


@dataclass(frozen=True)
class Entry:
    """One place of the file."""

    kind: str
    name: str
    line: int


COLUMNS = (
    Column[Entry](
        "", lambda e: _GLYPHS.get(e.kind, "·"), width=22, tint=lambda e: _TINTS.get(e.kind, "faint")
    ),
    Column[Entry]("Name", lambda e: e.name, width=0),
    Column[Entry](
        "Line", lambda e: str(e.line), key=lambda e: e.line, numeric=True, width=24, tint="faint"
    ),
)
LINE, WIDEST_LINE = 2, 80


def entries(editor: CodeEditor) -> list[Entry]:
    """Sections, functions and classes as last understood; the sections alone before that."""
    colouring = editor.findChild(Colouring)
    found = colouring.outline if isinstance(colouring, Colouring) else ()
    if found:
        return [Entry(e.kind, "  " * e.depth + e.name, e.line) for e in found]
    if editor.large:
        return []
    titled = sections.sections(editor.lines())
    return [Entry("section", s.title, s.first) for s in titled if s.title]


class OutlinePanel(QStackedWidget):
    """Follows the file in front; a click goes to the place."""

    def __init__(self, editors: EditorArea, go: Callable[[CodeEditor, int], None]) -> None:
        super().__init__()
        self._editors = editors
        self._go = go
        self.model = RowModel(COLUMNS, lambda e: (e.kind, e.name, e.line))
        self.table = RowTable(self.model, "Outline", 60)
        self.table.horizontalHeader().hide()
        self.table.clicked.connect(self._on_click)
        self.addWidget(
            EmptyState("stack", "Nothing to outline", "Sections begin with %\u2060% and a title.")
        )
        self.addWidget(self.table)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(300)
        self._timer.timeout.connect(self.refresh)
        self._heard: WeakSet[Colouring] = WeakSet()
        editors.current_changed.connect(self._follow)
        editors.editor_added.connect(self._follow)  # what understands a new file comes with it
        self._follow()

    def _follow(self) -> None:
        editor = self._editors.current()
        colouring = editor.findChild(Colouring) if editor else None
        if isinstance(colouring, Colouring) and colouring not in self._heard:
            self._heard.add(colouring)
            colouring.changed.connect(self._timer.start)
        self.refresh()

    def refresh(self) -> None:
        """Show the places of the file in front."""
        editor = self._editors.current()
        found = entries(editor) if editor else []
        self.model.set_rows(found)
        self.table.fit(LINE, WIDEST_LINE)
        self.setCurrentIndex(1 if found else 0)

    def _on_click(self) -> None:
        editor, entry = self._editors.focused(), self.table.selected()
        if editor is not None and entry is not None:
            self._go(editor, entry.line)


def show_line(editor: CodeEditor, line: int) -> None:
    """Go to a line of an editor."""
    editor.go_to(line)
    editor.setFocus()
