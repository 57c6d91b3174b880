"""On every screen, in every layout and theme: nothing beside the screen, nothing cut."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.desk.conftest import Start
from tests.desk.desk import Desk, Screen, missing_tools

CODE = "kept = magic(4); words = 'some text'; plot(kept); disp(kept)\n"
SIZES = (
    (1280, 720, "1"),
    (1600, 1000, "1"),
    (1600, 1000, "2"),
    pytest.param((2560, 1440, "2"), marks=pytest.mark.campaign),
)


@pytest.fixture(params=SIZES, ids=lambda size: "{}x{}@{}".format(*size))
def sized(request: pytest.FixtureRequest) -> Iterator[tuple[Screen, str]]:
    """A screen and its scale factor."""
    if missing_tools():
        pytest.skip(f"not installed: {', '.join(missing_tools())}")
    width, height, scale = request.param
    made = Screen(width, height)
    yield made, scale
    made.close()


def inside(place: list[int], room: tuple[int, int]) -> bool:
    left, top, width, height = place
    return left >= 0 and top >= 0 and left + width <= room[0] and top + height <= room[1]


def whole(desk: Desk) -> list[str]:
    """What is cut, or stands beside the screen."""
    room = desk.screen.size
    parts = ("window", "window.statusBar()", "window.tool_bar", "window.menuBar()")
    wrong = [part for part in parts if not inside(desk.ask(f"place({part})"), room)]
    if desk.ask("seen('qt_toolbar_ext_button')"):
        wrong.append("the tool bar hides buttons")
    wrong += desk.ask("cut_buttons()")
    return wrong


def test_nothing_is_cut(sized: tuple[Screen, str], start: Start) -> None:
    screen, scale = sized
    desk = start(on=screen, QT_SCALE_FACTOR=scale)
    desk.open(CODE)
    desk.to_editor()
    desk.key("F5")
    desk.wait("figures() == [1] and state() == 'IDLE'")
    for theme in ("dark", "light"):
        desk.ask(f"bool([window.use_theme({theme!r})])")
        for number, layout in enumerate(("classic", "gpu", "debug", "focus"), 1):
            desk.key(f"ctrl+{number}")
            desk.wait(f"window.layout_name == {layout!r}")
            deadline = time.monotonic() + 10  # what has moved is arranged and painted first
            while (wrong := whole(desk)) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert not wrong, f"{theme} {layout}: {wrong}"
            if layout != "focus":
                columns = desk.ask("workspace_columns()")
                assert columns[:2] == ["Name", "Value"], f"{theme} {layout}: {columns}"


def test_the_workspace_shows_values_after_a_restart(start: Start) -> None:
    first = start()
    first.run("kept = magic(4); x = 0.0060491")
    first.key("ctrl+2")
    first.wait("window.layout_name == 'gpu'")
    first.screen.do("key", "ctrl+q")
    first.process.wait(30)
    again = start(home=first.home)
    again.run("kept = magic(4); x = 0.0060491")
    again.wait("len(window.run_model.variables) == 2")
    for number in (1, 2, 3):
        again.key(f"ctrl+{number}")
        again.wait("in_front('workspace')")
        assert {"Name", "Value", "Size"} <= set(again.ask("workspace_columns()"))
        assert again.ask("window.panel('workspace').table.columnWidth(0)") < 120
        assert not again.ask("window.panel('workspace').table.horizontalScrollBar().isVisible()")
