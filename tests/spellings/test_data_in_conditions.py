"""Loops whose passes ask something of all elements: what they compute is done in kernels of many
passes, and the host looks once for some passes."""

from __future__ import annotations

import pytest

from app.accel.runtime.runtime import Runtime
from tests.spellings.campaign import difference

START = "u = sin((1:3000)' / 100); v = zeros(3000, 1); h = zeros(1, 60); n = 0;\n"
STEP = "v = v - 0.02 * u; u = u + 0.01 * v; "
QUESTIONS = {
    "any": "if any(isnan(u)), error('nan'); end",
    "assert": "assert(all(isfinite(u)), 'bad');",
    "validator": "mustBeFinite(u); mustBeNonNan(v); mustBeLessThan(u, 5); mustBeInRange(u, -9, 9);",
    "attributes": "validateattributes(u, {'double'}, {'finite', 'column', '<', 5});",
    "history": "h(k) = sum(u .^ 2); if h(k) > 1e9, break, end",
    "norm": "if norm(v) > 1e9, break, end",
    "empty": "i = find(u > 0.9); if ~isempty(i), v(i) = -v(i); u(i) = 0.8; end",
    "number": "i = find(u > 0.9); if numel(i) > 0, v(i) = -v(i); end",
    "some": "m = u > 0.9; if any(m), v(m) = -v(m); end",
    "counted": "n = n + nnz(u > 0.5);",
    "selected": "w = u(u > 0.5); n = n + sum(w .^ 2);",
}
ENDS = {
    "nan": "u(1700) = u(1700) / (k < 23); if any(isinf(u)), error('a:b', 'pass %d', k); end",
    "validator": "mustBeLessThan(k * u, 21);",
    "break": "h(k) = sum(abs(v)); if h(k) > 400, break, end",
    "before": "if max(v) > 0.3, break, end, n = n + 1;",
    "assert": "assert(norm(u) > 38.5);",
}


def _loop(what: str, passes: int = 60) -> str:
    return f"{START}for k = 1:{passes}\n{STEP}{what}\nend\n"


@pytest.mark.parametrize("name", QUESTIONS)
def test_passes_are_done_in_kernels_of_many(name: str, device: Runtime) -> None:
    assert not difference(_loop(QUESTIONS[name]), device)
    said = [row.detail for row in device.recorder.boundaries.values()]
    assert not any("pass by pass" in detail or "once a pass" in detail for detail in said)
    assert device.recorder.counters.plans < 15


@pytest.mark.parametrize("name", ENDS)
def test_the_loop_ends_in_the_pass_in_which_data_say_so(name: str, device: Runtime) -> None:
    assert not difference(_loop(ENDS[name]), device)
    assert not difference(f"try\n{_loop(ENDS[name])}catch e, disp(e.message), end", device)


@pytest.mark.parametrize("name", ENDS)
def test_random_numbers_go_on_behind_the_pass_that_was_the_last(name: str, device: Runtime) -> None:
    noisy = f"u = u + 1e-3 * rand(3000, 1); {ENDS[name]}"
    text = f"rng(5);\ntry\n{_loop(noisy)}catch e, disp(e.message), end\nr = rand(1, 3);"
    assert not difference(text, device)
