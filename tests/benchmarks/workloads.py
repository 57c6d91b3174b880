"""The workloads of the benchmark: MATLAB code, the same in the peers, and what bounds it.

Every workload ends in numbers that are consumed and compared (``result``), so that nothing can be
skipped and a wrong answer is not a fast one. Variables end with the pass, as the peers' do with
their function. Definitions of ``image``, ``monte_carlo`` and
``elementwise`` follow the suite other products publish.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.benchmarks.linear import LINEAR
from tests.benchmarks.movements import MOVEMENTS
from tests.benchmarks.workload import Workload, stored


def _elementwise(xp: Any, x: Any) -> Any:
    y0 = xp.sin(x) * xp.exp(-x / 10)
    y1 = y0 * xp.cos(x / 4) + 0.25 * (y0**2)
    return xp.tanh(y1) + 0.1 * y1


def _image(xp: Any, imgs: Any, axes: dict[str, Any]) -> Any:
    mu = imgs.mean(**axes)
    sigma = xp.sqrt(((imgs - mu) ** 2).mean(**axes) + 1e-6)
    out = ((imgs - mu) / sigma) * 1.0123 - 0.02
    out = out * (out > 0)
    return ((out**1.8 - imgs) ** 2).mean()


def _walk(xp: Any, n: int, steps: int, normal: Callable[[], Any], start: Any) -> Any:
    drift, scale = (0.05 - 0.02) / 252, 0.2 / 252**0.5
    s = start
    for _ in range(steps):
        s = s * xp.exp(drift + scale * normal())
    payoff = (s - 100) * (s > 100)
    return payoff.mean() * 2.718281828459045 ** (-0.05 * steps / 252)


def _normals(xp: Any, n: int) -> Callable[[], Any]:
    generator = xp.random.default_rng(1)
    return lambda: generator.standard_normal(n, dtype=xp.float32)


def _ema(xp: Any, x: Any, steps: int) -> Any:
    y = x * 0
    for _ in range(steps):
        y = 0.98 * y + 0.02 * x
    return y.mean()


def _f32(xp: Any, n: int, *device: Any) -> Any:
    """A compiler of torch does not see the default device: it is said."""
    where = {"device": device[0]} if device else {}
    return xp.linspace(0.0, 12.566370614359172, n, dtype=xp.float32, **where)


def _f64(xp: Any, n: int) -> Any:
    return xp.linspace(0.0, 12.566370614359172, n, dtype=xp.float64)


def _square(xp: Any, n: int, dtype: Any) -> Any:
    i = xp.arange(n, dtype=dtype)
    return xp.sin(i[:, None] * 0.7 + i[None, :] * 1.3)


def _factors(xp: Any, n: int, dtype: Any) -> Any:
    a = _square(xp, n, dtype)
    return a, xp.flip(a, (1,)) + 1


_SQUARE = "A = sin({kind}(0:n-1)' * 0.7 + {kind}(0:n-1) * 1.3);"

WORKLOADS = (
    Workload(
        "elementwise",
        (1_000_000, 10_000_000, 100_000_000),
        "",
        """x = single(linspace(0, 4*pi, n));
y0 = sin(x) .* exp(-x/10);
y1 = y0 .* cos(x/4) + 0.25 * (y0.^2);
y2 = tanh(y1) + 0.1*y1;
result = gather(sum(y2) / n); clear y0 y1 y2;""",
        (lambda xp, n: None, lambda xp, n: _elementwise(xp, _f32(xp, n)).sum() / n),
        (
            lambda xp, n: (n, xp.zeros(1).device),
            lambda xp, given: _elementwise(xp, _f32(xp, *given)).sum() / given[0],
        ),
        tags=("f32",),
    ),
    Workload(
        "elementwise_double",
        (1_000_000, 10_000_000),
        "x = linspace(0, 4*pi, n);",
        """y0 = sin(x) .* exp(-x/10);
y1 = y0 .* cos(x/4) + 0.25 * (y0.^2);
y2 = tanh(y1) + 0.1*y1;
result = gather(sum(y2) / n); clear y0 y1 y2;""",
        (_f64, lambda xp, x: _elementwise(xp, x).sum() / x.shape[0]),
        (_f64, lambda xp, x: _elementwise(xp, x).sum() / x.shape[0]),
        1e-9,
        lambda n: 8.0 * n,
        tags=("f64",),
    ),
    Workload(
        "chain",
        (10_000_000, 100_000_000),
        "x = single(linspace(0, 4*pi, n)); wait_for(x);",
        "y = ((x .* 2 + 1) .* x - 0.5) ./ (x + 3); y = abs(y) .* 0.25; keep(y);\n"
        "result = gather(y(n));",
        (_f32, lambda xp, x: stored(abs(((x * 2 + 1) * x - 0.5) / (x + 3)) * 0.25, -1)),
        (_f32, lambda xp, x: stored(abs(((x * 2 + 1) * x - 0.5) / (x + 3)) * 0.25, -1)),
        1e-5,
        lambda n: 8.0 * n,
        tags=("f32", "store"),
    ),
    Workload(
        "moments",
        (10_000_000, 100_000_000),
        "x = single(linspace(0, 4*pi, n)); wait_for(x);",
        "m = mean(x); s = std(x); result = gather(m + s);",
        (_f32, lambda xp, x: x.mean(dtype=xp.float64) + x.std(ddof=1, dtype=xp.float64)),
        (_f32, lambda xp, x: x.mean() + x.std()),
        1e-4,
        lambda n: 4.0 * n,
        tags=("f32",),
    ),
    Workload(
        "monte_carlo",
        (250_000, 1_000_000),
        "drift = (0.05 - 0.02)/252; scale = 0.2*sqrt(1/252); T = 256;",
        """S = 100 * ones(n, 1, 'single');
