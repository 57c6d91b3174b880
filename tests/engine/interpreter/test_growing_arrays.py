"""Arrays that every pass of a loop makes longer do not keep the loop from being kernels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine

SET_UP = "n = 500; x = reshape((1:n * 3) / 1e3, n, 3); y = x(:, 1);"
STEP = "y = 0.97 * y + 0.1 * x(:, 2);"
APPENDED = {
    "by the counter": "m(k) = mean(y);",
    "down": "m(k, 1) = mean(y);",
    "along": "m(1, k) = mean(y);",
    "behind the end": "m(end+1) = mean(y);",
    "below the end": "m(end+1, 1) = mean(y);",
    "columns": "m(:, k) = y;",
    "columns behind the end": "m(:, end+1) = y;",
    "rows": "m(k, :) = y';",
    "a page": "m(1:5, 1:2, k) = x(1:5, 1:2) + k;",
    "joined": "m = [m mean(y)];",
    "joined below": "m = [m; mean(y)];",
    "two joined": "m = [m mean(y) k];",
    "columns joined": "m = [m y];",
    "gaps": "m(2 * k) = mean(y);",
    "the counter": "m(k) = k;",
    "squares": "m(k) = k^2 + y(3);",
}
NO_LOOP = {"rows", "two joined", "a page", "squares"}
"""What is more than one kernel with room from the start, too: a transpose, two stores, a part."""
LONE = [
    "m = 1; for k = 1:30, {step} m(end+1) = m(end) + mean(y); end",
    "t = 0; for k = 1:30, {step} t(k+1) = t(k) + 0.1; end",
    "m = zeros(1, 7); for k = 1:30, {step} m(k) = mean(y); end",
    "for k = 1:30, {step} if mean(y) > 0.2, m(k) = 1; else, m(k) = 2; end, end",
    "for k = 30:-1:1, {step} m(k) = mean(y); end",
    "for k = 3:2:61, {step} m((k - 1) / 2) = mean(y); end",
    "for k = 1:30, {step} m(k) = mean(y); q(k, 1) = max(y); r = [k mean(y)]; end",
    "for k = 1:30, {step} m(k, 1) = mean(y); m(k, 2) = max(y); end",
    "m = []; for k = 1:30, {step} m(end+1) = mean(y); m(end+1) = max(y); end",
    "m = single([]); for k = 1:30, {step} m(end+1) = mean(y); end",
    "m = int8([]); for k = 1:30, {step} m(k) = 99 * mean(y); end",
    "for k = 1:30, {step} m(k) = mean(y); if m(k) < 0.12, break, end, end",
    "s.m = []; for k = 1:30, {step} s.m(k) = mean(y); end, m = s.m; clear s",
    "c = {{[]}}; for k = 1:30, {step} c{{1}}(end+1) = mean(y); end, m = c{{1}}; clear c",
    # what must see the size, or all of it, in every pass
    "m = []; for k = 1:30, {step} m(k) = mean(y); s = numel(m); end",
    "m = []; q = 0; for k = 1:30, {step} m(k) = mean(y); q = q + size(m, 2); end",
    "m = []; q = 0; for k = 1:30, {step} m(k) = mean(y); q = q + sum(m); end",
    "m = []; for k = 1:30, {step} if isempty(m), m = 5; end, m(end+1) = mean(y); end",
    "m = []; for k = 1:30, {step} m(k) = mean(y); o = m; end",
    "m = []; for k = 1:30, {step} m(end+1) = mean(y); m = m * 2; end",
    "m = []; for k = 1:30, {step} if mean(y) > 0.13, m(end+1) = mean(y); end, end",
    "m = []; for k = 1:30, {step} if mod(k, 3) == 0, m(end+1) = mean(y); end, end",
    "m = 1; for k = 1:30, {step} m(k, k) = mean(y); end",
    "m = []; for k = 1:30, {step} m = [mean(y) m]; end",
    "m = 1:3; for k = 1:30, {step} m(end+1) = mean(y); m(1) = []; end",
    "m = []; for k = 1:30, {step} m(end+1) = mean(y); q = m(:)'; end",
    "m = []; for k = 1:30, {step} m(end+1) = mean(y); q = m([1 end]); end",
    "m = 1:4; for k = 1:30, {step} m(end+1) = m(end-3) + mean(y); end",
    "m = []; for k = 1:30, {step} m = [m k]; for v = m, y = y + v / 1e4; end, end",
    "m = []; k = 0; while k < 30, k = k + 1; {step} m(k) = mean(y); end",
    "m = []; for k = 1:30, {step} m(k) = mean(y) * (1 + 2i); end",
    "m = ''; for k = 1:30, {step} m(end+1) = 'a'; end",
]
PROGRAMS = [
    *(
        f"{first} for k = 1:30, {STEP} {store} end"
        for first, store in itertools.product(("", "m = [];"), APPENDED.values())
        if first or "[m" not in store
    ),
    *(text.format(step=STEP) for text in LONE),
]


@pytest.fixture(params=["cpu", "gpu"])
def runtime(request: pytest.FixtureRequest) -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device=request.param))
    capture_session.activate(made, 64)
    yield made
    capture_session.deactivate()
    made.close()


KEPT = [
    "m = ''; for k = 1:30, {step} m(end+1) = 'a'; end",
    "m = ''; for k = 1:30, {step} m = [m 'ab']; end",
    'm = ""; for k = 1:30, {step} m(k) = "a"; end, m = char(join(m, ""));',
    "f = @(q) q; for k = 1:30, {step} f = @(q) f(q) + 1; end, m = f(1); clear f",
    "g = 'x'; for k = 1:30, {step} if k > 3 && k < 9, g = [g 'b']; end, end, m = g;",
    "g = 'x'; for k = 1:30, {step} g = sprintf('%d', k); if k == 11, break, end, end, m = g;",
    "g = 'x'; for k = 1:30, {step} g = sprintf('%d', k); if y(1) < 0.05, break, end, end, m = g;",
    "g = 'x'; c = {{}}; for k = 1:30, {step} c{{k}} = g; g = sprintf('%d', k); end, m = [c{{:}}]; clear c",
    "g = 'x'; h = 'y'; for k = 1:30, {step} h = g; g = sprintf('%d', k); end, m = [g h];",
    "g = 'x'; m = 'z'; for k = 1:30, {step} if y(1) < 0.05, m = g; end, g = sprintf('%d', k); end",
    "g = 'x'; for k = 1:30, {step} if y(1) < 0.05, g = 'b'; end, end, m = g;",
    "g = struct('a', 'x'); for k = 1:30, {step} g.a = [g.a 'b']; end, m = g.a; clear g",
    "g = dictionary(1, 2); for k = 1:30, {step} g(k) = 3; end, m = numEntries(g); clear g",
    "g = table(1); for k = 1:9, {step} g.(sprintf('v%d', k)) = k; end, m = width(g); clear g",
    "for k = 1:30, {step} g = 'a'; g(end+1) = 'b'; end, m = g;",
]
"""Loops with variables that hold no numbers, and what they hold in the end as text or a number."""


def variables_after(program: str, runtime: Runtime | None) -> dict[str, object]:
    Session.runtime = runtime
    machine = Machine(runtime)
    machine.run(f"{SET_UP}\n{program}")
    return machine.interpreter.workspace


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_variables_as_pass_by_pass(program: str, runtime: Runtime) -> None:
    """Every variable has the class, the size and the value that it has without a graph."""
    expected = variables_after(program, None)
    found = variables_after(program, runtime)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        was, now = as_array(value), as_array(found[name])
        assert (now.dtype, now.shape) == (was.dtype, was.shape), name
        np.testing.assert_allclose(now, was, rtol=1e-6 if was.dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("name", sorted(APPENDED.keys() - NO_LOOP))
def test_passes_that_append_are_one_kernel(name: str, runtime: Runtime) -> None:
    variables = variables_after(f"m = []; for k = 1:30, {STEP} {APPENDED[name]} end", runtime)
    as_array(variables["m"])
    groups = runtime.recorder.groups.values()
    assert "loop" in [g.kind for g in groups]
    assert sum(g.executions for g in groups) < 30


@pytest.mark.parametrize("text", KEPT)
def test_what_holds_no_numbers_goes_from_pass_to_pass(text: str, runtime: Runtime) -> None:
    program = text.format(step=STEP)
    expected = variables_after(program, None)["m"]
    found = variables_after(program, runtime)["m"]
    assert found == expected
