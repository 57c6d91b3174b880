"""Loops over the names of parts of a container take what naming each part in the text takes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.kept_tapes import tapes_of
from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.interpreter.loops import loop_fusion
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE, device_options
from tests.support.machine_code import interpreted_loops

SETUP = "rng(4); X = randn(300, 16); y = double(X * randn(16, 1) > 0);\n"
HEAD = """p = struct('w', zeros(16, 1), 'b', 0); m = p; F = fieldnames(p);
for t = 1:6
z = X * p.w + p.b; q = 1 ./ (1 + exp(-z));
g = struct('w', X' * (q - y) / 300, 'b', mean(q - y));
"""
TAIL = "\nend\nresult = sum(p.w) + p.b;"


def step(part: str) -> str:
    return f"m.{part} = 0.9 * m.{part} + 0.1 * g.{part}; p.{part} = p.{part} - 0.5 * m.{part};"


PLAIN = step("w") + step("b")
SPELLINGS = {
    "fieldnames": f"for f = fieldnames(p)', k = f{{1}}; {step('(k)')} end",
    "at once": f"for f = fieldnames(p)', {step('(f{1})')} end",
    "literal": f"for f = {{'w', 'b'}}, {step('(f{1})')} end",
    "strings": f'for f = ["w" "b"], {step("(f)")} end',
    "numbered": f"F = fieldnames(p); for i = 1:numel(F), {step('(F{i})')} end",
    "named before": f"for i = 1:numel(F), {step('(F{i})')} end",
    "asked": f"for f = F', k = f{{1}}; if isfield(m, k), {step('(k)')} end, end",
    "cellfun": "m = cell2struct(cellfun(@(k) 0.9 * m.(k) + 0.1 * g.(k), F, 'UniformOutput', 0), F);"
    "p = cell2struct(cellfun(@(k) p.(k) - 0.5 * m.(k), F, 'UniformOutput', 0), F);",
    "a message": PLAIN + "s = 'settled'; c = {'a', s};",
}


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    made = Runtime(device_options(), open_provider())
    yield made
    made.close()


def taken(body: str, runtime: Runtime) -> tuple[list[tuple[int, ...]], float]:
    """What a first and a second run take: groups, launches, operations; and the answer."""
    tapes_of(runtime).forms.clear()
    capture_session.activate(runtime, CAPTURE)
    found = []
    try:
        with interpreted_loops():
            machine = Machine(runtime)
            machine.run(SETUP)
            for _ in range(2):
                capture_session.begin_run()
                counters = runtime.recorder.counters
                before = counters.groups, counters.dispatches, counters.downloads
                machine.run(HEAD + body + TAIL)
                result = float(as_array(machine.interpreter.workspace["result"]).item())
                after = counters.groups, counters.dispatches, counters.downloads
                found.append(tuple(a - b for a, b in zip(after, before, strict=True)))
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
        gc.collect()
    return found, result


def test_names_of_parts_cost_nothing(runtime: Runtime) -> None:
    plain = taken(PLAIN, runtime)
    different = {n: f for n, body in SPELLINGS.items() if (f := taken(body, runtime)) != plain}
    assert not different, f"{different}, not {plain}"


def test_a_transposed_array_of_the_host_is_the_same_in_every_trace(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.asfortranarray(np.sin(np.arange(4800.0)).reshape(300, 16))
    advance, done = loop_fusion.advance, []

    def noted(*args: Any) -> loop_fusion.Advance | None:
        made = advance(*args)
        done.append(made and made.passes)
        return made

    monkeypatch.setattr(loop_fusion, "advance", noted)
    capture_session.activate(runtime, CAPTURE)
    try:
        with interpreted_loops():
            machine = Machine(runtime)
            machine.interpreter.base["X"] = numbers
            machine.run("w = ones(16, 1);\nfor k = 1:8, g = X' * (X * w); w = w - 1e-4 * g; end")
            got = as_array(machine.interpreter.workspace["w"])
    finally:
        capture_session.deactivate()
        Machine()
        gc.collect()
    wanted = np.ones((16, 1))
    for _ in range(8):
        wanted = wanted - 1e-4 * (numbers.T @ (numbers @ wanted))
    assert np.allclose(got, wanted)
    assert done == [8]
