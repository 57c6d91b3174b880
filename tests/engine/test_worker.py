"""The engine thread, driven as the window drives it."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from app import settings
from app.engine import inspected, protocol
from app.engine.inspected import InspectVariable
from app.engine.livecode import running
from app.engine.protocol import RunText
from app.engine.session import stop_watch, worker
from app.engine.session.session import Session
from app.engine.session.stops import Stops
from app.engine.session.worker import EngineWorker
from app.errors import Interrupted, MatlabError

E = TypeVar("E")
PATIENCE_S = 10


class Window:
    """Posts requests and waits for events."""

    def __init__(self, device: str = "cpu") -> None:
        self.events: queue.Queue[Any] = queue.Queue()
        self.seen: list[Any] = []
        self.engine = EngineWorker(settings.load({"FUSELAB_DEVICE": device}), self.events.put)
        self.engine.start()

    def until(self, kind: type[E]) -> E:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            event = self.events.get(timeout=max(0.01, deadline - time.monotonic()))
            self.seen.append(event)
            if isinstance(event, kind):
                return event

    def run(self, code: str) -> protocol.RunFinished:
        self.engine.post(RunText(code, "<command>"))
        return self.until(protocol.RunFinished)

    def ask(self, request: protocol.Request, kind: type[E]) -> E:
        self.engine.post(request)
        return self.until(kind)

    def output(self) -> str:
        texts = [e.text for e in self.seen if isinstance(e, protocol.OutputText)]
        return "".join(texts)


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window()
    yield opened
    opened.engine.close()
    assert not opened.engine.is_alive()


def test_start_tells_of_device_and_workspace(window: Window) -> None:
    ready = window.until(protocol.DeviceReady)
    assert ready.device.provider == "host"
    assert window.until(protocol.VariablesChanged).variables == ()


def test_run_prints_and_fills_the_workspace(window: Window) -> None:
    finished = window.run("x = [1 2 3]; fprintf('hi\\n')")
    assert finished.status == "ok"
    assert window.output() == "hi\n"
    (row,) = window.ask(protocol.Refresh(), protocol.VariablesChanged).variables
    assert (row.name, row.size, row.class_name, row.where) == ("x", (1, 3), "double", "host")
    assert row.preview == "[1 2 3]"


def test_workspace_survives_an_error(window: Window) -> None:
    assert window.run("x = 1; y = nothing;").status == "error"
    error = next(e for e in window.seen if isinstance(e, protocol.ErrorRaised))
    assert error.identifier == "MATLAB:UndefinedFunction"
    page = window.ask(InspectVariable("x"), inspected.VariablePage)
    assert page.values == ((1.0,),)


def test_stop_ends_an_endless_loop(window: Window) -> None:
    code = "k = 0; while true, k = k + 1; if k == 1e5, disp('in it'); end, end"
    window.engine.post(RunText(code, "<command>"))
    while "in it" not in window.output():
        window.until(protocol.OutputText)
    window.engine.stop_run()
    assert window.until(protocol.RunFinished).status == "interrupted"
    assert window.run("disp(k > 0)").status == "ok"


@pytest.mark.parametrize("runs", [0, 1])
def test_a_stop_reaches_the_run_that_was_asked_for_and_no_later_one(
    window: Window, runs: int
) -> None:
    """Even before there is a session, and also where it comes as the run begins."""
    for _ in range(runs):
        assert window.run("x = 1;").status == "ok"
    window.engine.post(RunText("while true, end", "<command>"))
    window.engine.stop_run()
    assert window.until(protocol.RunFinished).status == "interrupted"
    window.engine.stop_run()
    assert window.run("x = 2;").status == "ok"


def test_questions_are_answered_while_a_script_runs(window: Window) -> None:
    window.engine.post(RunText("x = 5; while true, end", "<command>"))
    window.until(protocol.RunStarted)
    page = window.ask(InspectVariable("x"), inspected.VariablePage)
    assert page.values == ((5.0,),)
    window.engine.stop_run()
    window.until(protocol.RunFinished)


def test_section_reports_lines_of_the_file(window: Window) -> None:
    window.engine.post(RunText("x = 1;\ny = nothing;", "/a/b.m", first_line=10))
    error = window.until(protocol.ErrorRaised)
    assert error.frames[0][1:3] == ("/a/b.m", 11)


def test_input_waits_for_the_user(window: Window) -> None:
    window.engine.post(RunText("x = input('how many? ');", "<command>"))
    assert window.until(protocol.InputWanted).prompt == "how many? "
    window.engine.post(protocol.ProvideInput("42"))
    assert window.until(protocol.RunFinished).status == "ok"
    page = window.ask(InspectVariable("x"), inspected.VariablePage)
    assert page.values == ((42.0,),)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("input('go on? ');", protocol.InputWanted),
        ("pause", protocol.InputWanted),
        ("questdlg('Go on?');", protocol.QuestionAsked),
        ("keyboard", protocol.Paused),
    ],
)
def test_whoever_is_asked_sees_what_was_drawn(
    window: Window, code: str, kind: type[protocol.Event]
) -> None:
    window.engine.post(RunText(f"plot(1:3); {code}", "<command>"))
    window.until(kind)
    drawn = [event for event in window.seen if isinstance(event, protocol.FigureUpdated)]
    assert [len(event.figure["children"]) for event in drawn][-1:] == [1]
    window.engine.stop_run()
    window.until(protocol.RunFinished)


def test_input_asks_again_for_what_is_no_value(window: Window) -> None:
    window.engine.post(RunText("x = input('how many? ');", "<command>"))
    for wrong in ("[1 2", "nothing_of_that_name"):
        window.until(protocol.InputWanted)
        window.engine.post(protocol.ProvideInput(wrong))
    window.until(protocol.InputWanted)
    window.engine.post(protocol.ProvideInput("[1 2]"))
    assert window.until(protocol.RunFinished).status == "ok"
    assert window.ask(InspectVariable("x"), inspected.VariablePage).values == ((1.0, 2.0),)


def test_variables_can_be_set_renamed_and_deleted(window: Window) -> None:
    window.run("A = zeros(2);")
    window.ask(protocol.SetVariable("A(2,1)", "7"), protocol.VariablesChanged)
    assert window.ask(InspectVariable("A"), inspected.VariablePage).values[1] == (7.0, 0.0)
    window.engine.post(protocol.VariableAction("rename", "A", "B"))
    window.until(protocol.VariablesChanged)
    rows = window.ask(protocol.Refresh(), protocol.VariablesChanged).variables
    assert [row.name for row in rows] == ["B"]
    window.engine.post(protocol.VariableAction("delete", "B"))
    window.until(protocol.VariablesChanged)
    rows = window.ask(protocol.Refresh(), protocol.VariablesChanged).variables
    assert rows == ()


def test_statistics(window: Window) -> None:
    window.run("x = [3 1 NaN 8];")
    found = window.ask(inspected.ComputeStatistics("x"), inspected.StatisticsReady)
    assert (found.values["min"], found.values["max"], found.values["nan"]) == (1.0, 8.0, 1.0)


def test_large_arrays_report_their_groups(window: Window) -> None:
    finished = window.run("x = rand(100000, 1); m = sum(x .* 2 + 1);")
    assert finished.rows.counters["captured_ops"] >= 3
    assert window.run("m").status == "ok"
    assert window.ask(protocol.Refresh(), protocol.TelemetryBatch).rows.residency


def test_recalibration_measures_again(window: Window) -> None:
    before = window.until(protocol.DeviceReady)
    window.engine.post(protocol.Recalibrate())
    after = window.until(protocol.DeviceReady)
    assert after.calibration.speeds.keys() == before.calibration.speeds.keys()
    assert after.calibration.speeds["host bandwidth"] > 0


def test_device_can_be_changed_and_values_survive(window: Window) -> None:
    window.run("x = rand(5000, 1); y = x + 1;")
    ready = window.ask(protocol.ChooseDevice("gpu"), protocol.DeviceReady)
    assert window.run("assert(all(y == x + 1))").status == "ok"
    wrong = window.ask(protocol.ChooseDevice("no such adapter"), protocol.Notice)
    assert "no adapter" in wrong.text
    again = window.until(protocol.DeviceReady)
    assert again.device.name == ready.device.name


def test_device_that_is_not_there_is_told_and_auto_used() -> None:
    window = Window(device="no such adapter")
    try:
        assert "going on with auto" in window.until(protocol.Notice).text
        assert window.run("x = sum(rand(5000, 1));").status == "ok"
    finally:
        window.engine.close()


def test_speeds_are_measured_when_nobody_wants_anything(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.until(protocol.StateChanged)
    measured: list[int] = []
    monkeypatch.setattr(worker, "QUIET_S", 30.0)
    window.run("x = 1;")
    session = window.engine._session
    assert session is not None
    monkeypatch.setattr(session.acceleration, "rest", lambda: measured.append(1))
    window.run("x = 2;")
    assert not measured
    monkeypatch.setattr(worker, "QUIET_S", 0.0)
    window.run("x = 3;")
    deadline = time.monotonic() + PATIENCE_S
    while not measured and time.monotonic() < deadline:
        time.sleep(0.01)
    assert measured == [1]


@pytest.mark.parametrize("computing", [True, False])
@pytest.mark.parametrize("how", ["jsonencode(c)", "f = @(x) jsonencode(x); cellfun(f, {c})"])
def test_a_stop_reaches_what_does_not_look_up(
    window: Window, monkeypatch: pytest.MonkeyPatch, how: str, computing: bool
) -> None:
    """Shared cells are small, and their text would be longer than the memory of the world.

    What only computes is left at once; other functions after a while, and that is told.
    """
    monkeypatch.setattr(stop_watch, "PATIENCE_S", 60.0 if computing else 0.1)
    monkeypatch.setattr(Stops, "heed", lambda _: None)
    if not computing:
        monkeypatch.setattr(stop_watch, "_is_computing", lambda _: False)
    assert window.run("x = 1; c = {1}; for k = 1:60, c = {c, c}; end").status == "ok"
    window.engine.post(RunText(f"x = 2;\n{how};", "<command>"))
    window.until(protocol.RunStarted)
    window.engine.stop_run()
    assert window.until(protocol.RunFinished).status == "interrupted"
    told = [e.text for e in window.seen if isinstance(e, protocol.Notice)]
    assert told == [] if computing else "of <command> does not look up" in told[0]
    assert window.run("disp(x)").status == "ok"
    assert window.output().split()[-1] == "2"


def test_a_run_that_is_asked_for_while_a_timer_runs_is_not_lost() -> None:
    """What is postponed between two requests is done at once, and before what comes later."""
    engine = EngineWorker(settings.load(), lambda _event: None)
    asked = RunText("x = 1;", "<command>")

    def serve_timers() -> None:
        engine.post(asked)
        engine._answer_while_busy()
        engine.post(protocol.Refresh())

    engine._session = cast(
        "Session",
        SimpleNamespace(
            next_timer=lambda: 0.001,
            serve_timers=serve_timers,
            interpreter=SimpleNamespace(parfors=SimpleNamespace(changed=lambda: None)),
        ),
    )
    assert engine._next_request() is asked


@contextmanager
def _stopped(give_up: Callable[[], None] | None = None) -> Iterator[None]:
    """What never looks up by itself, and is wanted to stop."""
    stops = Stops(lambda _event: None)
    watch = stop_watch.StopWatch(lambda _event: None, stops)
    watch.give_up = give_up
    with watch.at_work():
        stops.want(ahead=False)
        watch.begin()
        yield


@pytest.mark.parametrize("late", [False, True])
def test_a_stop_leaves_nothing_that_is_raised_in_the_thread(
    monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """Neither an exception, nor the interpreter looking for one, which no traced call survives."""
    monkeypatch.setattr(stop_watch, "PATIENCE_S", 0.0 if late else 60.0)
    traced = threading.Event()

    def work() -> None:
        with suppress(Interrupted), _stopped():
            while late:
                time.sleep(0.01)
        sys.settrace(lambda *_about: None)
        traced.is_set()
        sys.settrace(None)
        traced.set()

    threading.Thread(target=work, daemon=True).start()
    assert traced.wait(10.0)


def test_a_stop_leaves_no_module_half_imported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is broken off there is broken for as long as the process: the device was lost so."""
    text = "import time\nfor _ in range(40): time.sleep(0.01)\nwhole = True\n"
    (tmp_path / "slow_to_import.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(stop_watch, "PATIENCE_S", 0.0)
    imported = []

    def work() -> None:
        with suppress(Interrupted), _stopped():
            imported.append(import_module("slow_to_import"))
            while True:
                time.sleep(0.01)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(10.0)
    assert not worker.is_alive()
    assert [module.whole for module in imported] == [True]


def test_a_call_of_a_library_that_does_not_come_back_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stop_watch, "PATIENCE_S", 0.0)
    monkeypatch.setattr(stop_watch, "LONG_S", 0.0)
    given_up = threading.Event()

    def work() -> None:
        with suppress(Interrupted), _stopped(given_up.set):
            given_up.wait()  # one call, which comes back only then
            time.sleep(60.0)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    assert given_up.wait(10.0)
    worker.join(10.0)
    assert not worker.is_alive()


