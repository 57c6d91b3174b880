"""How tables look: centred names, a rule, and the columns under them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.values import (
    Cell,
    CharArray,
    StringArray,
    Struct,
    Value,
    as_array,
    class_of,
    is_numeric_like,
    size_of,
)
from app.engine.values.display_format import DisplayFormat
from app.engine.values.display_inline import dimensions, in_cell, string_in_line

_LINE = 80


def table_text(t: Any, style: Any, *, headed: bool = True) -> str:
    """The text of a table below ``name =``."""
    kind = "empty " if 0 in t.shape else ""
    head = f"  {dimensions(t.shape)} {kind}{t.class_name}\n" if headed else ""
    if not t.columns or (not t.height and not t.columns):
        return head
    blank = "\n" if headed else ""
    inner = [_names_and_lines(c, style) for c in t.columns.values()]
    depth = max(len(below) for below, _ in inner)
    blocks = [
        _block(n, lines, [*below, *[""] * (depth - len(below))])
        for n, (below, lines) in zip(t.columns, inner, strict=True)
    ]
    lead: list[list[str]] = []
    if t.times is not None:
        lead = [_block(t.dimension_names[0], _lines(t.times, style), [""] * depth)]
    elif t.row_names:
        width = max(map(len, t.row_names))
        lead = [[""] * (3 + depth) + t.row_names]
        lead[0] = [line.ljust(width) for line in lead[0]]
    texts = [_joined_blocks(group) for group in _groups(lead, blocks)]
    return head + blank + "\n".join(texts)


def _joined_blocks(blocks: list[list[str]]) -> str:
    rows = ["    " + "    ".join(parts) for parts in zip(*blocks, strict=True)]
    return "".join((r if r.strip() else "") + "\n" for r in rows)


def _groups(lead: list[list[str]], blocks: list[list[str]]) -> list[list[list[str]]]:
    """Columns that fit side by side on a line, the row labels before each group."""
    base = sum(len(b[0]) + 4 for b in lead)
    groups: list[list[list[str]]] = []
    width = 0
    for block in blocks:
        size = len(block[0]) + 4
        if not groups or (width + size > _LINE and len(groups[-1]) > len(lead)):
            groups.append(list(lead))
            width = base
        groups[-1].append(block)
        width += size
    return groups


def _block(name: str, lines: list[str], below: list[str]) -> list[str]:
    """Name, lines of names below it, rule, blank and lines of one variable, all equally wide."""
    rows = [*below, *lines]
    width = max(len(name), max(map(len, rows), default=0))
    texts = centred(name, rows, width)
    return [*texts[: 1 + len(below)], "_" * width, " " * width, *texts[1 + len(below) :]]


def centred(name: str, lines: list[str], width: int = 0) -> list[str]:
    """A name above lines of text that are centred together."""
    inner = max(map(len, lines), default=0)
    width = max(width, inner, len(name))
    return [_centre(name, width), *(_centre(line.ljust(inner), width) for line in lines)]


def _names_and_lines(v: Value, style: DisplayFormat) -> tuple[list[str], list[str]]:
    """The names of a table inside a table, one line for every depth, and the rows of a variable."""
    columns = getattr(v, "columns", None)
    if columns is None:
        return [], _lines(v, style)
    inner = [_names_and_lines(c, style) for c in columns.values()]
    depth = max((len(below) for below, _ in inner), default=0)
    blocks = [
        centred(n, [*below, *[""] * (depth - len(below)), *lines])
        for n, (below, lines) in zip(columns, inner, strict=True)
    ]
    joined = ["    ".join(parts) for parts in zip(*blocks, strict=True)]
    return joined[: 1 + depth], joined[1 + depth :]


def _centre(text: str, width: int) -> str:
    left = (width - len(text)) // 2
    return (" " * left + text).ljust(width)


def _lines(v: Value, style: Any) -> list[str]:
    """Every row of a variable as text of equal width."""
    rows = size_of(v)[0]
    if isinstance(v, str | CharArray):
        return v.rows() if isinstance(v, CharArray) else [v]
    if len(size_of(v)) > 2 or isinstance(v, Struct):
        sizes = dimensions((1, *size_of(v)[1:]))
        return [f"{sizes} {class_of(v)}"] * rows
    columns = _cells(v, style)
    widths = [max(map(len, c), default=0) for c in columns]
    left = not is_numeric_like(v) or class_of(v) == "logical"
    padded = [
        [t.ljust(w) if left else t.rjust(w) for t in c]
        for c, w in zip(columns, widths, strict=True)
    ]
    return ["    ".join(parts) for parts in zip(*padded, strict=True)] if padded else [""] * rows


def _cells(v: Value, style: Any) -> list[list[str]]:
    """The texts of every column."""
    if isinstance(v, StringArray):
        return [[string_in_line(t) for t in c] for c in v.data.T.tolist()]
    if isinstance(v, Cell):
        return [_braced_texts(["".join(in_cell(x, style)) for x in c]) for c in v.data.T]
    if isinstance(v, NativeArray):
        texts = np.array([t or "" for t in v.texts()], dtype=object).reshape(v.shape, order="F")
        return [list(c) for c in texts.T]
    if not is_numeric_like(v):
        return [[f"1×1 {class_of(v)}"] * size_of(v)[0]]
    a = as_array(v)
    if a.dtype.kind == "b":
        return [["true" if x else "false" for x in c] for c in a.T.tolist()]
    if a.dtype.kind in "iu":
        return [[str(x) for x in c] for c in a.T.tolist()]
    return [_numbers(c.tolist()) for c in a.T]


def _braced_texts(texts: list[str]) -> list[str]:
    """The contents of a column of cells, padded inside their braces."""
    width = max(map(len, texts), default=0)
    return ["{" + t.ljust(width) + "}" for t in texts]


def _numbers(column: list[Any]) -> list[str]:
    """Numbers of a column with five significant digits; whole where all are, as they are."""
    if any(isinstance(x, complex) for x in column):
        return [f"{x.real:.5g}{x.imag:+.5g}i" for x in column]
    whole = all(x == math.floor(x) for x in column if math.isfinite(x))
    return [_number(x, whole) for x in column]


def _number(x: float, whole: bool) -> str:
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Inf" if x > 0 else "-Inf"
    if whole and abs(x) < 1e9:
        return str(int(x))
    return f"{x:.5g}"
