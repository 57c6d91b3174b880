"""Workloads that order, select, count and move elements."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.workload import Workload, stored

GOLDEN = 0.6180339887498949
_MIXED = f"x = single(mod((1:n)' * {GOLDEN}, 1)); wait_for(x);"
_MATRIX = f"A = single(mod((1:n)' * {GOLDEN} + (1:n) * 0.41421356, 1)); wait_for(A);"


def single(xp: Any, a: Any) -> Any:
    """In single precision."""
    return a.astype(xp.float32) if hasattr(a, "astype") else a.to(xp.float32)


def _mixed(xp: Any, n: int) -> Any:
    return single(xp, (xp.arange(1, n + 1, dtype=xp.float64) * GOLDEN) % 1.0)


def matrix(xp: Any, n: int) -> Any:
    """Fractions in no order."""
    i = xp.arange(1, n + 1, dtype=xp.float64)
    return single(xp, (i[:, None] * GOLDEN + i[None, :] * 0.41421356) % 1.0)


def _sorted(xp: Any, x: Any) -> Any:
    n = x.shape[0]
    found = xp.sort(x)
    values = found[0] if isinstance(found, tuple) else found
    return values, values[n // 3] + 2 * values[n // 2] + values[-1]


def _counted(xp: Any, x: Any) -> Any:
    if hasattr(xp, "histc"):
        return xp.histc(x, 100, 0.0, 1.0)[30:70].sum() / x.shape[0]
    return xp.histogram(x, 100, (0.0, 1.0))[0][30:70].sum() / x.shape[0]


def _moved(xp: Any, a: Any) -> Any:
    turned = a.T.copy() if hasattr(a, "copy") else a.T.contiguous()
    joined = (xp.concatenate if not hasattr(xp, "cat") else xp.cat)((turned, a), 0)
    return joined, joined[::7, ::5].sum()


_WEIGHTS = f"K = mod((1:15)' * {GOLDEN} + (1:15) * 0.41421356, 1);"
_PLACES = "p = gpuArray(mod((1:n) * 7919, n) + 1); wait_for(p);"


def _blurred(xp: Any, a: Any) -> float:
    kernel = matrix(xp, 15)
    if hasattr(xp, "nn"):
        found = xp.nn.functional.conv2d(a[None, None], kernel.flip(0, 1)[None, None], padding=7)
        return float(found[0, 0, ::7, ::5].sum())
    from scipy import signal

    return float(signal.fftconvolve(a, kernel, "same")[::7, ::5].sum())


def _picked(xp: Any, a: Any) -> float:
    n = len(a)
    places = xp.arange(1, n + 1) * 7919 % n
    return float(a[places][::7, ::5].sum())


MOVEMENTS = (
    Workload(
        "sort",
        (1_000_000, 10_000_000),
        _MIXED,
        "y = sort(x); keep(y); result = gather(y(floor(n/3)+1) + 2*y(floor(n/2)+1) + y(n));",
        (_mixed, _sorted),
        (_mixed, _sorted),
        1e-5,
        lambda n: 8.0 * n,
        tags=("f32",),
    ),
    Workload(
        "select",
        (10_000_000, 100_000_000),
        _MIXED,
        "y = x(x > 0.25); result = gather(sum(y)) / n;",
        (_mixed, lambda xp, x: x[x > 0.25].sum() / x.shape[0]),
        (_mixed, lambda xp, x: x[x > 0.25].sum() / x.shape[0]),
        1e-3,
        lambda n: 8.0 * n,
        tags=("f32",),
    ),
    Workload(
        "find",
        (10_000_000, 100_000_000),
        _MIXED,
        "k = find(x > 0.5); keep(k); result = gather(k(end));",
        (_mixed, lambda xp, x: stored(xp.nonzero(x > 0.5)[0], -1, lambda k: k + 1)),
        (_mixed, lambda xp, x: stored(xp.nonzero(x > 0.5), (-1, 0), lambda k: k + 1)),
        1e-9,
        lambda n: 8.0 * n,
        tags=("f32",),
    ),
    Workload(
        "histogram",
        (10_000_000, 100_000_000),
        _MIXED,
        "c = histcounts(x, linspace(0, 1, 101)); result = sum(c(31:70)) / n;",
        (_mixed, _counted),
        (_mixed, _counted),
        1e-4,
        lambda n: 4.0 * n,
        tags=("f32",),
    ),
    Workload(
        "moves",
        (2000, 8000),
        _MATRIX,
        "B = [A'; A]; keep(B); result = gather(sum(B(1:7:end, 1:5:end), 'all'));",
        (matrix, _moved),
        (matrix, _moved),
        1e-4,
        lambda n: 16.0 * n * n,
        tags=("f32",),
    ),
    Workload(
        "convolution",
        (1024, 4096),
        _MATRIX + _WEIGHTS,
        "C = conv2(A, K, 'same'); keep(C); result = gather(sum(C(1:7:end, 1:5:end), 'all'));",
        (matrix, _blurred),
        (matrix, _blurred),
        1e-3,
        lambda n: 8.0 * n * n,
        lambda n: 450.0 * n * n,
        tags=("f32",),
        octave=1024,
    ),
    Workload(
        "picked",
        (2000, 8000),
        _MATRIX + _PLACES,
        "B = A(p, :); keep(B); result = gather(sum(B(1:7:end, 1:5:end), 'all'));",
        (matrix, _picked),
        (matrix, _picked),
        1e-4,
        lambda n: 8.0 * n * n,
        tags=("f32",),
        octave=0,
    ),
)
