"""A program that runs again: handed in as a whole it does what it does step by step, and no more."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from app import settings
from app.accel.planner.prepared_plans import PreparedPlan
from app.engine.interpreter.loops.branches import TracingRuntime
from app.engine.session.session import Session
from app.source import SourceText

if TYPE_CHECKING:
    from app.accel.support.telemetry import Event

DATA = """
X = single(reshape(mod((1:64000)' * 0.618, 1), 8000, 8));
y = reshape(mod((1:8000)' * 0.414, 1), 8000, 1);
"""
PROGRAMS = {
    "map": "r = sum(X(:) .* {n} + {n}^2);",
    "rows": "E = exp(X - max(X, [], 2) * {n}); r = sum(sum(E ./ sum(E, 2)) .* (1:8));",
    "signed zero": "r = sum(1 ./ (y * 0 + {n}));",
    "domain left": "r = sum(sqrt(y - {n} / 4));",
    "slices": "k = 1 + abs(round(2 * {n})); r = sum(X(k:k+4000, 3)) + sum(y(end-k:end));",
    "algorithms": "q = sort(y + {n}); r = q(11) + sum(cumsum(X(:, 2)) / {n});",
    "several steps": "v = ones(8, 1, 'single');\nfor k = 1:5, v = (X' * (X * v)); v = v / norm(v) * {n}; end\n"
    "r = sum(v);",
    "two answers": "a = mean(X) + {n}; b = sum(a); c = max(a); r = double(gather(b)) + double(gather(c));",
    "parts": "F = cumsum(X) * {n}; F(1:4000, :) = 1; F(:, 3:4) = X(:, 1:2);\nG = cumsum(F, 2); G(7:5000, 2) = {n};"
    " r = sum(G(:)) + sum(F(:));",
    "upload": "w = ones(8000, 1) * 3; w(7) = {n}; r = sum(w .* y);",
    "function": "r = work(X, {n});\nfunction r = work(X, n)\nt = (X - n) ./ 3; r = sum(t(:).^2);\nend",
}
NUMBERS = (2.0, 2.0, 2.0, 0.5, -3.25, 0.0, 0.0, -0.0, 7.5)
COUNTED = (
    *("plans", "groups", "dispatches", "fallbacks"),
    *("uploads", "upload_bytes", "downloads", "download_bytes", "work_inflation"),
)


@contextmanager
def on_the_device() -> Iterator[Session]:
    """A session with the data; several in turn, since only one captures."""
    chosen = settings.load({"FUSELAB_DEVICE": "gpu", "FUSELAB_CAPTURE_THRESHOLD": "64"})
    session = Session(chosen, lambda _: None)
    try:
        assert session.acceleration.runtime.open() is not None
        session.run_source(SourceText("data.m", DATA))
        assert session.last_status == "ok", session.last_report["error"]
        yield session
    finally:
        session.close()


@pytest.fixture
def session() -> Iterator[Session]:
    with on_the_device() as made:
        yield made


def answers(session: Session, text: str, numbers: tuple[float, ...]) -> list[object]:
    """What a program answers for numbers, with the counters and the rows of each run."""
    found: list[object] = []
    session.run_source(SourceText("main.m", "n = 0;"))
    for n in numbers:
        session.evaluate(f"n = {n};")
        session.run_source(SourceText("main.m", text.format(n="n")))
        assert session.last_status == "ok", session.last_report["error"]
        session.evaluate("s = gather(r);")
        recorder = session.interpreter.runtime.recorder
        counters = recorder.counters_json()
        rows = sorted(
            (
                row.kind,
                row.provider,
                row.lines,
                row.executions,
                row.dispatches,
                len(row.sources or ()),
            )
            for row in recorder.groups.values()
        )
        kernels = {k.label: k.hits + k.misses for k in recorder.kernels.values()}
        answer = session.value_of("s")
        found.append(
            (repr(answer), {c: counters[c] for c in COUNTED}, rows, sorted(kernels.items()))
        )
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_a_whole_is_as_step_by_step(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_the_device() as session:
        whole = answers(session, PROGRAMS[name], NUMBERS)
    monkeypatch.setattr(PreparedPlan, "of", classmethod(lambda *_: None))
    with on_the_device() as session:
        apart = answers(session, PROGRAMS[name], NUMBERS)
    for k, (one, two) in enumerate(zip(whole, apart, strict=True)):
        assert one == two, f"run {k} with {NUMBERS[k]}"


@pytest.mark.parametrize("name", ["map", "rows", "several steps", "parts", "function"])
@pytest.mark.parametrize(
    ("before", "after"),
    [((2.0,) * 5, (2.0,) * 3), ((2.0, 3.0, 5.0, 7.0, 9.0, 13.0), (2.5, 4.5, 11.0))],
    ids=["the same text and numbers", "other numbers"],
)
def test_nothing_is_prepared_again(
    name: str,
    before: tuple[float, ...],
    after: tuple[float, ...],
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = session.interpreter.runtime
    device = runtime.executor.device
    assert device is not None
    assert device.player is not None
    recorded, steps = [], []
    record, bind = device.player.recorded, type(runtime.executor)._one_after_the_other
    monkeypatch.setattr(device.player, "recorded", lambda d: recorded.append(len(d)) or record(d))
    monkeypatch.setattr(
        type(runtime.executor),
        "_one_after_the_other",
        lambda self, plan, run: steps.append(plan) or bind(self, plan, run),
    )
    text = PROGRAMS[name]
    for n in before:
        answers(session, text, (n, n))
    assert recorded, "what comes again is recorded"
    made = device.statistics().extra["bind_groups"]
    recorded.clear()
    steps.clear()
    for n in after:
        ((_, counters, _, _),) = answers(session, text, (n,))  # type: ignore[misc]
        assert counters["plans"] > 0
        assert runtime.recorder.counters.plan_cache_hits == counters["plans"], "no plan is built"
    assert not recorded, "launches are there"
    assert not steps, "no step is run by itself"
    assert device.statistics().extra["bind_groups"] == made


def test_a_device_that_is_lost_takes_what_was_recorded_with_it(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    text = PROGRAMS["rows"]
    before = answers(session, text, (2.0,) * 6)
    session.interpreter.runtime.executor.device.faults.lost = True
    session.run_source(SourceText("data.m", DATA))
    after = answers(session, text, (2.0,) * 6)
    assert [one[0] for one in after] == [one[0] for one in before]  # type: ignore[index]


def test_parameters_that_are_there_are_not_written_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.accel.backends.wgpu.commands import Commands

    written: list[int] = []
    send = Commands.send
    monkeypatch.setattr(
        Commands,
        "send",
        lambda self, *given: written.append(len(given[2])) or send(self, *given),
    )
    text = "r = sum(X(:) * n);\ns = gather(r);"
    found = []
    for n in (2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 2.0, 2.0):
        session.run_source(SourceText("main.m", f"n = {n};"))
        written.clear()
        session.run_source(SourceText("work.m", text))
        found.append((session.value_of("s"), sum(written) > 0))
    values, fresh = zip(*found, strict=True)
    assert values == tuple(values[0] if k in {0, 1, 2, 3, 6, 7} else values[4] for k in range(8))
    assert fresh[3:] == (False, True, False, True, False)


@pytest.mark.parametrize("name", ["rows", "domain left", "algorithms", "several steps", "parts"])
def test_what_a_report_says_adds_up(name: str, session: Session) -> None:
    text = PROGRAMS[name].format(n="n") + "\ns = gather(r);"
    session.run_source(SourceText("main.m", "n = 2;"))
    for _ in range(6):
        session.run_source(SourceText("work.m", text))
        counters, report = session.last_report["counters"], session.last_report
        groups = [group for group in report["groups"] if group["provider"] != "host"]
        assert sum(group["dispatches"] for group in groups) == counters["dispatches"]
        for rows, field in ((groups, "measured_ms"), (report["kernels"], "device_ms")):
            assert sum(row[field] or 0.0 for row in rows) == pytest.approx(counters["device_ms"])
        lines = sum(line["device_ms"] for line in report["lines"])
        assert lines == pytest.approx(counters["device_ms"])


def test_work_is_booked_for_the_run_that_asked_for_it(session: Session) -> None:
    recorder = session.interpreter.runtime.recorder
    text = SourceText("main.m", "n = 2; " + PROGRAMS["rows"].format(n="n"))
    for _ in range(5):
        session.run_source(text)
        assert recorder.counters_json()["device_ms"] is None, "nobody has asked yet"
        session.evaluate("s = gather(r);")
        counters = recorder.counters_json()
        assert counters["device_ms"]
        spent = sum(group.measured_ms or 0.0 for group in recorder.groups.values())
        assert spent == pytest.approx(counters["device_ms"])
        session.evaluate("t = gather(sum(X(:)));")  # and nobody looks before the next run


def test_memory_that_is_told_of_is_the_memory_that_is_held(session: Session) -> None:
    runtime, held = session.interpreter.runtime, dict[object, object]()
    sizes = [buffer.device.buffer for _, buffer in runtime.residency.table.items() if buffer.device]
    held.update((id(buffer), buffer.nbytes) for buffer in sizes)

    def hear(event: Event) -> None:
        detail = dict(event.detail)
        if event.track != "Memory":
            return
        if event.name == "allocate":
            assert detail["buffer"] not in held
            held[detail["buffer"]] = detail["bytes"]
        else:
            assert held.pop(detail["buffer"]) == detail["bytes"]

    leave, seen = runtime.recorder.subscribe(hear), list[tuple[int, int]]()
    for k in range(10):
        name = "parts" if k % 3 == 2 else "rows"
        answers(session, PROGRAMS[name], (2.0,))
        runtime.executor.storage.bury()
        live = runtime.executor.storage.live_bytes
        assert sum(held.values()) == live == runtime.memory()["live"]  # type: ignore[arg-type]
        peak = runtime.recorder.counters.peak_device_bytes
        seen.append((live, peak))
    leave()
    assert all(peak >= live for live, peak in seen)
    assert len({seen[k] for k in (4, 7)}) == 1


def test_storage_that_somebody_still_holds_is_left_alone(session: Session) -> None:
    text = "E = X * n; F = cumsum(E); r = sum(F(:)); s = gather(r);"
    for k in range(6):
        session.run_source(SourceText("main.m", f"n = {k + 1};"))
        session.run_source(SourceText("work.m", text))
        if k % 2:
            session.evaluate("kept = F;")
            expected = repr(session.value_of("s"))
    session.evaluate("again = gather(sum(kept(:))); other = gather(sum(F(:)));")
    assert repr(session.value_of("again")) == expected
    assert repr(session.value_of("other")) == repr(session.value_of("s"))


HASTY_LINE = """
w = y; s = zeros(1, {n});
for k = 1:{n}
    m = max([w, y / 2], [], 2);
    t = sum(m + log(1 + w));
    w = m - t / 1e6;
    s(k) = t;
    if t < 0, break, end
    det([t 1; 2 3]);
end
r = sum(s);
"""


def test_a_line_that_needs_its_sum_at_once_does_not_fetch_its_operand(session: Session) -> None:
    """However often a sum of resident numbers is needed on the host: the sum alone comes down."""
    counters = session.interpreter.runtime.recorder.counters
    found = []
    for n in (20, 40, 80):
        session.run_source(SourceText("main.m", HASTY_LINE.replace("{n}", str(n))))
        assert session.last_status == "ok", session.last_report["error"]
        found.append((counters.downloads, counters.download_bytes))
    assert all(size < 8 * 8000 for _, size in found), found


SHORT_PASSES = """
M = 200; L = 32; N = 70; x = sin((1:M)'*0.01 + (1:N)*0.7); h = exp(-(0:L-1)/6); w = zeros(M, L);
for n = L:N
    u = x(:, n:-1:n-L+1);
    e = u*h' - sum(w.*u, 2);
    w = w + 0.01*e.*u;
end
r = sum(w(:));
"""


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_passes_over_few_elements_need_no_software_adapter(device: str) -> None:
    """It computes where the host does, which is done with them before they would be planned."""
    session = Session(settings.load({"FUSELAB_DEVICE": device}), lambda _: None)
    try:
        info = session.acceleration.runtime.open()
        if info is not None and info.type != "cpu":
            pytest.skip("the device has a processor of its own")
        for _ in range(3):
            session.run_source(SourceText("main.m", SHORT_PASSES))
            assert session.last_status == "ok", session.last_report["error"]
            assert session.interpreter.runtime.recorder.counters.groups == 0
    finally:
        session.close()


TWO_KINDS_OF_PASSES = """
V = X(1:60, :)' * X(1:60, :); W = X(1:8, 1:4) + 0.1; H = X(9:12, :) + 0.1;
for k = 1:40
    H = H .* (W' * V) ./ (W' * W * H + 0.01);
    W = W .* (V * H') ./ (W * (H * H') + 0.01);
    if mod(k, 10) == 0, r = norm(V - W * H, 'fro'); end
end
"""


def test_a_loop_that_is_only_replayed_takes_the_memory_of_its_last_run(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = session.interpreter.runtime
    device = runtime.executor.device
    assert device is not None
    assert device.player is not None
    prepared, prepare = [], device.player.prepare
    monkeypatch.setattr(device.player, "prepare", lambda d: prepared.append(len(d)) or prepare(d))
    session.run_source(SourceText("data.m", TWO_KINDS_OF_PASSES.partition("for")[0]))
    text = TWO_KINDS_OF_PASSES[TWO_KINDS_OF_PASSES.index("W = X") :]

    def run() -> tuple[int, int]:
        prepared.clear()
        session.run_source(SourceText("main.m", text))
        assert session.last_status == "ok", session.last_report["error"]
        session.evaluate("s = gather(r);")
        return len(prepared), device.statistics().live_buffers

    before = [run() for _ in range(9)]
    after = [run() for _ in range(3)]
    assert {live for _, live in before[4:] + after} == {before[3][1]}
    assert [made for made, _ in after] == [0, 0, 0], "sequences of earlier runs are over its memory"


TURNING_COMPLEX = {
    "columns": "S = zeros(129, 60);\nfor k = 1:60, s = fft(y(k:k+255)); S(:, k) = s(1:129); end",
    "rows": "S = zeros(60, 256);\nfor k = 1:60\nS(k, :) = ifft(y(k:k+255) .* y(1:256)).';\nend",
    "masks": "S = y;\nfor k = 1:60, S(real(S) > 0.5 + k / 200) = 0.25i; S = 1.01 * S; end",
}


@pytest.mark.parametrize("name", TURNING_COMPLEX)
def test_no_run_of_a_loop_whose_array_turns_complex_takes_more(name: str, session: Session) -> None:
    text, found = TURNING_COMPLEX[name] + "\nr = sum(abs(S(:)));\ns = gather(r);", []
    for _ in range(6):
        session.run_source(SourceText("work.m", text))
        assert session.last_status == "ok", session.last_report["error"]
        counters = session.last_report["counters"]
        found.append(tuple(counters[c] for c in ("plans", "dispatches", "uploads", "downloads")))
    assert all(
        now <= then for later in found[2:] for now, then in zip(later, found[1], strict=True)
    )


@pytest.mark.parametrize(
    "body",
    [
        "s = s + numel(y(y > 0.5));",
        "i = find(y > 0.5); y(i) = y(i) / 2; s = s + length(i);",
        "s = s + nnz(y > 0.5) + numel(find(y > 0.5)); if s < 0, break, end",
    ],
)
def test_nothing_keeps_a_trace_whose_loop_counts(body: str) -> None:
    """A trace holds the buffers of all its values."""
    before = _traces()
    with on_the_device() as session:
        text = f"s = 0;\nfor k = 1:60, y = 0.99 * y; {body} end\n"
        session.run_source(SourceText("main.m", text))
        assert session.last_status == "ok", session.last_report["error"]
    del session
    assert _traces() == before


def _traces() -> int:
    while gc.collect():
        pass
    return sum(isinstance(found, TracingRuntime) for found in gc.get_objects())
