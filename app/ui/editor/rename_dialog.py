"""Renaming with a preview: the new name, and every place that will change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.support.fonts import code_font
from app.ui.support.formats import distinct_names, plural
from app.ui.widgets.panel_parts import label

if TYPE_CHECKING:
    from app.engine.session.language_service import Occurrence, Renaming

_PLACE = Qt.ItemDataRole.UserRole
Apply: TypeAlias = "Callable[[Renaming, str, list[Occurrence]], None]"


class RenameDialog(QDialog):
    """Return renames the places that are ticked; what only reads like the name is not ticked."""

    def __init__(self, parent: QWidget, renaming: Renaming, apply: Apply) -> None:
        super().__init__(parent)
        self._renaming = renaming
        self._apply = apply
        self.setWindowTitle(f"Rename {renaming.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(680, 420)
        self.field = QLineEdit(renaming.name)
        self.field.setAccessibleName("New name")
        self.field.setFont(code_font())
        self.field.selectAll()
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Places that change")
        self.summary = label("", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.button = buttons.addButton("Rename", QDialogButtonBox.ButtonRole.AcceptRole)
        self.button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.field, self.tree, self.summary, buttons):
            layout.addWidget(part)
        self._fill()
        self.field.textChanged.connect(self._check)
        self.tree.itemChanged.connect(self._check)
        self._check()

    def _fill(self) -> None:
        files: dict[str, list[Occurrence]] = {}
        for place in self._renaming.places:
            files.setdefault(place.file, []).append(place)
        font = code_font()
        names = distinct_names([Path(file) for file in files])
        for name, (file, places) in zip(names, files.items(), strict=True):
            top = QTreeWidgetItem([f"{name}    {len(places)}"])
            top.setToolTip(0, file)
            top.setFlags(top.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            top.setFlags(top.flags() | Qt.ItemFlag.ItemIsAutoTristate)
            self.tree.addTopLevelItem(top)
            for place in places:
                more = "" if place.certain else "    (only a text)"
                row = QTreeWidgetItem([f"{place.line}: {place.text.strip()}{more}"])
                row.setFont(0, font)
                row.setData(0, _PLACE, place)
                state = Qt.CheckState.Checked if place.certain else Qt.CheckState.Unchecked
                row.setCheckState(0, state)
                top.addChild(row)
            top.setExpanded(len(files) == 1 or len(self._renaming.places) < 40)

    def chosen(self) -> list[Occurrence]:
        """The places that are ticked."""
        tops = (self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount()))
        rows = [top.child(n) for top in tops if top for n in range(top.childCount())]
        ticked = (r for r in rows if r and r.checkState(0) == Qt.CheckState.Checked)
        return [r.data(0, _PLACE) for r in ticked]

    def _check(self) -> None:
        """Say what will happen, or why it cannot."""
        new = self.field.text().strip()
        same = new == self._renaming.name
        objection = "" if same else self._renaming.objection(new)
        places = self.chosen()
        files = len({place.file for place in places})
        told = f"{plural(len(places), 'place')} in {plural(files, 'file')}"
        if self._renaming.home is not None and not same:
            told += f"; {self._renaming.home.name} becomes {new}.m"
        self.summary.setText(objection or told)
        self.button.setEnabled(not objection and not same and bool(places))

    def accept(self) -> None:
        """Rename."""
        if self.button.isEnabled():
            self._apply(self._renaming, self.field.text().strip(), self.chosen())
            super().accept()
