"""Numbers as text, for string conversion and num2str."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def shortest(x: Any) -> str:
    """What ``string`` and ``"" + x`` give: about five significant digits, no trailing zeros."""
    if isinstance(x, bool | np.bool_):
        return "true" if x else "false"
    if isinstance(x, complex | np.complexfloating):
        sign = "-" if np.signbit(x.imag) else "+"
        return f"{shortest(x.real)}{sign}{shortest(abs(x.imag))}i"
    if isinstance(x, np.integer):
        return str(int(x))
    value = float(x)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    digits = max(math.floor(math.log10(abs(value))) + 5, 5) if value else 5
    return exponent_form(f"{value:.{min(digits, 16)}g}")


def exponent_form(text: str) -> str:
    """C's ``%g`` text as it is; Python's has the same two-digit exponents."""
    return text
