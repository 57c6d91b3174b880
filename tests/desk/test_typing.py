"""Typing in the editor and at the prompt, with real keys: what is typed is what stands there."""

from __future__ import annotations

from tests.desk.desk import Desk
from tests.support.desk_keys import EXAMPLES, lines_as_typed, new_script

POPUPS = (
    "[w.objectName() for w in QApplication.topLevelWidgets() if w.isVisible() and w.objectName()]"
)


def test_programs_come_out_as_typed(desk: Desk) -> None:
    total = 0
    for file in EXAMPLES:
        new_script(desk)
        lines = lines_as_typed(file, 40)
        desk.type("\n".join(lines), delay_ms=1)
        found = desk.ask("editor().text()")
        assert [line.strip() for line in found.split("\n")] == lines
        total += len(lines)
    assert total >= 200


def test_brackets_quotes_and_blocks_beside_a_figure(desk: Desk) -> None:
    desk.run("plot(1:10)")
    new_script(desk)
    text = (
        "a=(1)\nb=[1 (2)]'\nif a, hold on\nend\ns = {'it''s', \"q\"};\nfor k = 1:3\ndisp(k)\nend\n"
    )
    desk.type(text)
    made = text.replace("\ndisp", "\n    disp")
    desk.wait(f"editor().text() == {made!r}", 10)
    desk.key("ctrl+a", "ctrl+r", "ctrl+r")
    desk.wait(f"editor().text() == {made!r}", 10)


def test_enter_runs_what_is_typed_at_the_prompt(desk: Desk) -> None:
    desk.run("hold on")
    desk.wait("output().endswith('>> hold on')")
    desk.run("for i=1:3, disp(i), end")
    desk.wait("output().rstrip().endswith('3')")
    desk.run("disp('(')")
    desk.wait("output().rstrip().endswith('(')")
    desk.to_prompt()
    desk.type("m = [1, 2\n3, 4]; disp(m(2, 1))\n")
    desk.wait("output().rstrip().endswith('3') and typed() == ''")
    assert not {"Completions", "SignatureTip"} & set(desk.ask(POPUPS))


def test_what_axes_do_not_know_is_an_error(desk: Desk) -> None:
    desk.run("plot(1:3)")
    for line in ("hold onCleanup", "grid endsWith", "axis nonsense", "box perhaps"):
        desk.run(f"clc; {line}")
        desk.wait("'Error: ' in output()")
        assert line.split()[1] in desk.ask("output()")


def test_the_list_is_taken_by_arrow_and_tab(desk: Desk) -> None:
    desk.run("measured = 1; measured_again = 2;")
    new_script(desk)
    desk.type("x = meas")
    desk.wait("'Completions' in " + POPUPS)
    desk.key("Down", "Return")
    desk.wait("editor().text() in ('x = measured', 'x = measured_again')")
    desk.type(";\ny = measured_a")
    desk.wait("'Completions' in " + POPUPS)
    desk.key("Tab")
    desk.wait("editor().text().endswith('y = measured_again')")
    desk.to_prompt()
    desk.type("measured_")
    desk.key("Tab")
    desk.wait("typed() == 'measured_again'")
    desk.key("Escape")


def test_the_call_tip_goes_with_the_call(desk: Desk) -> None:
    desk.to_prompt()
    desk.type("x = linspace(0, ")
    desk.wait("'SignatureTip' in " + POPUPS)
    assert "`" not in desk.ask("find('SignatureTip').text()")
    desk.type("1, 5);\n")
    desk.wait("'SignatureTip' not in " + POPUPS)
    desk.wait("state() == 'IDLE'")


def test_a_click_beside_the_prompt_means_the_prompt(desk: Desk) -> None:
    desk.open("keep = this;\n")
    desk.to_editor()
    desk.key("ctrl+a")
    desk.click("window.command_window", (0.5, 0.95))
    desk.wait("focus() == 'Command'")
    desk.enter("disp(42)")
    desk.wait("output().rstrip().endswith('42')")
    desk.to_editor()
    desk.key("ctrl+a")
    desk.click(
        "window.command_window.parentWidget().parentWidget().parentWidget().tabBar()", (0.02, 0.5)
    )
    desk.wait("focus() == 'Command'")
    assert desk.ask("editor().text()") == "keep = this;\n"


def test_a_run_that_is_stopped_or_paused_says_so(desk: Desk) -> None:
    desk.to_prompt()
    desk.enter("while true, end")
    desk.wait("state() == 'RUNNING'")
    desk.key("ctrl+c")
    desk.wait("'Operation terminated by user.' in output()", 10)
    desk.open("a = 1;\nb = 2;\n")
    desk.to_editor()
    desk.key("ctrl+Home", "F12", "F5")
    desk.wait("window.command_window.input.prompt == 'K>>'", 20)
    desk.to_prompt()
    desk.enter("dbquit")
    desk.wait("state() == 'IDLE' and window.command_window.input.prompt == '>>'", 20)


def test_what_is_typed_in_a_pause_is_dropped_before_the_script(desk: Desk) -> None:
    desk.to_prompt()
    desk.enter("keyboard")
    desk.wait("state() == 'PAUSED'", 20)
    desk.type("1 + wrong")
    desk.key("ctrl+c")
    desk.wait("typed() == ''")
    desk.enter("a = 41 + 1")
    desk.wait("output().rstrip().endswith('42')")
    assert desk.ask("state()") == "PAUSED"
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'", 20)


