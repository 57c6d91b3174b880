"""What a control is: its label, limits and choices, and what runs when it changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPlainTextEdit, QWidget

from app.engine.livecode.appendix import Data
from app.ui.widgets import form_dialog

RUNS = (
    ("Section", "the section"),
    ("SectionToEnd", "the section and those below"),
    ("AllSections", "everything"),
    ("Nothing", "nothing"),
)
WHEN = (("ValueChanging", "while it moves"), ("ValueChanged", "when it is let go"))
_NUMBERS = ("min", "max", "step")
WITH_NUMBERS = ("slider", "rangeslider", "spinner")


class ControlDialog(QDialog):
    """Edits the data of one control; ``keep`` gets them on OK."""

    def __init__(
        self, parent: QWidget, kind: str, data: Data, keep: Callable[[Data], None]
    ) -> None:
        super().__init__(parent)
        self._data, self._keep = data, keep
        self.setWindowTitle(f"Configure {kind}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.label = QLineEdit(str(data.get("label", "")))
        self.label.setMinimumWidth(260)
        self.run = _choice(RUNS, str(data.get("run", "Section")))
        self.when = _choice(WHEN, str(data.get("runOn", "ValueChanging")))
        rows: list[tuple[str, str, QWidget]] = [("Label", "Label", self.label)]
        self.numbers: dict[str, QLineEdit] = {}
        if kind in WITH_NUMBERS:
            shipped = {"min": 0, "max": 100, "step": 1}
            self.numbers = {n: QLineEdit(str(data.get(n, shipped[n]))) for n in _NUMBERS}
            rows += [(n.capitalize(), n.capitalize(), field) for n, field in self.numbers.items()]
        self.items: QPlainTextEdit | None = None
        if kind == "dropdown":
            self.items = QPlainTextEdit("\n".join(map(str, data.get("items", []))))
            self.items.setFixedHeight(110)
            rows.append(("Items, one a line, as code", "Items", self.items))
        rows += [("Runs", "Runs", self.run), ("When", "When", self.when)]
        form_dialog.fill(self, rows, self._take)

    def _take(self) -> None:
        made = {
            **self._data,
            "label": self.label.text(),
            "run": self.run.currentData(),
            "runOn": self.when.currentData(),
        }
        for name, field in self.numbers.items():
            try:
                value = float(field.text())
            except ValueError:
                continue  # what is no number leaves the limit as it was
            made[name] = int(value) if value == int(value) else value
        if self.items is not None:
            items = [line for line in self.items.toPlainText().split("\n") if line.strip()]
            made["items"] = items
            made["itemLabels"] = [item.strip("\"'") for item in items]
        self._keep(made)


def _choice(entries: tuple[tuple[str, str], ...], current: str) -> QComboBox:
    made = QComboBox()
    for value, title in entries:
        made.addItem(title, value)
    made.setCurrentIndex(max(0, made.findData(current)))
    return made
