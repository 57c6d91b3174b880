"""Spectra of real numbers: each element is the conjugate of that of the opposite frequency."""

from __future__ import annotations

from itertools import product

import numpy as np

from app.engine.values import Array


def make_symmetric(spectrum: Array, axes: tuple[int, ...]) -> None:
    """Replace what rounding made of the symmetry of a spectrum of real numbers.

    Fourier libraries copy the upper half of the last of ``axes`` from the lower one. What is its
    own opposite along that axis is a spectrum of real numbers along the others.
    """
    *others, axis = axes
    extent = spectrum.shape[axis]
    if not others:
        parts = spectrum.imag.swapaxes(0, axis)
        parts[0] = 0.0  # a zero, not a negative one
        if extent % 2 == 0:
            parts[extent // 2] = 0.0
        return
    for place in {0, extent // 2} if extent % 2 == 0 else {0}:
        plane = spectrum[_lines(spectrum, axis, slice(place, place + 1))]
        count = plane.shape[others[-1]]
        upper = _lines(plane, others[-1], slice(count // 2 + 1, None))
        plane[upper] = _opposite(plane, tuple(others))[upper]
        make_symmetric(plane, tuple(others))


def _lines(a: Array, axis: int, wanted: slice) -> tuple[slice, ...]:
    """The index of some slices along an axis."""
    return tuple(wanted if k == axis else slice(None) for k in range(a.ndim))


def _opposite(a: Array, axes: tuple[int, ...]) -> Array:
    """The conjugate of every element at the place of the opposite frequency."""
    return np.conj(np.roll(np.flip(a, axes), (1,) * len(axes), axes))


_ALL, _ZERO = (slice(None), slice(None)), (slice(0, 1), slice(0, 1))
_OTHERS = slice(1, None), slice(None, 0, -1)
"""Frequencies and their opposites along an axis."""


def is_symmetric(a: Array, axes: tuple[int, ...]) -> bool:
    """Whether an array is exactly its own conjugate at opposite frequencies along axes.

    NaN is the conjugate of NaN: the spectrum of real numbers is symmetric whatever they are, so
    that ``ifft(fft(x))`` of real x is real, and needs no look at the numbers to be known to be.
    """
    lowest = tuple(min(1, n - 1) if k in axes else 0 for k, n in enumerate(a.shape))
    here, there = a[lowest], np.conj(a[tuple(-k for k in lowest)])
    if here != there and not (np.isnan(here) and np.isnan(there)):
        return False  # most others show it here
    parts = [(_ZERO, _OTHERS) if k in axes else (_ALL,) for k in range(a.ndim)]
    return all(
        np.array_equal(
            a[tuple(near for near, _ in part)],
            np.conj(a[tuple(far for _, far in part)]),
            equal_nan=a.dtype.kind in "fc",
        )
        for part in product(*parts)
    )
