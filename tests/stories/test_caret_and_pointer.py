"""What follows the caret and the pointer: pairs, blocks, size of the text, hovers, speech, colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QPalette, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import Style, Surface
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from app.ui.support.theme import load_theme, scintilla_colour, theme, theme_hub
from tests.support.window import run

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
CODE = "x = sum([1 2 (3)]);\nfor k = 1:2\n    if k\n        y = k;\n    end\nend\nz = (1;\n"


def focused(window: MainWindow, qtbot: QtBot) -> CodeEditor:
    """The editor in front with the keyboard."""
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    return editor


def split(window: MainWindow, qtbot: QtBot) -> CodeEditor:
    """The second view on the file in front."""
    QTest.keyClick(focused(window, qtbot), Qt.Key.Key_Backslash, CONTROL)
    second = window.editors.split.second
    assert second is not None
    qtbot.waitUntil(second.isVisible)
    return second


def brackets(editor: CodeEditor) -> dict[int, bool]:
    """The brackets painted as a pair (True) or as alone, by their places."""
    picture = editor.grab().toImage()
    scale = picture.devicePixelRatio()
    plain = {theme()["editor"], theme()["caret_line"]}
    found = {}
    for place, letter in enumerate(editor.text()):
        if letter in "()[]{}":
            corner = QPoint(editor.pointXFromPosition(place), editor.pointYFromPosition(place))
            wide, high = editor.textWidth(Style.Default, letter), editor.textHeight(0)
            area = [
                picture.pixelColor(round((corner.x() + x) * scale), round((corner.y() + y) * scale))
                for x in range(2, wide - 1)
                for y in range(2, high - 2)
            ]
            back = Counter(colour.name() for colour in area).most_common(1)[0][0]
            if back not in plain:
                found[place] = QColor(back).blue() > QColor(back).red()
    return found


def test_the_bracket_at_the_caret_shows_its_other_end(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(CODE, layout="focus")
    editor = focused(window, qtbot)
    editor.gotoPos(CODE.index("[") - 1)
    QTest.keyClick(editor, Qt.Key.Key_Right)  # between ( and [: the one before the caret counts
    qtbot.waitUntil(lambda: brackets(editor) == {7: True, CODE.index(";") - 1: True})
    QTest.keyClick(editor, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: brackets(editor) == {8: True, CODE.index("]"): True})
    QTest.keyClick(editor, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: brackets(editor) == {})
    editor.gotoPos(CODE.index("z = (1"))
    for _ in range(5):
        QTest.keyClick(editor, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: brackets(editor) == {CODE.rindex("("): False})


def blocks(editor: CodeEditor) -> list[int]:
    """The lines (from 1) with a keyword marked as part of a block."""
    starts = [editor.lineIndentPosition(line) for line in range(editor.lineCount())]
    return [n for n, s in enumerate(starts, 1) if editor.indicatorValueAt(Indicator.BLOCK, s)]


@pytest.mark.parametrize("second", [False, True])
def test_a_keyword_shows_its_block_in_both_views(
    open_window: Open, qtbot: QtBot, second: bool
) -> None:
    window = open_window(CODE, layout="focus")
    editor = split(window, qtbot) if second else focused(window, qtbot)
    editor.setFocus()
    editor.go_to(1)
    QTest.keyClick(editor, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: blocks(editor) == [2, 6])
    QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_End)
    QTest.keyClick(editor, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: blocks(editor) == [3, 5])
    QTest.keyClick(editor, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: blocks(editor) == [])


def turn(view: CodeEditor, steps: int) -> None:
    """Turn the wheel with Ctrl held."""
    place = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        place,
        view.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        CONTROL,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_both_views_are_zoomed_and_the_next_session_too(
    open_window: Open, qtbot: QtBot, tmp_path: Any
) -> None:
    window = open_window(CODE, layout="focus")
    window.store._folder = tmp_path
    second = split(window, qtbot)
    editor = window.editors.current()
    assert editor is not None
    sizes = lambda: {view.textHeight(0) for view in (editor, second)}  # noqa: E731
    (normal,) = sizes()
    turn(second, 3)
    (large,) = sizes()
    assert large > normal
    QTest.keyClick(second, Qt.Key.Key_Plus, CONTROL)
    (larger,) = sizes()
    assert larger > large
    opened = window.editors.new()
    assert opened.textHeight(0) == larger
    window.store.save()
    again = MainWindow(tmp_path, SessionStore(tmp_path))
    qtbot.addWidget(again)
    again.store.restore(again)
    assert {view.textHeight(0) for view in again.editors.editors()} == {larger}
    for left in again.editors.editors():
        left.setSavePoint()
    again.close()
    QTest.keyClick(opened, Qt.Key.Key_0, CONTROL)
    shown = (editor, opened, window.editors.split.second)
    assert {view.textHeight(0) for view in shown if view is not None} == {normal}


def rest_on(view: CodeEditor, qtbot: QtBot, place: int, wanted: str) -> str:
    """Move the real pointer to a letter and leave it there until a tip holds what is wanted."""
    for _ in range(10):
        corner = QPoint(view.pointXFromPosition(place) + 4, view.pointYFromPosition(place) + 8)
        for shift in (40, 1, 0):
            QTest.mouseMove(view.viewport(), corner + QPoint(shift, 0))
        try:
            qtbot.waitUntil(lambda: wanted in QToolTip.text(), timeout=2_000)
        except qtbot.TimeoutError:  # the margins have moved the text from below the pointer
            continue
        return QToolTip.text()
    return pytest.fail(f"no tip with {wanted}: {QToolTip.text()!r}")


@pytest.mark.parametrize("second", [False, True])
def test_the_resting_pointer_explains(open_window: Open, qtbot: QtBot, second: bool) -> None:
    text = "total = single([4 5 6]);\nbig = max(total);\n"
    window = open_window(text, layout="classic")
    run(window, qtbot)
    qtbot.waitUntil(lambda: {"total", "big"} <= {v.name for v in window.run_model.variables})
    view = split(window, qtbot) if second else focused(window, qtbot)
    qtbot.waitUntil(view.isActiveWindow)
    shown = rest_on(view, qtbot, text.index("total") + 1, "1×3 single")
    assert "12 B" in shown
    assert "host" in shown
    assert "4" in shown.splitlines()[-1]
    assert "argest" in rest_on(view, qtbot, text.index("max") + 1, "max(")
    QToolTip.hideText()


def styles(surface: Surface, length: int) -> list[int]:
    """The style of every letter."""
    surface.colourise(0, -1)
    return [surface.styleAt(place) for place in range(length)]


def test_commands_are_coloured_as_code(open_window: Open, qtbot: QtBot) -> None:
    code = "for k = 1:3, s = 'text'; end % note"
    window = open_window(code, layout="classic")
    editor, typed = focused(window, qtbot), window.command_window.input
    typed.setFocus()
    QTest.keyClicks(typed, code)
    assert typed.text() == code
    assert styles(typed, len(code)) == styles(editor, len(code))
    assert len(set(styles(typed, len(code)))) >= 5
    for style in range(9):
        assert typed.styleFore(style) == editor.styleFore(style)
    keyword = scintilla_colour(theme().syntax["keyword"])
    assert typed.styleFore(typed.styleAt(0)) == keyword


class System:
    """A desktop that is light or dark."""

    def __init__(self, hints: Any) -> None:
        self.hints, self.scheme = hints, Qt.ColorScheme.Dark

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802
        """What the desktop says."""
        return self.scheme

    def unsetColorScheme(self) -> None:  # noqa: N802
        """The window has no wish of its own."""

    def turn(self, scheme: Qt.ColorScheme) -> None:
        """The person changes the desktop's setting."""
        self.scheme = scheme
        self.hints.colorSchemeChanged.emit(scheme)