for t = 1:T
    S = S .* exp(drift + scale .* randn(n, 1, 'single'));
end
result = gather(mean(max(S - 100, 0))) * exp(-0.05*T/252);""",
        (
            lambda xp, n: n,
            lambda xp, n: _walk(xp, n, 256, _normals(xp, n), xp.full(n, 100, dtype=xp.float32)),
        ),
        (
            lambda xp, n: n,
            lambda xp, n: _walk(xp, n, 256, lambda: xp.randn(n), xp.full((n,), 100.0)),
        ),
        0.03,
        tags=("f32", "loop", "random"),
        octave=250_000,
    ),
    Workload(
        "ema",
        (32_768, 1_000_000),
        "x = single(linspace(0, 1, n))'; T = 2048; wait_for(x);",
        """y = zeros(n, 1, 'single');
for t = 1:T
    y = 0.98*y + 0.02*x;
end
result = gather(mean(y));""",
        (lambda xp, n: xp.linspace(0, 1, n, dtype=xp.float32), lambda xp, x: _ema(xp, x, 2048)),
        (lambda xp, n: xp.linspace(0, 1, n), lambda xp, x: _ema(xp, x, 2048)),
        1e-3,
        tags=("f32", "loop"),
        octave=32_768,
    ),
    Workload(
        "image",
        (2, 8),
        "imgs = rand(n, 2160, 3840, 'single'); wait_for(imgs);",
        """mu = mean(imgs, [2 3]);
sigma = sqrt(mean((imgs - mu).^2, [2 3]) + 1e-6);
out = ((imgs - mu) ./ sigma) * 1.0123 - 0.02;
out = max(out, 0);
out = out .^ 1.8;
result = gather(mean((out - imgs).^2, 'all'));""",
        (
            lambda xp, n: xp.random.default_rng(1).random((n, 2160, 3840), dtype=xp.float32),
            lambda xp, x: _image(xp, x, {"axis": (1, 2), "keepdims": True}),
        ),
        (
            lambda xp, n: xp.rand(n, 2160, 3840),
            lambda xp, x: _image(xp, x, {"dim": (1, 2), "keepdim": True}),
        ),
        5e-3,
        lambda n: 2 * 4.0 * n * 2160 * 3840,
        tags=("f32",),
        octave=0,
    ),
    Workload(
        "matmul",
        (1024, 2048),
        _SQUARE.format(kind="single") + " B = flip(A, 2) + 1; wait_for(A); wait_for(B);",
        "C = A * B; result = gather(C(1, 1));",
        (lambda xp, n: _factors(xp, n, xp.float32), lambda xp, f: stored(f[0] @ f[1], (0, 0))),
        (lambda xp, n: _factors(xp, n, xp.float32), lambda xp, f: stored(f[0] @ f[1], (0, 0))),
        1e-3,
        flops=lambda n: 2.0 * n**3,
        tags=("f32", "matmul"),
        octave=1024,
    ),
    Workload(
        "matmul_double",
        (1024,),
        _SQUARE.format(kind="double") + " B = flip(A, 2) + 1; wait_for(A); wait_for(B);",
        "C = A * B; result = gather(C(1, 1));",
        (lambda xp, n: _factors(xp, n, xp.float64), lambda xp, f: stored(f[0] @ f[1], (0, 0))),
        (lambda xp, n: _factors(xp, n, xp.float64), lambda xp, f: stored(f[0] @ f[1], (0, 0))),
        1e-8,
        flops=lambda n: 2.0 * n**3,
        tags=("f64", "matmul"),
        octave=1024,
    ),
    Workload(
        "cumsum",
        (10_000_000,),
        "x = single(linspace(0, 4*pi, n)); wait_for(x);",
        "y = cumsum(x .* 0.001); result = gather(y(n));",
        (_f32, lambda xp, x: stored(xp.cumsum(x * 0.001), -1)),
        (_f32, lambda xp, x: stored(xp.cumsum(x * 0.001, 0), -1)),
        2e-2,
        lambda n: 8.0 * n,
        tags=("f32",),
    ),
    Workload(
        "columns",
        (2000, 8000),
        _SQUARE.format(kind="single") + " wait_for(A);",
        "c = sum(A .* A, 1); r = max(abs(A), [], 2); result = gather(sum(c) + sum(r));",
        (
            lambda xp, n: _square(xp, n, xp.float32),
            lambda xp, a: (a * a).sum(0).sum() + abs(a).max(1).sum(),
        ),
        (
            lambda xp, n: _square(xp, n, xp.float32),
            lambda xp, a: (a * a).sum(0).sum() + abs(a).amax(1).sum(),
        ),
        1e-3,
        lambda n: 8.0 * n * n,
        tags=("f32",),
        octave=2000,
    ),
    Workload(
        "small_groups",
        (1000,),
        "x = single(linspace(0, 1, 10000)); wait_for(x);",
        """y = x;
for k = 1:n
    y = y .* 0.5 + x;
    if mod(k, 10) == 0, keep(y); end
end
result = gather(sum(y));""",
        (lambda xp, n: xp.linspace(0, 1, 10000, dtype=xp.float32), lambda xp, x: _small(x)),
        (lambda xp, n: xp.linspace(0, 1, 10000), lambda xp, x: _small(x)),
        1e-3,
        tags=("f32", "overhead"),
    ),
    *MOVEMENTS,
    *LINEAR,
)


def _small(x: Any) -> Any:
    y = x
    for _ in range(1000):
        y = y * 0.5 + x
    return y.sum()
