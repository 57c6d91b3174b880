"""A loop that runs for the first time in `auto`, where a graphics card may be opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider, open_provider
from app.accel.planner import cost
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.accel.support import system_cards
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE

LOOPS = {
    "totals of columns": (
        "x = sin((1:3000)' / 7) * [1 2]; s = 0; t = zeros(40, 2);\n"
        "for k = 1:40\nx = x - 0.01 * mean(x); ok = x(:, 1) > 0.1;\n"
        "x(ok, :) = 0.5 * x(ok, :); s = s + nnz(ok); t(k, :) = mean(x);\nend"
    ),
    "random steps": (
        "x = zeros(3000, 1); a = 0;\nfor k = 1:40\np = x + 0.8 * randn(3000, 1);\n"
        "ok = log(rand(3000, 1)) < x.^2 - p.^2; x(ok) = p(ok); a = a + sum(x);\nend"
    ),
    "a stencil": (
        "u = zeros(60, 50); u(20:30, 20:30) = 1;\nfor k = 1:40\n"
        "u(2:end-1, 2:end-1) = 0.25 * (u(1:end-2, 2:end-1) + u(3:end, 2:end-1)"
        " + u(2:end-1, 1:end-2) + u(2:end-1, 3:end)) - 1e-3 * mean(u(:));\nend"
    ),
    "counts of some passes": (
        "x = zeros(3000, 1); H = zeros(4, 20);\nfor k = 1:40\nx = x + 2 * (rand(3000, 1) < 0.5) - 1;\n"
        "if mod(k, 10) == 0, H(k / 10, :) = histcounts(x, -10:10); end\nend"
    ),
}


def card() -> WgpuProvider:
    """The adapter of the tests, said to be no other use of the processor."""
    made = open_provider()
    made.info = replace(made.info, type="discrete")
    return made


@pytest.fixture
def beside_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, float], Machine]]:
    """A machine that may open a card beside a host that is thought to be so much slower."""
    monkeypatch.setattr(system_cards, "may_have_card", lambda: True)
    made: list[Machine] = []

    def begin(device: str, slower: float) -> Machine:
        options = AccelOptions(device=device, calibration=False, kernel_cache=False)
        runtime = Runtime(options, opener=lambda _: card())
        host = cost.typical_host(1)
        rates = host.bandwidth / slower, host.arithmetic / slower, host.doubles / slower
        runtime.placer.host = replace(
            host, bandwidth=rates[0], arithmetic=rates[1], doubles=rates[2]
        )
        capture_session.activate(runtime, CAPTURE)
        made.append(Machine(runtime))
        return made[-1]

    yield begin
    capture_session.deactivate()
    for machine in made:
        machine.interpreter.unhook()
        runtime_of(machine).close()


def runtime_of(machine: Machine) -> Runtime:
    """What it computes with."""
    found = machine.interpreter.runtime
    assert found is not None
    return found


def ran(machine: Machine, text: str) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """What was done for a program, and what it leaves behind."""
    machine.run("rng(3);\n" + text)
    workspace = machine.interpreter.workspace
    counters = runtime_of(machine).recorder.counters
    names = "captured_ops", "kernels_compiled", "downloads"
    done = {name: getattr(counters, name) for name in names}
    return done, {name: as_array(v) for name, v in workspace.items()}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_long_loop_is_on_the_card_from_its_first_pass(
    loop: str, beside_card: Callable[[str, float], Machine]
) -> None:
    """Passes that begin on the host would go on as chains of operations, each compiled apart."""
    forced, expected = ran(beside_card("gpu", 1e4), LOOPS[loop])
    machine = beside_card("auto", 1e4)
    chosen, found = ran(machine, LOOPS[loop])
    reasons = {key[2].value for key in runtime_of(machine).recorder.boundaries}
    assert "graph-limit" not in reasons
    assert chosen["captured_ops"] == forced["captured_ops"]
    assert chosen["kernels_compiled"] <= forced["kernels_compiled"]
    assert chosen["downloads"] <= forced["downloads"] + 1
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-12, err_msg=name)


def test_nobody_waits_where_there_is_no_card(
    beside_card: Callable[[str, float], Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_cards, "may_have_card", lambda: False)
    machine = beside_card("auto", 1e4)
    waited: list[float] = []
    opening = runtime_of(machine).opening
    monkeypatch.setattr(type(opening), "wanted", lambda _, gain, missed=0.0: waited.append(gain))
    runtime_of(machine).planner.open_for_loop(runtime_of(machine).loop(1000).traced)
    assert not waited


@pytest.mark.parametrize(("slower", "opened"), [(1.0, False), (1e6, True)])
def test_a_short_loop_opens_nothing(
    slower: float, opened: bool, beside_card: Callable[[str, float], Machine]
) -> None:
    machine = beside_card("auto", slower)
    runtime_of(machine).opening.cost_ms = 20_000.0  # more than what a busy processor makes of it
    done, _ = ran(machine, LOOPS["a stencil"])
    assert (runtime_of(machine).device_info is not None) == opened
    assert bool(done["kernels_compiled"]) == opened


SOLVER = """classdef Solver < handle
properties, x, n = 0, end
methods
function run(o, p)
for k = 1:p
o.x = 1.001 * o.x - 0.01 * mean(o.x); o.n = o.n + 1;
if max(abs(o.x)) > 40, break, end
end
end
end
end
"""
UNDER_WAY = {
    "a method": "s = Solver; s.x = x; s.run(80); x = s.x; n = s.n; clear s",
    "left early": "for k = 1:80, x = 1.001 * x - 0.01 * mean(x); if max(abs(x)) > 40, break, end, end",
    "to its end": "for k = 1:80, x = 1.001 * x - 0.01 * mean(x); end",
}


@pytest.mark.parametrize("loop", UNDER_WAY)
def test_a_loop_under_way_goes_on_on_the_card_that_comes(
    loop: str,
    beside_card: Callable[[str, float], Machine],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its passes are units on the card from then on, as they are where the card is there."""
    (tmp_path / "Solver.m").write_text(SOLVER)
    text = "x = sin((1:70000)' / 7);\n" + UNDER_WAY[loop]
    done: dict[str, dict[str, int]] = {}
    left: dict[str, dict[str, np.ndarray]] = {}
    for device in ("gpu", "auto"):
        machine = beside_card(device, 1e4)
        machine.interpreter.path.add([str(tmp_path)])
        if device == "auto":
            _let_card_come_with_plan(4, runtime_of(machine), monkeypatch)
        done[device], left[device] = ran(machine, text)
    chosen, forced = done["auto"], done["gpu"]
    assert chosen["downloads"] <= forced["downloads"] + 2
    assert chosen["captured_ops"] <= forced["captured_ops"] + 360
    for name, value in left["gpu"].items():
        np.testing.assert_allclose(left["auto"][name], value, rtol=1e-9, err_msg=name)


def _let_card_come_with_plan(
    number: int, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card is there from some plan on, and not before the loop."""
    planner, asked = runtime.planner, [0]

    def opened_for(_plan: object) -> bool:
        asked[0] += 1
        if asked[0] == number:
            runtime.open()
        return asked[0] == number

    monkeypatch.setattr(planner, "open_for_loop", lambda _: None)
    monkeypatch.setattr(planner, "_opened_for", opened_for)
