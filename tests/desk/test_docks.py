"""Panels that are dragged with the mouse, and borders between them."""

from __future__ import annotations

from tests.desk.desk import Desk, drag

AREA = "window.docks.areas['{}']"


def tab_place(desk: Desk, area: str, panel: str) -> tuple[int, int]:
    """Where the tab of a panel is on the screen."""
    bar = f"{AREA.format(area)}.tabBar()"
    place = desk.ask(f"{AREA.format(area)}.ids().index({panel!r})")
    left, top, *_ = desk.ask(f"place({bar})")
    x, y = desk.ask(f"(lambda p: [p.x(), p.y()])({bar}.tabRect({place}).center())")
    return left + x, top + y


def test_a_panel_is_dragged_to_another_area_and_has_the_keyboard(desk: Desk) -> None:
    there = desk.ask(f"place({AREA.format('right2')})")
    middle = there[0] + there[2] // 2, there[1] + there[3] // 2
    drag(desk, tab_place(desk, "bottom", "tests"), middle)
    desk.wait(f"{AREA.format('right2')}._target.isVisible()")
    assert desk.ask("[a.name for a in window.docks.areas.values() if a._target.isVisible()]") == [
        "right2"
    ]
    desk.screen.do("mouseup", 1)
    desk.wait("window.docks.area_of('tests') == 'right2' and in_front('tests')")
    desk.wait(f"{AREA.format('right2')}.isAncestorOf(QApplication.focusWidget())")
    assert not desk.ask("any(a._target.isVisible() for a in window.docks.areas.values())")


def test_escape_puts_a_dragged_panel_back(desk: Desk) -> None:
    before = desk.ask("window.docks.save()['areas']")
    start = tab_place(desk, "bottom", "tests")
    there = desk.ask("place(window.editors)")
    drag(desk, start, (there[0] + there[2] // 2, there[1] + there[3] // 2))
    desk.key("Escape")
    desk.screen.do("mouseup", 1)
    desk.run("disp(1)")
    assert desk.ask("window.docks.save()['areas']") == before
    assert desk.ask("list(window.docks._floating)") == []


def test_a_panel_dropped_beside_all_areas_floats_over_the_window(desk: Desk) -> None:
    desk.open("disp('with a panel over it')\n")
    there = desk.ask("place(window.editors)")
    drop = there[0] + there[2] // 2, there[1] + there[3] // 2
    drag(desk, tab_place(desk, "bottom", "tests"), drop)
    desk.screen.do("mouseup", 1)
    desk.wait("list(window.docks._floating) == ['tests']")
    left, top, width, height = desk._settled_place("window.docks._floating['tests']")
    screen = desk.ask("window.screen().availableGeometry().getRect()")
    assert -60 < drop[0] - left < width
    assert -60 < drop[1] - top < height
    assert left + width <= screen[0] + screen[2]
    assert top + height <= screen[1] + screen[3]
    desk.click("window.statusBar()")
    desk.wait("window.isActiveWindow()")
    assert not desk.ask(f"is_on_top({left + 20}, {top + 20})")
    desk.click("window.docks._floating['tests']")
    desk.wait("window.docks._floating['tests'].isActiveWindow()")
    desk.key("F5")
    desk.wait("'with a panel over it' in output()")
    desk.ask("window.docks.dock_panel('tests')")


def test_the_border_of_the_command_window_follows_the_mouse(desk: Desk) -> None:
    left, top, width, height = desk.ask(f"place({AREA.format('bottom')})")
    at = left + width // 2, top - 1
    desk.point(*at)
    drag(desk, at, (at[0], at[1] - 80))
    desk.screen.do("mouseup", 1)
    desk.wait(f"abs(place({AREA.format('bottom')})[3] - {height + 80}) <= 4")
    desk.run("disp(1:3)")
    desk.wait(
        "window.command_window.transcript.height() % "
        "window.command_window.transcript.textHeight(0) == 0"
    )
