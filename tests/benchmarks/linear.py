"""Workloads of linear algebra and transforms."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.movements import matrix, single
from tests.benchmarks.workload import Workload, stored

_A = "A = single(mod((1:n)' * 0.6180339887498949 + (1:n) * 0.41421356, 1)); "
_SQUARE = _A + "A = A + 0.5 * n^0.5 * eye(n, 'single'); wait_for(A);"
_DEFINITE = _A + "S = A * A' + n * eye(n, 'single'); wait_for(S);"


def _ones(xp: Any, n: int) -> Any:
    return single(xp, xp.ones((n, 1)))


def _square(xp: Any, n: int) -> Any:
    return matrix(xp, n) + 0.5 * n**0.5 * single(xp, xp.eye(n))


def _definite(xp: Any, n: int) -> Any:
    a = matrix(xp, n)
    return a @ a.T + n * single(xp, xp.eye(n))


def _spectrum(xp: Any, n: int) -> Any:
    return xp.fft.fft2(matrix(xp, n)) / n


def _pages(xp: Any, n: int) -> Any:
    flat = xp.arange(1, 64 * 64 * n + 1, dtype=xp.float64) * 0.6180339887498949 % 1.0
    return single(xp, flat.reshape(n, 64, 64).swapaxes(1, 2))


def _observed(xp: Any, n: int) -> Any:
    i, j = xp.arange(1, n + 1, dtype=xp.float64), xp.arange(1, 1025, dtype=xp.float64)
    return single(xp, (i[:, None] * 0.6180339887498949 + j[None, :] * 0.41421356) % 1.0)


def _corner(xp: Any, a: Any) -> float:
    found = xp.linalg.qr(a, mode="r")
    return abs(float((found[1] if isinstance(found, tuple) else found)[-1, -1]))


def _tall(xp: Any, n: int) -> Any:
    return matrix(xp, n)[:, : n // 8] + 0.5 * n**0.5 * single(xp, xp.eye(n, n // 8))


def _fitted(xp: Any, a: Any) -> float:
    more = {} if hasattr(xp, "cuda") else {"rcond": None}
    return float(xp.linalg.lstsq(a, _ones(xp, len(a)), **more)[0].sum())


def _iterated(xp: Any, x: Any) -> float:
    v = single(xp, xp.ones((1024, 8)))
    for _ in range(20):
        v = x.T @ (x @ v)
        v = v / (v * v).sum(0) ** 0.5
    return float(v[0, 0])


def _covariance(xp: Any, x: Any) -> Any:
    return stored(xp.cov(x.T), (0, 1))


LINEAR = (
    Workload(
        "solve",
        (1024, 4096),
        _SQUARE,
        "x = A \\ ones(n, 1, 'single'); result = gather(sum(x));",
        (_square, lambda xp, a: xp.linalg.solve(a, _ones(xp, len(a))).sum()),
        (_square, lambda xp, a: xp.linalg.solve(a, _ones(xp, len(a))).sum()),
        1e-2,
        flops=lambda n: 2 / 3 * n**3,
        tags=("f32", "matmul"),
        octave=1024,
    ),
    Workload(
        "cholesky",
        (1024, 4096),
        _DEFINITE,
        "R = chol(S); result = gather(R(n, n));",
        (_definite, lambda xp, s: stored(xp.linalg.cholesky(s), (-1, -1))),
        (_definite, lambda xp, s: stored(xp.linalg.cholesky(s), (-1, -1))),
        1e-3,
        flops=lambda n: n**3 / 3,
        tags=("f32", "matmul"),
        octave=1024,
    ),
    Workload(
        "fft2",
        (1024, 4096),
        _A + "Z = fft2(A) / n; wait_for(Z);",
        "F = fft2(Z); keep(F); result = gather(abs(F(2, 3)));",
        (_spectrum, lambda xp, z: stored(xp.fft.fft2(z), (1, 2), abs)),
        (_spectrum, lambda xp, z: stored(xp.fft.fft2(z), (1, 2), abs)),
        2e-2,
        tags=("f32",),
        octave=1024,
    ),
    Workload(
        "pages",
        (1000, 10_000),
        "P = single(mod(reshape(1:64*64*n, 64, 64, n) * 0.6180339887498949, 1)); wait_for(P);",
        "Q = pagemtimes(P, P); keep(Q); result = gather(Q(3, 2, n));",
        (_pages, lambda xp, p: stored(xp.matmul(p, p), (-1, 2, 1))),
        (_pages, lambda xp, p: stored(xp.matmul(p, p), (-1, 2, 1))),
        1e-3,
        flops=lambda n: 2.0 * n * 64**3,
        tags=("f32", "matmul"),
        octave=0,
    ),
    Workload(
        "covariance",
        (20_000, 200_000),
        "X = single(mod((1:n)' * 0.6180339887498949 + (1:1024) * 0.41421356, 1)); wait_for(X);",
        "C = cov(X); result = gather(C(1, 2));",
        (_observed, _covariance),
        (_observed, _covariance),
        1e-2,
        flops=lambda n: 2.0 * n * 1024**2,
        tags=("f32", "matmul"),
        octave=0,
    ),
    Workload(
        "qr",
        (1024, 4096),
        _SQUARE,
        "R = qr(A); result = gather(abs(R(n, n)));",
        (_square, _corner),
        (_square, _corner),
        1e-2,
        flops=lambda n: 4 / 3 * n**3,
        tags=("f32", "matmul"),
        octave=1024,
    ),
    Workload(
        "least_squares",
        (4096, 16_384),
        _A.replace("(1:n) *", "(1:n/8) *")
        + "A = A + 0.5 * n^0.5 * eye(n, n/8, 'single'); wait_for(A);",
        "x = A \\ ones(n, 1, 'single'); result = gather(sum(x));",
        (_tall, _fitted),
        (_tall, _fitted),
        1e-2,
        flops=lambda n: 2 * n * (n / 8) ** 2,
        tags=("f32", "matmul"),
        octave=4096,
    ),
    Workload(
        "power_iteration",
        (20_000, 200_000),
        "X = single(mod((1:n)' * 0.6180339887498949 + (1:1024) * 0.41421356, 1)); wait_for(X);",
        """V = ones(1024, 8, 'single');
for k = 1:20
    V = X' * (X * V);
    V = V ./ sqrt(sum(V.^2, 1));
end
result = gather(V(1, 1));""",
        (_observed, _iterated),
        (_observed, _iterated),
        1e-3,
        lambda n: 40 * 4096.0 * n,
        tags=("f32", "matmul"),
        octave=0,
    ),
)
