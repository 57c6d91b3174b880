"""How a file is run: its arguments, the device, the seed of the random numbers."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLineEdit,
    QWidget,
)

from app.ui.widgets import form_dialog

DEVICES = (("", "as chosen"), ("auto", "by cost"), ("cpu", "CPU"), ("gpu", "GPU"))


@dataclass(frozen=True)
class Configuration:
    """How one file is run; empty texts mean: as always."""

    arguments: str = ""
    device: str = ""
    seed: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments one by one; quotes keep blanks together."""
        try:
            return tuple(shlex.split(self.arguments))
        except ValueError:
            return tuple(self.arguments.split())  # a quote that is not closed is a letter

    def as_row(self) -> dict[str, Any]:
        """As plain data, for the session."""
        return asdict(self)


class ConfigurationDialog(QDialog):
    """Edits the configuration of one file."""

    def __init__(
        self,
        parent: QWidget,
        name: str,
        before: Configuration,
        keep: Callable[[Configuration], None],
    ) -> None:
        super().__init__(parent)
        self._keep = keep
        self.setWindowTitle(f"How to run {name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.arguments = QLineEdit(before.arguments)
        self.arguments.setPlaceholderText("for a function file, such as 100 'some text'")
        self.arguments.setMinimumWidth(320)
        self.device = QComboBox()
        for value, title in DEVICES:
            self.device.addItem(title, value)
        self.device.setCurrentIndex(max(self.device.findData(before.device), 0))
        self.seed = QLineEdit(before.seed)
        self.seed.setPlaceholderText("as it comes; or a number for rng")
        fields = (("Arguments", self.arguments), ("Device", self.device), ("Seed", self.seed))
        form_dialog.fill(self, ((title, title, field) for title, field in fields), self._take)

    def _take(self) -> None:
        seed = self.seed.text().strip()
        self._keep(
            Configuration(
                self.arguments.text().strip(),
                self.device.currentData(),
                seed if seed.isdigit() else "",
            )
        )
