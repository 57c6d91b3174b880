"""A run shows what it has made, whatever stood in front; the keyboard stays, unless a script asks."""

from __future__ import annotations

import pytest

from tests.desk.desk import Desk

CODE = "disp('hello from the script');\nplot(1:10);\n"


def front(desk: Desk, panel: str) -> None:
    """Bring a panel to the front by its tab, or by the menu's command."""
    desk.ask(f"bool([window.docks.show_panel({panel!r})])")
    desk.wait(f"in_front({panel!r})")


def test_f5_shows_output_and_figure_behind_other_panels(desk: Desk) -> None:
    desk.open(CODE)
    desk.run("figure(7);")
    front(desk, "help")
    front(desk, "problems")
    desk.to_editor()
    desk.key("F5")
    desk.wait("in_front('figures') and in_front('command') and 'hello' in output()")
    assert desk.ask("focus()") == "editor"
    # Whoever turns away keeps what he turned to, until the next run.
    front(desk, "help")
    desk.key("F5")
    desk.wait("in_front('figures')")


@pytest.mark.parametrize("layout", ["ctrl+1", "ctrl+2", "ctrl+3", "ctrl+4"])
def test_in_every_layout(desk: Desk, layout: str) -> None:
    desk.open(CODE)
    desk.to_editor()
    desk.key(layout)
    desk.key("F5")
    desk.wait("in_front('figures') and in_front('command') and 'hello' in output()")
    assert desk.ask("focus()") == "editor"


def test_an_error_is_seen(desk: Desk) -> None:
    desk.open("error('that went wrong');\n")
    front(desk, "find")
    desk.to_editor()
    desk.key("F5")
    desk.wait("in_front('command') and 'that went wrong' in output()")


def test_whoever_writes_in_front_of_the_output_goes_on_writing(desk: Desk) -> None:
    desk.open("pause(1.5); disp('late');\n")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    desk.key("ctrl+shift+f")
    desk.wait("in_front('find') and 'Find' in focus()")
    desk.type("some words")
    desk.wait("state() == 'IDLE' and 'late' in output()")
    desk.type(" more")
    assert desk.ask("QApplication.focusWidget().text()") == "some words more"
    assert desk.ask("window.docks.areas['bottom'].tabText(0)").endswith("●")
    front(desk, "command")
    assert desk.ask("window.docks.areas['bottom'].tabText(0)") == "Command Window"


def test_a_run_from_within_the_help_gives_the_keyboard_to_the_editor(desk: Desk) -> None:
    desk.open(CODE)
    desk.run("figure(7);")
    desk.to_editor()
    desk.key("F1")
    desk.wait("in_front('help')")
    desk.click("window.panel('help')", (0.5, 0.8))
    desk.key("F5")
    desk.wait("in_front('figures') and state() == 'IDLE'")
    assert desk.ask("focus()") == "editor"


def test_a_question_of_a_script_has_the_keyboard(desk: Desk) -> None:
    text = "n = input('How many? ');\npause\ndisp(n + 1)\n"
    desk.open(text, "asks.m")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'WAITING_INPUT' and focus() == 'Command'")
    desk.enter("3+4")
    desk.wait("window.command_window.input.any_key")
    desk.key("space")
    desk.wait("state() == 'IDLE' and output().split()[-1] == '8'")
    assert desk.ask("typed()") == ""
    assert desk.ask("editor().text()") == text


def test_a_question_leaves_the_keyboard_to_somebody_who_writes(desk: Desk) -> None:
    desk.open("pause(1)\nn = input('How many? ');\n", "asks_late.m")
    desk.to_editor()
    desk.key("ctrl+End")
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    desk.type("x = ")
    desk.wait("state() == 'WAITING_INPUT'")
    desk.type("1;")
    assert desk.ask("focus()") == "editor"
    assert desk.ask("editor().text()").endswith("x = 1;")
    desk.to_prompt()
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'")
