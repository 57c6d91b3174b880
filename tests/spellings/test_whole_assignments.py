"""A whole array written by its subscripts is one that is assigned, however long the ranges are."""

from __future__ import annotations

import numpy as np
import pytest

from app.api import Session

TARGETS = [
    "y(:)",
    "y(:, :)",
    "y(1:end, 1:end)",
    "y(1:end)",
    "y(1:n, :)",
    "y(:, 1)",
    "y(1:numel(y), 1)",
]


def _run(target: str, n: int) -> tuple[float, int]:
    code = (
        f"n = {n}; x = single(mod((1:n)' * (1:20), 7)); y = zeros(n, 1, 'single');\n"
        f"for k = 1:20\n{target} = 0.3 * x(:, k) + 0.5 * y;\nend\ns = double(sum(y)); if s < 0, error('no'), end"
    )
    with Session(device="gpu") as session:
        session.eval(code)
        assert session.report is not None
        return float(np.asarray(session["s"])), session.report.counters["dispatches"]


@pytest.mark.parametrize("n", [1000, 300_000])
def test_whole_arrays_are_assigned_in_one_kernel(n: int) -> None:
    plain = _run("y", n)
    for target in TARGETS:
        assert _run(target, n) == plain, target
