"""The first start: a quiet page, examples as copies, a tour for the keyboard, a question in time."""

from __future__ import annotations

import hashlib

from tests.desk.conftest import Start
from tests.desk.desk import ROOT, Desk

EXAMPLES = ROOT / "resources" / "examples"


def fingerprint() -> str:
    """What is in the folder of the examples."""
    texts = [p.name.encode() + p.read_bytes() for p in sorted(EXAMPLES.glob("*"))]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def test_the_first_start_is_quiet_and_keeps_the_examples_whole(start: Start) -> None:
    shipped = fingerprint()
    desk = start(first_start=True)
    assert desk.ask("seen('Welcome') and not window.editors.editors()")
    titles = "[link.text() for link in window.findChildren(QWidget, 'Link') if link.isVisible()]"
    assert "Open your own folder…" in desk.ask(titles)
    assert not desk.ask("seen('Trust in the current folder')")
    assert not desk.ask("seen('Tour')")
    desk.click("find('Quickstart')")
    desk.wait("editor() is not None and editor().name == 'quickstart.m'")
    copy = desk.home / "scripts" / "examples" / "quickstart.m"
    assert desk.ask("str(editor().path)") == str(copy)
    assert not desk.ask("seen('Trust in the current folder')"), "our own copies are trusted"
    desk.to_editor()
    desk.key("ctrl+Home")
    desk.type("% mine\n")
    desk.key("ctrl+s", "F5")
    desk.wait("figures() == [1] and state() == 'IDLE'")
    assert copy.read_text().startswith("% mine\n")
    assert fingerprint() == shipped
    desk.key("ctrl+w")
    desk.wait("seen('Welcome')")
    desk.click("find('quickstart.m')")
    desk.wait("editor() is not None and editor().text().startswith('% mine')")


def test_the_page_begins_scripts_and_finds_what_was_open(start: Start) -> None:
    desk = start(first_start=True)
    desk.click("find('New script')")
    desk.wait("editor() is not None and editor().text() == ''")
    desk.to_editor()
    desk.type("a = 1;\n")
    assert desk.ask("seen('Trust in the current folder')"), "a file is open: now it matters"
    desk.open("x = 2;\n", "kept.m")
    desk.ask("[editor().setSavePoint() for _ in window.editors.editors()] and None")
    desk.key("ctrl+w")
    desk.wait("len(window.editors.editors()) == 1")


def test_the_keyboard_goes_through_the_tour(desk: Desk) -> None:
    text = "keep = this;\n"
    desk.open(text)
    desk.to_editor()
    desk.ask("bool([window.later(lambda: window.commands.run('help.tour'))])")
    desk.wait("seen('Tour') and focus() == 'Tour'")
    number = "find('Tour').number"
    desk.key("Return")
    desk.wait(f"{number} == 1")
    desk.key("space", "Right")
    desk.wait(f"{number} == 3")
    desk.key("Left")
    desk.wait(f"{number} == 2")
    desk.type("never meant for the editor"[:5])
    desk.key("Escape")
    desk.wait("not seen('Tour') and focus() == 'editor'")
    assert desk.ask("editor().text()") == text
    desk.ask("bool([window.later(lambda: window.commands.run('help.tour'))])")
    desk.wait("seen('Tour')")
    desk.key(*["Return"] * 5)
    desk.wait("not seen('Tour') and focus() == 'editor'")
    assert desk.ask("editor().text()") == text


def test_a_new_script_takes_what_is_typed_next(desk: Desk) -> None:
    desk.to_prompt()
    desk.key("ctrl+n")
    desk.wait("editor() is not None")
    desk.type("a = 1;")
    desk.wait("editor().text() == 'a = 1;'", 10)


def test_what_draws_is_there_before_the_first_figure(start: Start) -> None:
    """Its modules take a second, in which the window stood still at the first ``plot``."""
    desk = start()
    desk.wait("'app.ui.plots.figure_panel' in __import__('sys').modules")
    assert desk.ask("figures()") == []
    desk.run("plot(1:3)")
    desk.wait("figures() == [1]")
