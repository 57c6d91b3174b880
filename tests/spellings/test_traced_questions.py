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
