"""Finding and replacing with the keyboard alone, and files that are told apart."""

from __future__ import annotations

from tests.desk.desk import Desk

CHOSEN = "editor().slice(editor().selectionStart(), editor().selectionEnd())"
COUNT = "window.editors.find_bar._count.text()"
TABS = "[window.editors.tabs.tabText(n) for n in range(window.editors.tabs.count())]"


def test_a_name_is_found_and_replaced_by_the_keyboard_alone(desk: Desk) -> None:
    desk.open("speed = 1;\nspin = speed;\ndisp(speed)\n")
    desk.to_editor()
    desk.key("ctrl+Home", "ctrl+h")
    desk.type("spe")
    desk.wait(f"{COUNT} == '1 of 3' and {CHOSEN} == 'spe'")
    desk.key("Return")
    desk.wait(f"{COUNT} == '2 of 3' and editor().caret_line == 2")
    desk.key("shift+Return")
    desk.wait(f"{COUNT} == '1 of 3' and editor().caret_line == 1")
    desk.type("ed")
    desk.key("Tab")
    desk.wait("focus() == 'Replace'")
    desk.type("pace")
    desk.key("Return")
    desk.wait("editor().line_text(0) == 'pace = 1;'")
    desk.wait(f"{COUNT} == '1 of 2' and {CHOSEN} == 'speed'")
    desk.key("Escape")
    desk.wait("focus() == 'editor'")
    desk.type("v")
    desk.wait("editor().text() == 'pace = 1;\\nspin = v;\\ndisp(speed)\\n'")


def test_two_files_of_one_name_are_told_apart(desk: Desk) -> None:
    desk.open("x = 1;\n", "same.m")
    (desk.folder / "sub").mkdir(exist_ok=True)
    other = desk.folder / "sub" / "same.m"
    other.write_text("y = x;\n")
    desk.ask(f"bool(window.take_files([Path({str(other)!r})]))")
    desk.wait(f"{TABS} == ['work/same.m', 'sub/same.m']")
    desk.to_editor()
    desk.type("z")
    desk.wait(f"{TABS} == ['work/same.m', 'sub/same.m •'] and window.isWindowModified()")
    desk.key("ctrl+z", "ctrl+w")
    desk.wait(f"{TABS} == ['same.m']")
    desk.wait("window.windowTitle() == 'same.m[*] – Fuselab' and not window.isWindowModified()")
