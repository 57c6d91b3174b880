"""Elementwise operations, one record each beside its definition; the package declares them all."""

from app.accel.ir.operations import (
    arithmetic,
    exponential,
    hyperbolic,
    inverse,
    logarithm,
    normal,
    rounding,
    special,
    square_roots,
    trigonometric,
)

__all__ = [
    "arithmetic",
    "exponential",
    "hyperbolic",
    "inverse",
    "logarithm",
    "normal",
    "rounding",
    "special",
    "square_roots",
    "trigonometric",
]
