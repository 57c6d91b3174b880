"""Of 0 and -0 the first is the extreme, in every form on the host, as `[m, k] = max(x)` says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from tests.engine.builtins.engine_session import Session

FORMS = (
    "f(x)",
    "f(x')",
    "f(x, [], 'all')",
    "f(single(x))",
    "f([x x])",
    "f([x x]', [], 2)",
    "f([x x], [], 'all')",
    "f(cat(3, x, x), [], [1 3])",
    "f(permute([x x x], [2 3 1]), [], 3)",
    "f(x .* 1 + 0 .* x)",
)
MADE = """
x = (1 + rand(%d, 1)) * %d; p = randperm(numel(x), min(numel(x), 2 + mod(%d, 3)));
x(p) = 0 * sign(rand(numel(p), 1) - .5); [~, k] = f(x); w = 1 / x(min(p));
"""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    """A graph that the host's kernels compute."""
    made = Runtime(AccelOptions(device="cpu", host_threads=1))
    yield made
    made.close()


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("count", [2, 3, 5, 8, 17, 64, 101, 1000, 17000])
@pytest.mark.parametrize("name", ["max", "min"])
def test_the_first_of_equal_zeros(runtime: Runtime, name: str, count: int, captured: bool) -> None:
    session = Session()
    session.run(f"rng({count}); f = @{name};")
    for number in range(6):
        session.run(MADE % (count, -1 if name == "max" else 1, number))
        assert session.holds("k == min(p)")
        if captured:
            capture_session.activate(runtime, 1)
        try:
            wrong = [form for form in FORMS if not session.holds(f"all(1 ./ {form} == w, 'all')")]
        finally:
            capture_session.deactivate()
        assert wrong == []


def test_nan_is_not_between_zeros() -> None:
    session = Session()
    session.run("x = [NaN(20, 1); -0; 0; -1; NaN];")
    assert session.holds("1 / max(x) == -Inf && 1 / min(-x(1:22)) == Inf")
    assert session.holds("isnan(max(x, [], 'includenan'))")
    assert session.holds("all(1 ./ max([x, -x]) == [-Inf, 1])")