def _ends(window: Window, count: int) -> list[tuple[str, str]]:
    """How the runs so far ended, once so many have: names and states, in order."""
    while sum(isinstance(event, protocol.RunFinished) for event in window.seen) < count:
        window.until(protocol.RunFinished)
    begun = [event.name for event in window.seen if isinstance(event, protocol.RunStarted)]
    ended = [event.status for event in window.seen if isinstance(event, protocol.RunFinished)]
    return list(zip(begun, ended, strict=True))


@pytest.mark.parametrize("ready", [False, True])
def test_a_stop_drops_the_runs_that_wait_and_says_so(window: Window, ready: bool) -> None:
    """The state of variables and devices is not left behind: only runs are dropped."""
    if ready:
        window.ask(protocol.Refresh(), protocol.StateChanged)
    for code, name in (("while true, end", "<command>"), ("x = 2;", "a.m"), ("x = 3;", "b.m")):
        window.engine.post(RunText(code, name))
    window.engine.post(protocol.SetVariable("z", "5"))
    window.engine.stop_run()
    window.engine.post(RunText("disp(z)", "c.m"))
    every = ("<command>", "a.m", "b.m")
    assert _ends(window, 4) == [*((name, "interrupted") for name in every), ("c.m", "ok")]
    assert window.output().split() == ["5"]
    told = [e.text for e in window.seen if isinstance(e, protocol.Notice)]
    assert any("dropped" in text for text in told)


