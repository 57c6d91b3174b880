"""Typing, marks and breakpoints in the editor of one file."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.protocol import Breakpoint
from app.textfile import TextFile
from app.ui.editor import run_annotations
from app.ui.editor.breakpoints import Stop
from app.ui.editor.caret_speech import CaretSpeech
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import NEW_FILE
from app.ui.editor.find_bar import FindBar
from app.ui.editor.marks import Margin, Marker
from app.ui.editor.number_clicks import line_beside
from app.ui.editor.surface import Element, Style
from app.ui.shell.editor_menu import margin_menu
from app.ui.support.fonts import CodeFont, use_code_font
from app.ui.support.theme import scintilla_colour, theme, theme_hub
from tests.ui.recorded import GROUPS


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """An empty script."""
    editor = CodeEditor(NEW_FILE, None)
    qtbot.addWidget(editor)
    editor.resize(600, 400)
    editor.show()
    editor.activateWindow()
    editor.setFocus()
    return editor


def test_enter_indents_and_end_goes_back(editor: CodeEditor, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "for k = 1:3")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "x = k;")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "end")
    assert editor.text() == "for k = 1:3\n    x = k;\nend"


def test_brackets_close_themselves(editor: CodeEditor, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "sin(")
    assert editor.text() == "sin()"
    assert editor.caret_column == 5


def test_verdicts_are_shown_and_forgotten(editor: CodeEditor) -> None:
    editor.setText("\n".join(f"line{n}" for n in range(1, 23)))
    editor.run_marks.show(
        run_annotations.brackets(GROUPS), run_annotations.notes(GROUPS, ()), {6: 2}
    )
    assert bytes(editor.eOLAnnotationText(6).data()).decode().strip() == (
        "GPU k2 · 4 ops fused · 110 µs"
    )
    assert editor.markerGet(5) & 1 << (Marker.DEVICE + 1)
    editor.run_marks.clear()
    assert editor.eOLAnnotationText(6).size() == 0
    assert not editor.markerGet(5) & 1 << (Marker.DEVICE + 1)


def test_editing_a_line_takes_its_note_away(editor: CodeEditor) -> None:
    editor.setText("a = 1;\nb = 2;\n")
    editor.run_marks.show((), [run_annotations.Note(2, "GPU", "device")], {})
    editor.insertText(editor.positionFromLine(1), "c")
    assert editor.eOLAnnotationText(1).size() == 0


def test_an_error_stands_behind_its_line_until_that_is_mended(editor: CodeEditor) -> None:
    editor.setText("a = 1;\nb = c;\n")
    editor.run_marks.show_error(2, "Unrecognized function or variable 'c'.")
    editor.run_marks.show((), [run_annotations.Note(1, "GPU", "device")], {})
    assert "Unrecognized" in bytes(editor.eOLAnnotationText(1).data()).decode()
    assert editor.markerGet(1) & 1 << Marker.ERROR_LINE
    editor.insertText(editor.positionFromLine(1) + 4, "1 + ")
    assert editor.eOLAnnotationText(1).size() == 0
    assert not editor.markerGet(1) & 1 << Marker.ERROR_LINE


def test_breakpoints_move_with_their_lines(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.setText("a = 1;\nb = 2;\nc = 3;\n")
    editor.stops.toggle(2)
    editor.stops.change(2, condition="a > 1")
    with qtbot.waitSignal(editor.breakpoints_changed):
        editor.insertText(0, "% new\n")
    assert editor.stops.all() == [(3, Stop(condition="a > 1"))]
    assert editor.stops.to_protocol("f.m") == (Breakpoint("f.m", 3, "a > 1"),)
    editor.stops.toggle(3)
    assert editor.stops.all() == []


def test_breakpoints_stand_on_lines_with_code(editor: CodeEditor) -> None:
    editor.setText(
        "function f\n% help\n\n%{\nx = 1;\n\ny\n%}\n... more\nz = 2; % two\nend\n% tail\n"
    )
    for line in (2, 3, 4, 5, 6, 7, 8, 9, 10):
        editor.stops.toggle(line)
        assert [at for at, _ in editor.stops.all()] == [10], line
        editor.stops.toggle(line)
        assert not editor.stops.all(), line
    editor.stops.toggle(12)
    assert [at for at, _ in editor.stops.all()] == [12], "no code follows"


def test_a_click_on_a_number_is_a_breakpoint_and_dragging_selects_lines(
    editor: CodeEditor, qtbot: QtBot
) -> None:
    editor.setText("a = 1;\nb = 2;\nc = 3;\n")
    editor.setSelection(3, 1)
    x = editor.marginWidthN(Margin.TIMES) + editor.marginWidthN(Margin.BREAKPOINTS) + 12
    second, third = (
        QPoint(x, editor.pointYFromPosition(editor.positionFromLine(line)) + 4) for line in (1, 2)
    )
    left, held = Qt.MouseButton.LeftButton, editor.viewport()
    qtbot.mouseClick(held, left, pos=second)
    qtbot.waitUntil(lambda: [at for at, _ in editor.stops.all()] == [2])
    assert (editor.anchor(), editor.currentPos()) == (1, 3), "the selection stays"
    qtbot.mouseClick(held, left, pos=second)
    qtbot.waitUntil(lambda: not editor.stops.all())
    qtbot.mousePress(held, left, pos=second)
    qtbot.mouseMove(held, third)
    qtbot.mouseRelease(held, left, pos=third)
    qtbot.wait(1)
    assert not editor.stops.all()
    assert editor.getSelText() == "b = 2;\nc = 3;\n"
    qtbot.mouseClick(held, left, Qt.KeyboardModifier.ShiftModifier, pos=second)
    qtbot.wait(1)
    assert not editor.stops.all()


def test_columns_are_dragged_from_where_the_button_is_pressed(
    editor: CodeEditor, qtbot: QtBot
) -> None:
    editor.setText("abcdef\n" * 4)
    editor.gotoPos(0)
    first, last = (
        QPoint(editor.pointXFromPosition(at) + 1, editor.pointYFromPosition(at) + 4)
        for at in (9, 26)
    )
    held = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.mousePress(editor.viewport(), Qt.MouseButton.LeftButton, held, first)
    qtbot.mouseMove(editor.viewport(), last)
    qtbot.mouseRelease(editor.viewport(), Qt.MouseButton.LeftButton, held, last)
    assert editor.ranges() == [(9, 12), (16, 19), (23, 26)]


def test_beside_a_line_its_breakpoint_has_a_menu(editor: CodeEditor) -> None:
    editor.setText("a = 1;\nb = 2;\n")
    y = editor.pointYFromPosition(editor.positionFromLine(1)) + 4
    assert line_beside(editor, QPoint(4, y)) == 2
    assert line_beside(editor, QPoint(300, y)) == 0

    def titles() -> list[str]:
        return [action.text() for action in margin_menu(editor, 2).actions()]

    assert titles() == ["Set Breakpoint", "Breakpoint Condition…"]
    margin_menu(editor, 2).actions()[0].trigger()
    assert titles() == ["Clear Breakpoint", "Breakpoint Condition…", "Disable Breakpoint"]
    margin_menu(editor, 2).actions()[2].trigger()
    assert editor.stops.all() == [(2, Stop(enabled=False))]


def test_sections_are_marked_as_they_are_typed(editor: CodeEditor, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "%% title")
    assert editor.markerGet(0) & 1 << Marker.SECTION
    editor.setText("x")
    assert not editor.markerGet(0) & 1 << Marker.SECTION


def test_text_beyond_ascii_keeps_its_columns(editor: CodeEditor) -> None:
    editor.setText("% äöü\nx = 'é';\n")
    editor.go_to(2, 6)
    assert (editor.caret_line, editor.caret_column) == (2, 6)
    assert editor.line_text(0) == "% äöü"


def test_find_marks_and_replace_all_is_one_step(editor: CodeEditor, qtbot: QtBot) -> None:
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.attach(editor)
    editor.setText("aa ab\nAa x\n")
    editor.emptyUndoBuffer()
    bar.open(replace=True)
    bar.field.setText("a+")
    assert bar._count.text() == "0 found"
    bar._options[2][0].setChecked(True)
    assert bar._count.text() == "1 of 3"
    bar.replacement.setText("<\\0>")
    assert bar.replace_all() == 3
    assert editor.text() == "<aa> <a>b\n<Aa> x\n"
    editor.undo()
    assert editor.text() == "aa ab\nAa x\n"
    bar.close_bar()


@pytest.fixture
def bar(editor: CodeEditor, qtbot: QtBot) -> FindBar:
    """The bar with its second row, on an editor."""
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.attach(editor)
    bar.open(replace=True)
    return bar


REPLACED = {
    "anchored": ("^a", "", "aaa\naab", "aa\nab", 2),
    "what follows": ("a(?=a)", "b", "aaa", "bba", 2),
    "groups": (r"(\w)(\d)", r"$2$1\t$0\$1", "a1 b2", "1a\ta1$1 2b\tb2$1", 2),
    "the match": ("b+", "<$&>", "abbc", "a<bb>c", 1),
    "empty places": ("x*", "-", "aéx", "-a-é--", 4),
    "ends of lines": ("$", ";", "a\n\nb", "a;\n;\nb;", 3),
    "lines": (",", r"\n", "a,b", "a\nb", 1),
}


@pytest.mark.parametrize("case", REPLACED)
def test_replacing_all_is_what_matched_the_text_as_it_was(
    editor: CodeEditor, bar: FindBar, case: str
) -> None:
    wanted, instead, before, after, count = REPLACED[case]
    editor.setText(before)
    bar.regular.setChecked(True)
    bar.field.setText(wanted)
    bar.replacement.setText(instead)
    assert bar.replace_all() == count
    assert editor.text() == after
    editor.undo()
    assert editor.text() == before


def test_one_match_that_looks_ahead_is_replaced(editor: CodeEditor, bar: FindBar) -> None:
    editor.setText("alphabet alpha")
    bar.regular.setChecked(True)
    bar.field.setText("alpha(?=bet)")
    bar.replacement.setText("A")
    bar.replace_one()
    assert editor.text() == "Abet alpha"


def test_the_next_empty_match_is_another_one(editor: CodeEditor, bar: FindBar) -> None:
    editor.setText("a\nb\n")
    bar.regular.setChecked(True)
    bar.field.setText("^")
    places = []
    for step in (bar.find_next, bar.find_next, bar.find_next, bar.find_previous):
        places.append(editor.currentPos())
        step()
    assert [*places, editor.currentPos()] == [0, 2, 4, 0, 4]


def test_what_is_no_regular_expression_says_so(editor: CodeEditor, bar: FindBar) -> None:
    editor.setText("(a")
    bar.field.setText("(a")
    assert bar._count.text() == "1 of 1"
    bar.regular.setChecked(True)
    assert bar._count.text() == "Not a regular expression"
    bar.field.setText("[(]a")
    assert bar._count.text() == "1 of 1"


def test_lines_that_are_selected_are_searched_alone(editor: CodeEditor, bar: FindBar) -> None:
    editor.setText("a\na\na\na\n")
    bar.close_bar()
    editor.setSel(2, 6)
    bar.open(replace=True)
    bar.field.setText("a")
    assert bar.inside.isChecked()
    assert bar._count.text() == "1 of 2"
    for _ in range(3):
        bar.find_next()
        assert 2 <= editor.selectionStart() < editor.selectionEnd() <= 6
    bar.find_previous()
    assert 2 <= editor.selectionStart() < editor.selectionEnd() <= 6
    bar.replacement.setText("aa")
    assert bar.replace_all() == 2
    assert bar.replace_all() == 4  # what was put is searched, and nothing else
    assert editor.text() == "a\naaaa\naaaa\na\n"
    bar.inside.click()
    assert bar._count.text().endswith("of 10")
    bar.close_bar()


@pytest.mark.parametrize("width", [320, 480, 1000])
def test_the_parts_of_the_bar_have_room(bar: FindBar, qtbot: QtBot, width: int) -> None:
    """In a narrow window the options were gone, and the buttons stood over the fields."""
    bar.resize(width, bar.height())
    bar.adjustSize()
    bar.resize(width, bar.sizeHint().height())
    layout = bar.layout()
    assert layout is not None
    layout.activate()
    parts = [p for kind in (QLineEdit, QToolButton, QPushButton) for p in bar.findChildren(kind)]
    boxes = [QRect(part.mapTo(bar, QPoint(0, 0)), part.size()) for part in parts]
    assert len(boxes) == 11
    for part, box in zip(parts, boxes, strict=True):
        assert bar.rect().contains(box)
        assert part.width() >= part.minimumSizeHint().width()
        assert not any(box.intersects(other) for other in boxes if other is not box)
    bar.close_bar()


def test_matches_are_counted_while_the_text_is_edited(
    editor: CodeEditor, bar: FindBar, qtbot: QtBot
) -> None:
    editor.setText("a b\n")
    bar.field.setText("a")
    editor.gotoPos(0)
    qtbot.keyClicks(editor, "a a ")
    qtbot.waitUntil(lambda: bar._count.text() == "3 found")
    editor.setText("")
    qtbot.waitUntil(lambda: bar._count.text() == "0 found")


@pytest.mark.parametrize("lines", [9, 999, 1000, 12_345, 2_000_000])
def test_the_numbers_of_all_lines_have_room(qtbot: QtBot, lines: int) -> None:
    """As the file is opened, not after an edit; in larger type as well."""
    editor = CodeEditor(TextFile("\n" * (lines - 1), "utf-8", "\n"), None)
    qtbot.addWidget(editor)
    points = CodeFont.points
    for size in (points, 2 * points):
        use_code_font("", size)
        theme_hub().changed.emit()
        needed = editor.textWidth(Style.LineNumber, str(lines))
        assert needed < editor.marginWidthN(Margin.NUMBERS) < needed + 60
    use_code_font("", points)
    theme_hub().changed.emit()


def test_what_is_looked_for_is_selected_while_one_types(editor: CodeEditor, qtbot: QtBot) -> None:
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.attach(editor)
    editor.setText("yes\nno = yes;\nyes yes\n")
    editor.go_to(2)
    bar.open(replace=True)

    def chosen() -> tuple[int, int, str]:
        return editor.caret_line, editor.caret_column, bar._count.text()

    qtbot.keyClicks(bar.field, "y")
    assert chosen() == (2, 7, "2 of 4")
    qtbot.keyClicks(bar.field, "es")
    assert chosen() == (2, 9, "2 of 4")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert chosen() == (3, 4, "3 of 4")
    bar.find_previous()
    bar.find_previous()
    assert chosen() == (1, 4, "1 of 4")
    bar.replacement.setText("x")
    bar.replace_one()
    assert chosen() == (2, 9, "1 of 3")
    bar.field.setText("nothing of it")
    assert bar._count.text() == "0 found"
    bar.close_bar()


def test_a_screen_reader_hears_lines_and_letters(editor: CodeEditor) -> None:
    speech = CaretSpeech(editor)
    editor.setText("a = 1;\n\nbé")
    editor.gotoPos(0)
    assert speech.to_say() == "a = 1;"
    editor.gotoPos(1)
    assert speech.to_say() == "space"
    assert speech.to_say() == ""
    editor.go_to(2)
    assert speech.to_say() == "blank"
    editor.go_to(3, 2)
    assert speech.to_say() == "bé"


def test_every_kind_of_selection_has_a_colour_of_the_theme(editor: CodeEditor) -> None:
    """Also that of text selected here while another program has selected text of its own."""
    ours = {scintilla_colour(theme()[name]) & 0xFFFFFF for name in ("selection", "accent_soft")}
    kinds = [kind for kind in Element if re.fullmatch(r"Selection\w*Back", kind.name)]
    assert len(kinds) == 5
    assert {editor.elementColour(kind) & 0xFFFFFF for kind in kinds} == ours
