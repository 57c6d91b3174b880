"""Colours and squiggles that need the whole text understood: functions, errors, warnings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from pyside6_scintilla import Scintilla

from app.source import SourceText, Span
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text

if TYPE_CHECKING:
    from app.engine.language import Diagnostic
    from app.engine.session.language_service import Analysis, OutlineEntry

PAUSE_MS = 250
LARGE_PAUSE_MS = 1500
_INDICATORS = {
    "error": Indicator.ERROR,
    "warning": Indicator.WARNING,
    "info": Indicator.INFO,
}


class Colouring(QObject):
    """Asks about an editor's text after every pause in typing and shows the answer.

    Only the lines in view are painted, so that a large file costs no more than a small one.
    """

    changed = Signal()

    def __init__(
        self, editor: CodeEditor, client: LanguageClient, describe: Callable[[CodeEditor], Text]
    ) -> None:
        super().__init__(editor)
        self.editor = editor
        self._describe = describe
        self.analysis: Analysis | None = None
        self._client = client
        self._text = ""
        self._calls: list[tuple[int, int]] = []
        self._own: set[tuple[int, int]] = set()
        self._painted = (0, 0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask_for_analysis)
        editor.modified.connect(self.look_again)
        editor.updateUi.connect(self._on_update)
        editor.resized.connect(self._on_resized)
        self._timer.start(PAUSE_MS)

    def look_again(self) -> None:
        """Something around the text is different now."""
        large = self.editor.textLength() > queries.LARGE
        self._timer.start(LARGE_PAUSE_MS if large else PAUSE_MS)

    def _on_update(self, what: int) -> None:
        if what & Scintilla.Update.VScroll and self.analysis is not None:
            self._paint_calls()

    def _on_resized(self) -> None:
        if self.analysis is not None:
            self._paint_calls()

    def _ask_for_analysis(self) -> None:
        text = self._describe(self.editor)
        question = partial(queries.analyse, text)
        self._client.ask(f"analysis-{id(self)}", question, partial(self._show, text.text))

    def _show(self, text: str, analysis: Analysis) -> None:
        self.analysis = analysis
        self._text = text
        self._calls = byte_spans(text, analysis.functions)
        self._own = set(byte_spans(text, sorted(analysis.own)))
        self._painted = (0, 0)
        self.editor.clear_indicator(Indicator.FUNCTION)
        self.editor.clear_indicator(Indicator.OWN_FUNCTION)
        self._paint_calls()
        for severity, indicator in _INDICATORS.items():
            spans = [_visible(d.span, text) for d in analysis.diagnostics if d.severity == severity]
            self.editor.clear_indicator(indicator)
            for start, end in byte_spans(text, spans):
                self.editor.indicatorFillRange(start, end - start)
        self.changed.emit()

    def _paint_calls(self) -> None:
        """Colour the calls in view that are not coloured yet."""
        editor = self.editor
        first = editor.docLineFromVisible(editor.firstVisibleLine())
        start = editor.positionFromLine(first)
        last = first + editor.linesOnScreen() + 1
        end = editor.positionFromLine(last) if last < editor.lineCount() else editor.textLength()
        if self._painted[0] <= start and end <= self._painted[1]:
            return
        self._painted = (start, end)
        self._paint_between(start, end)

    def show_calls(self, first: int, last: int) -> None:
        """Colour the calls in these lines (from 1), which another view shows."""
        if self.analysis is not None:
            start = self.editor.positionFromLine(max(0, first - 1))
            self._paint_between(start, self.editor.lineEndPosition(max(0, last - 1)))

    def _paint_between(self, start: int, end: int) -> None:
        editor = self.editor
        for index in range(bisect_left(self._calls, (start, 0)), len(self._calls)):
            call = self._calls[index]
            if call[0] > end:
                break
            own = call in self._own
            editor.setIndicatorCurrent(Indicator.OWN_FUNCTION if own else Indicator.FUNCTION)
            editor.indicatorFillRange(call[0], call[1] - call[0])

    def places_of(self, names: Collection[str]) -> list[tuple[int, int]]:
        """Byte ranges of the variables with these names."""
        if self.analysis is None:
            return []
        return byte_spans(self._text, [span for name, span in self.analysis.uses if name in names])

    @property
    def variables(self) -> frozenset[str]:
        """The names assigned in the text."""
        return self.analysis.variables if self.analysis else frozenset()

    @property
    def outline(self) -> tuple[OutlineEntry, ...]:
        """Functions and classes of the text."""
        return self.analysis.outline if self.analysis else ()

    @property
    def current(self) -> bool:
        """True when the analysis is of the text as it is now."""
        return self.analysis is not None and self.editor.text() == self._text

    def diagnostics_on(self, line: int) -> list[Diagnostic]:
        """The remarks that begin on a line (from 1)."""
        if self.analysis is None:
            return []
        source = SourceText("", self._text)
        return [
            d
            for d in self.analysis.diagnostics
            if source.line_of(_visible(d.span, self._text).start) == line
        ]

    def places(self) -> list[tuple[int, Diagnostic]]:
        """All remarks with their lines (from 1)."""
        if self.analysis is None:
            return []
        source = SourceText("", self._text)
        return [(source.line_of(d.span.start), d) for d in self.analysis.diagnostics]

    def diagnostics_at(self, position: int) -> list[Diagnostic]:
        """The remarks on the character at a byte position."""
        if self.analysis is None:
            return []
        text = self._text
        offset = len(text.encode()[:position].decode("utf-8", "replace"))
        return [
            d
            for d in self.analysis.diagnostics
            if _visible(d.span, text).start <= offset < _visible(d.span, text).end
        ]


def _visible(span: Span, text: str) -> Span:
    """A span of at least one character, so that there is something to underline."""
    start = min(span.start, max(len(text) - 1, 0))
    return Span(start, max(span.end, start + 1))


def byte_spans(text: str, spans: Iterable[Span]) -> list[tuple[int, int]]:
    """Character spans as byte ranges of the UTF-8 text."""
    if text.isascii():
        return [(s.start, s.end) for s in spans]
    result, character, byte = [], 0, 0
    for span in sorted(spans):
        if span.start < character:
            continue
        start = byte + len(text[character : span.start].encode())
        end = start + len(text[span.start : span.end].encode())
        result.append((start, end))
        character, byte = span.end, end
    return result
