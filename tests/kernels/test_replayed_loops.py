"""Loops whose passes are replayed from a tape."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider, commands, native_launches, open_provider
from app.accel.runtime import replay
from app.accel.runtime.kept_tapes import tapes_of
from app.accel.runtime.runtime import Runtime
from app.engine.builtins.signals import fourier_forms
from app.engine.capture import capture_session
from app.engine.values import as_array
from app.errors import Interrupted
from tests.campaigns import long_form
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE, device_options
from tests.spellings.replays import difference, program, without_tape

CENTRED = "x = sin((1:300)' / 7);\nfor k = 1:{0}\nx = 1.001 * x - mean(x) / k;\nend"
STENCIL = (
    "u = zeros(60, 50); u(20:30, 20:30) = 1;\nfor k = 1:{0}\n"
    "u(2:end-1, 2:end-1) = 0.25 * (u(1:end-2, 2:end-1) + u(3:end, 2:end-1)"
    " + u(2:end-1, 1:end-2) + u(2:end-1, 3:end));\nend"
)
COUNTED = "x = sin((1:300)' / 7);\nfor k = 1:{0}\nx = x + (k - 50) * 0.001 * mean(x);\nend"
UNTIL = (
    "x = (1:300)';\nfor k = 1:{0}\nx = x - 0.01 * mean(abs(x));\nif max(x) < 100, break, end\nend"
)


class Bench:
    """An interpreter on a device, and how often units were planned and played."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.provider = self.open()
        self.runtime = Runtime(device_options(), self.provider, opener=lambda _: self.open())
        self.machine = Machine(self.runtime)
        self.played = 0
        self.before: Callable[[], None] = lambda: None
        some = replay._Playing._play_some_units

        def counted(playing: replay._Playing, *rest: object) -> object:
            self.before()
            found = some(playing, *rest)  # type: ignore[arg-type]
            self.played += found is not None
            return found

        patch.setattr(replay._Playing, "_play_some_units", counted)

    @staticmethod
    def open() -> WgpuProvider:
        return open_provider()

    def run(self, text: str) -> dict[str, np.ndarray]:
        """What a program leaves behind; its counters begin anew."""
        self.machine = Machine(self.runtime)
        gc.collect()  # values of the last one are gone
        self.runtime.recorder.reset()
        self.machine.run(text)
        return {name: as_array(v) for name, v in self.machine.interpreter.workspace.items()}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(monkeypatch)
    capture_session.activate(made.runtime, CAPTURE)
    yield made
    capture_session.deactivate()
    made.machine = Machine()
    made.runtime.close()


@pytest.mark.parametrize("seed", long_form(range(8), 3))
def test_a_tape_gives_the_bits_and_counts_of_plans(seed: int, bench: Bench) -> None:
    found = difference(seed, bench.runtime)
    assert not found, f"{found}: {program(seed)}"


@pytest.mark.parametrize("text", [CENTRED, STENCIL, COUNTED, UNTIL])
def test_what_is_replayed_is_not_captured(text: str, bench: Bench) -> None:
    few = bench.run(text.format(64))
    captured = bench.runtime.recorder.counters.captured_ops
    played, bench.played = bench.played, 0
    found = bench.run(text.format(640))
    assert played
    assert bench.played
    assert bench.runtime.recorder.counters.captured_ops < 3 * captured
    with without_tape():
        expected = bench.run(text.format(640))
    assert few.keys() == found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].tobytes() == value.tobytes(), name


GUARDED = (
    "A = 1 ./ toeplitz(1:4); w = sin((1:300)' * (1:4)).^2; E = cos(w) * 0.5; s = 0;\n"
    "for k = 1:{0}\nw = (w * A) .* (E + 0.6); c = sum(w, 2); w = w ./ c; s = s + log(c);\nend"
)


def test_a_tape_whose_answers_may_be_complex_waits_once_for_many_passes(bench: Bench) -> None:
    bench.run(GUARDED.format(64))
    bench.played = 0
    found = bench.run(GUARDED.format(320))
    assert bench.played
    assert bench.runtime.recorder.counters.submits < 80
    with without_tape():
        expected = bench.run(GUARDED.format(320))
    assert found["s"].tobytes() == expected["s"].tobytes()