def test_a_file_that_is_run_as_a_pause_begins_runs_by_itself_and_commands_are_a_part_of_it(
    window: Window,
) -> None:
    window.engine.post(RunText("x = 1; keyboard; disp(x)", "first.m"))
    window.until(protocol.Paused)
    window.engine.post(RunText("disp('a file')", "second.m"))
    window.engine.post(RunText("x = 2;", "<command>"))
    window.until(protocol.CommandTaken)
    window.engine.post(protocol.DebugCommand("continue"))
    assert _ends(window, 2) == [("first.m", "ok"), ("second.m", "ok")]
    assert window.output().split() == ["2", "a", "file"]
    assert window.engine._runs == 0


def test_the_time_in_the_debugger_is_no_time_of_the_run(window: Window) -> None:
    held, begun = 0.1, time.perf_counter()
    window.engine.post(RunText("x = 1; keyboard; y = 2; keyboard; disp(x + y)", "first.m"))
    for _ in range(2):
        window.until(protocol.Paused)
        time.sleep(held)
        window.engine.post(protocol.DebugCommand("continue"))
    finished = window.until(protocol.RunFinished)
    taken = time.perf_counter() - begun
    assert 0 < finished.wall_ms <= (taken - 2 * held) * 1e3


@pytest.mark.parametrize("code", ["keyboard", "x = input('');", "keyboard; disp(1)"])
def test_a_stop_in_a_pause_abandons_the_whole_run_and_those_that_wait(
    window: Window, code: str
) -> None:
    text = f"f()\nfunction f()\ndone = onCleanup(@() disp('left'));\n{code}\nend"
    window.engine.post(RunText(text, "first.m"))
    window.until(protocol.InputWanted if "input" in code else protocol.Paused)
    window.engine.post(RunText("disp(2)", "second.m"))
    window.engine.stop_run()
    assert _ends(window, 2) == [("first.m", "interrupted"), ("second.m", "interrupted")]
    assert window.run("disp(3)").status == "ok"
    assert window.output().split() == ["left", "3"]


