"""Keeps the marks of the last run in the editors up to date."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.ui.editor import verdicts
from app.ui.editor.area import EditorArea
from app.ui.models.account import Account

UPDATE_MS = 100


class VerdictView(QObject):
    """Brackets, notes and error marks in the editor in front."""

    def __init__(self, account: Account, editors: EditorArea) -> None:
        super().__init__(editors)
        self._account = account
        self._editors = editors
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.show)
        account.telemetry_changed.connect(self._soon)
        account.run_finished.connect(self._soon)
        account.problems_changed.connect(self._reveal_error)

    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start(UPDATE_MS if self._account.busy else 0)

    def show(self) -> None:
        """Bring the marks of the editor in front up to date."""
        editor = self._editors.current()
        if editor is None:
            return
        name = str(editor.path) if editor.path else editor.untitled
        groups, lines = self._account.groups_in(name), self._account.lines_in(name)
        if groups or lines:
            last = editor.lineCount()
            inside = [g for g in groups if g["lines"] and max(g["lines"]) <= last]
            editor.show_verdicts(
                verdicts.brackets(inside), verdicts.notes(inside, lines), verdicts.heat(lines)
            )
            self._show_error()

    def reveal_groups(self) -> None:
        """Scroll to the first group, when none is in view."""
        editor = self._editors.current()
        if editor is None:
            return
        name = str(editor.path) if editor.path else editor.untitled
        lines = sorted(n for g in self._account.groups_in(name) for n in g["lines"])
        bottom = editor.firstVisibleLine() + editor.linesOnScreen()
        if lines and not any(line < bottom - 1 for line in lines[:2]):
            editor.setFirstVisibleLine(max(0, lines[0] - 5))

    def follow(self, name: str) -> None:
        """Mark every place of a variable in the editor in front."""
        editor = self._editors.current()
        if editor is not None:
            editor.mark_word(name)

    def focus_group(self, group: dict[str, Any] | None) -> None:
        """Tint the lines of a group in the editor of its file; None takes the tint away."""
        if group is None:
            for editor in self._editors.editors():
                editor.focus_lines((), "device")
            return
        shown = self._editors.editor_of(group.get("file") or self._account.run_name)
        if shown is not None:
            shown.focus_lines(group["lines"], verdicts.side_of(group))

    def _reveal_error(self) -> None:
        self._show_error(reveal=True)

    def _show_error(self, *, reveal: bool = False) -> None:
        error = self._account.error
        if error is None:
            return
        for _name, file, line, _column in error.frames:
            editor = self._editors.editor_of(file)
            if editor is not None and line:
                editor.clear_errors()
                editor.show_error(min(line, editor.lineCount()), error.message.split("\n")[0])
                if reveal:
                    editor.reveal(line)
                return