def test_tables_of_transforms_outlive_the_trace_that_asked_for_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    roots = fourier_forms.roots

    def counted(n: int, inverse: bool) -> np.ndarray:
        made.append(n)
        return roots(n, inverse)

    monkeypatch.setattr(fourier_forms, "roots", counted)
    text = "x = sin((1:1024)' / {0}); k = exp(-1i * (1:1024)' / 99);\n"
    text += "for j = 1:{1}\nx = real(ifft(k .* fft(x)));\nend"
    bench.run(text.format(7, 12))
    first = len(made)
    bench.run(text.format(9, 14))
    assert 0 < first == len(made)


LEAVING = (
    "x = 1 + sin((1:300)' / 7).^2; u = zeros(300, 2); s = 0;\n"
    "for k = 1:{0}\nx = x - 0.004 * mean(x); u(:, 1) = x; {1}\nend\ns = sum(s);"
)


@pytest.mark.parametrize(
    "line",
    [
        "s = s + log(x - 0.5);",
        "s = s + abs(log(x - 0.5));",
        "s = s + real(sqrt(x - 0.8)); u(:, 2) = u(:, 1) + s;",
        "x = x + 1e-3 * abs(sqrt(x - 0.7));",
    ],
)
@pytest.mark.parametrize("passes", [96, 300])
def test_passes_that_leave_the_real_numbers_are_done_again(
    line: str, passes: int, bench: Bench
) -> None:
    """From where they all were real; those before are played."""
    found = bench.run(LEAVING.format(passes, line))
    again = bench.run(LEAVING.format(passes, line))
    with without_tape():
        expected = bench.run(LEAVING.format(passes, line))
    for name in ("s", "x", "u"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-13)
        np.testing.assert_allclose(again[name], expected[name], rtol=1e-13)
        assert found[name].dtype == expected[name].dtype


def test_a_later_run_plays_the_tape_of_the_first_one(bench: Bench) -> None:
    """With other data and another end; nothing of it is captured or planned again."""
    text = (
        "x = sin((1:300)' / {0}); A = reshape(cos((1:900) / {0}), 30, 30); y = A(:, 1);\n"
        "for k = 1:{1}\nx = 1.001 * x - mean(x) / k;\ny = A * y; y = y / norm(y);\nend"
    )
    bench.run(text.format(7, 64))
    captured = bench.runtime.recorder.counters.captured_ops
    for divisor, passes in ((7, 64), (9, 64), (8, 96)):
        bench.played = 0
        found = bench.run(text.format(divisor, passes))
        assert bench.played
        assert bench.runtime.recorder.counters.captured_ops < 0.7 * captured
        with without_tape():
            tapes_of(bench.runtime).forms.clear()
            expected = bench.run(text.format(divisor, passes))
        bench.run(text.format(7, 64))
        assert {n: v.tobytes() for n, v in found.items()} == {
            n: v.tobytes() for n, v in expected.items()
        }


