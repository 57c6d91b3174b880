"""Questions of a script: beside the window, never over it, and gone when the script goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QColorDialog,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.engine.dialog_state import Question
from app.paths import is_folder
from app.ui.support.icons import pixmap
from app.ui.widgets import form_dialog
from app.ui.widgets.panel_parts import label

Answer = Callable[[tuple[str, ...]], None]
_ICONS = {
    "error": ("warning", "error"),
    "warning": ("warning", "transfer"),
    "success": ("check", "good"),
    "question": ("help", "accent"),
    "info": ("help", "accent"),
}
"""The picture and the colour of each icon."""
TEXT_WIDTH = 420
LINES_WIDTH = 320


def show_question(
    parent: QWidget, question: Question, answer: Answer, *, keyboard: bool
) -> QDialog:
    """Show a dialog, with the keyboard in it or where it was; ``answer`` gets what was given,
    nothing when it was closed."""
    made = _MAKERS[question.kind](parent, question, answer)
    made.setModal(False)
    made.setWindowTitle(question.title or "Fuselab")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    made.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not keyboard)
    made.show()
    return made


def told(text: str, icon_name: str) -> QWidget:
    """A text that wraps and can be copied, beside its icon."""
    told_, row = QWidget(), QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(14)
    told_.setLayout(row)
    if icon_name in _ICONS:
        picture = QLabel()
        picture.setPixmap(pixmap(*_ICONS[icon_name], 32, told_.devicePixelRatioF()))
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
    words = label(text)
    words.setTextFormat(Qt.TextFormat.PlainText)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    words.setWordWrap(True)
    wide = max(map(words.fontMetrics().horizontalAdvance, text.split("\n"))) + 8
    words.setMinimumWidth(min(wide, TEXT_WIDTH))
    row.addWidget(words, 1, Qt.AlignmentFlag.AlignVCenter)
    return told_


def _buttons(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog, row = QDialog(parent), QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.addStretch(1)
    for choice in question.choices:
        button = QPushButton(choice)
        button.setDefault(choice in question.defaults)
        button.setAutoDefault(True)
        button.clicked.connect(partial(_take, dialog, answer, (choice,)))
        line.addWidget(button)
        if choice in question.defaults:
            button.setFocus()
    return _arranged_dialog(dialog, answer, told(question.prompts[0], question.icon), row)


def _texts(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog = QDialog(parent)
    lines = [int(n) for n in question.choices]
    fields = [
        _line(text) if n == 1 else _lines(text, n)
        for text, n in zip(question.defaults, lines, strict=True)
    ]
    rows = zip(question.prompts, question.prompts, fields, strict=True)
    form_dialog.fill(dialog, rows, lambda: answer(tuple(map(_text_of, fields))))
    dialog.rejected.connect(partial(answer, ()))
    return dialog


def _line(text: str) -> QLineEdit:
    field = QLineEdit(text)
    field.setMinimumWidth(220)
    field.selectAll()
    return field


def _lines(text: str, count: int) -> QPlainTextEdit:
    field = QPlainTextEdit(text)
    field.setTabChangesFocus(True)
    field.setMinimumWidth(LINES_WIDTH)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * min(max(count, 2), 12) + 14)
    return field


def _text_of(field: QLineEdit | QPlainTextEdit) -> str:
    return field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()


def _list(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog, choices = QDialog(parent), QListWidget()
    choices.addItems(question.choices)
    choices.setSpacing(2)
    choices.setAccessibleName(question.prompts[0])
    kinds, modes = QDialogButtonBox.StandardButton, QAbstractItemView.SelectionMode
    several = question.kind == "several"
    choices.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
    first = [int(n) - 1 for n in question.defaults] or [0]
    choices.setCurrentRow(first[0])
    for row in first:
        if 0 <= row < choices.count():
            choices.item(row).setSelected(True)
    box = QDialogButtonBox(kinds.Ok | kinds.Cancel)
    for kind, title in zip((kinds.Ok, kinds.Cancel), question.buttons, strict=False):
        box.button(kind).setText(title)

    def take() -> None:
        chosen = sorted(choices.row(item) for item in choices.selectedItems())
        _take(dialog, answer, tuple(str(row + 1) for row in chosen))

    choices.doubleClicked.connect(take)
    box.accepted.connect(take)
    box.rejected.connect(dialog.reject)
    choices.setFocus()
    return _arranged_dialog(dialog, answer, told(question.prompts[0], question.icon), choices, box)


def _file(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    start, modes = question.defaults[0], QFileDialog.FileMode
    place = Path(start).expanduser()
    folder = place if is_folder(place) else place.parent
    dialog = QFileDialog(parent, question.title, str(folder), ";;".join(question.choices))
    if question.kind == "save":
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    elif question.kind == "folder":
        dialog.setFileMode(modes.Directory)
    else:
        dialog.setFileMode(
            modes.ExistingFiles if "several" in question.kind else modes.ExistingFile
        )
    if start and not is_folder(place):
        dialog.selectFile(place.name)

    def take() -> None:
        kinds = (*question.choices, dialog.selectedNameFilter())
        index = kinds.index(dialog.selectedNameFilter()) + 1
        answer((str(index), *dialog.selectedFiles()))

    dialog.accepted.connect(take)
    dialog.rejected.connect(partial(answer, ()))
    return dialog


def _color(parent: QWidget, question: Question, answer: Answer) -> QDialog:
    dialog = QColorDialog(QColor(question.defaults[0]), parent)
    dialog.accepted.connect(lambda: answer((dialog.currentColor().name(),)))
    dialog.rejected.connect(partial(answer, ()))
    return dialog


def _take(dialog: QDialog, answer: Answer, given: tuple[str, ...], *_checked: bool) -> None:
    answer(given)
    dialog.accept()


def _arranged_dialog(dialog: QDialog, answer: Answer, *parts: QWidget) -> QDialog:
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
        "buttons": _buttons,
        "texts": _texts,
        "list": _list,
        "several": _list,
        "open": _file,
        "open several": _file,
        "save": _file,
        "folder": _file,
        "color": _color,
    },
)
