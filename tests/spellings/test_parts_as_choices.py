"""Statements that set parts of an array to what they are, and neighbours, are arithmetic of a kernel."""

from __future__ import annotations

import pytest

from app.accel.runtime.runtime import Runtime
from tests.spellings.campaign import difference

LAPLACE = """
p = reshape(sin(1:1200), 30, 40); y = p; q = 0;
for t = 1:6
y = 4 * p;
y(1:end-1, :) = y(1:end-1, :) - p(2:end, :);
y(2:end, :) = y(2:end, :) - p(1:end-1, :);
y(:, 1:end-1) = y(:, 1:end-1) - p(:, 2:end);
y(:, 2:end) = y(:, 2:end) - p(:, 1:end-1);
y(2:end-1, 2:end-1) = max(y(2:end-1, 2:end-1), p(3:end, 1:end-2));
y(1, :) = 0; y(:, end) = p(:, 2);
p = p + 0.01 * y; q = q + sum(p(:));
end
"""
OTHERS = [
    # what is set to complex numbers, masks, integers, pages and parts of larger arrays
    "z = x * exp(1i); y = 0 * z; y(2:end, :) = conj(z(1:end-1, :)) - z(2:end, :);",
    "L = x > 0; M = L; M(:, 2:end) = M(:, 2:end) | L(:, 1:end-1); y = M + 0;",
    "y = int8(90 * x) + 1; w = y; y(3:end, :) = y(3:end, :) + w(1:end-2, :);",
    "P = cat(3, x, 2 * x, x(:, end:-1:1)); P = repmat(P, 1, 1, 8); y = P + 1; "
    "y(:, :, 2:end) = y(:, :, 2:end) - P(:, :, 1:end-1);",
    "y = 2 * x(2:end-1, 2:end-1); y(1:end-1, :) = y(1:end-1, :) - x(1:end-3, 3:end);",
    "y = zeros(size(x)); y(:, 1:end-1) = diff(x, 1, 2); y(end, :) = x(1, :);",
    "y = x + 1; y(2:end, :) = y(2:end, :) .* x(1, :) + (2:30)';",
    "y = x + 1; y(1:2, :) = exp(x(3:4, :)); y(5:25, 3:9) = 7;",
    "y = x(:) + 1; y(2:end) = y(2:end) - x(1:end-1)'; y = y';",
    "y = x - 1; y(2:end, :) = sqrt(y(2:end, :));",
    "y = x + 0; y(2:end, :) = y(2:end, :) ./ (x(2:end, :) - x(2:end, :));",
]


def test_a_row_of_such_statements_is_no_row_of_kernels(device: Runtime) -> None:
    assert not difference(LAPLACE, device)
    groups = device.recorder.groups.values()
    assert not any("assign" in group.ops for group in groups)
    assert sum(group.executions for group in groups) < 20


@pytest.mark.parametrize("text", OTHERS)
def test_parts_have_the_values_that_the_host_gives_them(device: Runtime, text: str) -> None:
    assert not difference(f"x = reshape(sin((1:900) / 7), 30, 30);\n{text}", device)


def test_a_stencil_keeps_its_two_buffers(device: Runtime) -> None:
    text = (
        "u = reshape(sin(1:1600), 40, 40); for t = 1:9, "
        "u(2:end-1, :) = 0.5 * u(2:end-1, :) + 0.25 * (u(1:end-2, :) + u(3:end, :)); end"
    )
    assert not difference(text, device)
    assert any("assign" in group.ops for group in device.recorder.groups.values())
