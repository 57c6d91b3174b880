"""The command window: history, several lines, streams, floods."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QAbstractSlider
from pyside6_scintilla import Scintilla
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.protocol import OutputText, RunState
from app.engine.session import language_service
from app.ui.editor.surface import display_lines
from app.ui.panels.command_window import PROMPT_GAP, CommandWindow
from app.ui.panels.panel import Context
from app.ui.panels.transcript import MOST_LINES
from app.ui.run_model.command_history import History
from app.ui.support.theme import scintilla_colour, theme, theme_hub
from tests.ui.keys import PROGRAMS, sample, type_keys
from tests.ui.recorded import FakeEngine, deliver


@pytest.fixture
def console(context: Context, qtbot: QtBot) -> CommandWindow:
    """A command window on the screen."""
    console = CommandWindow(context)
    qtbot.addWidget(console)
    console.resize(600, 300)
    console.show()
    console.activateWindow()
    return console


def test_a_line_too_long_for_the_window_is_wholly_in_view(
    console: CommandWindow, qtbot: QtBot
) -> None:
    console.resize(320, 300)
    one = console.input.height()
    console.input.put(
        "y = cumsum(1:100) + a_name_of_some_length * another_quite_long_name(3, 4, 5);"
    )
    rows = (2, 3, 4)
    line = console.input.textHeight(0)
    qtbot.waitUntil(lambda: console.input.height() in [one + (n - 1) * line for n in rows])
    assert console.input.firstVisibleLine() == 0
    console.resize(1200, 300)
    qtbot.waitUntil(lambda: console.input.height() == one)


def requests(console: CommandWindow) -> list[protocol.Request]:
    """What was asked of the engine."""
    engine = console.context.bridge._engine
    assert isinstance(engine, FakeEngine)
    return engine.requests


def test_enter_runs_what_is_typed(console: CommandWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(console.input, "x = 1")
    qtbot.keyClick(console.input, Qt.Key.Key_Return)
    assert requests(console) == [protocol.RunText("x = 1", "<command>", echo=True)]
    assert console.transcript.text() == ">> x = 1"
    assert console.input.text() == ""


def test_a_block_waits_for_its_end(console: CommandWindow, qtbot: QtBot) -> None:
    for line in ("for k = 1:3", "disp(k)", "end"):
        qtbot.keyClicks(console.input, line)
        qtbot.keyClick(console.input, Qt.Key.Key_Return)
    (request,) = requests(console)
    assert isinstance(request, protocol.RunText)
    assert request.text == "for k = 1:3\n    disp(k)\nend"


def test_lines_of_programs_run_as_typed(console: CommandWindow) -> None:
    """Every line with all its brackets, then Enter; what is not whole goes on in the next one."""
    for line in sample(PROGRAMS, 150, 3):
        type_keys(console.input, line)
        if not language_service.is_complete(line):
            console.input.put("")
            continue
        type_keys(console.input, "\n")
        assert requests(console)[-1] == protocol.RunText(line, "<command>", echo=True)
        assert console.input.text() == ""


def test_a_matrix_goes_on_in_the_next_line(console: CommandWindow) -> None:
    type_keys(console.input, "a = [1, 2\n3, 4]\n")
    assert requests(console) == [protocol.RunText("a = [1, 2\n    3, 4]", "<command>", echo=True)]


def test_keys_pressed_in_the_output_mean_the_prompt(console: CommandWindow) -> None:
    console.transcript.write("some output\n")
    console.transcript.setFocus()
    type_keys(console.transcript, "x = (1)\n")
    assert requests(console) == [protocol.RunText("x = (1)", "<command>", echo=True)]


def test_a_click_beside_the_lines_means_the_prompt(console: CommandWindow, qtbot: QtBot) -> None:
    console.clearFocus()
    qtbot.mouseClick(console, Qt.MouseButton.LeftButton, pos=QPoint(300, 290))
    assert console.input.hasFocus()


def test_a_pause_shows_its_own_prompt(console: CommandWindow) -> None:
    bridge = console.context.bridge
    bridge.receive(protocol.StateChanged(RunState.PAUSED))
    deliver(bridge)
    type_keys(console.input, "x\n")
    assert console.input.prompt == "K>>"
    assert console.transcript.text() == "K>> x"
    bridge.receive(protocol.StateChanged(RunState.RUNNING))
    deliver(bridge)
    assert console.input.prompt == ">>"


def test_an_interrupt_is_told(console: CommandWindow) -> None:
    console.context.bridge.receive(protocol.RunFinished(1, "interrupted", 3.0))
    deliver(console.context.bridge)
    assert console.transcript.text() == "Operation terminated by user."


def test_up_searches_by_prefix(console: CommandWindow, qtbot: QtBot) -> None:
    for text in ("plot(x)", "y = 2", "plot(y)"):
        console.input.put(text)
        console.input.submit()
    qtbot.keyClicks(console.input, "pl")
    qtbot.keyClick(console.input, Qt.Key.Key_Up)
    assert console.input.text() == "plot(y)"
    qtbot.keyClick(console.input, Qt.Key.Key_Up)
    assert console.input.text() == "plot(x)"
    qtbot.keyClick(console.input, Qt.Key.Key_Down)
    qtbot.keyClick(console.input, Qt.Key.Key_Down)
    assert console.input.text() == "pl"


def test_the_history_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "history.txt"
    History(file).add("for k = 1:3\n  disp(k)\nend")
    assert History(file).entries == ["for k = 1:3\n  disp(k)\nend"]


def test_control_c_interrupts(console: CommandWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(console.input, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    engine = console.context.bridge._engine
    assert isinstance(engine, FakeEngine)
    assert engine.stopped == 1


def test_a_question_is_answered(console: CommandWindow, qtbot: QtBot) -> None:
    bridge = console.context.bridge
    bridge.receive(protocol.InputWanted("age? "))
    bridge.receive(protocol.StateChanged(RunState.WAITING_INPUT))
    deliver(bridge)
    qtbot.keyClicks(console.input, "42")
    qtbot.keyClick(console.input, Qt.Key.Key_Return)
    assert requests(console) == [protocol.ProvideInput("42")]
    assert console.transcript.text() == "age? 42"


def test_any_key_goes_on(console: CommandWindow, qtbot: QtBot) -> None:
    bridge = console.context.bridge
    bridge.receive(protocol.InputWanted("", any_key=True))
    bridge.receive(protocol.StateChanged(RunState.WAITING_INPUT))
    deliver(bridge)
    qtbot.keyClick(console.input, Qt.Key.Key_Shift)
    assert requests(console) == []
    qtbot.keyClick(console.input, Qt.Key.Key_X)
    assert requests(console) == [protocol.ProvideInput("")]
    assert console.input.text() == console.transcript.text() == ""


def test_an_answer_may_come_before_the_state(console: CommandWindow, qtbot: QtBot) -> None:
    # A question and the state of waiting may reach the window one after the other.
    bridge = console.context.bridge
    bridge.receive(protocol.StateChanged(RunState.RUNNING))
    bridge.receive(protocol.InputWanted("", any_key=True))
    deliver(bridge)
    qtbot.keyClick(console.input, Qt.Key.Key_Space)
    assert requests(console) == [protocol.ProvideInput("")]
    bridge.receive(protocol.StateChanged(RunState.WAITING_INPUT))
    bridge.receive(protocol.StateChanged(RunState.RUNNING))
    deliver(bridge)
    assert not console.input.asking


def test_what_is_typed_after_an_answer_is_a_command(console: CommandWindow, qtbot: QtBot) -> None:
    bridge = console.context.bridge
    bridge.receive(protocol.InputWanted("age? "))
    bridge.receive(protocol.StateChanged(RunState.WAITING_INPUT))
    deliver(bridge)
    for text in ("42", "x = 1"):
        qtbot.keyClicks(console.input, text)
        qtbot.keyClick(console.input, Qt.Key.Key_Return)
    answer, command = requests(console)
    assert answer == protocol.ProvideInput("42")
    assert isinstance(command, protocol.RunText)


def test_errors_can_be_clicked(console: CommandWindow, opened: list[tuple[str, int]]) -> None:
    frames = (("f", "/tmp/some folder/f.m", 3, 1), ("main", "/tmp/main.m", 9, 1))
    console.context.bridge.receive(protocol.ErrorRaised("a:b", "Bad.", frames))
    deliver(console.context.bridge)
    text = console.transcript.text()
    assert text.startswith("Error: Bad.\n")
    position = len(text[: text.index("main.m")].encode())
    console.transcript.hotSpotClick.emit(position, 0)
    assert opened == [("/tmp/main.m", 9)]


def test_a_million_lines_are_no_trouble(console: CommandWindow, qtbot: QtBot) -> None:
    chunk = "".join(f"line {n}\n" for n in range(50_000))
    for _ in range(20):
        console.context.bridge.receive(OutputText(chunk))
        deliver(console.context.bridge)
    assert console.transcript.lineCount() <= MOST_LINES * 1.1 + 1
    assert console.transcript.elided > 800_000
    assert console.transcript.text().endswith("line 49999")


def test_clc_empties_the_window(console: CommandWindow) -> None:
    console.transcript.write("a\n")
    console.context.bridge.receive(protocol.ClearScreen())
    deliver(console.context.bridge)
    assert console.transcript.text() == ""
    assert not console.transcript.isVisible()


def test_the_end_of_a_long_line_is_wholly_in_view(console: CommandWindow, qtbot: QtBot) -> None:
    """It is broken only when it is painted, after the view went to what was the end."""
    transcript = console.transcript
    for text in ("short\n" * 40, "word " * 60 + "\n"):
        console.context.bridge.receive(OutputText(text))
        deliver(console.context.bridge)
    qtbot.waitUntil(
        lambda: (
            transcript.firstVisibleLine() + transcript.linesOnScreen() >= display_lines(transcript)
        ),
    )


def test_the_newest_line_stays_in_view_when_the_room_shrinks(
    console: CommandWindow, qtbot: QtBot
) -> None:
    transcript = console.transcript
    console.context.bridge.receive(OutputText("short\n" * 40 + "word " * 60 + "\n"))
    deliver(console.context.bridge)

    def newest_in_view() -> bool:
        shown = transcript.firstVisibleLine() + transcript.linesOnScreen()
        return shown >= display_lines(transcript)

    qtbot.waitUntil(newest_in_view)
    for size in ((600, 130), (300, 260), (900, 90)):
        console.resize(*size)
        qtbot.waitUntil(newest_in_view)
    qtbot.wait(20)  # what the last change of room has asked for
    transcript.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    qtbot.waitUntil(lambda: transcript.firstVisibleLine() == 0 and not transcript._follows)
    console.resize(600, 200)
    qtbot.wait(50)
    assert transcript.firstVisibleLine() == 0


@pytest.mark.parametrize("prompt", [">>", "K>>"])
def test_what_is_typed_stands_below_what_was_typed(console: CommandWindow, prompt: str) -> None:
    console.transcript.write(f"{prompt} x = 1\n")
    console.input.set_prompt(prompt)
    console.input.put("x = 1")
    before, typed = console.transcript, console.input
    echoed = before.pointXFromPosition(len(prompt) + 1)
    assert abs(typed.pointXFromPosition(0) - echoed) <= 1
    assert typed.marginTypeN(0) == Scintilla.MarginType.RText
    assert abs(typed.marginWidthN(0) - PROMPT_GAP - before.pointXFromPosition(len(prompt))) <= 1


def test_the_output_is_shown_in_whole_lines_right_above_the_prompt(console: CommandWindow) -> None:
    for height in range(200, 230, 3):
        console.resize(600, height)
        console.transcript.write("x\n" * 60)
        QCoreApplication.processEvents()
        assert console.transcript.height() % console.transcript.textHeight(0) == 0
        assert console.input.y() == console.transcript.geometry().bottom() + 1


def shown_by_hand(pieces: list[str]) -> str:
    """What a backspace means, letter by letter."""
    kept: list[str] = []
    for letter in "".join(pieces):
        if letter != "\b":
            kept.append(letter)
        elif kept:
            kept.pop()
    return "".join(kept)


@pytest.mark.parametrize("seed", range(12))
def test_backspaces_take_away_what_was_printed(console: CommandWindow, seed: int) -> None:
    """Counters of progress: in whichever pieces they come, with line ends and other letters."""
    dice = random.Random(seed)
    pieces = ["".join(dice.choices("a1é😀\n\b\b", k=dice.randint(1, 9))) for _ in range(40)]
    for piece in pieces:
        console.transcript.write(piece)
    assert console.transcript.text() == shown_by_hand(pieces).removesuffix("\n")
    assert "\b" not in console.transcript.text()


def test_backspaces_leave_the_command(console: CommandWindow) -> None:
    console.echo("work")
    console.transcript.write("\a12" + 9 * "\b" + "13\n")
    assert console.transcript.text() == ">> work\n13"


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_warnings_have_another_colour_than_errors(console: CommandWindow, mode: str) -> None:
    theme_hub().set_mode(mode)
    texts = {"out": "y = 1\n", "warning": "Warning: see f.m:3\n", "err": "Error: in g.m:4\n"}
    for stream, text in texts.items():
        console.context.bridge.receive(OutputText(text, stream))
    deliver(console.context.bridge)
    shown = console.transcript

    def colours(line: int) -> set[int]:
        ends = shown.positionFromLine(line), shown.lineEndPosition(line)
        return {shown.styleFore(shown.styleAt(place)) for place in range(*ends)}

    wanted = [{scintilla_colour(theme()[token])} for token in ("text", "warning", "error")]
    assert [colours(line) for line in range(3)] == wanted