@pytest.mark.parametrize("begun", ["b = a;", "b = a + 1;", "b = a; c = a;", "b = a + 1; c = b;"])
def test_variables_that_begin_as_one_value_play_kept_tapes(
    begun: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the passes a variable is another one's value of the pass before."""
    text = (
        "a = sin((1:300)' / {0});\n"
        + begun
        + ("\nfor k = 1:{1}\nc = 1.9 * a - 0.9 * b - 0.1 * mean(a);\nb = a;\na = c;\nend")
    )
    written: list[replay.Tape] = []
    write = replay.TapeWriter.write

    def noted(writer: replay.TapeWriter, *rest: object) -> replay.Tape:
        written.append(write(writer, *rest))  # type: ignore[arg-type]
        return written[-1]

    monkeypatch.setattr(replay.TapeWriter, "write", noted)
    bench.run(text.format(7, 64))
    assert written
    written.clear()
    for divisor, passes in ((7, 64), (9, 64), (8, 96)):
        bench.played = 0
        found = bench.run(text.format(divisor, passes))
        assert bench.played
        assert not written
        with without_tape():
            expected = bench.run(text.format(divisor, passes))
        assert {n: v.tobytes() for n, v in found.items()} == {
            n: v.tobytes() for n, v in expected.items()
        }


def test_a_kept_tape_holds_no_memory(bench: Bench) -> None:
    text = "x = sin((1:300)' / 7);\nfor k = 1:{0}\nx = 1.001 * x - mean(x) / k;\nend\nx = sum(x);"
    bench.run(text.format(64))
    gc.collect()
    bench.runtime.synchronize()
    live = bench.runtime.memory()["live"]
    assert tapes_of(bench.runtime).forms
    tapes_of(bench.runtime).forms.clear()
    gc.collect()
    assert bench.runtime.memory()["live"] == live


def test_launches_are_the_same_with_and_without_machine_code(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    native_launches.make_ready()
    expected = bench.run(CENTRED.format(200))["x"]
    monkeypatch.setattr(native_launches, "record", native_launches._record_slowly)
    monkeypatch.setattr(commands, "record", native_launches._record_slowly)
    assert bench.run(CENTRED.format(200))["x"].tobytes() == expected.tobytes()


def test_passes_of_a_stencil_copy_nothing_and_allocate_nothing(bench: Bench) -> None:
    for _ in range(2):
        bench.run(STENCIL.format(240))
    counters = bench.runtime.recorder.counters
    first, made = counters.dispatches, bench.provider.statistics().allocations
    bench.run(STENCIL.format(640))
    assert counters.dispatches - first == 400
    assert bench.provider.statistics().allocations == made


def test_constants_are_uploaded_once(bench: Bench) -> None:
    text = (
        "A = reshape(cos(1:64*64), 64, 64); x = ones(64, 1);\nfor k = 1:{0}\n"
        "w = A * x; x = w / norm(w);\nend"
    )
    bench.run(text.format(100))
    counters = bench.runtime.recorder.counters
    first = counters.upload_bytes
    bench.run(text.format(400))
    assert counters.upload_bytes == first


def test_stop_ends_a_replay(bench: Bench) -> None:
    bench.run("x = 1;")

    def stop() -> None:
        bench.machine.host.cancelled = True
        bench.machine.interpreter.stop_flag.on = True

    bench.before = stop
    with pytest.raises(Interrupted):
        bench.run(CENTRED.format(100000))
    bench.before = lambda: None
    assert bench.played <= 1
    bench.run(CENTRED.format(64))


def test_a_device_lost_meanwhile_costs_no_result(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    expected = bench.run(CENTRED.format(100))["x"]

    def lose() -> None:
        bench.provider.faults.lost, bench.before = True, lambda: None

    bench.before = lose
    found = bench.run(CENTRED.format(100))["x"]
    assert any(r.reason.value == "device-lost" for r in bench.runtime.recorder.boundaries.values())
    np.testing.assert_allclose(found, expected, 1e-12)


def test_a_number_that_only_an_earlier_run_has_computed_is_computed(bench: Bench) -> None:
    runtime = bench.runtime
    quarter = runtime.leaf(np.full((1, 1), 0.25))
    number = runtime.apply("times", (quarter, runtime.scalar(3.0)))
    rest: tuple[Any, ...] = (None, None, None, 1, None, 0)
    assert replay._Loop(runtime, *rest)._number(number) == 0.75


@pytest.mark.parametrize(
    "text",
    [
        "for k = 1:12\nw = w - A' * (A * w - 1) * 1e-4;\nend",
        "p.At = A';\nfor k = 1:12\nw = w - p.At * (A * w - 1) * 1e-4;\nend",
        "g = @(w) A.' * (A * w - 1);\nk = 0;\nwhile k < 12\nk = k + 1; w = w - 1e-4 * g(w);\nend",
    ],
)
def test_products_read_a_matrix_where_it_lies(text: str, bench: Bench) -> None:
    bench.run(f"A = sin((1:900)' * (1:8)); w = ones(8, 1);\n{text}\nw = gather(w); clear p g")
    groups = bench.runtime.recorder.groups.values()
    assert any("matmul" in row.ops for row in groups)
    assert not any(row.ops == ("permute",) for row in groups)
