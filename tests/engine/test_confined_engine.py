"""The engine of untrusted folders: a process that answers like a thread, and may be lost."""

from __future__ import annotations

import queue
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from app import sandbox, settings
from app.engine import inspected, protocol
from app.engine.parallel_state import ParallelState
from app.engine.session import confined_engine
from app.engine.session.confined_engine import ConfinedEngine
from app.engine.session.engines import Engines

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not sandbox.is_available(), reason="nothing confines here"
)
E = TypeVar("E")
LIMIT_S = 60.0


class Ear:
    """Hears events, and waits for one of a kind."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[protocol.Event] = queue.SimpleQueue()
        self.seen: list[protocol.Event] = []
        self.take = self._events.put

    def wait(self, kind: type[E], fits: Callable[[E], bool] = lambda _: True) -> E:
        """The next event of a kind that fits."""
        while True:
            event = self._events.get(timeout=LIMIT_S)
            self.seen.append(event)
            if isinstance(event, kind) and fits(event):
                return event

    def last(self, kind: type[E]) -> E:
        """The last event of a kind that was seen."""
        return next(e for e in reversed(self.seen) if isinstance(e, kind))

    def output(self) -> str:
        """What was printed so far."""
        return "".join(e.text for e in self.seen if isinstance(e, protocol.OutputText))

    def ends(self, count: int) -> list[tuple[str, str]]:
        """How the runs so far ended, once so many have: names and states, in order."""
        while sum(isinstance(event, protocol.RunFinished) for event in self.seen) < count:
            self.wait(protocol.RunFinished)
        begun = [event.name for event in self.seen if isinstance(event, protocol.RunStarted)]
        ended = [event.status for event in self.seen if isinstance(event, protocol.RunFinished)]
        return list(zip(begun, ended, strict=True))

    def idle(self) -> None:
        """Wait until the engine is ready."""
        self.wait(protocol.StateChanged, lambda e: e.state == protocol.RunState.IDLE)


def _settings() -> settings.Settings:
    loaded = settings.Settings()
    loaded.set("device", "cpu")
    return loaded


def test_what_is_downloaded_to_draw_is_counted(tmp_path: Path) -> None:
    ear, chosen = Ear(), _settings()
    chosen.set("device", "gpu")
    engine = ConfinedEngine(chosen, ear.take)
    engine.post(protocol.ChangeFolder(str(tmp_path)))
    engine.post(protocol.RunText("c = cumsum(sum(rand(300))); plot(c)", "<command>"))
    finished = ear.wait(protocol.RunFinished)
    engine.close()
    assert finished.status == "ok"
    counters = finished.rows.counters
    assert counters["plot_download_bytes"] == 300 * 8
    assert counters["download_bytes"] == sum(row.bytes for row in finished.rows.transfers)


def test_the_window_is_told_of_its_loops(tmp_path: Path) -> None:
    """What told of a ``parfor`` could not leave the process, and ended its engine."""
    ear = Ear()
    engine = ConfinedEngine(_settings(), ear.take)
    engine.post(protocol.ChangeFolder(str(tmp_path)))
    for passes in (7, 0, 1):
        code = f"s = 0; parfor k = 1:{passes}, s = s + k; end, disp(s)"
        engine.post(protocol.RunText(code, "<command>"))
        assert ear.wait(protocol.RunFinished).status == "ok"
    ear.idle()
    engine.close()
    assert ear.output().split() == ["28", "0", "1"]
    assert 7 in {loop.done for loop in ear.last(ParallelState).loops}


def test_lines_go_together_and_keep_their_order(tmp_path: Path) -> None:
    ear = Ear()
    engine = ConfinedEngine(_settings(), ear.take)
    engine.post(protocol.ChangeFolder(str(tmp_path)))
    code = "for k = 1:5000, fprintf('%d\\n', k); end, warning('a:b', 'one'), disp('late')"
    engine.post(protocol.RunText(code, "<command>"))
    assert ear.wait(protocol.RunFinished).status == "ok"
    texts = [event for event in ear.seen if isinstance(event, protocol.OutputText)]
    assert len(texts) < 500
    assert ear.output() == "".join(f"{k}\n" for k in range(1, 5001)) + "Warning: one\nlate\n"
    assert {event.stream for event in texts if "Warning" in event.text} == {"warning"}
    engine.post(protocol.RunText("fprintf('half'); while true, end", "<command>"))
    ear.wait(protocol.OutputText, lambda event: event.text == "half")
    engine.stop_run()
    ear.wait(protocol.RunFinished)
    engine.close()


def test_it_computes_draws_confined_and_is_replaced_when_it_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined_engine, "PATIENCE_S", 0.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    inside, outside = tmp_path / "inside", tmp_path / "outside.txt"
    inside.mkdir()
    outside.write_text("secret")
    (inside / "twice.m").write_text("function y = twice(x)\ny = 2 * x;\nend\n")
    ear = Ear()
    engine = ConfinedEngine(_settings(), ear.take)
    try:
        engine.post(protocol.ChangeFolder(str(inside)))
        ear.idle()
        code = "x = twice(3:5), plot(x)\nfid = fopen('%s'), f = fopen('new.txt', 'w');"
        engine.post(protocol.RunText(code % outside, "<command>"))
        assert ear.wait(protocol.RunFinished).status == "error"
        line = ear.last(protocol.FigureUpdated).figure["children"][0]["children"][0]
        assert line["YData"]["array"].ravel().tolist() == [6, 8, 10]
        assert ear.last(protocol.ErrorRaised).identifier == "Fuselab:restricted"
        assert "-1" in ear.output().split(), "a file outside is not there"
        assert not (inside / "new.txt").exists()
        ear.idle()

        engine.post(protocol.RunText("while true, end", "<command>"))
        ear.wait(protocol.RunStarted)
        engine.stop_run()
        assert ear.wait(protocol.RunFinished).status == "interrupted"
        engine.post(inspected.InspectVariable("x"))
        assert ear.wait(inspected.VariablePage).values == ((6.0, 8.0, 10.0),), "it lives on"

        process = engine._process
        assert process is not None
        engine.post(protocol.RunText("pause(60)", "<command>"))
        ear.wait(protocol.RunStarted)
        process.kill()
        assert ear.wait(protocol.ErrorRaised).identifier == "Fuselab:engineEnded"
        assert ear.wait(protocol.RunFinished).status == "error"
        ear.idle()
        engine.post(protocol.RunText("disp(exist('x'))", "<command>"))
        assert ear.wait(protocol.RunFinished).status == "ok"
        assert ear.output().split()[-1] == "0"
    finally:
        engine.close()
    assert not list(tmp_path.glob("**/fuselab-*")), "what it wrote goes with it"


def test_each_engine_has_variables_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    loaded, ear = _settings(), Ear()
    engines = Engines(loaded, ear.take)
    try:
        engines.post(protocol.ChangeFolder(str(tmp_path)))
        engines.post(protocol.RunText("secret = 7;", "<command>"))
        engines.post(protocol.RunText("pause(0.2)", "<command>"))
        loaded.set("restricted", raw=True)  # while something may run: it waits
        engines.post(protocol.ChangeFolder(str(tmp_path / "evil")))
        engines.post(protocol.RunText("disp(exist('secret')), mine = 1; pwd", "<command>"))
        ear.wait(protocol.RunFinished)
        ear.wait(protocol.RunFinished)
        ear.wait(protocol.RunFinished)
        assert "0" in ear.output().split()
        assert str(tmp_path / "evil") in ear.output()
        ear.idle()
        loaded.set("restricted", raw=False)
        engines.post(protocol.ChangeFolder(str(tmp_path)))
        engines.post(protocol.RunText("disp([secret exist('mine')])", "<command>"))
        assert ear.wait(protocol.RunFinished).status == "ok"
        assert ear.output().split()[-2:] == ["7", "0"]
    finally:
        engines.close()


def test_variables_go_along_to_another_folder_and_into_trust(tmp_path: Path) -> None:
    loaded, ear = _settings(), Ear()
    loaded.set("restricted", raw=True)
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    engines = Engines(loaded, ear.take)

    def run(code: str) -> None:
        engines.post(protocol.RunText(code, "<command>"))
        ear.wait(protocol.RunFinished)

    try:
        engines.post(protocol.ChangeFolder(str(first)))
        run("k = 3; f = @(t) t * k; s = {int8(2), 'two'}; p = figure(4); plot(1:3)")
        engines.post(protocol.RunText("keyboard", "<command>"))
        ear.wait(protocol.Paused)
        engines.post(protocol.ChangeFolder(str(second)))
        engines.post(protocol.DebugCommand("quit"))  # the pause is still there to be ended
        ear.wait(protocol.RunFinished)
        run("fprintf('%d %s', f(2), s{2});")
        assert ear.output().startswith("6 two")
        recalled = ear.last(protocol.FiguresRecalled).figures
        assert [number for number, _ in recalled] == [4], "what was drawn can still be seen"
        engines.post(protocol.SendVariables())
        loaded.set("restricted", raw=False)
        run("fprintf(' %d %s %d', f(3), s{2}, exist('p'))")
        assert ear.output().endswith(" 9 two 0")
        assert "p (matlab.ui.Figure)" in ear.last(protocol.Notice).text
        assert not any(isinstance(e, protocol.VariablesSent) for e in ear.seen)
    finally:
        engines.close()


@pytest.mark.campaign
def test_a_process_that_dies_meanwhile_does_not_hold_up_trust(tmp_path: Path) -> None:
    loaded, ear = _settings(), Ear()
    loaded.set("restricted", raw=True)
    engines = Engines(loaded, ear.take)
    try:
        engines.post(protocol.ChangeFolder(str(tmp_path)))
        engines.post(protocol.RunText("k = 3; pause(60)", "<command>"))
        ear.wait(protocol.RunStarted)
        engines.post(protocol.SendVariables())
        loaded.set("restricted", raw=False)
        confined = engines._made[True]
        assert isinstance(confined, ConfinedEngine)
        assert confined._process is not None
        confined._process.kill()
        engines.post(protocol.RunText("fprintf('%d', exist('k'))", "<command>"))
        ear.wait(protocol.RunFinished)
        ear.wait(protocol.RunFinished)
        assert ear.output() == "0"
    finally:
        engines.close()


@pytest.mark.parametrize("restricted", [True, False])
def test_runs_asked_for_while_an_engine_starts_are_held_and_run_once_in_order(
    tmp_path: Path, restricted: bool
) -> None:
    loaded, ear = _settings(), Ear()
    loaded.set("restricted", raw=not restricted)
    engines = Engines(loaded, ear.take)
    try:
        engines.post(protocol.ChangeFolder(str(tmp_path)))
        engines.post(protocol.RunText("x = 1;", "first.m"))
        assert ear.ends(1) == [("first.m", "ok")]
        ear.idle()
        with engines._lock:  # the other one starts, and is not heard before all are asked for
            loaded.set("restricted", raw=restricted)
            for name in ("a", "b", "c"):
                engines.post(protocol.RunText(f"disp('{name}')", f"{name}.m"))
        assert ear.ends(4)[1:] == [("a.m", "ok"), ("b.m", "ok"), ("c.m", "ok")]
        assert ear.output().split() == ["a", "b", "c"]
        starting = protocol.StateChanged(protocol.RunState.STARTING, "a.m")
        assert starting in ear.seen, "the window says what waits"
    finally:
        engines.close()


@pytest.mark.parametrize("restricted", [True, False])
def test_a_stop_while_an_engine_starts_drops_what_waits_at_once(
    tmp_path: Path, restricted: bool
) -> None:
    loaded, ear = _settings(), Ear()
    loaded.set("restricted", raw=restricted)
    engines = Engines(loaded, ear.take)
    try:
        with engines._lock:  # nobody hears that it is ready before the stop
            engines.post(protocol.ChangeFolder(str(tmp_path)))  # now it starts
            engines.post(protocol.RunText("disp('never')", "a.m"))
            engines.post(protocol.RunText("disp('never')", "b.m"))
            engines.stop_run()
            assert ear.ends(2) == [("a.m", "interrupted"), ("b.m", "interrupted")]
            assert not any(e == protocol.StateChanged(protocol.RunState.IDLE) for e in ear.seen)
        assert ear.wait(protocol.Notice).text == "2 waiting runs were dropped"
        engines.post(protocol.RunText("disp('later')", "c.m"))
        assert ear.ends(3)[2:] == [("c.m", "ok")]
        assert ear.output().split() == ["later"]
    finally:
        engines.close()


def test_every_run_of_a_process_that_dies_is_answered_and_the_other_engine_comes(
    tmp_path: Path,
) -> None:
    loaded, ear = _settings(), Ear()
    loaded.set("restricted", raw=True)
    engines = Engines(loaded, ear.take)
    try:
        engines.post(protocol.ChangeFolder(str(tmp_path)))
        ear.idle()
        engines.post(protocol.RunText("keyboard", "<command>"))
        ear.wait(protocol.Paused)
        engines.post(protocol.RunText("x = 1;", "<command>"))  # at K>>: it has no end of its own
        ear.wait(protocol.CommandTaken)
        for name in ("a.m", "b.m"):
            engines.post(protocol.RunText("x = 2;", name))
        confined = engines._made[True]
        assert isinstance(confined, ConfinedEngine)
        assert confined._process is not None
        confined._process.kill()
        names = ("<command>", "a.m", "b.m")
        assert ear.ends(3) == [(name, "error") for name in names]
        ear.idle()
        loaded.set("restricted", raw=False)
        engines.post(protocol.RunText("disp('trusted')", "c.m"))
        assert ear.ends(4)[3:] == [("c.m", "ok")]
    finally:
        engines.close()
