"""The edge detectors behind ``edge``."""

from __future__ import annotations

import numpy as np

from app.engine.values import Array, Value, is_text_scalar, text_of
from app.errors import MatlabError
from app.records import record

KERNELS = {
    "sobel": np.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]]) / 8,
    "prewitt": np.array([[1.0, 1, 1], [0, 0, 0], [-1, -1, -1]]) / 6,
}
"""Slopes downwards."""

GRADIENTS = ("sobel", "prewitt", "roberts")
"""Detectors that look at slopes."""
CURVATURES = ("log", "zerocross")
"""Detectors that look where a filtered image changes its sign."""
_WORDS = ("both", "horizontal", "vertical", "thinning", "nothinning")


@record
class Wanted:
    """What ``edge`` is asked for.

    Attributes:
        method: the name of the detector.
        given: the threshold, or canny's two; None where it is chosen.
        words: direction and thinning, of the detectors by gradient.
        sigma: the width of canny's smoothing; None for the method's own.
        kernel: the filter of the detectors by curvature.
    """

    method: str
    given: Array | None
    words: frozenset[str]
    sigma: float | None
    kernel: Array | None

    def weights(self) -> tuple[float, float]:
        """What the slopes across and down count for."""
        return float("horizontal" not in self.words), float("vertical" not in self.words)


def check(method: str, rest: tuple[Value, ...]) -> None:
    """Refuse a method that does not exist and arguments that it does not have."""
    methods = (*GRADIENTS, *CURVATURES, "canny")
    if method not in methods:
        text = f"Expected the method to be one of {', '.join(methods)}, not '{method}'."
        raise MatlabError("MATLAB:edge:unrecognizedStringChoice", text)
    known = _WORDS if method in GRADIENTS else ()
    numbers = 1 if method in GRADIENTS else 2
    for v in rest:
        if is_text_scalar(v) and text_of(v).lower() not in known:
            text = f"'{text_of(v)}' is not an option of edge with the method {method}."
            raise MatlabError("MATLAB:edge:unrecognizedStringChoice", text)
    if sum(not is_text_scalar(v) for v in rest) > numbers:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")


def edges(x: Array, wanted: Wanted) -> tuple[Array, Array]:
    """Edge pixels and the threshold that was used."""
    if wanted.method in GRADIENTS:
        return _by_gradient(x, wanted)
    if wanted.method in CURVATURES:
        assert wanted.kernel is not None
        return _zero_crossings(x, wanted.given, wanted.kernel)
    return _canny(x, wanted.given, float(np.sqrt(2)) if wanted.sigma is None else wanted.sigma)


def _ridge_pixels(strength: Array, across: Array, down: Array, cutoff: float) -> Array:
    """Local maxima along rows or columns, where the gradient points that way."""
    wide = np.pad(strength, 1)
    centre = wide[1:-1, 1:-1]
    sideways = (across >= down) & (wide[1:-1, :-2] <= centre) & (centre > wide[1:-1, 2:])
    upright = (down >= across) & (wide[:-2, 1:-1] <= centre) & (centre > wide[2:, 1:-1])
    return np.asarray((centre > cutoff) & (sideways | upright))


def _slopes(x: Array, method: str) -> tuple[Array, Array]:
    """Squares of the slopes in the detector's two directions."""
    from scipy import ndimage

    if method == "roberts":
        wide = np.pad(x, ((0, 1), (0, 1)), mode="edge")
        one, two = wide[:-1, :-1] - wide[1:, 1:], wide[:-1, 1:] - wide[1:, :-1]
        return (one / 2) ** 2, (two / 2) ** 2
    kernel = KERNELS[method]
    across = ndimage.correlate(x, kernel.T, mode="nearest")
    return across**2, ndimage.correlate(x, kernel, mode="nearest") ** 2


def _by_gradient(x: Array, wanted: Wanted) -> tuple[Array, Array]:
    slopes = _slopes(x, wanted.method)
    across, down = (w * s for w, s in zip(wanted.weights(), slopes, strict=True))
    strength = across + down
    scale = 6 if wanted.method == "roberts" else 4
    cutoff = scale * _mean(strength) if wanted.given is None else wanted.given[0] ** 2
    if "nothinning" in wanted.words:
        return strength > cutoff, np.sqrt(cutoff)
    return _ridge_pixels(strength, across, down, float(cutoff)), np.sqrt(cutoff)


def _mean(x: Array) -> np.float64:
    """The mean; of nothing NaN."""
    return np.float64(x.mean() if x.size else np.nan)


def _zero_crossings(x: Array, given: Array | None, kernel: Array) -> tuple[Array, Array]:
    """Inner pixels that are negative beside a positive one, or zero between two of either sign,
    where the step exceeds the threshold: three quarters of the mean size when none is given."""
    from scipy import ndimage

    origin = [(n % 2) - 1 for n in kernel.shape]
    curved = ndimage.correlate(x, kernel, mode="nearest", origin=origin)
    cutoff = 0.75 * _mean(np.abs(curved)) if given is None else given[0]
    found = np.zeros(x.shape, dtype=bool)
    if min(x.shape) < 3:
        return found, np.asarray(cutoff)
    middle = curved[1:-1, 1:-1]
    for before, after in (
        (curved[1:-1, :-2], curved[1:-1, 2:]),
        (curved[:-2, 1:-1], curved[2:, 1:-1]),
    ):
        for beside in (before, after):
            found[1:-1, 1:-1] |= (middle < 0) & (beside > 0) & (beside - middle > cutoff)
        through = (middle == 0) & (np.sign(before) * np.sign(after) < 0)
        found[1:-1, 1:-1] |= through & (np.abs(before - after) > 2 * cutoff)
    return found, np.asarray(cutoff)


def _canny(x: Array, given: Array | None, sigma: float) -> tuple[Array, Array]:
    from scipy import ndimage

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
