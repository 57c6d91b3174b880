"""Where panels go that an arrangement has no place for."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow


@pytest.mark.parametrize(
    ("layout", "area"),
    [("classic", "bottom"), ("debug", "bottom"), ("gpu", "middle"), ("focus", "middle")],
)
def test_a_panel_joins_others_before_it_takes_room_from_the_editor(
    window: MainWindow, qtbot: QtBot, layout: str, area: str
) -> None:
    window.use_layout("gpu", fresh=True)
    window.use_layout(layout, fresh=True)
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == area


def test_a_panel_comes_back_to_where_it_was_moved(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("classic", fresh=True)
    window.docks.move_panel("profile", "middle")
    assert window.docks.area_of("profile") == "middle"
    window.docks.hide_panel("profile")
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == "middle"
    window.docks.move_panel("kernels", "right")
    window.docks.hide_panel("profile")
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == "middle"
