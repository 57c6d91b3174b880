"""A stop reaches what it is meant for: neither nothing, nor what comes later."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import api, restricted
from app.accel.backends import registry
from app.accel.backends.host.host_provider import HostProvider
from app.accel.backends.null import NullProvider
from app.accel.support import abandonable
from app.cli.interrupts import cancelling_on_interrupt
from app.engine import protocol, stoppable
from app.engine.interpreter.indexing import gather_elements, store_elements
from app.engine.operators import shapes
from app.engine.operators.linear_solves import Warnings, silent
from app.engine.parallel.parfor_passes import Order
from app.engine.parallel.value_encoding import pack
from app.engine.session import stop_watch
from app.engine.session.pool_worker import PoolWorker
from app.engine.session.session import Session
from app.engine.stoppable import Stop
from app.engine.values import containers, types
from app.errors import Interrupted
from app.settings import Settings
from app.source import SourceText
from tests.faults.stop_campaign import LargeCalls, SessionStops, WorkerStops, stopping

ENDLESS = SourceText("<test>", "while true, end")


def _session(emit: Callable[[protocol.Event], None] = lambda _event: None) -> Session:
    return Session(Settings(), emit)


def test_where_nothing_is_at_work_a_stop_stops_nothing() -> None:
    session = _session()
    session.cancel()
    session.poll()
    session.run_source(SourceText("<test>", "x = 1;"))
    assert session.last_status == "ok"
    session.close()


def test_a_stop_as_a_run_ends_is_not_raised_in_the_measurement_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def take(event: protocol.Event) -> None:
        if isinstance(event, protocol.RunFinished):
            session.cancel()

    session = _session(take)
    monkeypatch.setattr(session.acceleration, "rest", session.poll)
    session.run_source(SourceText("<test>", "x = 1;"))
    assert session.last_status == "ok"
    session.close()


def test_what_the_window_asks_for_beside_runs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _session()

    def evaluate(_code: str) -> None:
        session.cancel()
        session.poll()

    monkeypatch.setattr(session, "evaluate", evaluate)
    with pytest.raises(Interrupted):
        session.handle(protocol.SetVariable("x", "1"))
    session.poll()
    session.close()


@pytest.mark.skipif(os.name == "nt", reason="there a Control-C cannot be sent to oneself")
def test_control_c_before_the_run_begins_reaches_it() -> None:
    session = _session()
    with cancelling_on_interrupt(session):
        signal.raise_signal(signal.SIGINT)
        session.run_source(ENDLESS)
    assert session.last_status == "interrupted"
    session.close()


def test_a_program_stops_what_it_asked_for_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with api.Session() as session:
        session.interrupt()
        session.eval("x = 1;")
        activate = session._engine.acceleration.activate

        def interrupted() -> None:
            session.interrupt()
            activate()

        with monkeypatch.context() as asked:
            asked.setattr(session._engine.acceleration, "activate", interrupted)
            with pytest.raises(Interrupted):
                session.eval("while true, end")
            with pytest.raises(Interrupted):
                session.call("pause", 600, nargout=0)
        session.eval("x = 2;")


class _Pipe:
    """Says what the pool of a worker says, and no more."""

    def __init__(self, *messages: Any) -> None:
        self._messages = [pack(message) for message in messages]
        self.said: list[bytes] = []

    def recv_bytes(self) -> bytes:
        """The next message; KeyError behind the last."""
        if not self._messages:
            raise KeyError
        return self._messages.pop(0)

    def send_bytes(self, data: bytes) -> None:
        """Take what the worker says."""
        self.said.append(data)


def test_a_worker_of_a_pool_stops_a_task_that_it_has_not_begun() -> None:
    stopped, next_job = ("task", "loop", 5, 7, None, ()), ("task", "loop", 6, 8, None, ())
    pipe = _Pipe(stopped, ("cancel", 5), next_job)
    worker = PoolWorker(pipe, 1)  # type: ignore[arg-type]
    worker.session = _session()
    with pytest.raises(KeyError):
        worker.listen()
    for message, ends in ((stopped, "stopped"), (next_job, "done")):
        order = worker.next()
        assert order == Order(*message[1:])
        worker.do(order, lambda *_given: worker.session.poll() or worker.tell("done"))
        assert ends.encode() in pipe.said[-1]
    worker.session.close()


@pytest.mark.parametrize("way", [SessionStops, WorkerStops])
def test_stops_at_random_moments(way: type[SessionStops | WorkerStops]) -> None:
    tried, choose = way(), random.Random(7)
    try:
        assert not [finding for _ in range(25) for finding in tried.findings(choose)]
    finally:
        tried.close()


@pytest.mark.parametrize(
    "call",
    [
        "svd(A)",
        "[U, S, V] = svd(A)",
        "eig(A)",
        "[V, D] = eig(A)",
        "eig(A + A')",
        "[V, D] = eig(A + A')",
        "pinv(A)",
        "rank(A)",
        "cond(A)",
        "null(A)",
        "orth(A)",
        "norm(A)",
        "qr(A)",
        "[Q, R] = qr(A)",
        "[Q, R, P] = qr(A)",
        "roots(A(:, 1))",
        "freqs(1, A(:, 1))",
        "residue(1, A(:, 1))",
        "zpk(tf(A(:, 1)', A(:, 2)'))",
        "rlocus(tf(1, A(1:205)))",
        "residuez(A(1:420), A(1:420))",
        "dpss(3e4, 4)",
        "pmtm(v(1:3e4))",
        "chol(sparse(A * A'))",
        "lu(sparse(A))",
        "sparse(A) \\ A(:, 1)",
        "winter(2^20)",
        "erfinv(repmat('a', 1, 2^20))",
        "A^0.5",
        "hess(A)",
        "logm(A)",
        "care(A, A, A * A')",
        "dare(A, A, A * A')",
        "dlyap(A / 999, A)",
        "care(1, A(1:5000), 1)",
        "dare(1, A(1:5000), 1)",
        "NaT(2^10)",
        "c2d(ss(A, A(:, 1), A(1, :), 0), 0.1)",
        "fft(v)",
        "ifft2(v)",
        "conv(v, v)",
        "sort(v, 'descend')",
        "unique(v)",
        "[u, i] = unique(v)",
        "cumsum(v)",
        "randperm(2^20)",
        "pdist2(repmat(A, 5, 1), repmat(A, 5, 1))",
        "medfilt2(A, [5 5])",
        "delaunay(v(1:4e4), flip(v(1:4e4)))",
        "griddata(v(1:4e4), flip(v(1:4e4)), v(1:4e4), 0.5, 0.5)",
    ],
)
def test_a_stop_does_not_wait_for_a_long_call_of_a_library(
    monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    session, released, beside = _session(), threading.Event(), stoppable.beside
    session.settings.set("capture_threshold", 10**9, "option")

    def held(action: Callable[[], Any]) -> Any:
        if released.is_set():
            return action()
        session.cancel()
        return beside(lambda: released.wait(60) and action())

    monkeypatch.setattr(stoppable, "beside", held)
    session.run_source(
        SourceText("<test>", f"A = rand(210); v = rand(2^20, 1); x = 1; {call}; x = 2;")
    )
    assert session.last_status == "interrupted"
    assert session.value_of("x") == 1.0
    released.set()
    session.close()


@pytest.mark.parametrize(
    "call",
    [
        "poissrnd(v)",
        "impz(v(1:3000))",
        "chi2rnd(v)",
        "nctcdf(v, 5, 1)",
        "gaminv(v, 2, 1)",
        "besselj(0.3, v)",
        "cosint(v)",
    ],
)
def test_a_stop_does_not_wait_for_functions_of_many_elements_on_the_host(
    monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    session, released, beside = _session(), threading.Event(), stoppable.beside

    def held(action: Callable[[], Any]) -> Any:
        session.cancel()
        return beside(lambda: released.wait(60) and action())

    monkeypatch.setattr(stoppable, "beside", held)
    session.run_source(SourceText("<test>", f"v = rand(7e4, 1); x = 1; y = {call}; x = 2;"))
    assert session.last_status == "interrupted"
    assert session.value_of("x") == 1.0
    released.set()
    session.close()


def test_what_is_computed_beside_a_restricted_run_is_restricted() -> None:
    with restricted.restriction_applied(True):
        assert stoppable.beside(restricted.is_on)
    assert not stoppable.beside(restricted.is_on)


@pytest.mark.parametrize("threshold", [1, 10**9], ids=["captured", "at once"])
@pytest.mark.parametrize(
    "statement",
    [
        *("B = inv(A);", "[B, U] = lu(A);", "B = A \\ A;", "B = A * A;", "B = A / A;", "B = A^5;"),
        *("B = det(A);", "B = chol(A * A');", "B = fft(v);", "B = conv(v, v);", "B = sort(v);"),
        *("B = expm(A);", "B = sqrtm(A);", "B = schur(A);"),
    ],
)
def test_a_stop_reaches_a_library_in_a_captured_group_and_at_once(
    monkeypatch: pytest.MonkeyPatch, statement: str, threshold: int
) -> None:
    session, released, beside = _session(), threading.Event(), abandonable.beside
    session.settings.set("capture_threshold", threshold, "option")
    data = "A = rand(320) + eye(320) * 200; v = rand(2^20, 1) + 1; disp(v(1)); disp(A(1));"
    session.run_source(SourceText("<test>", data))
    calls = 0

    def held(action: Callable[[], Any], poll: Callable[[], None]) -> Any:
        nonlocal calls
        calls += 1
        session.cancel()
        return beside(lambda: released.wait(60) and action(), poll)

    monkeypatch.setattr(abandonable, "beside", held)
    monkeypatch.setattr(abandonable, "LONG", 1e4)
    session.run_source(SourceText("<test>", f"x = 1; {statement} disp(B(end)); x = 2;"))
    assert session.last_status == "interrupted"
    assert calls == 1
    assert session.value_of("x") == 1.0
    released.set()
    session.close()


def test_what_was_left_says_nothing_any_more() -> None:
    told: list[str] = []
    session, left, over = _session(), threading.Event(), threading.Event()

    def late() -> None:
        left.wait(60)
        try:
            Warnings.issue("a:b", "too late")
        finally:
            over.set()

    def stop() -> None:
        raise Interrupted

    Warnings.issue, Stop.poll = (lambda _identifier, text: told.append(text)), stop
    try:
        with pytest.raises(Interrupted):
            stoppable.beside(late)
        left.set()
        over.wait(60)
        stoppable.Stop.poll = stoppable.nothing
        stoppable.beside(lambda: Warnings.issue("a:b", "in time"))
    finally:
        session.interpreter.unhook()
        session.close()
        Warnings.issue, Stop.poll = silent, stoppable.nothing
    assert told == ["in time"]


def test_a_stop_reaches_its_own_session_alone() -> None:
    def work() -> None:
        theirs = _session()
        theirs.run_source(SourceText("<test>", "x = 1;"))
        theirs.cancel()
        looked.append(Stop.poll)
        theirs.close()

    ours, looked = _session(), list[Callable[[], None]]()
    ours.run_source(SourceText("<test>", "x = 1;"))
    before = Stop.poll
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert looked
    assert looked[0] != before
    assert Stop.poll == before, "another session is looked at"
    ours.close()


def test_what_is_computed_beside_fails_where_it_is_waited_for() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        stoppable.cholesky(-np.eye(stoppable.LARGE_MATRIX // 100))


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX's")
def test_a_stop_ends_a_command_of_the_system_and_what_it_started(tmp_path: Path) -> None:
    session = _session()
    own = tmp_path / "child"
    code = f"system('sleep 600 & echo $! > {own}; wait');"
    run = threading.Thread(target=session.run_source, args=(SourceText("<test>", code),))
    run.start()
    while not (own.is_file() and own.read_text().endswith("\n")):
        assert run.is_alive()
        run.join(0.01)
    session.cancel()
    run.join(60)
    assert session.last_status == "interrupted"
    session.close()
    status = Path(f"/proc/{own.read_text().strip()}/stat")
    while status.is_file() and " Z " not in status.read_text():  # it ends a moment later
        time.sleep(0.01)


def test_a_stop_does_not_wait_for_the_device_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = threading.Event()
    session = Session(Settings(device="gpu"), lambda _: None)

    def slowly(name: str, *_: object) -> Any:
        session.cancel()
        opened.wait(20)
        return NullProvider()

    monkeypatch.setattr(registry, "open_device", slowly)
    began = time.perf_counter()
    session.run_source(SourceText("a.m", "y = sum(sin(linspace(0, 1, 1e5)))"))
    assert session.last_status == "interrupted"
    assert time.perf_counter() - began < 10
    opened.set()
    session.run_source(SourceText("a.m", "y = sum(sin(linspace(0, 1, 1e5)))"))
    assert session.last_status == "ok"
    assert {group["provider"] for group in session.last_report["groups"]} == {"null"}
    session.close()


@pytest.mark.parametrize("call", ["parpool(2);", "n = gpuDeviceCount;", "gpuDevice(2);"])
def test_a_stop_does_not_wait_until_the_cards_are_counted(
    monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    counted = threading.Event()
    monkeypatch.setattr(registry, "open_device", lambda *_: NullProvider())
    session = Session(Settings(device="gpu"), lambda _: None)
    session.run_source(SourceText("a.m", "y = 1;"))

    def slowly() -> list[Any]:
        session.cancel()
        counted.wait(20)
        return []

    monkeypatch.setattr(registry, "adapters", slowly)
    began = time.perf_counter()
    session.run_source(SourceText("a.m", call))
    assert session.last_status == "interrupted"
    assert time.perf_counter() - began < 10
    counted.set()
    session.close()


@pytest.mark.parametrize("call", ["mat2str(v)", "movmedian(v, 51)", "movmad(v, [3 4])"])
def test_a_loop_over_many_elements_heeds_a_stop(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    session, looks = _session(), 0
    session.settings.set("capture_threshold", 10**9, "option")

    def heeding(items: Any, every: int = stoppable.LOOK_EVERY) -> Any:
        nonlocal looks
        for item in inner(items, every):
            looks += 1
            if looks == 2 * every:
                session.cancel()
            assert looks <= 3 * every, "it goes on"
            yield item

    inner = stoppable.heeding
    monkeypatch.setattr(stoppable, "heeding", heeding)
    session.run_source(SourceText("<test>", f"v = rand(1e6, 1); x = 1; {call}; x = 2;"))
    assert session.last_status == "interrupted"
    assert session.value_of("x") == 1.0
    session.close()


def test_windows_are_reduced_a_part_at_a_time_without_a_difference() -> None:
    code = (
        "v = rand(3e4, 3); a = movmedian(v, 51); b = movmedian(v(1:2000, :), 51);"
        "x = isequal(a(1:1900, :), b(1:1900, :));"
    )
    session = _session()
    session.settings.set("capture_threshold", 10**9, "option")
    session.run_source(SourceText("<test>", code))
    assert session.value_of("x") is True
    session.close()


def test_passes_without_machine_code_heed_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop whose machine code is still being made runs in NumPy, which would go on for hours."""
    monkeypatch.setattr(HostProvider, "native", lambda *_: False)
    session = _session()
    spread = HostProvider.spread

    def stopped(host: HostProvider, count: int, task: Any, inline: bool = False) -> None:
        if count > 1:
            session.cancel()
        spread(host, count, task, inline)

    monkeypatch.setattr(HostProvider, "spread", stopped)
    code = "x = rand(1e5, 1); for k = 1:1e8, x = sin(x) + 0.1; end, s = sum(x);"
    session.run_source(SourceText("<test>", f"{code} disp(s)"))
    assert session.last_status == "interrupted"
    session.close()