def test_the_window_follows_the_system_while_it_runs(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(CODE, layout="classic", asking=True)
    editor = focused(window, qtbot)
    system = System(QGuiApplication.styleHints())
    try:
        with monkeypatch.context() as patch:
            patch.setattr(QGuiApplication, "styleHints", lambda: system)
            window.commands.run("view.theme_system")
            for name in ("light", "dark", "light"):
                system.turn(getattr(Qt.ColorScheme, name.title()))
                wanted = load_theme(name)
                panel = QApplication.palette().color(QPalette.ColorRole.Window)
                assert panel == wanted.colour("panel")
                back = scintilla_colour(wanted["editor"])
                assert editor.styleBack(Style.Default) == back
                assert window.command_window.input.styleBack(Style.Default) == back
                corner = (
                    editor.grab().toImage().pixelColor(editor.width() - 60, editor.height() - 40)
                )
                assert corner.name() == wanted["editor"]
        window.use_theme("dark")
        system.turn(Qt.ColorScheme.Light)
        assert theme().dark
    finally:
        theme_hub().set_mode("dark")


def test_a_screen_reader_reads_text_caret_and_line(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = 'é€😀';\nb = 2;\n", layout="focus")
    editor = focused(window, qtbot)
    editor.go_to(1)
    QTest.keyClick(editor, Qt.Key.Key_Down)
    reader = QAccessible.queryAccessibleInterface(editor)
    assert reader.role() == QAccessible.Role.EditableText
    assert reader.text(QAccessible.Text.Name) == "Editor"
    assert reader.text(QAccessible.Text.Value) == editor.text()
    assert reader.text(QAccessible.Text.Description) == "Line 2 of 3: b = 2;"
    said = reader.textInterface()
    assert said.text(0, said.characterCount()) == editor.text()
    units = len("a = 'é€😀';\n".encode("utf-16-le")) // 2
    assert said.cursorPosition() == units
    QTest.keyClicks(editor, "cc")
    QTest.keyClick(editor, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    said = reader.textInterface()
    assert said.text(units, units + 8) == "ccb = 2;"
    assert said.cursorPosition() == units + 1
    assert said.selectionCount() == 1
    state = reader.state()
    assert state.multiLine and state.editable and state.focusable  # noqa: PT018
