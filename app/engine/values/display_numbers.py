"""Numeric, logical and integer arrays as MATLAB shows them: alignment and column wrapping."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from app.engine.values.containers import Array
from app.engine.values.display_format import (
    DisplayFormat,
    Layout,
    digits_of,
    exponent,
    layout_of,
    plain_layout,
    special,
)

LINE = 80
"""Characters of a line before columns wrap."""


def matrix_text(a: Array, form: DisplayFormat) -> str:
    """The rows of the two-dimensional ``a``, wrapped into blocks of columns."""
    if a.dtype.kind in "iub":
        return _wrapped_columns(
            *(_hexadecimal_cells if form.style == "hex" else _integer_cells)(a), form
        )
    if a.dtype.kind == "c":
        return _complex_text(a, form)
    layout = layout_of(a, form.style, a.dtype == np.float32, a.size == 1)
    rows = [[layout.text(x) for x in row] for row in a.tolist()]
    body = _wrapped_columns(rows, layout.width, form)
    return _with_scale_line(layout, body, form)


def scalar_text(x: complex | float, form: DisplayFormat, single: bool = False) -> str:
    """One number without padding, as in structs and cells."""
    if isinstance(x, complex):
        return _complex_text(np.array([[x]]), form).strip()
    layout = layout_of(np.array([[x]]), form.style, single, is_scalar=True)
    return layout.text(x)


def _with_scale_line(layout: Layout, body: str, form: DisplayFormat) -> str:
    line = layout.scale_line
    return f"{line}{form.blank}{body}" if line else body


def _integer_cells(a: Array) -> tuple[list[list[str]], int]:
    rows = [[str(int(x)) for x in row] for row in a.tolist()]
    longest = max((len(t.lstrip("-")) for row in rows for t in row), default=1)
    return rows, longest + 3


def _hexadecimal_cells(a: Array) -> tuple[list[list[str]], int]:
    """The bytes of whole numbers; a logical is one byte."""
    digits = 2 * a.dtype.itemsize
    whole = a.astype(np.uint8) if a.dtype.kind == "b" else a.view(f"u{a.dtype.itemsize}")
    return [[f"{int(x):0{digits}x}" for x in row] for row in whole.tolist()], digits + 3


def _wrapped_columns(rows: list[list[str]], width: int, form: DisplayFormat) -> str:
    """Right-aligned columns; blocks with ``Columns m through n`` when they exceed a line."""
    columns = len(rows[0]) if rows else 0
    per_block = max(1, LINE // width)
    if columns <= per_block:
        return "".join(_line(row, width) for row in rows)
    blocks = []
    for first in range(0, columns, per_block):
        last = min(first + per_block, columns)
        body = "".join(_line(row[first:last], width) for row in rows)
        blocks.append(f"{_heading(first + 1, last)}{form.blank}{body}")
    return form.blank.join(blocks)


def _line(texts: list[str], width: int) -> str:
    return "".join(t.rjust(width) for t in texts) + "\n"


def _heading(first: int, last: int) -> str:
    return f"  Column {first}\n" if first == last else f"  Columns {first} through {last}\n"


# --- complex --------------------------------------------------------------------------------


def _complex_text(a: Array, form: DisplayFormat) -> str:
    layout = _complex_layout(np.stack([a.real, a.imag]), form, a.dtype == np.complex64, a.size == 1)
    real = [[layout.text(x) for x in row] for row in a.real.tolist()]
    imag = [[layout.text(abs(x)) for x in row] for row in a.imag.tolist()]
    signs = np.where(np.signbit(a.imag) & ~np.isnan(a.imag), "-", "+").tolist()
    ahead = max(layout.width, *(len(t) + 2 for row in real for t in row))
    behind = max(len(t) + (1 if "e" in t else 0) for row in imag for t in row)
    behind = max(behind, _least_behind(layout, form, a.dtype == np.complex64))
    texts = [
        [f"{re.rjust(ahead)} {sign}{im.rjust(behind)}i" for re, sign, im in cells]
        for cells in (zip(*rows, strict=True) for rows in zip(real, signs, imag, strict=True))
    ]
    return _with_scale_line(layout, _wrapped_columns(texts, ahead + behind + 3, form), form)


def _least_behind(layout: Layout, form: DisplayFormat, single: bool) -> int:
    """The least width of an imaginary part."""
    general = form.style in {"shortg", "longg", "rat"}
    return layout.width - 2 if general else digits_of(form.style, single) + 3


def _complex_layout(parts: Array, form: DisplayFormat, single: bool, is_scalar: bool) -> Layout:
    if form.style not in ("short", "long"):
        return plain_layout(parts, form.style, single)
    places = digits_of(form.style, single)
    finite = parts[np.isfinite(parts)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    if largest == 0 or 0.001 < largest < 100:
        return Layout(places + 5, _padded_fixed(places, 1.0))
    if is_scalar:
        return Layout(places + 9, exponent(places))
    scale = 10.0 ** math.floor(math.log10(largest))
    return Layout(places + 5, _padded_fixed(places, scale), scale)


def _padded_fixed(places: int, scale: float) -> Callable[[float], str]:
    """Fixed notation that keeps the places of zeros."""
    return lambda x: special(x) or f"{x / scale:.{places}f}"


def pages(a: Array) -> Iterator[tuple[str, Array]]:
    """Every two-dimensional page of an N-D array with its index text such as ``(:,:,2)``."""
    extra = a.shape[2:]
    for index in np.ndindex(*extra[::-1]):
        place = index[::-1]
        yield "(:,:," + ",".join(str(i + 1) for i in place) + ")", a[(..., *place)]
