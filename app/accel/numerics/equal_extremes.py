"""Which of equal numbers is the extreme: the first, where NumPy takes any of 0 and -0."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]


def first_of_two(ufunc: np.ufunc, a: Array, b: Array) -> Array:
    """`fmin` or `fmax` of the extremes of two parts; of equal ones that of the first part."""
    found = ufunc(a, b)
    return found if _has_no_zero(found) else np.where(np.equal(a, b), a, found)


def first_of_equal(found: Array, a: Array, axes: tuple[int, ...]) -> Array:
    """The extremes that NumPy found of numbers over axes (which are extents of 1), with the sign
    of the first element that equals them.

    NumPy's vector code takes any of 0 and -0, and `[m, k] = max(x)` is to have the m of `max(x)`.
    The first is looked for only where a zero was found and there are negative ones.
    """
    if a.dtype.kind != "f" or _has_no_zero(found):
        return found
    if found.size == 1:
        return np.full_like(found, _first_zero(a.reshape(-1, order="F")))
    bits = a.view(np.dtype(f"i{a.itemsize}"))
    if bits.min() != np.iinfo(bits.dtype).min:  # the bits of -0
        return found
    kept = [k for k in range(a.ndim) if k not in axes]
    turned = np.transpose(a, [*kept, *axes])
    ends = found.reshape(turned.shape[: len(kept)])
    places = ends == 0
    lines = turned[places]
    lines = lines.reshape(len(lines), -1, order="F") if lines.ndim > 2 else lines
    ends[places] = lines[np.arange(len(lines)), (lines == 0).argmax(axis=1)]
    return ends.reshape(found.shape)


def _has_no_zero(a: Array) -> bool:
    return a.item() != 0 if a.size == 1 else bool(a.all())


def _first_zero(line: Array) -> float:
    """The first zero of a vector that has one."""
    step, k = 1 << 14, 0
    while not (zeros := line[k : k + step] == 0).any():
        k += step
    return float(line[k + zeros.argmax()])
