"""Loops whose passes ask something of data that stay the same are traced."""

from __future__ import annotations

from app.accel.runtime.runtime import Runtime
from tests.spellings.campaign import difference

GROUPED = """
x = sin((1:3000)' * 0.37); k = mod((0:2999)' * 7, 11) + 1 + 0 * floor(x);
for t = 1:30
s = accumarray(k, x * t); x = 0.9 * x + s(k) / 1000;
end
"""


def test_two_questions_at_once_end_no_trace(device: Runtime) -> None:
    # How large the result of accumarray is, and whether its subscripts are valid.
    assert not difference(GROUPED, device)
    said = [row.detail for row in device.recorder.boundaries.values()]
    assert not any("pass by pass" in detail for detail in said)


MAYBE_COMPLEX = """
A = log(mod((1:64)' * (1:64) * 0.37, 1) + 0.01); B = log(mod((1:64)' * (1:30) * 0.71, 1) + 0.01);
v = B(:, 1); back = zeros(64, 30);
for t = 2:30
[m, from] = max(v + A, [], 1); back(:, t) = from'; v = m' + B(:, t);
end
"""
COMPLEX_AT_LAST = """
A = log(mod((1:64)' * (1:64) * 0.37, 1) - 0.01); v = A(:, 1);
for t = 2:30
[m, from] = max(v + A, [], 1); v = m' / 3;
end
"""


def test_what_may_be_complex_before_the_loop_is_looked_at_once(device: Runtime) -> None:
    assert not difference(MAYBE_COMPLEX, device)
    said = [row.detail for row in device.recorder.boundaries.values()]
    assert not any("pass by pass" in detail for detail in said)


def test_what_is_complex_runs_pass_by_pass(device: Runtime) -> None:
    assert not difference(COMPLEX_AT_LAST, device)
