"""Dialogs of a script: beside the window, never over it, and gone when the script goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.engine.protocol import Question
from app.ui.support.icons import pixmap
from app.ui.widgets import form_dialog
from app.ui.widgets.panel_parts import label

Answer = Callable[[tuple[str, ...]], None]
_TOKENS = {"Error": "error", "Warning": "transfer"}


def show_question(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    """Show a dialog; ``answer`` gets what was given, nothing when it was closed."""
    made = _MAKERS[question.kind](parent, question, answer)
    made.setModal(False)
    made.setWindowTitle(question.title or "Fuselab")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    made.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    made.show()
    return made


def _message(parent: QWidget, question: Question, _answer: Answer) -> QDialog:
    none, fine = QMessageBox.Icon.NoIcon, QMessageBox.StandardButton.Ok
    box = QMessageBox(none, "", question.prompts[0], fine, parent)
    token = _TOKENS.get(question.defaults[0], "accent")
    name = "warning" if token in _TOKENS.values() else "help"
    box.setIconPixmap(pixmap(name, token, 32, parent.devicePixelRatioF()))
    return box


def _buttons(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog, box = QDialog(parent), QDialogButtonBox()
    for choice in question.choices:
        button = QPushButton(choice)
        button.setDefault(choice in question.defaults)
        button.clicked.connect(partial(_take, dialog, answer, (choice,)))
        box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
    return _arranged(dialog, answer, label(question.prompts[0]), box)


def _texts(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog = QDialog(parent)
    fields = [QLineEdit(text) for text in question.defaults]
    rows = zip(question.prompts, question.prompts, fields, strict=False)
    form_dialog.fill(dialog, rows, lambda: answer(tuple(field.text() for field in fields)))
    dialog.rejected.connect(partial(answer, ()))
    return dialog


def _list(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog, choices = QDialog(parent), QListWidget()
    choices.addItems(question.choices)
    choices.setCurrentRow(0)
    choices.setAccessibleName(question.prompts[0])
    kinds = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(kinds.Ok | kinds.Cancel)

    def take() -> None:
        _take(dialog, answer, (str(choices.currentRow() + 1),))

    choices.doubleClicked.connect(take)
    box.accepted.connect(take)
    box.rejected.connect(dialog.reject)
    return _arranged(dialog, answer, label(question.prompts[0]), choices, box)


def _file(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog = QFileDialog(parent, question.title, question.defaults[0], _filter(question))
    if question.kind == "save":
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(question.defaults[0])
    elif question.kind == "folder":
        dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.accepted.connect(lambda: answer(tuple(dialog.selectedFiles()[:1])))
    dialog.rejected.connect(partial(answer, ()))
    return dialog


def _filter(question: Question) -> str:
    patterns = question.choices[0].replace(";", " ")
    return f"Files ({patterns});;All files (*)" if patterns else "All files (*)"


def _take(dialog: QDialog, answer: Answer, given: tuple[str, ...], *_checked: bool) -> None:
    answer(given)
    dialog.accept()


def _arranged(dialog: QDialog, answer: Answer, *parts: QWidget) -> QDialog:
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(16, 16, 16, 12)
    layout.setSpacing(12)
    for part in parts:
        layout.addWidget(part)
    dialog.rejected.connect(partial(answer, ()))
    return dialog


_MAKERS = cast(
    "dict[str, Callable[[QWidget, Question, Answer], QDialog]]",
    {
        "message": _message,
        "buttons": _buttons,
        "texts": _texts,
        "list": _list,
        "open": _file,
        "save": _file,
        "folder": _file,
    },
)
