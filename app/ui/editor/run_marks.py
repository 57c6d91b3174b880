"""What a run says in the text of its script: margins, ends of lines, tinted lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from app.ui.editor import marks
from app.ui.editor.editor_look import NOTE_STYLES, tint_caret_line
from app.ui.editor.marks import Indicator, Margin, Marker
from app.ui.editor.surface import whole_characters
from app.ui.run_model.line_parts import Part
from app.ui.support.theme import scintilla_colour, theme

if TYPE_CHECKING:
    from app.ui.editor.code_editor import CodeEditor
    from app.ui.editor.run_annotations import Bracket, Note


USUAL_TIME = "99.9 ms"
"""Few times are wider."""


class RunMarks:
    """The marks of a run, of its errors and of the place where it stands, in one editor."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._timed = False
        self._widest = ""

    def show(
        self, brackets: Iterable[Bracket], notes: Iterable[Note], heat: Mapping[int, int]
    ) -> None:
        """Show what a run found out about the lines."""
        self.clear()
        for line, level in heat.items():
            self._editor.markerAdd(line - 1, marks.HEAT_MARKERS[level])
        for bracket in brackets:
            self._editor.markerAdd(bracket.line - 1, marks.group_marker(bracket.side, bracket.part))
        for note in notes:
            self._editor.eOLAnnotationSetText(note.line - 1, "    " + whole_characters(note.text))
            self._editor.eOLAnnotationSetStyle(note.line - 1, NOTE_STYLES[note.side])

    def show_times(self, times: Mapping[int, tuple[str, str]]) -> None:
        """Show (host, device) times of lines in the margin.

        It becomes wider where they need it and never narrower: the text stays where it is.
        """
        if self._timed:  # else no line is walked
            self._editor.marginTextClearAll()
        self._timed = bool(times)
        texts = [self._widest]
        for line, (host, device) in times.items():
            text = "  ".join(part for part in (host, device) if part)
            styles = bytes([NOTE_STYLES["host"]]) * len(host.encode())
            styles += bytes([NOTE_STYLES["device"]]) * (len(text.encode()) - len(styles))
            self._editor.marginSetText(line - 1, text)
            self._editor.marginSetStyles(line - 1, styles.decode("ascii"))
            texts.append(text)
        if times:
            self._make_room(max(texts, key=self._width_of))

    def reserve_times(self) -> None:
        """Make room for times before there are any: what moves the text is the key that runs it."""
        self._make_room(max(self._widest, USUAL_TIME, key=self._width_of))

    def hide_times(self) -> None:
        """No times, and no margin."""
        self.show_times({})
        self._make_room("")

    def fit_times(self) -> None:
        """Give the times the room that they need at another size of letters."""
        self._make_room(self._widest)

    def _make_room(self, text: str) -> None:
        self._widest = text
        width = self._width_of(text) + 12 if text else 0
        self._editor.setMarginWidthN(Margin.TIMES, width)

    def _width_of(self, text: str) -> int:
        return self._editor.textWidth(NOTE_STYLES["host"], text)

    def focus_lines(self, lines: Iterable[int], side: str) -> None:
        """Tint the lines of the group that is chosen in the Fusion panel."""
        self._editor.markerDeleteAll(Marker.CHOSEN)
        self._editor.markerSetBack(Marker.CHOSEN, scintilla_colour(theme()[f"{side}_soft"]))
        for line in lines:
            self._editor.markerAdd(line - 1, Marker.CHOSEN)

    def focus_parts(self, parts: Iterable[Part]) -> None:
        """Frame the parts of lines that the chosen operations compute."""
        self._editor.clear_indicator(Indicator.PART)
        self._editor.setIndicatorCurrent(Indicator.PART)
        for line, start, end in parts:
            text, first = self._editor.line_text(line - 1), self._editor.positionFromLine(line - 1)
            before = len(text[:start].encode())
            self._editor.indicatorFillRange(first + before, len(text[start:end].encode()))

    def chosen_part(self) -> Part:
        """What is selected in the line of the caret; without a selection the caret."""
        first = self._editor.positionFromLine(self._editor.caret_line - 1)
        ends = (self._editor.selectionStart(), self._editor.selectionEnd())
        here = ends if ends[0] >= first else (self._editor.currentPos(), self._editor.currentPos())
        start, end = (self._editor.countCharacters(first, position) for position in here)
        return Part(self._editor.caret_line, start, end)

    def clear(self) -> None:
        """Forget what the last run said; an error stands until its script runs again."""
        errors = {line: self._editor.eOLAnnotationText(line) for line in self._error_lines()}
        self._editor.eOLAnnotationClearAll()
        for line, message in errors.items():
            self._say_error(line, bytes(message.data()).decode())
        for marker in (*marks.GROUP_MARKERS, *marks.HEAT_MARKERS, Marker.CHOSEN):
            self._editor.markerDeleteAll(marker)

    def show_error(self, line: int, message: str) -> None:
        """Mark the line of an error and say behind the line what it is."""
        self._editor.markerAdd(line - 1, Marker.ERROR_LINE)
        self._say_error(line - 1, f"    {message}")

    def _say_error(self, line: int, text: str) -> None:
        self._editor.eOLAnnotationSetText(line, whole_characters(text))
        self._editor.eOLAnnotationSetStyle(line, NOTE_STYLES["error"])

    def _error_lines(self) -> Iterator[int]:
        line = self._editor.markerNext(0, 1 << Marker.ERROR_LINE)
        while line >= 0:
            yield line
            line = self._editor.markerNext(line + 1, 1 << Marker.ERROR_LINE)

    def clear_errors(self) -> None:
        """Take all error marks away."""
        for line in self._error_lines():
            self.forget(line)

    def show_execution(self, line: int | None) -> None:
        """Mark where the script stands; None when it stands nowhere here."""
        self._editor.markerDeleteAll(Marker.EXECUTION)
        self._editor.markerDeleteAll(Marker.EXECUTION_LINE)
        tint_caret_line(self._editor, on=not line)
        if line:
            self._editor.markerAdd(line - 1, Marker.EXECUTION)
            self._editor.markerAdd(line - 1, Marker.EXECUTION_LINE)
            self._editor.go_to(line)

    def forget(self, line: int) -> None:
        """Take away what is said of a line (from 0), an error among it."""
        if self._editor.eOLAnnotationText(line).size():
            self._editor.eOLAnnotationSetText(line, "")
        self._editor.markerDelete(line, Marker.ERROR_LINE)
