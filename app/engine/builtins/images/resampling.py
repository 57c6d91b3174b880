"""Which samples, and how much of each, make a picture of another size."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine.values import Array


def _cubic(x: Array) -> Array:
    a = np.abs(x)
    near = 1.5 * a**3 - 2.5 * a**2 + 1
    far = -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2
    return np.where(a <= 1, near, np.where(a <= 2, far, 0.0))


def _triangle(x: Array) -> Array:
    return np.asarray(np.maximum(1 - np.abs(x), 0))


def _box(x: Array) -> Array:
    return ((x >= -0.5) & (x < 0.5)).astype(np.float64)


def _lanczos(order: int) -> Callable[[Array], Array]:
    return lambda x: np.where(np.abs(x) < order, np.sinc(x) * np.sinc(x / order), 0.0)


KERNELS: dict[str, tuple[Callable[[Array], Array], float]] = {
    "bicubic": (_cubic, 4.0),
    "cubic": (_cubic, 4.0),
    "bilinear": (_triangle, 2.0),
    "triangle": (_triangle, 2.0),
    "nearest": (_box, 1.0),
    "box": (_box, 1.0),
    "lanczos2": (_lanczos(2), 4.0),
    "lanczos3": (_lanczos(3), 6.0),
}


def weights(size: int, wanted: int, scale: float, method: str, smooth: bool) -> tuple[Array, Array]:
    """Which samples, and how much of each, make every new sample along one dimension."""
    kernel, width = KERNELS[method]
    shrink = scale if scale < 1 and smooth else 1.0
    width = width / shrink
    centre = (np.arange(wanted) + 1) / scale + 0.5 * (1 - 1 / scale)
    left = np.floor(centre - width / 2)
    places = left[:, None] + np.arange(math.ceil(width) + 2)
    shares = shrink * kernel(shrink * (centre[:, None] - places))
    shares /= shares.sum(axis=1, keepdims=True)
    mirrored = np.concatenate([np.arange(size), np.arange(size)[::-1]])
    return mirrored[(places.astype(int) - 1) % (2 * size)], shares


def nearest_places(size: int, wanted: int, scale: float) -> Array:
    """Which sample from 0 is nearest to every new one along one dimension."""
    centre = (np.arange(wanted) + 1) / scale + 0.5 * (1 - 1 / scale)
    return np.asarray(np.clip(np.round(centre + 1e-9).astype(int) - 1, 0, size - 1))


def size_and_scales(shape: tuple[int, ...], size: Array) -> tuple[list[int], list[float]]:
    """Rows and columns of a resized image, and by what factors it grows."""
    rows, columns = shape[:2]
    if size.size == 1:
        factor = float(size.flat[0])
        return [math.ceil(rows * factor), math.ceil(columns * factor)], [factor, factor]
    wanted = [float(n) for n in size.ravel()[:2]]
    if math.isnan(wanted[0]):
        wanted[0] = math.ceil(rows * wanted[1] / columns)
    if math.isnan(wanted[1]):
        wanted[1] = math.ceil(columns * wanted[0] / rows)
    return [int(n) for n in wanted], [wanted[0] / rows, wanted[1] / columns]
