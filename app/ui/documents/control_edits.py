"""Controls at work: their values become literals of the text, and sections run again."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.engine.livecode.appendix import Data
from app.engine.livecode.control_places import LITERAL
from app.engine.livecode.document import Control, LiveDocument, without_marks
from app.ui.documents.controls import TITLES, ControlFace
from app.ui.documents.runs import Section
from app.ui.editor.control_places import live_line, live_text
from app.ui.editor.text_changes import change_to, one_step, replace_line

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView


_NUMBERS = re.compile(r"-?(?:\d++\.?\d*+|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Place:
    """A literal: its line and columns from 1 (the last one is behind it), and its text."""

    line: int
    first: int
    last: int
    literal: str


def _default_data(kind: str, literal: str, name: str) -> Data:
    """What a new control is."""
    data: dict[str, object] = {"label": name, "run": "Section"}
    if kind != "button":
        data["defaultValue"] = _default_value(kind, literal)
    if kind == "editfield":
        types = {'"': "String", "'": "Char"}
        data["valueType"] = types.get(literal[0], "Double")
    if kind in ("slider", "spinner", "rangeslider"):
        ends = [_plain(part) for part in _NUMBERS.findall(literal)]
        whole = all(part.lstrip("-").isdigit() for part in _NUMBERS.findall(literal))
        top = 2 * max(map(abs, ends), default=0) or 100
        top = max(top, 10) if whole else top
        data |= {"min": -top if min(ends, default=0) < 0 else 0, "max": top}
        step = 1 if whole else 10.0 ** round(math.log10(top / 100))
        data |= {"step": step, "runOn": "ValueChanging"}
    elif kind == "dropdown":
        data |= {"items": [literal], "itemLabels": [literal.strip("\"'")]}
    return data


def _default_value(kind: str, literal: str) -> object:
    """What a control holds at first, as the format writes it: numbers, true and false as they
    are, all else as code."""
    if kind in ("checkbox", "statebutton"):
        return literal == "true"
    if kind == "rangeslider":
        return [_plain(part) for part in _NUMBERS.findall(literal)]
    number = _NUMBERS.fullmatch(literal)
    return _plain(literal) if number and kind != "dropdown" else literal


def _plain(text: str) -> float:
    value = float(text)
    return int(value) if value == int(value) else value


class ControlEdits(QObject):
    """Changes by the controls of one page, and of them."""

    told = Signal(str)

    def __init__(self, page: DocumentView) -> None:
        super().__init__(page)
        self._page = page
        self._open = False
        self._waiting: tuple[Control, str] | None = None
        page.runs.finished.connect(self._write_waiting)

    def line_of(self, control: Control) -> int:
        """The line where a control is now; 0 when it is gone."""
        mark = f"%[control:{control.kind}:{control.id}]"
        near = range(max(1, control.line - 40), control.line + 41)
        editor = self._page.editor
        for line in (control.line, *near):
            if line <= editor.lineCount() and mark in editor.line_text(line - 1):
                return int(line)
        return next((n for n, text in enumerate(editor.lines(), 1) if mark in text), 0)

    def _current_control(self, control: Control) -> tuple[int, Control] | None:
        """Its line, and the control as that line has it."""
        line = self.line_of(control)
        if not line:
            return None
        alone = LiveDocument(live_line(self._page.editor, line - 1))
        found = [c for block in alone.code_blocks for c in block.controls if c.id == control.id]
        return (line, found[0]) if found else None

    def literal_of(self, control: Control) -> str:
        """The text that a control stands for."""
        now = self._current_control(control)
        if now is None:
            return ""
        line, at = now
        return self._page.editor.line_text(line - 1)[at.first - 1 : at.last - 1]

    def on_changed(self, control: Control, literal: str, moving: bool) -> None:
        """Put a literal in the text and run what the control says; a drag is undone as one.

        While sections run for a drag the newest literal waits with its run: one that no run would
        see is not written.
        """
        page = self._page
        on_release = str(control.data.get("runOn", "ValueChanging")) == "ValueChanged"
        if moving and not on_release and page.runs.busy and page.trusted():
            self._waiting = control, literal
            page.runs.update(self._write_waiting)
            return
        self._waiting = None
        line = self._write(control, literal, moving=moving)
        if not line or (moving and on_release):
            return
        if page.trusted():
            page.runs.update(lambda: self._sections_to_run(control.data, line))
            if page.runs.waits_for_engine:
                self.told.emit("The control's sections run when the current run has ended")
        else:
            self.told.emit("Controls run their sections once the folder is trusted")

    def _write_waiting(self) -> list[Section]:
        """Put the literal that waits, if one does, in the text; the sections to run for it."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return []
        control, literal = waiting
        return self._sections_to_run(control.data, self._write(control, literal, moving=True))

    def _write(self, control: Control, literal: str, *, moving: bool) -> int:
        """Put a literal in the text; the line, 0 where the control is gone."""
        now = self._current_control(control)
        if now is None:
            return 0
        line, at = now
        editor = self._page.editor
        alone = LiveDocument(live_line(editor, line - 1))
        changed = alone.with_literal(at, literal).lines[0]
        if moving and not self._open:
            self._open = True
            editor.beginUndoAction()
        replace_line(editor, line - 1, changed)
        if self._open and not moving:
            self._open = False
            editor.endUndoAction()
        return line

    def _sections_to_run(self, data: Data, line: int) -> list[Section]:
        sections, section = self._page.runs.sections, self._page.runs.section_of(line)
        if section is None:
            return []
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

    def literal_at_caret(self) -> Place | None:
        """The literal at the caret; None where there is none, or a control stands for it."""
        cell = self._page.focused_cell()
        editor = cell.view if cell is not None else self._page.editor
        line, column = editor.caret_line, editor.caret_column
        text = without_marks(editor.line_text(line - 1))
        for found in LITERAL.finditer(text):
            first, last = found.start() + 1, found.end() + 1
            if first <= column <= last:
                alone = LiveDocument(live_line(editor, line - 1))
                known = [c for block in alone.code_blocks for c in block.controls]
                free = all(last <= c.first or first >= c.last for c in known)
                return Place(line, first, last, found[0]) if free else None
        return None

    def in_use(self) -> Control | None:
        """The control with the keyboard, or on the line of the caret: the one at it, or the
        first."""
        held = QApplication.focusWidget()
        while held is not None and not isinstance(held, ControlFace):
            held = held.parentWidget()
        if isinstance(held, ControlFace) and self._page.isAncestorOf(held):
            return held.control
        cell = self._page.focused_cell()
        view = cell.view if cell is not None else self._page.editor
        blocks = LiveDocument(live_text(self._page.editor)).code_blocks
        found = [c for block in blocks for c in block.controls if c.line == view.caret_line]
        at = (c for c in found if c.first <= view.caret_column <= c.last)
        return next(at, found[0] if found else None)

    def kinds_for(self, place: Place) -> list[tuple[str, str]]:
        """The controls that may stand for a literal, with what people call them."""
        if place.literal in ("true", "false"):
            wanted: tuple[str, ...] = ("checkbox", "statebutton")
        elif place.literal[0] in "\"'":
            wanted = ("editfield", "dropdown", "filebrowser")
        elif place.literal[0] == "[":
            wanted = ("rangeslider", "colorpicker")
        elif place.literal.startswith("datetime"):
            wanted = ("datepicker",)
        else:
            wanted = ("slider", "spinner", "editfield", "dropdown", "button")
        return [(kind, TITLES[kind]) for kind in wanted]

    def insert(self, kind: str, place: Place) -> None:
        """Let a control stand for a literal, and ask what it is to be."""
        editor = self._page.editor
        known = live_text(editor)
        number = secrets.token_hex(2)
        while f":{number}]" in known:
            number = secrets.token_hex(2)
        mark = f' %[control:{kind}:{number}]{{"position":[{place.first},{place.last}]}}'
        text = editor.line_text(place.line - 1)
        name = re.match(r"\s*(\w+)\s*=", text)
        data = _default_data(kind, place.literal, name[1] if name else "")
        with one_step(editor):
            replace_line(editor, place.line - 1, text.rstrip() + mark)
            changed = LiveDocument(live_text(editor)).with_entry(f"control:{kind}:{number}", data)
            change_to(editor, changed.text)
        self._page.read_text()
        made = Control(kind, number, place.line, place.first, place.last, data)
        if kind not in ("checkbox", "datepicker", "colorpicker"):
            self.configure(made)

    def configure(self, control: Control) -> None:
        """Ask what the control is to be, and write it down."""
        from app.ui.documents.control_dialog import ControlDialog

        ControlDialog(self._page, control.kind, dict(control.data), self._keep(control)).open()

    def _keep(self, control: Control) -> Callable[[Data], None]:
        def keep(data: Data) -> None:
            editor = self._page.editor
            changed = LiveDocument(live_text(editor))
            changed = changed.with_entry(f"control:{control.kind}:{control.id}", data)
            change_to(editor, changed.text)
            self._page.read_text()

        return keep

    def remove(self, control: Control) -> None:
        """Take a control away; its literal stays."""
        editor = self._page.editor
        changed = LiveDocument(live_text(editor)).without_control(control)
        change_to(editor, changed.text)
        self._page.read_text()
