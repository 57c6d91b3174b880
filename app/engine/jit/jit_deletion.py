"""Elements that are deleted: ``x(k) = []``, ``x(a:b) = []``, rows and columns of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import slices
from app.engine.jit.builder import FALSE, TRUE, Refused
from app.engine.jit.jit_types import BOOL, C128
from app.engine.jit.layout import row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.jit_expressions import Expressions


def delete(low: Expressions, target: ast.Index) -> None:
    """``target = []``."""
    assert isinstance(target.base, ast.Name)
    name, args = target.base.id, target.args
    if len(args) == 1 and not slices.is_slice(low, target):
        low.indexing.delete_element(name, args, target.span)
        return
    found = low.variables.type_of(name, target.span)
    colons = [isinstance(a, ast.Colon) for a in args]
    if not found.array or found.kind is C128 or low.variables.has_pages(name):
        raise Refused("elements of this array are deleted", target.span)
    if colons.count(False) != 1 or len(args) > 2:
        raise Refused("elements are deleted in this form", target.span)
    low.variables.check_set(name)
    if len(args) == 1:
        _of_vector(low, name, target)
    else:
        _lines(low, name, target, colons.index(False))


def _kept(low: Expressions, subset: slices.Subset, extent: str) -> tuple[str, str]:
    """Which of so many positions stay, as truth values in memory; how many they are."""
    out = low.out
    kept = low.arrays.allocate(BOOL, "1", out.op(f"add i64 {extent}, 1"))
    low.arrays.each(extent, lambda k: low.variables.put_element(kept.data, k, TRUE))
    low.arrays.each(
        subset.count, lambda k: low.variables.put_element(kept.data, subset.at(k), FALSE)
    )
    left = out.slot(f"%q.{out.label('left')}", "i64")
    out.store(left, "i64", "0")

    def count(k: str) -> None:
        one = out.op(f"zext i1 {kept.element(k).text} to i64")
        out.store(left, "i64", out.op(f"add i64 {out.load(left, 'i64')}, {one}"))

    low.arrays.each(extent, count)
    return kept.data, out.load(left, "i64")


def _close_up(low: Expressions, name: str, kept: str, axis: int) -> None:
    """Move the elements together whose place (axis 2), row (0) or column (1) stays."""
    out, kind = low.out, low.variables.env[name].kind
    assert kind is not None
    data, rows = low.variables.part(name, "p"), low.variables.part(name, "r")
    at = out.slot(f"%q.{out.label('moved')}", "i64")
    out.store(at, "i64", "0")

    def move(k: str) -> None:
        place = k if axis == 2 else row_and_column(out, k, rows)[axis]
        here = out.load(at, "i64")
        low.variables.put_element(data, here, low.variables.element(data, k, kind))
        one = out.op(f"zext i1 {low.variables.element(kept, place, BOOL).text} to i64")
        out.store(at, "i64", out.op(f"add i64 {here}, {one}"))

    low.arrays.each(low.variables.part(name, "n"), move, rows)
    low.variables.set_part(name, "n", out.load(at, "i64"))


def _of_vector(low: Expressions, name: str, target: ast.Index) -> None:
    """Several elements of a row or column; a column keeps some."""
    out = low.out
    rows, columns = (low.variables.part(name, which) for which in "rc")
    row, column = (out.op(f"icmp eq i64 {extent}, 1") for extent in (rows, columns))
    out.require(out.op(f"or i1 {row}, {column}"))
    (subset,) = subsets = slices.subsets_of(low, name, target.args, target.span)
    slices.require_lines(low, subsets)
    kept, left = _kept(low, subset, low.variables.part(name, "n"))
    some = out.op(f"icmp ne i64 {left}, 0")
    certain = low.variables.env[name].form == "column"
    out.require(some if certain else out.op(f"or i1 {row}, {some}"))
    _close_up(low, name, kept, 2)
    low.variables.set_part(name, "r", left if certain else out.choose(row, "i64", "1", left))
    low.variables.set_part(name, "c", "1" if certain else out.choose(row, "i64", left, "1"))


def _lines(low: Expressions, name: str, target: ast.Index, axis: int) -> None:
    """Rows (axis 0) or columns (1); an array of one certain line keeps it."""
    out = low.out
    subsets = slices.subsets_of(low, name, target.args, target.span)
    slices.require_lines(low, subsets)
    subset = subsets[axis]
    which = "rc"[axis]
    kept, left = _kept(low, subset, low.variables.part(name, which))
    if low.variables.env[name].form == ("row", "column")[axis]:
        out.require(out.op(f"icmp eq i64 {left}, 1"))
    _close_up(low, name, kept, axis)
    low.variables.set_part(name, which, left)
