"""Differential equations, particles, optimisation and biology in torch, as beside."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.benchmarks.peers_suite.data import SECOND, single, uniform

Work = Callable[[], Any]


def heat(torch: Any, n: int) -> Work:
    start = torch.zeros(n, n)
    start[n // 4 - 1 : n // 2, n // 4 - 1 : n // 2] = 1

    def work() -> Any:
        u = start.clone()
        for _ in range(200):
            near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.2 * (near - 4 * u[1:-1, 1:-1])
        return u.sum()

    return work


def wave(torch: Any, n: int) -> Work:
    axis = torch.arange(1, n + 1).float() - n / 2
    start = torch.exp(-(axis[:, None] ** 2 + axis[None] ** 2) / 200)

    def work() -> Any:
        now = old = start
        roll = torch.roll
        for _ in range(100):
            near = roll(now, 1, 0) + roll(now, -1, 0) + roll(now, 1, 1) + roll(now, -1, 1)
            now, old = 2 * now - old + 0.25 * (near - 4 * now), now
        return (now**2).sum()

    return work


def jacobi(torch: Any, n: int) -> Work:
    axis = torch.linspace(0, math.pi, n, dtype=torch.float64)
    b = (torch.sin(axis * 2)[:, None] * torch.sin(axis * 3)[None]).float()

    def work() -> Any:
        u, change, steps = torch.zeros(n, n), 1.0, 0
        while change > 2e-3 and steps < 500:
            old = u
            u = u.clone()
            near = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
            u[1:-1, 1:-1] = 0.25 * (near + b[1:-1, 1:-1])
            change = (u - old).abs().max().item()
            steps += 1
        return u.abs().sum() / n

    return work


def gray_scott(torch: Any, n: int) -> Work:
    u0, v0 = torch.ones(n, n), torch.zeros(n, n)
    square = slice(n // 2 - 11, n // 2 + 10)
    v0[square, square], u0[square, square] = 0.5, 0.25

    def laplace(a: Any) -> Any:
        roll = torch.roll
        return roll(a, 1, 0) + roll(a, -1, 0) + roll(a, 1, 1) + roll(a, -1, 1) - 4 * a

    def work() -> Any:
        u, v = u0, v0
        for _ in range(100):
            r = u * v**2
            u = u + 0.16 * laplace(u) - r + 0.035 * (1 - u)
            v = v + 0.08 * laplace(v) + r - 0.1 * v
        return v.sum()

    return work


def upwind(torch: Any, n: int) -> Work:
    u0 = (
        1 + 0.5 * torch.sin(2 * math.pi * torch.arange(1, n + 1, dtype=torch.float64) / n)
    ).float()

    def work() -> Any:
        u = u0
        for _ in range(200):
            f = u**2 / 2
            u = u - 0.2 * (f - torch.roll(f, 1))
        return (u**2).sum() / n

    return work


def lorenz(torch: Any, n: int) -> Work:
    x0 = single(torch, n)
    y0, z0, h = x0 + 1, x0 + 20, 0.005

    def slope(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
        return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z

    def work() -> Any:
        x, y, z = x0, y0, z0
        for _ in range(200):
            a1, b1, c1 = slope(x, y, z)
            a2, b2, c2 = slope(x + h / 2 * a1, y + h / 2 * b1, z + h / 2 * c1)
            a3, b3, c3 = slope(x + h / 2 * a2, y + h / 2 * b2, z + h / 2 * c2)
            a4, b4, c4 = slope(x + h * a3, y + h * b3, z + h * c3)
            x = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            y = y + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
            z = z + h / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
        return z.mean()

    return work


def gravity(torch: Any, n: int) -> Work:
    start = single(torch, n * 3).reshape(3, n)
    mass = (1 + uniform(torch, n, SECOND)).float()

    def work() -> Any:
        p, v = start, torch.zeros(3, n)
        for _ in range(5):
            dx, dy, dz = (p[i][None] - p[i][:, None] for i in range(3))
            w = (dx**2 + dy**2 + dz**2 + 0.01) ** -1.5
            a = torch.stack([(dx * w) @ mass, (dy * w) @ mass, (dz * w) @ mass]) / n
            v = v + 0.01 * a
            p = p + 0.01 * v
        return (v**2).sum()

    return work


def lennard_jones(torch: Any, n: int) -> Work:
    p = (20 * uniform(torch, n * 3)).float().reshape(3, n)

    def work() -> Any:
        r2 = sum((p[i][:, None] - p[i][None]) ** 2 for i in range(3))
        r2[r2 == 0] = math.inf
        s = 1 / torch.clamp(r2, min=0.8) ** 3
        return (4 * (s**2 - s) * (r2 < 6.25)).sum() / n

    return work


def pair_kernel(torch: Any, n: int) -> Work:
    p = single(torch, n * 4).reshape(4, n).T.contiguous()
    f = single(torch, n, SECOND)

    def work() -> Any:
        q = (p**2).sum(1)
        k = torch.exp(-torch.clamp(q[:, None] + q[None] - 2 * p @ p.T, min=0) / 0.02)
        return ((k @ f / k.sum(1) - f) ** 2).mean()

    return work


def rosenbrock(torch: Any, n: int) -> Work:
    x0 = (4 * uniform(torch, n) - 2).float()
    y0 = (4 * uniform(torch, n, SECOND) - 2).float()

    def work() -> Any:
        x, y = x0, y0
        for _ in range(300):
            gx = -2 * (1 - x) - 400 * x * (y - x**2)
            gy = 200 * (y - x**2)
            s = 2e-4 / torch.clamp(torch.sqrt(gx**2 + gy**2) / 50, min=1)
            x, y = x - s * gx, y - s * gy
        return ((1 - x) ** 2 + 100 * (y - x**2) ** 2).mean()

    return work


def power_iteration(torch: Any, n: int) -> Work:
    a = single(torch, n * 512).reshape(512, n).T

    def work() -> Any:
        v = torch.ones(512)
        for _ in range(30):
            w = a.T @ (a @ v)
            v = w / w.norm()
        return (a @ v).norm() / math.sqrt(n)

    return work


def lasso(torch: Any, n: int) -> Work:
    a = (uniform(torch, n * 1024) - 0.5).float().reshape(1024, n).T
    b = (uniform(torch, n, SECOND) - 0.5).float()
    t = 1 / (a.abs().sum(0).max() * a.abs().sum(1).max())

    def work() -> Any:
        x = torch.zeros(1024)
        for _ in range(50):
            g = x - t * (a.T @ (a @ x - b))
            x = torch.sign(g) * torch.clamp(g.abs() - 0.1 * t, min=0)
        return (a @ x - b).norm()

    return work


def bisection(torch: Any, n: int) -> Work:
    c = single(torch, n)

    def work() -> Any:
        lo, hi = torch.zeros(n), torch.full((n,), 2.0)
        for _ in range(24):
            mid = (lo + hi) / 2
            up = mid**3 + mid - 1 - c > 0
            hi = torch.where(up, mid, hi)
            lo = torch.where(up, lo, mid)
        return lo.mean()

    return work


def floyd_warshall(torch: Any, n: int) -> Work:
    start = (1 + 99 * uniform(torch, n * n)).float().reshape(n, n)
    start.fill_diagonal_(0)

    def work() -> Any:
        d = start
        for k in range(n):
            d = torch.minimum(d, d[:, k : k + 1] + d[k : k + 1])
        return d.sum() / n

    return work


def epidemic(torch: Any, n: int) -> Work:
    beta = (0.2 + 0.3 * uniform(torch, n)).float()
    gamma = (0.05 + 0.1 * uniform(torch, n, SECOND)).float()

    def work() -> Any:
        s = torch.full((n,), 0.99)
        i = peak = 1 - s
        r = torch.zeros(n)
        for _ in range(365):
            new, out = beta * s * i, gamma * i
            s, i, r = s - new, i + new - out, r + out
            peak = torch.maximum(peak, i)
        return r.mean() + peak.mean()

    return work


def neurons(torch: Any, n: int) -> Work:
    drive = (1 + torch.cos(9 * uniform(torch, n))).float()

    def work() -> Any:
        v = torch.zeros(n)
        spikes = torch.zeros(n)
        for _ in range(1000):
            v = v + 0.05 * (drive - v)
            fired = v > 0.6
            v[fired] = 0
            spikes += fired
        return spikes.mean()

    return work


def life(torch: Any, n: int) -> Work:
    start = uniform(torch, n * n).reshape(n, n) ** 2 > 0.4

    def work() -> Any:
        g = start
        for _ in range(100):
            near = torch.zeros(n, n)
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        near += torch.roll(g, (dx, dy), (0, 1))
            g = (near == 3) | (g & (near == 2))
        return g.sum() / g.numel()

    return work


def mandelbrot(torch: Any, n: int) -> Work:
    x, y = torch.linspace(-2, 1, n), torch.linspace(-1.5, 1.5, n)
    c = torch.complex(x[:, None].expand(n, n), y[None].expand(n, n)).contiguous()

    def work() -> Any:
        z, count = torch.zeros_like(c), torch.zeros(n, n)
        for _ in range(100):
            z = z**2 + c
            inside = z.abs() <= 2
            count = count + inside
            z[~inside] = 3
        return count.mean()

    return work
