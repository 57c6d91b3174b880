"""A dialog of a few named fields above OK and Cancel."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget


def fill(
    dialog: QDialog, rows: Iterable[tuple[str, str, QWidget]], take: Callable[[], None]
) -> None:
    """Lay the rows out: title, accessible name and field of each; OK calls `take`."""
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(8)
    for title, name, field in rows:
        field.setAccessibleName(name)
        form.addRow(title, field)
    kinds = QDialogButtonBox.StandardButton
    buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(16, 16, 16, 12)
    layout.setSpacing(12)
    layout.addLayout(form)
    layout.addWidget(buttons)
    dialog.accepted.connect(take)