def test_a_selection_runs_where_the_script_is_paused(desk: Desk) -> None:
    desk.open("function y = twice(x)\ny = 2*x;\nend\n", "twice.m")
    desk.run(f"cd('{desk.folder}')")
    desk.ask("bool([editor().setFocus(), editor().go_to(2)])")
    desk.key("F12")
    desk.to_prompt()
    desk.enter("a = twice(21);")
    desk.wait("state() == 'PAUSED'", 20)
    desk.to_editor()
    desk.ask("bool([editor().go_to(2, 5)])")
    desk.key("shift+End", "shift+Left", "F9")
    desk.wait("output().rstrip().endswith('K>> 2*x\\nans =\\n\\n    42')")
    assert desk.ask("state()") == "PAUSED"
    desk.key("shift+F5")
    desk.wait("state() == 'IDLE'")


def test_whoever_writes_when_a_script_pauses_goes_on_writing(desk: Desk) -> None:
    desk.open("pause(1);\nx = 1;\ny = 2;\n")
    desk.to_editor()
    desk.key("ctrl+Home", "Down", "F12", "F5")
    desk.key("ctrl+n")
    desk.wait("editor().text() == ''")
    desk.type("first ")
    desk.wait("state() == 'PAUSED'", 20)
    desk.type("second")
    desk.wait("editor().text() == 'first second'")
    assert "Paused on line 2 of script.m" in desk.ask("window.status._notice.text()")
    desk.key("F10")
    desk.wait("editor().name == 'script.m' and focus() == 'editor'")
    desk.key("shift+F5")
    desk.wait("state() == 'IDLE'")


def test_a_script_that_is_begun_before_another_one_pauses_stays_in_front(desk: Desk) -> None:
    desk.open("pause(1.5);\nx = 1;\ny = 2;\n")
    desk.to_editor()
    desk.key("ctrl+Home", "Down", "F12", "F5")
    desk.key("ctrl+n")
    desk.wait("editor().text() == '' and state() == 'PAUSED'", 20)
    desk.type("mine")
    desk.wait("editor().text() == 'mine'")
    desk.key("shift+F5")
    desk.wait("state() == 'IDLE'")


def test_definition_back_and_renaming(desk: Desk) -> None:
    desk.open("function y = shared(x)\ny = x;\nend\n", "shared.m")
    desk.wait("[r.name.strip() for r in window.panel('outline').model.rows] == ['shared']", 20)
    desk.open("a = shared(1);\nb = shared(a);\n", "caller.m")
    desk.run(f"cd('{desk.folder}')")
    desk.to_editor()
    desk.key("ctrl+Home", *["Right"] * 6, "F4")
    desk.wait("editor().name == 'shared.m'")
    desk.key("alt+Left")
    desk.wait("editor().name == 'caller.m' and editor().caret_column == 7")
    desk.key("alt+Right")
    desk.wait("editor().name == 'shared.m' and editor().caret_line == 1")
    desk.key("alt+Left")
    desk.wait("editor().name == 'caller.m' and editor().caret_column == 7")
    desk.key("F2")
    desk.wait("'Rename shared' in str(dialogs())")
    desk.wait("type(QApplication.focusWidget()).__name__ == 'QLineEdit'")  # it has the keyboard
    desk.type("common")
    desk.screen.do("key", "Return")  # it is let go over a dialog that is not there any more
    desk.wait("editor().text() == 'a = common(1);\\nb = common(a);\\n'")
    desk.wait(f"Path({str(desk.folder / 'common.m')!r}).read_text().startswith('function y = com')")


def test_occurrences_and_columns(desk: Desk) -> None:
    desk.open("abc = 1;\nabc = 2;\nabc = 3;\n")
    desk.to_editor()
    desk.key("ctrl+Home", "ctrl+d", "ctrl+d")
    desk.type("z")
    desk.wait("editor().text() == 'z = 1;\\nz = 2;\\nabc = 3;\\n'")
    desk.key("Escape", "ctrl+Home", "ctrl+alt+shift+Down", "ctrl+alt+shift+Down")
    desk.type("q")
    desk.wait("editor().text() == 'qz = 1;\\nqz = 2;\\nqabc = 3;\\n'")


def test_who_closes_a_file_goes_on_in_the_next_or_at_the_prompt(desk: Desk) -> None:
    desk.open("a = 1;\n", "first.m")
    desk.open("b = 2;\n", "second.m")
    desk.to_editor()
    desk.key("ctrl+w")
    desk.type("% ")
    desk.wait("editor().text() == '% a = 1;\\n' or editor().text() == 'a = 1;\\n% '")
    desk.ask("bool([editor().setSavePoint()])")
    desk.key("ctrl+w")
    desk.type("x = 5")
    desk.wait("typed() == 'x = 5'")


def test_blocks_are_folded_at_the_caret(desk: Desk) -> None:
    desk.open("if a\n  for k = 1:3\n    x = k;\n  end\nend\ny = 1;\n")
    shown = "[n for n in range(6) if editor().lineVisible(n)]"
    desk.to_editor()
    desk.key("ctrl+Home", "Down", "Down")
    desk.key("ctrl+shift+bracketleft")
    desk.wait(f"{shown} == [0, 1, 4, 5]")
    desk.key("ctrl+shift+bracketleft")
    desk.wait(f"{shown} == [0, 5]")
    assert desk.ask("editor().lineFromPosition(editor().currentPos())") == 0
    desk.key("ctrl+shift+bracketright")
    desk.wait(f"{shown} == [0, 1, 4, 5]")
    desk.key("Down", "ctrl+shift+bracketright")
    desk.wait(f"{shown} == [0, 1, 2, 3, 4, 5]")
