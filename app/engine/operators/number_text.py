"""Numbers as text: string conversion, num2str, mat2str, int2str."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app import memory
from app.engine.values import Array, char_codes, char_value


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
        return named(value)
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{significant(value)}g}"


def named(x: float) -> str:
    """``NaN``, ``Inf`` or ``-Inf``."""
    return "NaN" if math.isnan(x) else ("Inf" if x > 0 else "-Inf")


def significant(largest: float) -> int:
    """Significant digits that show four decimals of a number of this size."""
    magnitude = abs(largest)
    digits = math.floor(math.log10(magnitude)) + 5 if magnitude else 5
    return min(max(digits, 5), 16)


def general(x: float, digits: int) -> str:
    """``%g`` with NaN and Inf in MATLAB's spelling."""
    return f"{x:.{digits}g}" if math.isfinite(x) else named(x)


def scalar(x: complex | float, digits: int | None = None) -> str:
    """``num2str`` of one number."""
    if isinstance(x, complex):
        imag = scalar(abs(x.imag), digits)
        sign = "-" if math.copysign(1.0, x.imag) < 0 else "+"
        return f"{scalar(x.real, digits)}{sign}{imag}i"
    if digits is not None:
        return general(float(x), digits)
    if not math.isfinite(x):
        return named(x)
    if float(x).is_integer():
        return str(int(x)) if isinstance(x, int) or abs(x) <= 1e15 else f"{x:.15g}"
    return f"{x:.{significant(x)}g}"


def matrix_rows(a: Array, digits: int | None = None) -> list[str]:
    """``num2str`` of a real matrix: aligned columns, common blanks on the left removed."""
    finite = a[np.isfinite(a)] if a.dtype.kind == "f" else a
    largest = float(np.abs(finite.astype(np.float64)).max()) if finite.size else 0.0
    if digits is None and bool((finite == np.trunc(finite)).all()):
        cells = [[_integer_text(x) for x in row] for row in a.tolist()]
        digits_wide = max(len(t.lstrip("-")) for row in cells for t in row)
        width = digits_wide + 2
    else:
        places = significant(largest) if digits is None else digits
        memory.require_array((a.size, places), 1)
        cells = [[general(float(x), places) for x in row] for row in a.tolist()]
        width = places + 7 + bool((a < 0).any())
    return trimmed_rows(["".join(t.rjust(width) for t in row) for row in cells])


def _integer_text(x: float) -> str:
    return named(x) if isinstance(x, float) and not math.isfinite(x) else str(int(x))


def trimmed_rows(rows: list[str]) -> list[str]:
    """Rows without their common leading blanks and trailing blanks, padded to one length."""
    lead = min((len(r) - len(r.lstrip()) for r in rows if r.strip()), default=0)
    cut = [r[lead:].rstrip() for r in rows]
    width = max(map(len, cut), default=0)
    return [r.ljust(width) for r in cut]


def char_rows(rows: list[str]) -> Any:
    """Rows of text as one char array."""
    if len(rows) == 1:
        return rows[0]
    width = max(map(len, rows), default=0)
    codes = char_codes("".join([row.ljust(width) for row in rows]))
    return char_value(codes.reshape(len(rows), width))


def literal(x: Any, digits: int) -> str:
    """One element as ``mat2str`` writes it."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, complex):
        sign = "-" if math.copysign(1.0, x.imag) < 0 else "+"
        return f"{general(x.real, digits)}{sign}{general(abs(x.imag), digits)}i"
    if isinstance(x, int):
        return str(x)
    return general(x, digits)
