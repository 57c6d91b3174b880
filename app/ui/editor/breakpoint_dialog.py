"""What one breakpoint does: when it stops, or what it prints instead."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QSpinBox,
)

from app.ui.editor.breakpoints import Stop
from app.ui.editor.code_editor import CodeEditor
from app.ui.widgets import form_dialog
from app.ui.widgets.panel_parts import label


class BreakpointDialog(QDialog):
    """Condition, hit count, log text, on or off."""

    def __init__(self, editor: CodeEditor, line: int) -> None:
        super().__init__(editor)
        self._editor = editor
        self._line = line
        stop = editor.stops.at(line) or Stop()
        self.setWindowTitle(f"Breakpoint on line {line}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.condition = QLineEdit(stop.condition)
        self.condition.setPlaceholderText("always; or an expression such as k > 10")
        self.condition.setMinimumWidth(320)
        self.hits = QSpinBox()
        self.hits.setRange(0, 1_000_000_000)
        self.hits.setSpecialValueText("every hit")
        self.hits.setValue(stop.hits)
        self.hits.lineEdit().setTextMargins(6, 0, 0, 0)
        self.log = QLineEdit(stop.log)
        self.log.setPlaceholderText("a text such as k is {k}")
        self.on = QCheckBox("Enabled")
        self.on.setChecked(stop.enabled)
        self.problem = label("", "error")
        self.problem.setWordWrap(True)
        self.problem.hide()
        rows = (
            ("Stop when", "Stop when", self.condition),
            ("", "What is wrong with the condition", self.problem),
            ("From hit", "From hit", self.hits),
            ("Print instead", "Print instead", self.log),
            ("", "Enabled", self.on),
        )
        form_dialog.fill(self, rows, self._take)

    def accept(self) -> None:
        """Close, unless the condition is no expression."""
        from app.engine.session.language_service import problem_of_expression

        condition = self.condition.text().strip()
        wrong = problem_of_expression(condition) if condition else ""
        if not wrong:
            super().accept()
            return
        self.problem.setText(wrong)
        self.problem.show()
        self.condition.setFocus()

    def _take(self) -> None:
        stop = Stop(
            self.condition.text().strip(), self.hits.value(), self.log.text(), self.on.isChecked()
        )
        self._editor.stops.put(self._line, stop)
