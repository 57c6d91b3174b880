"""Controls at work: their values become literals of the text, and sections run again."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.livecode.document import Control, Data, LiveDocument
from app.ui.documents import text_edits
from app.ui.documents.runs import Section

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView


class ControlEdits(QObject):
    """Changes by the controls of one page, and of them."""

    refused = Signal(str)

    def __init__(self, page: DocumentView) -> None:
        super().__init__(page)
        self._page = page
        self._open = False

    def line_of(self, control: Control) -> int:
        """The line where a control is now; 0 when it is gone."""
        mark = f"%[control:{control.kind}:{control.id}]"
        near = range(max(1, control.line - 40), control.line + 41)
        editor = self._page.editor
        for line in (control.line, *near):
            if line <= editor.lineCount() and mark in editor.line_text(line - 1):
                return int(line)
        return next((n for n, text in enumerate(editor.lines(), 1) if mark in text), 0)

    def _now(self, control: Control) -> tuple[int, Control] | None:
        """Its line, and the control as that line has it."""
        line = self.line_of(control)
        if not line:
            return None
        alone = LiveDocument(self._page.editor.line_text(line - 1))
        found = [c for block in alone.code_blocks for c in block.controls if c.id == control.id]
        return (line, found[0]) if found else None

    def literal_of(self, control: Control) -> str:
        """The text that a control stands for."""
        now = self._now(control)
        if now is None:
            return ""
        line, at = now
        return self._page.editor.line_text(line - 1)[at.first - 1 : at.last - 1]

    def on_changed(self, control: Control, literal: str, moving: bool) -> None:
        """Put a literal in the text and run what the control says; a drag is undone as one."""
        now = self._now(control)
        if now is None:
            return
        line, at = now
        editor = self._page.editor
        alone = LiveDocument(editor.line_text(line - 1))
        changed = alone.with_literal(at, literal).lines[0]
        if moving and not self._open:
            self._open = True
            editor.beginUndoAction()
        text_edits.replace_line(editor, line, changed)
        if self._open and not moving:
            self._open = False
            editor.endUndoAction()
        on_release = str(control.data.get("runOn", "ValueChanging")) == "ValueChanged"
        if not (moving and on_release):
            self._run(control, line)

    def _run(self, control: Control, line: int) -> None:
        page = self._page
        section = page.runs.section_of(line)
        if section is not None:
            page.runs.update(self._wanted(control.data, section))

    def _wanted(self, data: Data, section: Section) -> list[Section]:
        sections = self._page.runs.sections
        match str(data.get("run", "Section")):
            case "Nothing" | "None":
                return []
            case "AllSections" | "All":
                return list(sections)
            case "SectionToEnd" | "SectionAndBelow":
                return sections[sections.index(section) :]
            case _:
                return [section]

    # --- controls come and go ---------------------------------------------------------------

    def insert(self, kind: str, line: int, first: int, last: int, data: Data) -> None:
        """Let a control stand for the columns ``first`` to ``last`` (from 1) of a line."""
        editor = self._page.editor
        known = editor.text()
        number = secrets.token_hex(2)
        while f":{number}]" in known:
            number = secrets.token_hex(2)
        mark = f' %[control:{kind}:{number}]{{"position":[{first},{last}]}}'
        text = editor.line_text(line - 1)
        with text_edits.one_step(editor):
            text_edits.replace_line(editor, line, text.rstrip() + mark)
            changed = LiveDocument(editor.text()).with_entry(f"control:{kind}:{number}", data)
            text_edits.replace_all(editor, changed.text)
        self._page.read_text()

    def configure(self, control: Control) -> None:
        """Ask what the control is to be, and write it down."""
        from app.ui.documents.control_dialog import ControlDialog

        ControlDialog(self._page, control.kind, dict(control.data), self._keep(control)).open()

    def _keep(self, control: Control) -> Callable[[Data], None]:
        def keep(data: Data) -> None:
            editor = self._page.editor
            changed = LiveDocument(editor.text())
            changed = changed.with_entry(f"control:{control.kind}:{control.id}", data)
            with text_edits.one_step(editor):
                text_edits.replace_all(editor, changed.text)
            self._page.read_text()

        return keep

    def remove(self, control: Control) -> None:
        """Take a control away; its literal stays."""
        editor = self._page.editor
        changed = LiveDocument(editor.text()).without_control(control)
        with text_edits.one_step(editor):
            text_edits.replace_all(editor, changed.text)
        self._page.read_text()
