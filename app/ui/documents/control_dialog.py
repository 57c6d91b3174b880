"""What a control is: its label, limits and choices, and what runs when it changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QMessageBox, QPlainTextEdit, QWidget

from app.engine.livecode.appendix import Data, texts_in
from app.ui.documents.controls import TITLES
from app.ui.widgets import form_dialog

RUNS = (
    ("Section", "the section"),
    ("SectionToEnd", "the section and those below"),
    ("AllSections", "everything"),
    ("Nothing", "nothing"),
)
WHEN = (("ValueChanging", "while it moves"), ("ValueChanged", "when it is released"))
_NUMBERS = ("min", "max", "step")
WITH_NUMBERS = ("slider", "rangeslider", "spinner")


class ControlDialog(QDialog):
    """Edits the data of one control; ``keep`` gets them on OK, with what was changed alone."""

    def __init__(
        self, parent: QWidget, kind: str, data: Data, keep: Callable[[Data], None]
    ) -> None:
        super().__init__(parent)
        self._data, self._keep = data, keep
        kind = kind.lower()  # MATLAB writes datePicker
        self.setWindowTitle(f"Configure {TITLES.get(kind, kind)}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.label = QLineEdit(str(data.get("label", "")))
        self.label.setMinimumWidth(260)
        self.run = _choice(RUNS, str(data.get("run", "Section")))
        self.choices = {"run": self.run}
        rows: list[tuple[str, str, QWidget]] = [("Label", "Label", self.label)]
        self.numbers: dict[str, QLineEdit] = {}
        if kind in WITH_NUMBERS:
            self.numbers = {n: QLineEdit(str(data.get(n, ""))) for n in _NUMBERS}
            rows += [(n.capitalize(), n.capitalize(), field) for n, field in self.numbers.items()]
        self.items: QPlainTextEdit | None = None
        if kind == "dropdown":
            self.items = QPlainTextEdit("\n".join(self._shown_items()))
            self.items.setFixedHeight(110)
            rows.append(("Items, one per line: label = code", "Items", self.items))
        rows.append(("Runs", "Runs", self.run))
        if kind in WITH_NUMBERS:
            self.choices["runOn"] = _choice(WHEN, str(data.get("runOn", "ValueChanging")))
            rows.append(("When", "When", self.choices["runOn"]))
        form_dialog.fill(self, rows, self._take)

    def _shown_items(self) -> list[str]:
        items = texts_in(self._data, "items")
        labels = texts_in(self._data, "itemLabels")
        labels += [_label(item) for item in items[len(labels) :]]
        return [
            item if label == _label(item) else f"{label} = {item}"
            for item, label in zip(items, labels, strict=False)
        ]

    def accept(self) -> None:
        """Limits have to be numbers, and the lower one below the upper one."""
        problem = self._problem()
        if problem:
            QMessageBox.warning(self, self.windowTitle(), problem)
        else:
            super().accept()

    def _problem(self) -> str:
        for name, field in self.numbers.items():
            if field.text().strip() and _number(field.text()) is None:
                return f"{name.capitalize()}  must be a number, not {field.text().strip()}."
        limits = [_number(self.numbers[name].text()) for name in ("min", "max") if self.numbers]
        if len(limits) == 2 and None not in limits and limits[0] >= limits[1]:  # type: ignore[operator]
            return "Min must be below Max."
        step = _number(self.numbers["step"].text()) if self.numbers else None
        return "Step must be above 0." if step is not None and step <= 0 else ""

    def _take(self) -> None:
        made = dict(self._data)
        if self.label.text() != str(made.get("label", "")):
            made["label"] = self.label.text()
        for name, choice in self.choices.items():
            if choice.currentIndex() != choice.property("first"):
                made[name] = choice.currentData()
        for name, field in self.numbers.items():
            value = _number(field.text())
            if value is None:
                made.pop(name, None)
            elif field.text() != str(made.get(name, "")):
                made[name] = int(value) if value == int(value) else value
        if self.items is not None and self.items.document().isModified():
            lines = [line for line in self.items.toPlainText().split("\n") if line.strip()]
            pairs = [_item(line) for line in lines]
            made["itemLabels"] = [label for label, _ in pairs]
            made["items"] = [item for _, item in pairs]
        self._keep(made)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _label(item: str) -> str:
    """What an item is called where nothing is said of it."""
    return item.strip().strip("\"'")


def _item(line: str) -> tuple[str, str]:
    """Label and code of a line; a quoted text is code whatever it holds."""
    label, mark, code = line.partition(" = ")
    if not mark or line.lstrip()[0] in "\"'":
        return _label(line), line.strip()
    return label.strip(), code.strip()


def _choice(entries: tuple[tuple[str, str], ...], current: str) -> QComboBox:
    """A list at its current entry; what the file says and no entry does is one of its own."""
    made = QComboBox()
    for value, title in entries:
        made.addItem(title, value)
    if made.findData(current) < 0:
        made.addItem(current, current)
    made.setCurrentIndex(made.findData(current))
    made.setProperty("first", made.currentIndex())
    return made
