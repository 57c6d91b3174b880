"""Moving by meaning: occurrences of a name, its definition, renaming, quick fixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.paths import is_file
from app.source import Span
from app.ui.editor import sections
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.editor.semantic_colouring import Colouring, byte_spans
from app.ui.editor.split import text_editor
from app.ui.editor.surface import tell_moved
from app.ui.editor.text_changes import replace_range
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text

if TYPE_CHECKING:
    from app.engine.language import Diagnostic
    from app.engine.session.language_service import Definition, Renaming

REST_MS = 300
Describe = Callable[[CodeEditor], Text]


class Occurrences(QObject):
    """Marks all places of the name under the resting caret."""

    def __init__(
        self,
        editor: CodeEditor,
        client: LanguageClient,
        describe: Describe,
        *,
        with_keyboard: bool = False,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._client = client
        self._describe = describe
        self._with_keyboard = with_keyboard
        self._marked = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST_MS)
        self._timer.timeout.connect(self._ask_for_references)
        editor.caret_moved.connect(self._on_moved)

    def _on_moved(self) -> None:
        if self._marked:
            self._editor.clear_indicator(Indicator.OCCURRENCE)
            self._editor.clear_indicator(Indicator.BLOCK)
            self._marked = False
        if not self._with_keyboard or self._editor.hasFocus():
            self._timer.start()

    def _show_block(self) -> bool:
        """Mark the keywords of the block when the caret is on one of them."""
        editor = self._editor
        line = editor.caret_line
        start, end = sections.keyword_range(editor.line_text(line - 1))
        if not start < editor.caret_column <= end + 1:
            return False
        found = sections.block_lines(editor.lines(), line)
        editor.setIndicatorCurrent(Indicator.BLOCK)
        for number in found:
            start, end = sections.keyword_range(editor.line_text(number - 1))
            editor.indicatorFillRange(editor.positionFromLine(number - 1) + start, end - start)
        self._marked = bool(found)
        return self._marked

    def _ask_for_references(self) -> None:
        if self._editor.textLength() > queries.LARGE:
            return
        if self._show_block():
            return
        if self._editor.selectionEmpty():
            text = self._describe(self._editor)
            question = partial(queries.references, text, self._editor.caret_offset())
            topic = f"occurrences-{id(self)}"
            self._client.ask(topic, question, partial(self._show, text.text))

    def _show(self, text: str, spans: tuple[Span, ...]) -> None:
        if len(spans) < 2 or self._editor.text() != text:
            return
        self._editor.setIndicatorCurrent(Indicator.OCCURRENCE)
        for start, end in byte_spans(text, spans):
            self._editor.indicatorFillRange(start, end - start)
        self._marked = True


class Navigator(QObject):
    """What commands do with names: go to, rename, select everywhere, fix.

    Attributes:
        leaving: called before the caret jumps away.
        notice: a line for the status bar.
    """

    notice = Signal(str)

    def __init__(
        self,
        parent: QObject,
        client: LanguageClient,
        describe: Describe,
        open_file: Callable[[str, int], None],
        open_help: Callable[[str], None],
    ) -> None:
        super().__init__(parent)
        self.leaving: Callable[[], None] = lambda: None
        self._client = client
        self._describe = describe
        self._open_file = open_file
        self._open_help = open_help

    def go_to_definition(self, editor: CodeEditor, unsaved: Mapping[str, str]) -> None:
        """Go to where the name at the caret is defined: here, in another file, or in the help.

        ``unsaved`` has the texts of open files by path.
        """
        text = self._describe(editor)
        question = partial(queries.definition, text, editor.caret_offset(), unsaved)
        self._client.ask("definition", question, partial(self._go_to_definition, editor, text))

    def _go_to_definition(self, editor: CodeEditor, text: Text, found: Definition | None) -> None:
        if found is None:
            self.notice.emit("Nothing here has a definition")
            return
        files = [folder / f"{found.name}.m" for folder in text.folders()]
        file = next((f for f in files if is_file(f)), None)
        self.leaving()
        if found.file is not None:
            self._open_file(str(found.file), found.line)
        elif found.span is not None:
            start, end = byte_spans(text.text, [found.span])[0]
            editor.ensureVisible(editor.lineFromPosition(start))
            editor.setSel(start, end)
            tell_moved(editor)
        elif file is not None:
            self._open_file(str(file), 1)
        else:
            self._open_help(found.name)

    def rename(
        self,
        editor: CodeEditor,
        folder: Path,
        unsaved: Mapping[str, str],
        preview: Callable[[Renaming], object],
    ) -> None:
        """Rename the name at the caret.

        What only this file knows gets a caret in every place: typing renames it. What other files
        may call is shown to ``preview``. ``unsaved`` has the texts of open files by path.
        """
        text = self._describe(editor)
        question = partial(queries.renaming, text, editor.caret_offset(), folder, unsaved)
        show = partial(self._show_renaming, editor, text, preview)
        editor.renaming.wait()
        self._client.ask("rename", question, show)

    def _show_renaming(
        self,
        editor: CodeEditor,
        text: Text,
        preview: Callable[[Renaming], object],
        found: Renaming,
    ) -> None:
        here = all(place.file == text.name for place in found.places)
        if found.home is not None or found.problem or not here:
            preview(found)
            if found.problem:
                editor.renaming.hand_to(editor)
        else:
            self._select(editor, text.text, tuple(place.span for place in found.places))

    def _select(self, editor: CodeEditor, text: str, spans: tuple[Span, ...]) -> None:
        if not spans or editor.text() != text:
            editor.renaming.hand_to(editor)
            return
        here, ranges = editor.currentPos(), byte_spans(text, spans)
        ranges.sort(key=lambda r: not r[0] <= here <= r[1])
        editor.renaming.begin(ranges)

    def fixes(self, editor: CodeEditor) -> list[Diagnostic]:
        """The remarks on the caret's line that can be repaired at once."""
        colouring = text_editor(editor).findChild(Colouring)
        if not isinstance(colouring, Colouring):
            return []
        line = editor.caret_line
        return [d for d in colouring.diagnostics_on(line) if d.fix is not None]

    def apply_fix(self, editor: CodeEditor, diagnostic: Diagnostic) -> None:
        """Repair what a remark is about."""
        colouring = text_editor(editor).findChild(Colouring)
        fix = diagnostic.fix
        if fix is None or not isinstance(colouring, Colouring) or not colouring.current:
            return
        start, end = byte_spans(editor.text(), [fix.span])[0]
        replace_range(editor, start, end, fix.text)