def test_an_engine_that_does_not_start_answers_what_is_to_be_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_worker: EngineWorker) -> Session:
        raise RuntimeError("no library")

    monkeypatch.setattr(EngineWorker, "_open_session", fails)
    window = Window()
    try:
        window.engine.post(RunText("x = 1;", "a.m"))
        assert _ends(window, 1) == [("a.m", "error")]
        states = [e.state for e in window.seen if isinstance(e, protocol.StateChanged)]
        assert states[-1] == protocol.RunState.ABSENT
        error = next(e for e in window.seen if isinstance(e, protocol.ErrorRaised))
        assert "engine did not start" in error.message
    finally:
        window.engine.close()


def test_the_variables_of_callers_are_seen_with_dbup_and_dbdown(window: Window) -> None:
    window.engine.post(RunText("x = 1; f(2)\nfunction f(y)\nkeyboard\nend", "first.m"))
    window.until(protocol.Paused)
    for text in ("dbup", "disp(x)", "dbdown;", "disp(y)", "dbup 9", "disp(x + 5)"):
        window.engine.post(RunText(text, "<command>"))
    window.engine.post(protocol.DebugCommand("continue"))
    window.until(protocol.RunFinished)
    lines = [line.strip() for line in window.output().splitlines()]
    assert lines == [
        "In base workspace.",
        "1",
        "In workspace belonging to f at 3.",
        "2",
        "In base workspace.",
        "6",
    ]
    assert [e.frame for e in window.seen if isinstance(e, protocol.FrameShown)] == [1, 0, 1]


