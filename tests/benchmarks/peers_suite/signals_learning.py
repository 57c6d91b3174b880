"""Signals, statistics and learning in torch, as the programs beside do it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.benchmarks.peers_suite.data import SECOND, positions, single, uniform

Work = Callable[[], Any]


def filter_bank(torch: Any, n: int) -> Work:
    x = torch.sin(torch.arange(1, n + 1, dtype=torch.float64) / 7).float()

    def work() -> Any:
        y = torch.zeros(n)
        for k in range(1, 1001):
            y = (1 - 0.02) * y + 0.02 * x * math.cos(k / 100)
        return y.abs().sum()

    return work


def biquads(torch: Any, n: int) -> Work:
    x = single(torch, n)

    def work() -> Any:
        s1 = s2 = power = torch.zeros(n)
        for k in range(1, 501):
            given = x * math.sin(k / 5)
            out = 0.2 * given + s1
            s1 = 0.3 * given + 1.1 * out + s2
            s2 = 0.2 * given - 0.4 * out
            power = power + out**2
        return power.mean()

    return work


def spectrogram(torch: Any, n: int) -> Work:
    x = (uniform(torch, n * 1024) - 0.5).float().reshape(n, 1024)

    def work() -> Any:
        w = torch.hann_window(1024, periodic=False)
        p = torch.fft.fft(x * w)[:, :513].abs() ** 2
        return (10 * torch.log10(p + 1e-6)).mean()

    return work


def correlate(torch: Any, n: int) -> Work:
    at = torch.arange(1, n + 1, dtype=torch.float64)
    x = (torch.sin(at**2 / n) + uniform(torch, n)).float()
    y = torch.roll(x, 4321)

    def work() -> Any:
        c = torch.fft.ifft(torch.fft.fft(y) * torch.fft.fft(x).conj()).real
        return c.argmax()

    return work


def moving_rms(torch: Any, n: int) -> Work:
    x = (uniform(torch, n) - 0.5).float()

    def work() -> Any:
        pool = torch.nn.functional.avg_pool1d
        r = torch.sqrt(pool((x**2)[None], 101, 1, 50, count_include_pad=False))
        return r.mean() + (r > 0.29).float().mean()

    return work


def peaks(torch: Any, n: int) -> Work:
    at = torch.arange(1, n + 1, dtype=torch.float64)
    x = (torch.sin(at / 11) + uniform(torch, n)).float()

    def work() -> Any:
        inner = x[1:-1]
        found = torch.nonzero((inner > x[:-2]) & (inner > x[2:]) & (inner > 1.2))[:, 0] + 1
        return found.numel() / n + x[found].mean()

    return work


def k_means(torch: Any, n: int) -> Work:
    x = single(torch, n * 16).reshape(16, n).T.contiguous()

    def work() -> Any:
        c = x[:64]
        for _ in range(10):
            d = (x**2).sum(1, keepdim=True) + (c**2).sum(1) - 2 * x @ c.T
            best, label = d.min(1)
            counts = torch.bincount(label, minlength=64).clamp(min=1)
            c = torch.zeros(64, 16).index_add_(0, label, x) / counts[:, None]
        return torch.sqrt(best.clamp(min=0)).mean()

    return work


def nearest(torch: Any, n: int) -> Work:
    p = single(torch, n * 8).reshape(8, n).T.contiguous()
    q = single(torch, 4096 * 8, SECOND).reshape(8, 4096).T.contiguous()

    def work() -> Any:
        d = (q**2).sum(1, keepdim=True) + (p**2).sum(1) - 2 * q @ p.T
        return torch.sqrt(d.topk(5, 1, largest=False).values.clamp(min=0)).mean()

    return work


def logistic(torch: Any, n: int) -> Work:
    x = (uniform(torch, n * 128) - 0.5).float().reshape(128, n).T
    y = (uniform(torch, n, SECOND) > 0.5).float()

    def work() -> Any:
        w = torch.zeros(128)
        for _ in range(100):
            p = 1 / (1 + torch.exp(-(x @ w)))
            w = w - 0.5 / n * (x.T @ (p - y))
        return w.norm()

    return work


def pca(torch: Any, n: int) -> Work:
    count = n * 256
    x = uniform(torch, count) + 0.2 * torch.sin(positions(torch, count) / 9)
    x = x.float().reshape(256, n).T

    def work() -> Any:
        z = x - x.mean(0)
        c = z.T @ z / (n - 1)
        _, v = torch.linalg.eigh((c + c.T).double() / 2)
        return (z @ v[:, -8:].float()).var(0).sum()

    return work


def softmax(torch: Any, n: int) -> Work:
    x = (4 * uniform(torch, n * 1024)).float().reshape(n, 1024)

    def work() -> Any:
        p = torch.softmax(x, 1)
        return -(p * torch.log(p + 1e-12)).sum(1).mean()

    return work


def layer_norm(torch: Any, n: int) -> Work:
    x = single(torch, n * 2048).reshape(n, 2048)
    g = 0.5 + torch.arange(1, 2049) / 2048

    def work() -> Any:
        y = torch.nn.functional.layer_norm(x, (2048,), eps=1e-5) * g + 0.1
        return torch.nn.functional.gelu(y).mean()

    return work


def mixture(torch: Any, n: int) -> Work:
    x = single(torch, n * 8).reshape(8, n).T.contiguous()
    m = single(torch, 32 * 8, SECOND).reshape(8, 32).T.contiguous()

    def work() -> Any:
        ll = torch.stack([((x - c) ** 2).sum(1) for c in m], 1) * (-0.5 / 0.05) - math.log(32)
        total = torch.logsumexp(ll, 1)
        return total.mean() + torch.exp(ll - total[:, None])[:, 0].mean()

    return work


def correlation(torch: Any, n: int) -> Work:
    count = n * 512
    x = uniform(torch, count) + 0.1 * torch.cos(positions(torch, count) / 3)
    x = x.float().reshape(512, n).T

    def work() -> Any:
        z = (x - x.mean(0)) / x.std(0)
        return (z.T @ z / (n - 1)).abs().sum() / 512

    return work


def row_medians(torch: Any, n: int) -> Work:
    x = (uniform(torch, n * 4096) ** 2).float().reshape(n, 4096)

    def work() -> Any:
        s = x.sort(1).values
        m = (s[:, 2047] + s[:, 2048]) / 2
        return m.mean() + (s[:, 3071] - s[:, 1023]).mean()

    return work


def bootstrap(torch: Any, n: int) -> Work:
    x = single(torch, n)

    def work() -> Any:
        return torch.stack([x[torch.randint(n, (n,))].mean() for _ in range(200)]).mean()

    return work


def outliers(torch: Any, n: int) -> Work:
    x = (2 * uniform(torch, n) - 1).float()

    def work() -> Any:
        y = x.clone()
        y[y < 0] = 0
        high = y > 0.8
        y[high] = 0.8 + torch.log(1 + y[high] - 0.8)
        return y[y > 0.5].mean() + y.mean()

    return work


def expression(torch: Any, n: int) -> Work:
    a = single(torch, n * 500).reshape(n, 500)
    b = (uniform(torch, n * 500, SECOND) + 0.02).float().reshape(n, 500)

    def work() -> Any:
        t = (a.mean(1) - b.mean(1)) / torch.sqrt(a.var(1) / 500 + b.var(1) / 500)
        return t.abs().mean() + (t.abs() > 2).sum() / n

    return work


def k_mers(torch: Any, n: int) -> Work:
    s = torch.floor(4 * uniform(torch, n) ** 1.3).to(torch.uint8)

    def work() -> Any:
        code = torch.zeros(n - 7, dtype=torch.int64)
        for j in range(8):
            code = 4 * code + s[j : n - 7 + j]
        counts = torch.bincount(code, minlength=4**8)
        freq = counts[counts > 0] / (n - 7)
        return -(freq * torch.log2(freq)).sum()

    return work