@pytest.mark.parametrize("where", ["_debugger.remove", "_poller.stop", "_debugger.install"])
def test_a_stop_raised_where_a_run_begins_or_ends_leaves_the_session_whole(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[protocol.Event] = []
    session = _session(events.append)
    holder, name = where.split(".")
    place = getattr(session.interpreter._guard, holder)
    whole = getattr(place, name)
    limit = sys.getrecursionlimit()

    def interrupted() -> None:
        monkeypatch.setattr(place, name, whole)
        raise Interrupted

    monkeypatch.setattr(place, name, interrupted)
    session.run_source(SourceText("<test>", "x = 1;"))
    assert sys.getrecursionlimit() == limit
    session.run_source(SourceText("<test>", "x = ones(2)(;"))
    session.run_source(SourceText("<test>", "y = 1 + undefined_name;"))
    assert session.last_status == "error"
    assert [e.identifier for e in events if isinstance(e, protocol.ErrorRaised)][-1] == (
        "MATLAB:UndefinedFunction"
    )
    session.close()


@pytest.mark.parametrize(
    "code",
    [
        "str2func(repmat('@(x) x + 1', 1, 3e5));",
        "zlabel(rand(2e6, 1));",
        "t = 1:9; fmincon(big, 1);",
    ],
)
def test_texts_that_are_parsed_and_values_that_are_checked_heed_a_stop_at_once(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Whoever asks for them: what reads or checks a value may be left anywhere."""
    monkeypatch.setattr(stop_watch, "PATIENCE_S", 60.0)
    session = _session()
    session.run_source(SourceText("<test>", "big = repmat('ab c,1 ', 1, 3e5); zlabel('a');"))
    with stopping(session.cancel, 0.3):
        session.run_source(SourceText("<test>", code))
    assert session.last_status == "interrupted"
    session.close()


def test_elements_that_are_made_one_by_one_and_copies_of_many_objects_heed_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop() -> None:
        raise Interrupted

    monkeypatch.setattr(containers, "PIECE", 4)
    monkeypatch.setattr(gather_elements, "PIECE", 4)
    cells = containers.filled_objects((3, 4), "a")
    cells[1, 2] = "b"
    for axis, places in ((0, np.array([1, 1, 0])), (1, np.array([2, 2, 0, 1, 2]))):
        picked = gather_elements.elements_along(cells, places, axis)
        assert (picked == cells.take(places, axis)).all()
    assert containers.object_array(list("abcdefghi")).tolist() == [list("abcdefghi")]
    monkeypatch.setattr(stoppable.Stop, "poll", stop)
    with pytest.raises(Interrupted):
        containers.object_array(iter(int, 1))
    with pytest.raises(Interrupted):
        containers.filled_objects((9,), "a")
    with pytest.raises(Interrupted):
        store_elements.enlarged_copy(cells, (9, 9), "a")
    with pytest.raises(Interrupted):
        shapes.repelem(containers.Cell.of([1.0], (1, 1)), 9.0)
    with pytest.raises(Interrupted):
        gather_elements.elements_along(cells, np.array([0, 1, 0]), 0)


def test_memory_of_many_objects_is_taken_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop comes before all of it has been written to."""

    def stop() -> None:
        raise Interrupted

    monkeypatch.setattr(containers, "PIECE", 1 << 12)
    monkeypatch.setattr(gather_elements, "PIECE", 1 << 12)
    cells = containers.filled_objects((1 << 12, 1), "a")
    monkeypatch.setattr(stoppable.Stop, "poll", stop)
    tracemalloc.start()
    try:
        with pytest.raises(Interrupted):
            containers.filled_objects((1 << 20, 1), "a")
        with pytest.raises(Interrupted):
            gather_elements.elements_along(cells, np.zeros(1 << 20, np.intp), 0)
        assert tracemalloc.get_traced_memory()[1] < 12 << 20  # the places, and what other threads
        # take meanwhile, but not the objects: they are 8 MB more
    finally:
        tracemalloc.stop()


def test_calls_with_many_elements_leave_the_window_its_turn() -> None:
    calls = LargeCalls()
    code = "r = nchoosek(1:30, 7);"
    assert not any(calls.problems(code)) or not list(calls.problems(code))
    calls.close()


WRITTEN = (
    *("x = repmat('ab', 10, 10);", "x = repmat({1}, 20, 20);", "x = Inf(20);"),
    *("x = NaT; x(900) = NaT; assert(all(isnat(x)))", "x = table(1); x{900, 1} = 2; x(1, :);"),
    "x = sparse(1); x(900, 900) = 2; assert(nnz(x) == 2 && x(900, 900) == 2)",
    "x = sparse(1); x([1 3], 900) = 2; assert(nnz(x) == 3 && x(3, 900) == 2)",
    "x = zeros(30); y = x; y(3) = 1; y(2, 2) = 4; y(:) = x; assert(~nnz(x))",
    "assert(all(sum(magic(20)) == sum(magic(20), 2)'))",
)
"""Some of them are written beside where 100 elements are many."""


@pytest.mark.parametrize("many", [True, False])
def test_many_elements_that_are_written_can_be_waited_for_beside(
    monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    begun: list[Callable[[], object]] = []

    def noted(action: Callable[[], object]) -> object:
        begun.append(action)
        return action()

    monkeypatch.setattr(stoppable, "beside", noted)
    monkeypatch.setattr(stoppable, "LARGE_ARRAY", 100 if many else 1 << 20)
    for text in WRITTEN:
        session = Session(Settings(device="cpu"), lambda _: None)
        session.run_source(SourceText("", text))
        session.close()
        assert session.last_status == "ok", session.last_report["error"]
    assert len(begun) >= len(WRITTEN) - 1 if many else not begun


def test_a_long_text_is_put_together_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "PIECE", 16)
    codes = np.full((1, 100), 0x1F600, np.uint32)
    codes[0, 40] = 0x7FFFFFFF
    text = types.char_value(codes)
    assert text == "\U0001f600" * 40 + chr(0x10FFFF) + "\U0001f600" * 59
    looked: list[int] = []

    def stop() -> None:
        looked.append(1)
        if len(looked) == 3:
            raise Interrupted

    monkeypatch.setattr(types.Stop, "poll", stop)
    with pytest.raises(Interrupted):
        types.char_value(codes)
