"""Scenarios of a person at the desk: the whole program on a screen, real keys and clicks.

An X server (Xvfb) with a window manager (openbox) runs the product in a process of its own. What a
scenario *does* goes through the X server (xdotool); what it *sees* it asks through a socket that only
the tests' own starter opens (``inspected``): geometry, texts, focus, clipboard. A scenario fails, too,
when the window wrote a crash report or complained on standard error meanwhile.

To add one, write what a person does for a minute::

    def test_what_a_person_would_call_it(desk: Desk) -> None:
        desk.open("x = 1;")                      # a file in a tab
        desk.run("plot(1:10)")                   # at the prompt, until it is idle again
        desk.to_editor()                         # a click
        desk.key("ctrl+End"); desk.type("y = 2;")
        desk.wait("editor().text() == 'x = 1;y = 2;'")

* ``desk`` is one window for all files, cleared up between scenarios (``reset``); ``start`` gives a
  fresh process, for settings, first starts, other screens. Prefer ``desk``: a start takes seconds.
* Wait for conditions, never for time; assert with ``ask`` only what the keys before it have decided
  (``key``, ``type`` and ``click`` return once the window has handled them).
* Questions are expressions over the names in ``inspected``: ``focus()``, ``output()``, ``figures()``,
  ``place(widget)``, ``window``…; they read, they never do the scenario's work.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.desk.desk import Desk, Screen, missing_tools

Start = Callable[..., Desk]


@pytest.fixture(scope="session")
def screen() -> Iterator[Screen]:
    """A screen of 1600×1000 with a window manager."""
    if missing_tools():
        pytest.skip(f"not installed: {', '.join(missing_tools())}")
    made = Screen()
    yield made
    made.close()


class SharedDesk:
    """The window that scenarios use one after another; a fresh one after a scenario that failed."""

    def __init__(self, screen: Screen, folders: pytest.TempPathFactory) -> None:
        self._screen, self._folders = screen, folders
        self._desk: Desk | None = None

    def take(self, folder: Path) -> Desk:
        """The window, cleared up for a scenario in a folder."""
        if self._desk is None:
            self._desk = Desk(self._screen, self._folders.mktemp("desk"))
        self._desk.reset(folder)
        return self._desk

    def close(self) -> None:
        """End it; the next scenario starts another."""
        desk, self._desk = self._desk, None
        if desk is not None:
            desk.close()


@pytest.fixture(scope="session")
def shared(screen: Screen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedDesk]:
    """The window of all scenarios that need none of their own."""
    made = SharedDesk(screen, tmp_path_factory)
    yield made
    made.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The window of a scenario that failed may be in any state: it is not used again."""
    report = yield
    shared = getattr(item, "funcargs", {}).get("shared")
    if report.failed and isinstance(shared, SharedDesk):
        shared.close()
    return report


@pytest.fixture
def desk(shared: SharedDesk, tmp_path: Path) -> Iterator[Desk]:
    """That window, cleared up; a scenario fails when it broke inside, whatever it looked at."""
    taken = shared.take(tmp_path / "work")
    yield taken
    assert taken.process.poll() is None, "the window is gone"
    assert not taken.crashes(), "\n".join(taken.crashes())


@pytest.fixture
def start(screen: Screen, tmp_path: Path) -> Iterator[Start]:
    """Start a window of its own: ``start("a.m", on=other_screen, FUSELAB_DEVICE="gpu")``."""
    desks: list[Desk] = []

    def begin(
        *words: str,
        on: Screen = screen,
        first_start: bool = False,
        home: Path | None = None,
        **more: str,
    ) -> Desk:
        folder = tmp_path / f"desk{len(desks)}"
        desks.append(Desk(on, folder, words, more, first_start=first_start, home=home))
        return desks[-1]

    yield begin
    for one in desks:
        broke = one.crashes()
        one.close()
        assert not broke
