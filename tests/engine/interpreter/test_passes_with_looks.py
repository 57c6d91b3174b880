"""Loops that need the host in every tenth pass do the others from tapes, with the same outcome."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

START = (
    "u = reshape(mod((1:4225) * 0.618, 1), 65, 65); red = mod((1:63) + (1:63)', 2) == 0; r = []; "
)
SWEEP = (
    "for half = 1:2, if half == 1, m = red; else, m = ~red; end, c = u(2:end-1, 2:end-1); "
    "g = 0.25 * (u(1:end-2, 2:end-1) + u(3:end, 2:end-1) + u(2:end-1, 1:end-2) + u(2:end-1, 3:end)); "
    "c(m) = -0.5 * c(m) + 1.5 * g(m); u(2:end-1, 2:end-1) = c; end, "
)
PROGRAMS = {
    "noted": "for k = 1:40, {s} if mod(k, 10) == 0, r(end + 1) = max(u(:)); end, end",
    "left": "for k = 1:60, {s} if mod(k, 10) == 0, r(end + 1) = min(g(:)); if r(end) > 0.2, break, end, end, end",
    "while": "k = 0; while k < 40, k = k + 1; {s} if ~rem(k, 10), r(end + 1) = max(u(:)); end, end",
    "printed": "for k = 1:40, {s} if mod(k, 10) == 0, fprintf('%d %.6f\\n', k, u(33, 33)); end, end",
    "first": "for k = 1:40, if mod(k, 10) == 1, r(end + 1) = max(u(:)); end, {s} end",
    "fields": "s.u = u; s.r = r; for k = 1:40, u = s.u; {s} s.u = u; if mod(k, 10) == 0, "
    "s.r(end + 1) = max(s.u(:)); end, end, r = s.r; u = s.u;",
    "mask of before": "m = red; for k = 1:40, u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) .* (1 - 0.01 * m) + 0.1 * "
    "u(1:end-2, 2:end-1); m = ~red; if mod(k, 10) == 0, r(end + 1) = max(u(:)); end, end",
    "error": "for k = 1:40, {s} if mod(k, 10) == 0, r(end + 1) = max(u(:)); end, if k == 27, error('a:b', 'here'), end, end",
    "seldom": "for k = 1:40, {s} if k == 3 || k == 30, r(end + 1) = max(u(:)); end, end",
    "NaN": "u(7, 9) = NaN; for k = 1:30, {s} if mod(k, 10) == 0, r(end + 1) = nnz(isnan(u)); end, end",
}


@pytest.fixture(scope="module")
def device() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="gpu"), open_provider())
    yield made
    made.close()
    Machine()  # the interpreter made last is held, and its runtime with it


def _run(machine: Machine, text: str) -> tuple[dict[str, np.ndarray], str]:
    """The arrays that a program leaves, and what it has printed, and its error."""
    said = ""
    try:
        said = machine.run(START + text.replace("{s}", SWEEP))
    except MatlabError as problem:
        said = str(problem)
    held = machine.interpreter.base
    return {n: as_array(held[n]) for n in "urkcgm" if held.get(n) is not None}, said


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_the_outcome_is_that_of_the_host_in_every_run(device: Runtime, text: str) -> None:
    expected, said = _run(Machine(), text)
    capture_session.activate(device, 1024)
    try:
        machine = Machine(device)
        for _ in range(4):
            found, printed = _run(machine, text)
            assert printed == said
            assert found.keys() == expected.keys()
            for name, value in expected.items():
                assert found[name].dtype == value.dtype
                np.testing.assert_allclose(found[name], value, rtol=1e-11, atol=1e-12)
    finally:
        capture_session.deactivate()


def test_passes_between_two_looks_are_not_planned_by_themselves(device: Runtime) -> None:
    capture_session.activate(device, 1024)
    try:
        _run(Machine(device), PROGRAMS["noted"])
        device.recorder.boundaries.clear()
        _run(Machine(device), PROGRAMS["noted"])
    finally:
        capture_session.deactivate()
    reasons = [row.detail for row in device.recorder.boundaries.values()]
    assert not [reason for reason in reasons if "runs pass by pass" in reason]
