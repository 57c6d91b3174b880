"""One computation in many spellings takes one set of kernels, and gives the same bits."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from app.accel.backends.base import Provider
from app.accel.backends.wgpu import open_provider
from app.accel.planner.placement import Placer
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from app.errors import Unsupported
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE, device_options, measure, same_bits
from tests.spellings.parts import PARTS, parts
from tests.spellings.programs import COMPUTATIONS, Computation
from tests.spellings.rewriting import SPELLINGS, loop_of, plain

PENDING: dict[str, frozenset[str]] = {}
"""Spellings by computation that do not yet take what the plain one takes."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    provider = open_provider()
    made = Runtime(device_options(), provider)
    yield made
    made.close()


@pytest.mark.parametrize(("computation", "part"), parts(COMPUTATIONS))
def test_every_spelling_takes_what_the_plain_one_takes(
    computation: Computation, part: int, runtime: Runtime, tmp_path: Path
) -> None:
    loop = loop_of(computation)
    base = measure(loop, plain(loop), tmp_path, runtime)
    different = set()
    for name, spell in islice(SPELLINGS.items(), part, None, PARTS):
        folder = tmp_path / name
        folder.mkdir()
        found = measure(loop, spell(loop), folder, runtime)
        wrong = same_bits(base.answers, found.answers)
        if name not in PENDING.get(computation.name, ()):
            assert not wrong, f"{name} gives other values of {wrong}"
        if wrong or found.plan != base.plan:
            different.add(name)
    assert different <= PENDING.get(computation.name, frozenset())


@pytest.fixture
def by_itself() -> Iterator[Runtime]:
    """A runtime that chooses, and has no device yet."""

    def none(name: str) -> Provider:
        raise Unsupported(f"no adapter for '{name}'")

    made = Runtime(AccelOptions(device="auto", kernel_cache=False), opener=none)
    capture_session.activate(made, CAPTURE)
    yield made
    capture_session.deactivate()
    Machine()  # the latest interpreter is kept, with all its values
    gc.collect()


def lent_device(made: Runtime, runtime: Runtime) -> None:
    device = runtime.executor.device
    assert device is not None
    made.opening.adopt(device)
    made.planner.adopt(device)


def test_loops_refused_before_a_device_was_there_are_tried_with_it(
    by_itself: Runtime, runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Placer, "is_apart", True)  # a software adapter leaves them to the host
    loop = "for k = 1:20, y = 0.9 * y(end:-1:1); m = mean(y); if m < 0, break, end, end"
    (tmp_path / "decayed.m").write_text(f"function y = decayed(y), {loop}, end")
    machine = Machine(by_itself)
    machine.interpreter.path.add([str(tmp_path)])
    for _ in range(5):
        machine.run("y = decayed(linspace(1, 2, 5000)');")
    lent_device(by_itself, runtime)
    machine.run("y = decayed(linspace(1, 2, 5000)');")
    said = [row.detail for row in by_itself.recorder.boundaries.values()]
    assert any("the kernels of the loop run once a pass" in detail for detail in said)


def test_forms_of_resident_data_are_traced_with_the_loop(
    by_itself: Runtime, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Placer, "is_apart", True)
    lent_device(by_itself, runtime)
    machine = Machine(by_itself)
    start = "n = 40; e = ones(n, 1); L = spdiags([e -2 * e e], -1:1, n, n);"
    machine.run(start + "A = kron(L, speye(n)) + kron(speye(n), L); u0 = linspace(0, 1, n * n)';")
    loop = "for k = 1:30, w = u + 0.1 * (A * u); u = w; if any(isnan(u)), error('x'), end, end"
    by_itself.recorder.boundaries.clear()
    machine.run(f"u = u0; {loop}, r = sum(u);")
    said = [row.detail for row in by_itself.recorder.boundaries.values()]
    assert any("the kernels of the loop run once a pass" in detail for detail in said)
    machine.run(f"u = full(u0); B = full(A); {loop.replace('A *', 'B *')}, d = abs(r - sum(u));")
    assert as_array(machine.value("d")).item() < 1e-9


def test_where_data_are_known_to_be_nothing_is_computed_to_see(
    by_itself: Runtime, runtime: Runtime
) -> None:
    lent_device(by_itself, runtime)
    machine = Machine(by_itself)
    machine.run("A = gpuArray(reshape(1:4096, 64, 64) / 7); t = linspace(2, 60, 4096)';")
    machine.run("B = interp2(A, 1 + t / 2, t + 0.5); s = sum(B);")
    said = [row.detail for row in by_itself.recorder.boundaries.values()]
    assert not any("where are the data" in detail for detail in said)
    assert by_itself.recorder.counters.downloads == 0
