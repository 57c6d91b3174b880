"""Texts too large to be understood while typing are shown and edited, and no more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.textfile import TextFile
from app.ui.editor import limits
from app.ui.editor.blocks import Blocks
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.editor_look import NOTE_STYLES
from app.ui.editor.marks import Margin, Marker
from app.ui.editor.run_marks import USUAL_TIME
from app.ui.editor.surface import (
    MATLAB,
    MOST_BEFORE,
    MOST_END,
    PLAIN,
    Style,
    lines_above,
    text_before,
)
from app.ui.panels.outline import entries

TEXT = "%% eins für alle\nx = 1;\n%% zwei\ny = 'ä';\n"


def _editor(text: str) -> CodeEditor:
    return CodeEditor(TextFile(text, "utf-8", "\n"), None)


def _marked(editor: CodeEditor) -> list[int]:
    lines = range(editor.lineCount())
    return [line for line in lines if editor.markerGet(line) & 1 << Marker.SECTION]


def test_a_large_text_is_plain(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LARGE_TEXT", len(TEXT) - 1)
    editor = _editor(TEXT)
    assert editor.large
    assert editor.language is PLAIN
    assert _marked(editor) == []
    assert entries(editor) == []
    editor.gotoPos(editor.textLength())
    assert editor.caret_offset() == len(TEXT)
    editor.deleteLater()


def test_a_text_at_the_limit_is_code(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LARGE_TEXT", len(TEXT))
    editor = _editor(TEXT)
    assert not editor.large
    assert editor.language is MATLAB
    assert _marked(editor) == [0, 2]
    assert [entry.line for entry in entries(editor)] == [1, 3]
    editor.gotoPos(editor.textLength())
    assert editor.caret_offset() == len(TEXT)
    editor.deleteLater()


def test_letters_of_one_width_are_not_measured_one_by_one(qapp: QApplication) -> None:
    editor = _editor("x = 1;\n")
    editor.apply_theme()
    styles = (0, *MATLAB.styles, Style.Default)
    assert all(editor.styleCheckMonospaced(style) for style in styles)
    editor.deleteLater()


def test_typing_looks_at_the_end_of_a_long_line(qapp: QApplication) -> None:
    editor = _editor("x = [" + "ä 1 " * MOST_BEFORE + "];\nsin(")
    before = text_before(editor, editor.textLength())
    assert before.endswith("];\nsin(")
    assert MOST_BEFORE - 5 < len(before.encode()) <= MOST_BEFORE
    assert "\ufffd" not in before
    assert text_before(_editor("sin("), 4) == "sin("
    editor.deleteLater()


@pytest.mark.parametrize(
    ("above", "indent"),
    [
        ("x = [{}];", ""),
        ("    x = [{}];", "    "),
        ("x = [{}", "    "),
        ("if any([{}])", "    "),
        ("  y = '{}';", "  "),
        ("for k = {{{}}}", "    "),
    ],
)
def test_a_line_below_a_long_one_has_its_place(qapp: QApplication, above: str, indent: str) -> None:
    editor = _editor(above.format("ä 1 " * MOST_END))
    assert len(lines_above(editor, 1)[0].encode()) <= 2 * MOST_END
    assert "\ufffd" not in lines_above(editor, 1)[0]
    blocks = Blocks(editor, lambda: False)
    editor.gotoPos(editor.textLength())
    blocks.new_line()
    assert editor.line_text(1) == indent
    editor.deleteLater()


def test_the_window_goes_on_while_a_large_text_is_put_in(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXT * 50
    monkeypatch.setattr(limits, "LARGE_TEXT", len(TEXT))
    monkeypatch.setattr(limits, "PIECE", len(text) // 10)
    turns: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: turns.append(1))
    timer.start(0)
    editor = _editor(text)
    timer.stop()
    assert len(turns) >= 10
    assert editor.text() == text
    assert not editor.canUndo()
    assert not editor.modified_text
    editor.add("x")
    assert editor.canUndo()
    editor.deleteLater()


def test_lines_without_times_are_not_walked(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = _editor(TEXT)
    cleared: list[int] = []
    monkeypatch.setattr(editor, "marginTextClearAll", lambda: cleared.append(1))
    editor.run_marks.show_times({})
    assert not cleared
    editor.run_marks.show_times({2: ("1 ms", "")})
    editor.run_marks.show_times({})
    editor.run_marks.show_times({})
    assert len(cleared) == 1
    editor.deleteLater()


@pytest.mark.parametrize(
    "times", [{2: ("1234 ms", "")}, {2: ("12.3 ms", "45.6 ms"), 3: ("1 ms", "")}, {}]
)
def test_times_have_room_at_every_size_of_letters(
    qapp: QApplication, times: dict[int, tuple[str, str]]
) -> None:
    editor = _editor(TEXT)
    editor.run_marks.reserve_times()
    editor.run_marks.show_times(times)
    widest = max(
        ("  ".join(filter(None, two)) for two in times.values()), key=len, default=USUAL_TIME
    )
    for zoom in (0, 6, 12, -4):
        editor.setZoom(zoom)
        needed = editor.textWidth(NOTE_STYLES["host"], widest)
        assert needed < editor.marginWidthN(Margin.TIMES) <= needed + 20
    editor.run_marks.hide_times()
    editor.setZoom(3)
    assert editor.marginWidthN(Margin.TIMES) == 0
    editor.deleteLater()
