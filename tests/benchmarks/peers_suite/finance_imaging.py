"""Finance and imaging in torch, as the programs beside do it in MATLAB's language."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.benchmarks.peers_suite.data import SECOND, THIRD, positions, single, uniform

Work = Callable[[], Any]


def black_scholes(torch: Any, n: int) -> Work:
    s = 80 + 40 * uniform(torch, n)
    s, k, t = s.float(), (80 + 40 * uniform(torch, n, SECOND)).float(), uniform(torch, n, THIRD)
    t = (0.1 + 2 * t).float()

    def work() -> Any:
        r, sigma = 0.03, 0.25
        d1 = (torch.log(s / k) + (r + sigma**2 / 2) * t) / (sigma * torch.sqrt(t))
        d2 = d1 - sigma * torch.sqrt(t)
        n1 = 0.5 * torch.erfc(-d1 / math.sqrt(2))
        n2 = 0.5 * torch.erfc(-d2 / math.sqrt(2))
        call = s * n1 - k * torch.exp(-r * t) * n2
        put = call - s + k * torch.exp(-r * t)
        return call.mean() + put.mean() + n1.mean()

    return work


def asian_option(torch: Any, n: int) -> Work:
    def work() -> Any:
        dt = 1 / 64
        s = torch.full((n,), 100.0)
        total = torch.zeros(n)
        for _ in range(64):
            z = torch.randn(n)
            s = s * torch.exp((0.03 - 0.02) * dt + 0.2 * math.sqrt(dt) * z)
            total = total + s
        return math.exp(-0.03) * torch.clamp(total / 64 - 100, min=0).mean()

    return work


def drawdown(torch: Any, n: int) -> Work:
    returns = (0.02 * (uniform(torch, 2048 * n) - 0.49)).float().reshape(n, 2048)

    def work() -> Any:
        wealth = torch.cumprod(1 + returns, 1)
        peak = torch.cummax(wealth, 1).values
        loss = 1 - wealth / peak
        return loss.max(1).values.mean() + wealth[:, -1].mean()

    return work


def portfolio(torch: Any, n: int) -> Work:
    count = n * 1024
    r = uniform(torch, count) + 0.3 * torch.sin(positions(torch, count) / 50)
    r, weights = r.float().reshape(1024, n), single(torch, 1024 * 64, SECOND).reshape(64, 1024)

    def work() -> Any:
        c = torch.cov(r)
        w = weights / weights.sum(1, keepdim=True)
        return torch.sqrt((w * (w @ c)).sum(1)).sum()

    return work


def bond_yields(torch: Any, n: int) -> Work:
    coupon = (2 + 6 * uniform(torch, n)).float()
    price = (85 + 30 * uniform(torch, n, SECOND)).float()

    def work() -> Any:
        y, step = torch.full((n,), 0.05), math.inf
        while step > 1e-5:
            value = 100 * (1 + y) ** -10
            slope = -10 * value / (1 + y)
            for t in range(1, 11):
                d = coupon * (1 + y) ** -t
                value = value + d
                slope = slope - t * d / (1 + y)
            change = (value - price) / slope
            y = y - change
            step = change.abs().max().item()
        return y.mean()

    return work


def edges(torch: Any, n: int) -> Work:
    a = single(torch, n * n).reshape(1, 1, n, n)
    h = torch.tensor([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]])

    def work() -> Any:
        gx = torch.nn.functional.conv2d(a, h[None, None], padding=1)
        gy = torch.nn.functional.conv2d(a, h.T[None, None], padding=1)
        return (torch.sqrt(gx**2 + gy**2) > 1.5).sum() / a.numel()

    return work


def blur(torch: Any, n: int) -> Work:
    a = single(torch, n * n).reshape(1, 1, n, n)

    def work() -> Any:
        h = torch.exp(-(torch.arange(-7, 8) ** 2) / (2 * 2.5**2))
        h = h / h.sum()
        conv2d = torch.nn.functional.conv2d
        b = conv2d(
            conv2d(a, h[None, None, :, None], padding=(7, 0)), h[None, None, None], padding=(0, 7)
        )
        s = torch.clamp(a + 0.7 * (a - b), 0, 1)
        return (s**2).mean()

    return work


def equalise(torch: Any, n: int) -> Work:
    a = torch.floor(256 * uniform(torch, n * n) ** 2).to(torch.uint8)

    def work() -> Any:
        counts = torch.bincount(a, minlength=256)
        cdf = counts.cumsum(0) / a.numel()
        table = torch.round(255 * cdf).to(torch.uint8)
        return table[a.long()].double().mean()

    return work


def fourier_filter(torch: Any, n: int) -> Work:
    a = single(torch, n * n).reshape(n, n)
    f = torch.fft.fftfreq(n)

    def work() -> Any:
        h = torch.exp(-(f[:, None] ** 2 + f[None] ** 2) * 400)
        b = torch.fft.ifft2(torch.fft.fft2(a) * h).real
        return (b**2).mean()

    return work


def rotate(torch: Any, n: int) -> Work:
    picture = single(torch, n * n).reshape(1, 1, n, n)

    def work() -> Any:
        a, scale = 17 * math.pi / 180, 2 / (n - 1)
        axis = torch.arange(1, n + 1) - (n + 1) / 2
        x, y = axis[:, None], axis[None]  # rows of the tensor are MATLAB's columns
        xs, ys = math.cos(a) * x + math.sin(a) * y, -math.sin(a) * x + math.cos(a) * y
        grid = torch.stack([ys * scale, xs * scale], -1)[None]
        inside = grid.abs().amax(-1) <= 1
        sample = torch.nn.functional.grid_sample
        b = sample(picture, grid, align_corners=True, padding_mode="border")
        return (b[:, 0] * inside).mean()

    return work


def normalise(torch: Any, n: int) -> Work:
    p = single(torch, n << 20).reshape(n, 1024, 1024)

    def work() -> Any:
        mu = p.mean((1, 2), keepdim=True)
        sd = torch.sqrt(((p - mu) ** 2).mean((1, 2), keepdim=True) + 1e-6)
        q = torch.clamp(1.01 * (p - mu) / sd - 0.02, min=0) ** 1.8
        return ((q - p) ** 2).mean()

    return work
