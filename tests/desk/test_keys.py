"""Every shortcut wherever the keyboard is, and what the widgets' own keys do there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from tests.desk.conftest import SharedDesk
from tests.desk.desk import Desk, Screen
from tests.support.desk_keys import to_figure, to_find_box, to_grid, to_output, to_workspace, x_keys

# What a widget does itself with keys that are a command's elsewhere; anything else that a focus
# keeps for itself, or hands to two, fails.
OWN_KEYS = {
    "find box": ("edit.undo", "document.other"),
    "grid": ("edit.undo", "edit.redo", "edit.rename"),
}
# What the desktop or the console takes before any program sees it.
TAKEN = re.compile(r"Ctrl\+Alt\+(F\d+|T|L|D|Del|Left|Right|Up|Down)|Alt\+(F\d+|Tab|Space)|Meta\+.*")


FOCUSES: dict[str, Callable[[Desk], None]] = {
    "editor": Desk.to_editor,
    "prompt": Desk.to_prompt,
    "output": to_output,
    "workspace": to_workspace,
    "figure": to_figure,
    "grid": to_grid,
    "find box": to_find_box,
}


@pytest.fixture(scope="module")
def listening(
    screen: Screen, shared: SharedDesk, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """A full window, alone on its screen, whose commands only say that they were wanted."""
    shared.close()
    desk = Desk(screen, tmp_path_factory.mktemp("listening"))
    desk.open("alpha = 1;\nbeta = alpha;\n")
    desk.run("kept = magic(3); plot(kept)")
    desk.wait("figures() == [1]")
    desk.ask("listen()")
    yield desk
    desk.close()


@pytest.mark.parametrize("where", FOCUSES)
def test_every_shortcut_reaches_its_command_and_nothing_else(listening: Desk, where: str) -> None:
    desk = listening
    FOCUSES[where](desk)
    focused, shortcuts = desk.ask("focus()"), desk.ask("shortcuts()")
    own = OWN_KEYS.get(where, ())
    pressed = {name: found for name, found in shortcuts.items() if name not in own}
    desk.key(*(key for keys, _ in pressed.values() for key in x_keys(keys)))
    heard = desk.ask("(list(heard), heard.clear())[0]")
    assert heard == [name for name, (_, scope) in pressed.items() if where == "editor" or not scope]
    for name in own:
        desk.key(*x_keys(shortcuts[name][0]))
    if where == "grid":
        desk.wait("focus().startswith('New value of kept')")
        desk.key("Escape")
    assert desk.ask("heard") == []
    # What is typed over the output is meant for the prompt, the editor's own keys included.
    assert desk.ask("focus()") == ("Command" if where == "output" else focused)
    assert not desk.crashes()


def test_the_desktop_takes_none_of_them(listening: Desk) -> None:
    shortcuts = listening.ask("shortcuts()")
    assert len(shortcuts) > 40
    assert not [keys for keys, _ in shortcuts.values() if TAKEN.fullmatch(keys)]


def test_a_dialog_keeps_all_shortcuts_from_the_window(listening: Desk) -> None:
    desk = listening
    desk.ask("bool([window.controllers[0].settings()])")
    desk.wait("dialogs() != []")
    desk.key(*(key for keys, _ in desk.ask("shortcuts()").values() for key in x_keys(keys)))
    assert desk.ask("heard") == []
    desk.key("Escape")
    desk.wait("dialogs() == []")


def keymap_clashes(commands: dict[str, tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Keys that two commands claim where both can hear them: one lives inside the other's place."""
    by_keys: dict[str, list[str]] = {}
    for name, (keys, _scope) in commands.items():
        by_keys.setdefault(keys, []).append(name)
    return [(keys, names) for keys, names in by_keys.items() if len(names) > 1]


@pytest.mark.parametrize("keymap", ["fuselab", "matlab", "vscode"])
def test_no_two_commands_claim_one_shortcut(listening: Desk, keymap: str) -> None:
    listening.ask(f"window.commands.use_keymap({keymap!r})")
    try:
        assert keymap_clashes(listening.ask("shortcuts()")) == []
    finally:
        listening.ask("window.commands.use_keymap('fuselab')")


def test_alt_and_a_letter_open_the_menus_wherever_the_keyboard_is(desk: Desk) -> None:
    desk.open("x = 1;\n")
    popup = "QApplication.activePopupWidget()"
    for begin in (Desk.to_editor, Desk.to_prompt):
        begin(desk)
        before = desk.ask("focus()")
        text = desk.ask("editor().text()")
        for title in ("File", "Edit", "Code", "Run", "Debug", "View", "Help"):
            desk.key(f"alt+{title[0].lower()}")
            desk.wait(f"{popup} is not None and {popup}.title() == '&{title}'")
            desk.key("Escape")
            desk.wait(f"{popup} is None")
            desk.key("Escape")
            desk.wait(f"focus() == {before!r}")
        assert desk.ask("editor().text()") == text
        assert desk.ask("typed()") == ""
