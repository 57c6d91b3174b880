"""Keeps the marks of the last run in the editors up to date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject

from app.engine.run_rows import LineRow
from app.ui.editor import run_annotations
from app.ui.editor.area import EditorArea
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.run_annotations import GroupFocus, Note
from app.ui.editor.run_lines import RunLines
from app.ui.editor.surface import Style
from app.ui.run_model.call_tree import line_times
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats

LEAST_MS = 0.05
SPARE = 8
MEASURED = 2000
"""Characters of a line that are measured; what follows is taken to be as wide."""
LEAST_SHARE = 0.01
"""Lines that took less than that of the dearest one have no time beside them."""


def _time_text(ms: float, least: float) -> str:
    return formats.milliseconds(ms) if ms >= least else ""


def _texts(spent: Mapping[int, tuple[float, float]]) -> dict[int, tuple[str, str]]:
    """The times of every line that took time worth a mention."""
    least = max([LEAST_MS, *(ms * LEAST_SHARE for both in spent.values() for ms in both)])
    return {
        line: (_time_text(host, least), _time_text(device, least))
        for line, (host, device) in spent.items()
        if max(host, device) >= least
    }


def _width(editor: CodeEditor, line: str) -> int:
    """How wide a line is; Scintilla takes long for one of many thousand characters."""
    measured = editor.textWidth(Style.Default, line[:MEASURED])
    return measured * len(line) // MEASURED if len(line) > MEASURED else measured


def _fit(editor: CodeEditor, notes: Iterable[Note]) -> None:
    """As wide as the longest line or note; Scintilla, which looks itself after an edit, counts
    the margins with the notes."""
    if editor.large:
        return
    width = _width(editor, max(editor.lines(), key=len, default=""))
    for note in notes:
        style = editor.eOLAnnotationStyle(note.line - 1)
        code = _width(editor, editor.line_text(note.line - 1))
        width = max(width, code + editor.textWidth(style, f"    {note.text}"))
    editor.setScrollWidthTracking(False)
    editor.setScrollWidth(width + SPARE)


class RunAnnotationsView(QObject):
    """Brackets, notes and error marks in the editor in front."""

    def __init__(self, run_model: RunModel, editors: EditorArea) -> None:
        super().__init__(editors)
        self._run_model = run_model
        self._editors = editors
        self.times_wanted = True
        self._stale = False
        self._told = 0
        self._shown: WeakKeyDictionary[CodeEditor, int] = WeakKeyDictionary()
        self._lines: WeakKeyDictionary[CodeEditor, RunLines] = WeakKeyDictionary()
        run_model.telemetry_changed.connect(self._refresh_soon)
        run_model.run_finished.connect(self._refresh_soon)
        run_model.refresh_scheduler.due.connect(self._take_turn)
        run_model.problems_changed.connect(self._reveal_error)

    def _refresh_soon(self) -> None:
        self._stale = True
        self._told += 1
        self._run_model.refresh_scheduler.ask()

    def _take_turn(self) -> None:
        if self._stale:
            self.show()

    def show(self) -> None:
        """Bring the marks of the editor in front up to date; what moved with its text stays."""
        self._stale = False
        editor = self._editors.current()
        if editor is None or self._shown.get(editor) == self._told:
            return
        self._shown[editor] = self._told
        name = str(editor.path) if editor.path else editor.untitled
        groups, lines = self._run_model.groups_in(name), self._run_model.lines_in(name)
        spent = self._spent_on(name, lines)
        if self.times_wanted:
            editor.run_marks.show_times(_texts(spent))
        if name == self._run_model.run_name or groups or lines or spent:
            last = editor.lineCount()
            self.lines_of(editor).note({n for g in groups for n in g.lines if n <= last})
            inside = [g for g in groups if g.lines and max(g.lines) <= last]
            heat = run_annotations.heat(
                {line: sum(both) for line, both in spent.items() if line <= last}
            )
            notes = run_annotations.notes(inside, lines)
            editor.run_marks.show(run_annotations.brackets(inside), notes, heat)
            _fit(editor, notes)
            self._show_error()

    def reserve_times(self, editor: CodeEditor) -> None:
        """Make room for the times of a script that begins to run."""
        if self.times_wanted:
            editor.run_marks.reserve_times()

    def want_times(self, *, on: bool) -> None:
        """Show the times of lines in the margin from now on, or no longer."""
        self.times_wanted = on
        for editor in self._editors.editors():
            editor.run_marks.hide_times()
        self._told += 1
        self.show()

    def _spent_on(self, name: str, rows: Iterable[LineRow]) -> dict[int, tuple[float, float]]:
        """Host and device time of the lines of a file."""
        device = {row.line: row.device_ms for row in rows}
        host = {row.line: row.host_ms for row in rows}
        waited = {row.line: row.waited_ms for row in rows}
        for (file, line), ms in line_times(self._run_model.stacks).items():
            if file == name:
                apart = device.get(line, 0.0) + waited.get(line, 0.0)
                host[line] = max(host.get(line, 0.0), ms - apart)
        return {n: (host.get(n, 0.0), device.get(n, 0.0)) for n in {**host, **device}}

    def lines_of(self, editor: CodeEditor) -> RunLines:
        """Where the lines of the last run are in an editor."""
        if editor not in self._lines:
            self._lines[editor] = RunLines(editor)
        return self._lines[editor]

    def reveal_groups(self) -> None:
        """Scroll to the first group, when none is in view."""
        editor = self._editors.current()
        if editor is None:
            return
        name = str(editor.path) if editor.path else editor.untitled
        lines = sorted(n for g in self._run_model.groups_in(name) for n in g.lines)
        bottom = editor.firstVisibleLine() + editor.linesOnScreen()
        if lines and not any(line < bottom - 1 for line in lines[:2]):
            editor.setFirstVisibleLine(max(0, lines[0] - 6))

    def focus_group(self, group: GroupFocus | None) -> None:
        """Tint the lines of a group in the editor of its file; None takes the tint away."""
        if group is None:
            for editor in self._editors.editors():
                editor.run_marks.focus_lines((), "device")
                editor.run_marks.focus_parts(())
            return
        shown = self._editors.editor_of(group.file or self._run_model.run_name)
        if shown is not None:
            now = self.lines_of(shown).now()
            shown.run_marks.focus_lines([now[n] for n in group.lines if n in now], group.side)
            parts = (p for p in group.parts if p.line in now)
            shown.run_marks.focus_parts(p._replace(line=now[p.line]) for p in parts)

    def _reveal_error(self) -> None:
        self._show_error(reveal=True)

    def _show_error(self, *, reveal: bool = False) -> None:
        error = self._run_model.error
        if error is None:
            return
        for _name, file, line, _column in error.frames:
            editor = self._editors.editor_of(file)
            if editor is not None and line:
                editor.run_marks.clear_errors()
                editor.run_marks.show_error(
                    min(line, editor.lineCount()), error.message.split("\n")[0]
                )
                if reveal:
                    editor.reveal(line)
                return