def test_what_is_asked_while_a_command_runs_in_a_pause_is_done_after_it(
    window: Window, tmp_path: Path
) -> None:
    go_on = tmp_path / "go on"
    window.engine.post(RunText("x = 1; keyboard; disp(x)", "first.m"))
    window.until(protocol.Paused)
    window.engine.post(RunText(f"disp(2); while ~isfile('{go_on}'), pause(0.01), end", "<command>"))
    window.until(protocol.OutputText)
    window.engine.post(protocol.DebugCommand("continue"))
    assert "has ended" in window.until(protocol.Notice).text
    assert not any(isinstance(event, protocol.RunFinished) for event in window.seen)
    go_on.touch()
    assert _ends(window, 1) == [("first.m", "ok")]
    assert window.output().split() == ["2", "1"]


def test_what_is_drawn_in_a_pause_is_seen_in_it(window: Window) -> None:
    window.engine.post(RunText("x = 1:3; keyboard", "first.m"))
    window.until(protocol.Paused)
    window.engine.post(RunText("plot(2 * x)", "<command>"))
    figure = window.until(protocol.FigureUpdated).figure
    assert figure["children"][0]["children"][0]["YData"]["array"].ravel().tolist() == [2, 4, 6]
    assert not any(isinstance(event, protocol.RunFinished) for event in window.seen)
    window.engine.post(protocol.DebugCommand("quit"))
    window.until(protocol.RunFinished)


def test_a_run_that_fails_before_it_begins_is_answered(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_request: RunText) -> str:
        raise MatlabError("Fuselab:restricted", "writing is refused")

    with monkeypatch.context() as patched:
        patched.setattr(running, "requested_text", fails)
        assert window.run("x = 1;").status == "error"
    assert next(e for e in window.seen if isinstance(e, protocol.ErrorRaised))
    assert window.run("x = 1;").status == "ok"
