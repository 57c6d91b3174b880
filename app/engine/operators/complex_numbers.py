"""Arithmetic of single numbers of which one at least is complex, rounded as NumPy rounds it.

None stands for what arrays must decide.
"""

from __future__ import annotations


def no_meaning(a: complex, b: complex) -> complex | None:
    """Arrays decide."""


def product(a: complex, b: complex) -> complex:
    """``a * b``; of a real and a complex number both parts are multiplied."""
    if type(a) is type(b):
        return a * b
    real, other = (a, b) if type(a) is float else (b, a)
    return complex(real.real * other.real, real.real * other.imag)


def quotient(a: complex, b: complex) -> complex | None:
    """``a / b`` by Smith's method, in NumPy's order of operations."""
    if not b:
        return None
    above, beside, below, across = a.real, a.imag, b.real, b.imag
    if type(b) is float:
        return complex(above / below, beside / below)
    if abs(below) >= abs(across):
        ratio = across / below
        scale = 1.0 / (below + across * ratio)
        return complex((above + beside * ratio) * scale, (beside - above * ratio) * scale)
    ratio = below / across
    scale = 1.0 / (across + below * ratio)
    return complex((above * ratio + beside) * scale, (beside * ratio - above) * scale)


def power(a: complex, b: complex) -> complex | None:
    """Squares and cubes."""
    if b == 2.0:
        return a * a
    return a * (a * a) if b == 3.0 else None
