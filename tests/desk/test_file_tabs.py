"""Tabs of files that are dragged with the mouse."""

from __future__ import annotations

from tests.desk.desk import Desk, drag

SPLIT = "window.editors.split"
NAMES = "[e.name for e in window.editors.editors()]"
SHOWN = f"[{SPLIT}.second and {SPLIT}.second.main.name, window.editors.tabs.currentWidget().name]"


def take(desk: Desk, index: int, across: float, down: float) -> None:
    """Drag a tab to a place in the area of the editor, given as shares of its size."""
    bar = "window.editors.tabs.tabBar()"
    left, top, *_ = desk.ask(f"place({bar})")
    x, y = desk.ask(f"(lambda p: [p.x(), p.y()])({bar}.tabRect({index}).center())")
    area = desk.ask(f"place({SPLIT})")
    end = area[0] + round(area[2] * across), area[1] + round(area[3] * down)
    drag(desk, (left + x, top + y), end)


def test_a_tab_is_dragged_into_a_second_view(desk: Desk) -> None:
    for name in "abc":
        desk.open(f"{name} = 1;\n", f"{name}.m")
    names = desk.ask(NAMES)
    for down, beside in ((0.5, 1), (0.95, 2)):
        take(desk, names.index("a.m"), 0.95 if beside == 1 else 0.3, down)
        desk.screen.do("mouseup", 1)
        desk.wait(f"{SHOWN} == ['a.m', 'c.m'] and {SPLIT}.second.hasFocus()")
        assert desk.ask(f"{SPLIT}.orientation().value") == beside
        first, second = desk.ask(f"{SPLIT}.sizes()")
        assert abs(first - second) < 20
        take(desk, names.index("b.m"), 0.95, 0.95)
        desk.screen.do("mouseup", 1)
        desk.wait(f"{SHOWN} == ['b.m', 'c.m']")
        desk.key("ctrl+w")
        desk.wait(f"{SPLIT}.second is None")
    take(desk, names.index("a.m"), 0.3, 0.4)
    desk.screen.do("mouseup", 1)
    take(desk, names.index("a.m"), 0.95, 0.5)
    desk.key("Escape")
    desk.screen.do("mouseup", 1)
    desk.run("disp(1)")
    assert desk.ask(f"{SPLIT}.second") is None
    assert desk.ask(NAMES) == names
