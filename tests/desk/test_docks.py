"""Panels that are dragged with the mouse, and borders between them."""

from __future__ import annotations

import time

from tests.desk.desk import Desk

AREA = "window.docks.areas['{}']"


def drag(desk: Desk, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Press, move in small steps, and stay there."""
    desk.screen.do("mousemove", *start, "mousedown", 1)
    for step in range(1, 21):
        part = step / 20
        desk.point(*(round(a + (b - a) * part) for a, b in zip(start, end, strict=True)))
        time.sleep(0.02)


def test_a_panel_is_dragged_to_another_area_and_has_the_keyboard(desk: Desk) -> None:
    place = desk.ask("window.docks.areas['bottom'].ids().index('tests')")
    bar = f"{AREA.format('bottom')}.tabBar()"
    left, top, *_ = desk.ask(f"place({bar})")
    x, y = desk.ask(f"(lambda p: [p.x(), p.y()])({bar}.tabRect({place}).center())")
    there = desk.ask(f"place({AREA.format('right2')})")
    middle = there[0] + there[2] // 2, there[1] + there[3] // 2
    drag(desk, (left + x, top + y), middle)
    desk.wait(f"{AREA.format('right2')}._target.isVisible()")
    assert desk.ask("[a.name for a in window.docks.areas.values() if a._target.isVisible()]") == [
        "right2"
    ]
    desk.screen.do("mouseup", 1)
    desk.wait("window.docks.area_of('tests') == 'right2' and in_front('tests')")
    desk.wait(f"{AREA.format('right2')}.isAncestorOf(QApplication.focusWidget())")
    assert not desk.ask("any(a._target.isVisible() for a in window.docks.areas.values())")


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
