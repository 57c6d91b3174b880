"""What the pointer finds in the editor: values, functions, remarks, reasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QApplication, QToolTip

from app.engine.inspected import InspectVariable, VariablePage
from app.engine.protocol import VariableSummary
from app.engine.run_rows import GroupRow
from app.ui.editor import explanations
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Margin
from app.ui.editor.run_notes import RunNotes
from app.ui.editor.semantic_colouring import Colouring
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.run_model import reason_texts
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats

if TYPE_CHECKING:
    from app.engine.session.language_service import HelpPage


_NUMERIC = {"double", "single", "logical"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
LEAST_DRAWN, MOST_DRAWN = 8, 128


class Hover(QObject):
    """Shows a tooltip for what is under the resting pointer."""

    def __init__(
        self,
        editor: CodeEditor,
        colouring: Colouring,
        run_notes: RunNotes,
        run_model: RunModel,
        client: LanguageClient,
        describe: Callable[..., Text],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._colouring = colouring
        self._run_notes = run_notes
        self._run_model = run_model
        self._client = client
        self._describe = describe
        self._asked: tuple[InspectVariable, QPoint, VariableSummary] | None = None
        editor.dwellStart.connect(self._on_rest)
        editor.dwellEnd.connect(self._on_leave)

    def _on_rest(self, x: int, y: int) -> None:
        editor = self._editor
        if x < 0 or not editor.isActiveWindow():
            return
        place = editor.mapToGlobal(QPoint(x, y + 14))
        position = editor.positionFromPoint(x, y)
        line = editor.lineFromPosition(position) + 1
        if x < sum(editor.marginWidthN(m) for m in Margin):
            self._show(place, self.line_text(line))
            return
        position = editor.positionFromPointClose(x, y)
        if position >= 0:
            self._show_word(place, position)

    def _on_leave(self, _x: int, _y: int) -> None:
        QToolTip.hideText()

    def _show(self, place: QPoint, text: str) -> None:
        if text and QApplication.activePopupWidget() is None:  # it would lie over an open menu
            QToolTip.showText(place, text, self._editor)

    def _show_word(self, place: QPoint, position: int) -> None:
        remarks = [d.message for d in self._colouring.diagnostics_at(position)]
        remarks += [f.message for f in self._run_notes.at(position)]
        if remarks:
            self._show(place, "\n".join(remarks))
            return
        word = self._editor.word_at(position)
        variable = next((v for v in self._run_model.variables if v.name == word), None)
        if variable is not None:
            self._show_variable(place, variable)
        elif word.isidentifier():
            quick = self._editor.textLength() <= queries.QUICK
            text = self._describe(self._editor, whole=quick)
            question = partial(queries.function_help, text, word)
            self._client.ask("hover", question, partial(self._show_function, place))

    def _show_variable(self, place: QPoint, variable: VariableSummary) -> None:
        """What it is at once; its first values as a line when they arrive."""
        self._show(place, variable_text(variable))
        self._asked = None
        if variable.class_name in _NUMERIC and prod(variable.size) >= LEAST_DRAWN:
            wide = len(variable.size) == 2 and variable.size[0] == 1
            request = InspectVariable(
                variable.name,
                (0, 1 if wide else MOST_DRAWN),
                (0, MOST_DRAWN if wide else 1),
                computing=False,
            )
            self._asked = (request, place, variable)
            self._run_model.bridge.unsubscribe(VariablePage, self._on_page)
            self._run_model.bridge.subscribe(VariablePage, self._on_page)
            self._run_model.bridge.post(request)

    def _on_page(self, page: VariablePage) -> None:
        if self._asked is None or page.request != self._asked[0]:
            return
        _, place, variable = self._asked
        self._asked = None
        self._run_model.bridge.unsubscribe(VariablePage, self._on_page)
        line = formats.sparkline([v for row in page.values for v in row])
        if line and QToolTip.isVisible():
            self._show(place, f"{variable_text(variable)}\n{line}")

    def _show_function(self, place: QPoint, found: HelpPage | None) -> None:
        if found is not None:
            self._show(place, explanations.brief_html(found))

    def line_text(self, line: int) -> str:
        """What the run found out about a line: its groups, and why fusion stopped there."""
        name = str(self._editor.path or self._editor.untitled)
        groups, lines = self._run_model.groups_in(name), self._run_model.lines_in(name)
        parts = [
            f"{_group_title(group)}\n{reason_texts.decision(group)}"
            for group in groups
            if line in group.lines
        ]
        parts += [
            reason_texts.at_line(b, groups, lines)
            for b in self._run_model.boundaries
            if b.line == line and (b.file or name) == name
        ]
        return "\n\n".join(parts)


def variable_text(variable: VariableSummary) -> str:
    """A variable in two lines: what it is and where; its value when it is short."""
    what = (
        f"{variable.name}   {formats.size_text(variable.size)} {variable.class_name} · "
        f"{formats.bytes_text(variable.n_bytes)} · "
        f"{formats.WHERE_GLYPHS.get(variable.where, '')} {variable.where}"
    )
    told = f"{formats.size_text(variable.size)} {variable.class_name}"
    return what if variable.preview in ("", told) else f"{what}\n{variable.preview}"


def _group_title(group: GroupRow) -> str:
    return f"{reason_texts.KINDS.get(group.kind, group.kind)}: {' → '.join(group.ops)}"
