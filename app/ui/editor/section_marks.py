"""The lines where sections begin, marked and their titles tinted."""

from __future__ import annotations

from app.ui.editor import sections
from app.ui.editor.marks import Indicator, Marker
from app.ui.editor.surface import MATLAB, Surface

_SECTION = 1 << Marker.SECTION


def mark_all(editor: Surface) -> None:
    """Mark all section lines of a text with code that are not marked yet."""
    for number, line in enumerate(editor.lines() if editor.language is MATLAB else ()):
        if sections.is_section_line(line) and not editor.markerGet(number) & _SECTION:
            editor.markerAdd(number, Marker.SECTION)
            _tint_title(editor, number, on=True)


def mark(editor: Surface, number: int) -> None:
    """Mark a line (from 0) if it begins a section, and take the mark away if it does not."""
    is_section = sections.is_section_line(editor.line_text(number))
    marked = bool(editor.markerGet(number) & _SECTION)
    if is_section != marked:
        change = editor.markerAdd if is_section else editor.markerDelete
        change(number, Marker.SECTION)
    if is_section or marked:
        _tint_title(editor, number, on=is_section)


def _tint_title(editor: Surface, number: int, *, on: bool) -> None:
    start, end = editor.positionFromLine(number), editor.lineEndPosition(number)
    editor.setIndicatorCurrent(Indicator.SECTION_TITLE)
    change = editor.indicatorFillRange if on else editor.indicatorClearRange
    change(start, end - start)
