"""The settings dialog, generated from the declarations of ``app.settings``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.errors import UsageError
from app.settings import Declaration, Settings, Value, declarations
from app.ui.support import fonts
from app.ui.widgets.panel_parts import column, label

PAGE_WIDTH, PAGE_HEIGHT, FIELD_WIDTH = 150, 34, 210
_WORDS = {"gpu": "GPU", "matlab": "MATLAB", "vscode": "VS Code"}
"""Choices that are not written with one capital."""
_PAGES = ("Appearance", "Editor", "Engine", "Acceleration")


class Preferences(QDialog):
    """One page per group; a change holds at once and is kept when the dialog closes.

    ``more`` are further pages with their titles.
    """

    def __init__(self, parent: QWidget, settings: Settings, *more: tuple[str, QWidget]) -> None:
        super().__init__(parent)
        self.settings = settings
        self.setWindowTitle("Settings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 520)
        self.fields: dict[str, QWidget] = {}
        self._declared: dict[str, Declaration] = {}
        self._problem = label("", "error")
        self._pages = QStackedWidget()
        self._list = QListWidget()
        self._list.setObjectName("PageList")
        self._list.setFixedWidth(PAGE_WIDTH)
        self._list.setAccessibleName("Groups of settings")
        for title in _PAGES:
            self._list.addItem(title)
            self._pages.addWidget(self._page(title))
        for title, page in more:
            self._list.addItem(title)
            self._pages.addWidget(page)
        for row in range(self._list.count()):
            self._list.item(row).setSizeHint(QSize(PAGE_WIDTH, PAGE_HEIGHT))
        self._list.currentRowChanged.connect(self._pages.setCurrentIndex)
        self._list.setCurrentRow(0)
        self._arrange()
        self.finished.connect(self._keep)

    def _arrange(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._list)
        row.addWidget(self._pages, 1)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(12, 8, 12, 10)
        bottom.addWidget(self._problem, 1)
        bottom.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row, 1)
        layout.addLayout(bottom)

    def _page(self, group: str) -> QWidget:
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(14)
        for declared in declarations():
            if declared.group == group:
                self._add_row(layout, declared)
        layout.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    def _add_row(self, layout: QVBoxLayout, declared: Declaration) -> None:
        field = self._field(declared)
        field.setAccessibleName(title_of(declared))
        field.setAccessibleDescription(declared.description)
        field.setToolTip(f"Variable {declared.variable}, default {declared.default!r}")
        self.fields[declared.name] = field
        self._declared[declared.name] = declared
        about = label(declared.description, "muted")
        about.setWordWrap(True)
        words = column(label(title_of(declared), "title"), about, spacing=2)
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addWidget(words, 1)
        row.addWidget(field, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(row)

    def _field(self, declared: Declaration) -> QWidget:
        value: Value = getattr(self.settings, declared.name)
        change = partial(self._change, declared.name)
        if declared.type is bool:
            return _check(bool(value), change)
        if declared.choices:
            words = [_WORDS.get(choice, choice.capitalize()) for choice in declared.choices]
            return _choice(dict(zip(declared.choices, words, strict=True)), str(value), change)
        if declared.name == "editor_font":
            families = dict.fromkeys((str(value), *fonts.code_families()))
            shown = {"": f"{fonts.CODE_FAMILY} (shipped)"} | {
                name: name for name in families if name
            }
            return _choice(shown, str(value), change)
        return _line(str(value), change)

    def _change(self, name: str, raw: object) -> None:
        try:
            self.settings.set(name, raw)
        except UsageError as problem:
            title = title_of(self._declared[name])
            self._problem.setText(str(problem).replace(f"setting {name}", title, 1))
        else:
            self._problem.clear()

    def _keep(self) -> None:
        self.settings.save()

    def showEvent(self, event: QShowEvent) -> None:
        """The first page has the keyboard."""
        super().showEvent(event)
        self._list.setFocus()


def title_of(declared: Declaration) -> str:
    """A setting's name on its page: ``editor_tab_width`` is *Tab width* below *Editor*."""
    name = declared.name.removeprefix(f"{declared.group.lower()}_")
    return name.replace("_", " ").replace(" ms", " (ms)").capitalize()


def _check(value: bool, change: Callable[[object], None]) -> QCheckBox:
    box = QCheckBox()
    box.setChecked(value)
    box.toggled.connect(change)
    return box


def _choice(shown: dict[str, str], value: str, change: Callable[[object], None]) -> QComboBox:
    """A box of values and how they are shown."""
    box = QComboBox()
    for choice, words in shown.items():
        box.addItem(words, choice)
    box.setCurrentIndex(box.findData(value))
    box.setFixedWidth(FIELD_WIDTH)
    box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
    box.currentIndexChanged.connect(lambda: change(box.currentData()))
    return box


def _line(value: str, change: Callable[[object], None]) -> QLineEdit:
    line = QLineEdit(value)
    line.setFixedWidth(FIELD_WIDTH)
    line.editingFinished.connect(lambda: change(line.text()))
    return line
