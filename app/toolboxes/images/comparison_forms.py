"""Comparisons of resident images and arithmetic on them, in doubles."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import resident
from app.engine.capture.terms import Made, Term, where
from app.engine.values import Value, as_array

Args = tuple[Value, ...]
F64 = DType.F64


def _pair(args: Args) -> tuple[Term, Term] | None:
    """Two images of one size, or an image and a number, as they are."""
    found = resident(*args[:2])
    if found is None or len(args) < 2:
        return None
    x, y = found
    fits = x.shape == y.shape or 1 in (x.size, y.size)
    return (x, y) if fits else None


def _error(x: Term, y: Term) -> Term:
    away = x.cast(F64) - y.cast(F64)
    return (away * away).mean()


def immse(args: Args, nargout: int) -> Made:
    """The mean of squared differences."""
    pair = _pair(args)
    return None if pair is None else _error(*pair)


def psnr(args: Args, nargout: int) -> Made:
    """The ratios of the peak and of the signal to the noise, in decibels."""
    pair = _pair(args)
    if pair is None or len(args) > 3 or (len(args) == 3 and type(args[2]) is not float):
        return None
    x, y = pair
    largest = float(np.iinfo(x.dtype.label).max) if x.dtype.is_integer else 1.0
    top = float(as_array(args[2]).item()) if len(args) == 3 else largest
    error = _error(x, y)
    signal = y.cast(F64)
    levels = (top * top / error, (signal * signal).mean() / error)
    found = tuple(
        where(error.eq(0.0), math.inf, Term(level.log10().node) * 10.0) for level in levels
    )
    return found[: max(nargout, 1)] if nargout > 1 else found[0]


def mean2(args: Args, nargout: int) -> Made:
    """The mean of all pixels."""
    found = resident(*args)
    return None if found is None else found[0].cast(F64).mean()


def std2(args: Args, nargout: int) -> Made:
    """The standard deviation of all pixels."""
    found = resident(*args)
    if found is None or found[0].size < 2:
        return None
    x = found[0].cast(F64)
    away = x - x.mean()
    return ((away * away).sum() / (x.size - 1.0)).root()


def corr2(args: Args, nargout: int) -> Made:
    """The correlation of two images."""
    pair = _pair(args)
    if pair is None or pair[0].rank > 2 or pair[1].rank > 2:
        return None
    x, y = (part.cast(F64) - part.cast(F64).mean() for part in pair)
    return (x * y).sum() / ((x * x).sum() * (y * y).sum()).root()


def combined(function: Callable[[Term, Term], Term]) -> Callable[[Args, int], Made]:
    """Arithmetic in doubles whose result has the class of the first image."""

    def form(args: Args, nargout: int) -> Made:
        pair = _pair(args)
        if pair is None:
            return None
        made = function(*(part.cast(F64) for part in pair))
        kind = pair[0].dtype
        return made.cast(F64 if kind is DType.BOOL else kind)

    return form
