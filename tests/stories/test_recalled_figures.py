"""Figures of the last session are there again, until a script draws or somebody closes them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app import settings
from app.engine.protocol import FigureInput, RunState
from app.engine.session import saved_figures
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from app.ui.widgets.panel_parts import EmptyState
from tests.support.window import run


def opened(qtbot: QtBot, folder: Path, text: str) -> MainWindow:
    """A window with a session in ``folder`` and the engine behind it."""
    loaded = settings.load()
    loaded.set("device", "cpu")
    (folder / "draw.m").write_text(text)
    store = SessionStore(folder / "session")
    window = MainWindow(folder, store)
    qtbot.addWidget(window)
    window.use_layout("classic")
    store.restore(window)
    window.open_file(folder / "draw.m")
    window.show()
    window.bridge.start(application.engine_maker(loaded, ()))
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    return window


def titles(window: MainWindow) -> list[str]:
    """The titles of the axes of all figures that are shown."""
    panel: Any = window.panel("figures")
    if panel.panel is None:
        return []
    models = [canvas.figure.model for _, canvas in sorted(panel.panel.canvases.items())]
    return ["".join(model["children"][0]["title"]["String"]) for model in models]


def test_figures_come_back(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "session").mkdir()
    text = "plot(1:9)\ntitle('one')\nfigure\nimagesc(magic(9))\ntitle('two')\n"
    first = opened(qtbot, tmp_path, text)
    run(first, qtbot)
    qtbot.waitUntil((tmp_path / "session" / "figures").exists)
    first.close()

    second = opened(qtbot, tmp_path, "figure(2)\nplot(3:5)\ntitle('new')\n")
    qtbot.waitUntil(lambda: titles(second) == ["one", "two"])
    second.grab()
    panel: Any = second.panel("figures")
    panel.panel.show_figure(1)
    panel._post_or_close(FigureInput(1, "close"))
    qtbot.waitUntil(lambda: titles(second) == ["two"])
    run(second, qtbot)
    qtbot.waitUntil(lambda: titles(second) == ["new"])
    assert panel.currentWidget() is panel.panel
    second.run_code("close all")
    qtbot.waitUntil(lambda: isinstance(panel.currentWidget(), EmptyState))
    second.close()


def test_figures_outlive_sessions_that_draw_nothing(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that drew nothing took the figures of the session before."""
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "session" / "figures"
    kept.parent.mkdir()
    first = opened(qtbot, tmp_path, "plot(1:9)\ntitle('one')\nfigure\nplot(1:3)\ntitle('two')\n")
    run(first, qtbot)
    qtbot.waitUntil(kept.exists)
    first.close()
    second = opened(qtbot, tmp_path, "x = 1;\n")
    qtbot.waitUntil(lambda: titles(second) == ["one", "two"])
    run(second, qtbot)
    panel: Any = second.panel("figures")
    panel._post_or_close(FigureInput(1, "close"))
    run(second, qtbot)
    qtbot.waitUntil(lambda: list(saved_figures.recall(kept)) == [2])
    second.close()
    third = opened(qtbot, tmp_path, "close all\n")
    qtbot.waitUntil(lambda: titles(third) == ["two"])
    run(third, qtbot)
    qtbot.waitUntil(lambda: saved_figures.recall(kept) == {})
    third.close()


def test_a_kept_file_holds_numbers_only(tmp_path: Path) -> None:
    path = tmp_path / "figures"
    path.write_bytes(pickle.dumps({1: Path}))
    assert saved_figures.recall(path) == {}
    assert saved_figures.recall(tmp_path / "none") == {}
