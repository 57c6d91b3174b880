"""What one breakpoint does: when it stops, or what it prints instead."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
)

from app.ui.editor.breakpoints import Stop
from app.ui.editor.code_editor import CodeEditor


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
        self.log = QLineEdit(stop.log)
        self.log.setPlaceholderText("stop; or a text to print instead")
        self.on = QCheckBox("on")
        self.on.setChecked(stop.enabled)
        self._build()

    def _build(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        for title, field in (
            ("Stop when", self.condition),
            ("From hit", self.hits),
            ("Print", self.log),
            ("", self.on),
        ):
            field.setAccessibleName(title or "Enabled")
            form.addRow(title, field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.accepted.connect(self._take)

    def _take(self) -> None:
        stop = Stop(
            self.condition.text().strip(), self.hits.value(), self.log.text(), self.on.isChecked()
        )
        self._editor.stops.put(self._line, stop)
