"""The edge detectors behind ``edge``."""

from __future__ import annotations

import numpy as np

from app.engine.values import Array
from app.errors import MatlabError

_KERNELS = {
    "sobel": np.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]]) / 8,
    "prewitt": np.array([[1.0, 1, 1], [0, 0, 0], [-1, -1, -1]]) / 6,
}


def edges(x: Array, method: str, given: Array | None) -> tuple[Array, Array]:
    """Edge pixels and the threshold that was used."""
    if method in _KERNELS:
        return _by_gradient(x, method, given)
    if method == "roberts":
        return _roberts(x, given)
    if method == "log":
        return _zero_crossings(x, given)
    if method == "canny":
        return _canny(x, given)
    text = f"Expected the method to be sobel, prewitt, roberts, log or canny, not '{method}'."
    raise MatlabError("MATLAB:edge:unrecognizedStringChoice", text)


def _thin(strength: Array, across: Array, down: Array, cutoff: float) -> Array:
    """Local maxima along rows or columns, where the gradient points that way."""
    wide = np.pad(strength, 1)
    centre = wide[1:-1, 1:-1]
    sideways = (across >= down) & (wide[1:-1, :-2] <= centre) & (centre > wide[1:-1, 2:])
    upright = (down >= across) & (wide[:-2, 1:-1] <= centre) & (centre > wide[2:, 1:-1])
    return np.asarray((centre > cutoff) & (sideways | upright))


def _by_gradient(x: Array, method: str, given: Array | None) -> tuple[Array, Array]:
    from scipy import ndimage

    kernel = _KERNELS[method]
    across = ndimage.correlate(x, kernel.T, mode="nearest") ** 2
    down = ndimage.correlate(x, kernel, mode="nearest") ** 2
    strength = across + down
    cutoff = 4 * strength.mean() if given is None else given[0] ** 2
    return _thin(strength, across, down, float(cutoff)), np.sqrt(cutoff)


def _roberts(x: Array, given: Array | None) -> tuple[Array, Array]:
    wide = np.pad(x, ((0, 1), (0, 1)), mode="edge")
    one = ((wide[:-1, :-1] - wide[1:, 1:]) / 2) ** 2
    two = ((wide[:-1, 1:] - wide[1:, :-1]) / 2) ** 2
    strength = one + two
    cutoff = 6 * strength.mean() if given is None else given[0] ** 2
    return _thin(strength, one, two, float(cutoff)), np.sqrt(cutoff)


def _zero_crossings(x: Array, given: Array | None) -> tuple[Array, Array]:
    from scipy import ndimage

    curved = ndimage.gaussian_laplace(x, 2.0, mode="nearest")
    cutoff = 0.75 * np.abs(curved).mean() if given is None else given[0]
    found = np.zeros(x.shape, dtype=bool)
    for axis in (0, 1):
        a = np.moveaxis(curved, axis, 0)
        jump = (np.sign(a[:-1]) != np.sign(a[1:])) & (np.abs(a[:-1] - a[1:]) > cutoff)
        np.moveaxis(found, axis, 0)[:-1] |= jump
    return found, np.asarray(cutoff)


def _canny(x: Array, given: Array | None) -> tuple[Array, Array]:
    from scipy import ndimage

    sigma = np.sqrt(2)
    down, across = (
        ndimage.gaussian_filter(x, sigma, order=o, mode="nearest") for o in ((1, 0), (0, 1))
    )
    size = np.hypot(down, across)
    size = size / (size.max() or 1.0)
    if given is None:
        counts = np.bincount((size * 63).astype(int).ravel(), minlength=64)
        high = (int(np.argmax(np.cumsum(counts) > 0.7 * size.size)) + 1) / 64
        low = 0.4 * high
    else:
        low, high = (0.4 * given[0], given[0]) if given.size == 1 else given
    crest = _crest(size, across, down)
    labels, _ = ndimage.label(crest & (size > low), structure=np.ones((3, 3)))
    strong = np.unique(labels[crest & (size > high)])
    return np.isin(labels, strong[strong > 0]), np.array([low, high])


def _crest(size: Array, across: Array, down: Array) -> Array:
    """Pixels that are maxima along the gradient's direction, rounded to 45 degrees."""
    wide = np.pad(size, 1)
    sector = np.round(np.degrees(np.arctan2(down, across)) % 180 / 45).astype(int) % 4
    found = np.zeros(size.shape, dtype=bool)
    rows, columns = size.shape
    for k, (i, j) in enumerate(((0, 1), (1, 1), (1, 0), (1, -1))):
        ahead = wide[1 + i : 1 + i + rows, 1 + j : 1 + j + columns]
        behind = wide[1 - i : 1 - i + rows, 1 - j : 1 - j + columns]
        found |= (sector == k) & (size >= ahead) & (size > behind)
    return found
