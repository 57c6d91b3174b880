"""Arrays from parts: ``[a, b; c, d]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array, kind_of, type_of_operand
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.complexes import as_complex
from app.engine.jit.jit_types import C128, F64
from app.engine.jit.layout import place_of, row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.engine.jit.jit_types import Kind
    from app.source import Span

MOST_LISTED = 64


def literal(low: Expressions, node: ast.Matrix) -> Operand:
    """A literal of scalars and arrays of one class."""
    rows = [[_part(low, item) for item in row] for row in node.rows if row]
    if not rows:
        return Array(F64, "0", "0", lambda k: number(0.0))
    if sum(map(len, rows)) > MOST_LISTED:
        raise Refused("a long literal", node.span)
    if len(rows) == len(rows[0]) == 1:
        return rows[0][0]
    if any(type_of_operand(v).kind is C128 for row in rows for v in row):
        rows = [[_as_complex(low, v) for v in row] for row in rows]
    if all(isinstance(v, Val) for row in rows for v in row) and len({*map(len, rows)}) == 1:
        values = [v for row in rows for v in row if isinstance(v, Val)]
        return low.arrays.array_of(
            values, _one_kind({kind_of(v) for v in values}, node.span), len(rows)
        )
    lines = [side_by_side(low, row, node.span) for row in rows]
    return lines[0] if len(lines) == 1 else _stacked_parts(low, lines, node.span)


def _part(low: Expressions, node: ast.Expr) -> Operand:
    made = low.any_operand(node)
    if not isinstance(made, Val) and made.pages != "1":
        raise Refused("an array of three dimensions in this place", node.span)
    return made


def _as_complex(low: Expressions, v: Operand) -> Operand:
    if isinstance(v, Val):
        return as_complex(low.out, v)
    return v if v.kind is C128 else low.arrays.complex_of(v)


def _one_kind(kinds: set[Kind], span: Span) -> Kind:
    if len(kinds) > 1:
        raise Refused("a literal of different classes", span)
    return kinds.pop()


def _part_as_array(low: Expressions, v: Operand) -> Array:
    return Array(kind_of(v), "1", "1", lambda k: v) if isinstance(v, Val) else v


def side_by_side(low: Expressions, row: list[Operand], span: Span) -> Array:
    """Parts side by side."""
    parts = [_part_as_array(low, v) for v in row]
    if len(parts) == 1:
        return parts[0]
    kind = _one_kind({p.kind for p in parts}, span)
    rows = _common_extent(low, [p.rows for p in parts], [p.columns for p in parts])
    columns = _sum(low, [p.columns for p in parts])
    made = low.arrays.allocate(kind, rows, columns)
    start = "0"
    for part in parts:
        count = low.arrays.count_of(part)
        _copy(low, made, part, start, count)
        start = low.out.op(f"add i64 {start}, {count}")
    return made


def _copy(low: Expressions, made: Array, part: Array, start: str, count: str) -> None:
    def put(k: str) -> None:
        low.variables.put_element(made.data, low.out.op(f"add i64 {start}, {k}"), part.element(k))

    low.arrays.each(count, put)


def _stacked_parts(low: Expressions, parts: list[Array], span: Span) -> Array:
    """Parts one below the other."""
    kind = _one_kind({p.kind for p in parts}, span)
    columns = _common_extent(low, [p.columns for p in parts], [p.rows for p in parts])
    rows = _sum(low, [p.rows for p in parts])
    made = low.arrays.allocate(kind, rows, columns)
    start = "0"
    for part in parts:
        _copy_block(low, made, part, start)
        start = low.out.op(f"add i64 {start}, {part.rows}")
    return made


def _copy_block(low: Expressions, made: Array, part: Array, start: str) -> None:
    if made.columns == "1":
        _copy(low, made, part, start, part.rows)
        return

    def put(k: str) -> None:
        row, column = row_and_column(low.out, k, part.rows)
        place = low.out.op(f"add i64 {place_of(low.out, row, column, made.rows)}, {start}")
        low.variables.put_element(made.data, place, part.element(k))

    low.arrays.each(low.arrays.count_of(part), put)


def _common_extent(low: Expressions, along: list[str], across: list[str]) -> str:
    """The size that all parts have in common; a part of 0 by 0 has none and is left out.

    Where one part certainly has it, as a row or a column does, the others may be empty. Without
    such a part empty ones are the interpreter's.
    """
    first = along[0]
    if all(extent == "1" for extent in along):
        return first
    certain = [e for e, other in zip(along, across, strict=True) if "1" in (e, other)]
    if certain:
        first = "1" if "1" in certain else certain[0]
    for extent, other in zip(along, across, strict=True):
        if certain and "1" not in (extent, other):
            nothing = low.out.op(f"icmp eq i64 {low.out.op(f'or i64 {extent}, {other}')}, 0")
            fits = low.out.op(f"or i1 {nothing}, {low.out.op(f'icmp eq i64 {extent}, {first}')}")
        else:
            fits = _fits(low, extent, first, other)
        low.out.require(fits)
    return first


def _fits(low: Expressions, extent: str, first: str, other: str) -> str:
    """Whether a part has elements, and the size that it should have in common with others."""
    test = "true"
    for held in (extent, other):
        if held != "1":
            test = low.out.op(f"and i1 {test}, {low.out.op(f'icmp sgt i64 {held}, 0')}")
    if extent != first:
        test = low.out.op(f"and i1 {test}, {low.out.op(f'icmp eq i64 {extent}, {first}')}")
    return test


def _sum(low: Expressions, extents: list[str]) -> str:
    if all(e == "1" for e in extents):
        return str(len(extents))
    total = extents[0]
    for extent in extents[1:]:
        total = low.out.op(f"add i64 {total}, {extent}")
    return total
