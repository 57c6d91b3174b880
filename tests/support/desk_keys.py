"""Keys as X calls them, and how the keyboard comes to a part of the window."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from tests.desk.desk import ROOT, Desk

# X's names of the keys that Qt calls otherwise.
X_NAMES = {
    "\\": "backslash",
    ",": "comma",
    "+": "plus",
    "-": "minus",
    "/": "slash",
    ".": "period",
    "`": "grave",
    "[": "bracketleft",
    "]": "bracketright",
    "Ctrl": "ctrl",
    "Shift": "shift",
    "Alt": "alt",
    "PgUp": "Prior",
    "PgDown": "Next",
    "Space": "space",
}


def x_keys(sequence: str) -> list[str]:
    """A sequence of Qt's as words for xdotool, one a chord."""
    return ["+".join(map(_x_name, _parts(chord))) for chord in sequence.split(", ")]


def _parts(chord: str) -> list[str]:
    return [*chord[:-2].split("+"), "+"] if chord.endswith("++") else chord.split("+")


def _x_name(part: str) -> str:
    return X_NAMES.get(part, part.lower() if len(part) == 1 else part)


def to_grid(desk: Desk) -> None:
    desk.click("window.panel('workspace').table.viewport()", (0.1, 0.03), times=2)
    desk.wait("in_front('variable') and window.panel('variable').current.model.rowCount() == 3")
    desk.click("window.panel('variable').current.grid.viewport()", (0.05, 0.1))
    desk.wait("focus() == 'Values'")


def to_figure(desk: Desk) -> None:
    desk.ask("bool([window.docks.show_panel('figures')])")
    desk.click("window.panel('figures').panel.current")


def to_find_box(desk: Desk) -> None:
    desk.ask("bool([window.editors.find_bar.open(replace=False)])")
    desk.click("window.editors.find_bar.field")


def to_output(desk: Desk) -> None:
    desk.click("window.command_window.transcript", (0.5, 0.2))


def to_workspace(desk: Desk) -> None:
    desk.click("window.panel('workspace').table.viewport()", (0.1, 0.05))


EXAMPLES = sorted((ROOT / "resources" / "examples").glob("*.m"))
NEW = "editor() is not None and editor().text() == ''"


def new_script(desk: Desk) -> None:
    """An empty script with the keyboard."""
    desk.open("x = 1;\n")
    desk.to_editor()
    desk.key("ctrl+n")
    desk.wait(NEW)


def lines_as_typed(file: Path, most: int) -> list[str]:
    """The lines of a program as somebody types them: what stands before them comes by itself."""
    lines = (line.strip() for line in file.read_text().rstrip().split("\n"))
    return list(islice((line for line in lines if line.isascii()), most))
