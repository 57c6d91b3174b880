"""Sets of resident numbers: sorted, told apart by their neighbours, looked up by bisection.

Only how many elements the result has is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine.capture.capture_session import BOOL, F64
from app.engine.capture.term_arrays import (
    apply_operation,
    clamp_nan_low,
    column,
    count_before,
    elements_at,
    line_starts,
    resident,
    rows_taken,
    scatter,
    select_by_mask,
    sort_with_places,
)
from app.engine.capture.terms import Made, Term, cat, constant_array, position, where
from app.engine.values import Array, Value, is_text_scalar, numel, size_of, text_of
from app.records import record

Args = tuple[Value, ...]
MOST_COLUMNS = 16
"""Of rows that are sorted by one column after the other."""


def _words(args: Args, known: frozenset[str], most: int = 1) -> frozenset[str] | None:
    """Option words, ``most`` of them; None for what only the host does."""
    if not all(is_text_scalar(a) for a in args):
        return None
    words = frozenset(text_of(a).lower() for a in args)
    return words if words <= known and len(words) <= most else None


def _marked_first(first: Term, order: Term) -> Term:
    """A mask in the original order of what is marked in the sorted one."""
    return scatter(constant_array(False, order.shape, BOOL), order - 1.0, first)


def unique(args: Args, nargout: int) -> Made:
    """``[C, ia, ic] = unique(A, order)``, also of rows."""
    words = _words(args[1:], frozenset(("sorted", "stable", "first", "last", "rows")))
    found = resident(args[0]) if words is not None else None
    if found is None or words is None or nargout > 3:
        return None
    x = found[0]
    if "rows" in words and not (x.rank == 2 and x.shape[1] == 1):
        return _unique_rows(x, nargout) if x.rank == 2 else None
    row = x.rank == 2 and x.shape[0] == 1 and "rows" not in words
    lined, order = sort_with_places(column(x))
    starts = line_starts(lined)
    if "stable" in words:
        return _stable(column(x), order, starts, row, nargout)
    kept = select_by_mask(starts, lined, row=row)
    if kept is None or nargout < 2:
        return kept[0] if kept else None
    ends = cat(0, starts.part(0, 1, x.size - 1), starts.part(0, 0, 1)) if x.size > 1 else starts
    first = ends if "last" in words else starts
    places = apply_operation("compact", order, first, attrs=((kept[0].size, 1),))
    return (kept[0], places, _group_numbers(starts, order))[:nargout]


def _group_numbers(starts: Term, order: Term) -> Term:
    """The number of each element's group, from the sorted elements' beginnings."""
    numbers = starts.number().cumsum(0)
    return scatter(constant_array(0.0, order.shape), order - 1.0, numbers)


def _stable(x: Term, order: Term, starts: Term, row: bool, nargout: int) -> Made:
    first = _marked_first(starts, order)
    kept = select_by_mask(first, x, row=row)
    if kept is None or nargout < 2:
        return kept[0] if kept else None
    places = apply_operation("compact_index", first, attrs=((kept[0].size, 1),))
    if nargout < 3:
        return kept[0], places
    # Each element's group is numbered by where the group's first element comes.
    begins = where(starts, position(starts.shape, 0), 0.0).cummax(0)
    ranks = elements_at(first.number().cumsum(0), elements_at(order, begins) - 1.0)
    return kept[0], places, scatter(constant_array(0.0, order.shape), order - 1.0, ranks)


def row_order(x: Term, columns: list[tuple[int, bool]]) -> Term:
    """The rows' numbers from 1, sorted by columns from 0, each perhaps descending."""
    order: Term | None = None
    for number, descending in reversed(columns):
        key = x.part(1, number, 1)
        if order is not None:
            key = elements_at(key, order - 1.0)
        step = sort_with_places(key, 0, descending)[1]
        order = step if order is None else elements_at(order, step - 1.0)
    assert order is not None
    return order


def _unique_rows(x: Term, nargout: int) -> Made:
    _, order, starts = _lined_rows(x)
    places = select_by_mask(starts, order)
    if places is None:
        return None
    made = rows_taken(x, places[0] - 1.0), places[0], _group_numbers(starts, order)
    return made[: max(nargout, 1)] if nargout > 1 else made[0]


def _lined_rows(x: Term) -> tuple[Term, Term, Term]:
    """Rows sorted, the places from 1 they were at, and where another one begins."""
    order = row_order(x, [(k, False) for k in range(x.shape[1])])
    lined = rows_taken(x, order - 1.0)
    first = constant_array(True, (1, 1), BOOL)
    if x.shape[0] == 1:
        return lined, order, first
    count = x.shape[0] - 1
    changes = lined.part(0, 1, count).ne(lined.part(0, 0, count)).any(1)
    return lined, order, cat(0, first, changes)


def _members(x: Term, of: Term) -> tuple[Term, Term]:
    """Whether elements are in a column, and where from 0 the first equal is in it."""
    lined, order = sort_with_places(of)
    place = clamp_nan_low(count_before(x, lined, False), 0.0, of.size - 1.0)
    return elements_at(lined, place).eq(x), elements_at(order, place) - 1.0


def ismember(args: Args, nargout: int) -> Made:
    """``[tf, k] = ismember(A, S)``."""
    rows = len(args) == 3 and is_text_scalar(args[2]) and text_of(args[2]).lower() == "rows"
    found = resident(*args[:2]) if len(args) == 2 or rows else None
    if found is None or nargout > 2:
        return None
    x, of = _in_common_type(*found)
    if rows and not _are_rows(x, of):
        return None
    inside, places = _member_rows(x, of) if rows else _members(x, column(of))
    return (inside, where(inside, places + 1.0, 0.0)) if nargout > 1 else inside


def _member_rows(x: Term, of: Term) -> tuple[Term, Term]:
    """Whether rows are among others, and where from 0 the first equal one is: all are sorted
    together."""
    _, order, starts = _lined_rows(cat(0, of, x))
    # Equals keep their order, so that the first of a group is the first of the others, if any.
    begins = where(starts, position(starts.shape, 0), 0.0).cummax(0)
    first = elements_at(order, begins)
    back = scatter(constant_array(0.0, order.shape), order - 1.0, first)
    places = back.part(0, of.shape[0], x.shape[0])
    return places <= float(of.shape[0]), places - 1.0


def _are_rows(*found: Term) -> bool:
    """Whether terms are matrices of so many columns that their rows are compared here."""
    columns = {x.shape[1] for x in found if x.rank == 2}
    return all(x.rank == 2 for x in found) and len(columns) == 1 and max(columns) <= MOST_COLUMNS


def findgroups(args: Args, nargout: int) -> Made:
    """``[G, ID] = findgroups(A)`` of a vector: NaN belongs to no group."""
    found = resident(*args) if len(args) == 1 else None
    if found is None or found[0].size != max(found[0].shape) or nargout > 2:
        return None
    x = column(found[0])
    lined, order = sort_with_places(x)
    starts = line_starts(lined)
    numbers = _group_numbers(starts, order)
    groups = where(x.isnan(), math.nan, numbers) if x.dtype.is_float else numbers
    groups = groups.reshape(found[0].shape)
    if nargout < 2:
        return groups
    begun = starts & ~lined.isnan() if x.dtype.is_float else starts
    kept = select_by_mask(begun, lined, row=found[0].shape[0] == 1)
    return None if kept is None else (groups, kept[0])


def _in_common_type(a: Term, b: Term) -> tuple[Term, Term]:
    """Both in one type that holds their values: single numbers are compared as doubles."""
    if a.dtype is b.dtype:
        return a, b
    return a.cast(F64), b.cast(F64)


def is_row_of_sets(a: Value, b: Value) -> bool:
    """Whether a result of two sets is a row: both are rows (or empty)."""

    def row(v: Value) -> bool:
        size = size_of(v)
        return len(size) == 2 and size[0] == 1

    if numel(a) == 0 or numel(b) == 0:
        return row(a) or row(b) if numel(a) + numel(b) else False
    return (row(a) and row(b)) or (row(a) and numel(b) == 1) or (row(b) and numel(a) == 1)


@record
class _Sets:
    """Two sets that are combined, as columns, or as matrices whose rows are their elements.

    Attributes:
        first, second: their elements.
        rows: whether these are rows.
        upright: whether the result is a column.
        stable: whether the result keeps their order.
    """

    first: Term
    second: Term
    rows: bool
    upright: bool
    stable: bool

    def among(self, x: Term, of: Term) -> tuple[Term, Term]:
        """Whether elements are in another set, and where from 0 the first equal one is."""
        return _member_rows(x, of) if self.rows else _members(x, of)

    def distinct(self, x: Term, wanted: Callable[[Term, Term], Term]) -> list[Term] | None:
        """The distinct elements for which ``wanted(elements, places from 1)`` holds, and their
        places; None where there are none."""
        if self.rows:
            lined, order, starts = _lined_rows(x)
        else:
            lined, order = sort_with_places(x)
            starts = line_starts(lined)
        if self.stable:
            lined, starts = x, _marked_first(starts, order)
            order = position(order.shape, 0) + 1.0
        mask = starts & wanted(lined, order)
        if not self.rows:
            return select_by_mask(mask, lined, order)
        places = select_by_mask(mask, order)
        return places and [rows_taken(x, places[0] - 1.0), places[0]]

    def shaped(self, kept: list[Term] | None) -> Term | Array:
        """The elements found in the direction of the result."""
        count = kept[0].shape[0] if kept else 0
        size = (count, self.first.shape[1]) if self.rows else (count, 1)
        size = size if self.rows or self.upright else (1, count)
        return kept[0].reshape(size) if kept else np.zeros(size, self.first.dtype.numpy)


def _set_form(build: Callable[[_Sets, int], Made], name: str) -> Callable[[Args, int], Made]:
    """The form of ``[C, ia, ib] = f(A, B, order)``, also of rows."""

    def form(args: Args, nargout: int) -> Made:
        words = _words(args[2:], frozenset(("sorted", "stable", "rows")), most=2)
        found = resident(*args[:2]) if words is not None else None
        if found is None or words is None or len({x.dtype for x in found}) > 1:
            return None
        rows = "rows" in words
        if (rows and not _are_rows(*found)) or {"sorted", "stable"} <= words:
            return None
        a, b = args[:2]
        row = size_of(a)[0] == 1 and numel(a) > 0 if name == "setdiff" else is_row_of_sets(a, b)
        first, second = found if rows else map(column, found)
        made = build(_Sets(first, second, rows, not row, "stable" in words), max(nargout, 1))
        return made[0] if isinstance(made, tuple) and nargout < 2 else made

    return form


_NOWHERE = np.zeros((0, 1))
"""The places of no element."""


def _intersect(sets: _Sets, nargout: int) -> Made:
    kept = sets.distinct(sets.first, lambda x, _: sets.among(x, sets.second)[0])
    if not kept:
        return sets.shaped(None), _NOWHERE, _NOWHERE
    values, places = sets.shaped(kept), kept[1]
    if nargout < 3:
        return values, places
    return values, places, sets.among(kept[0], sets.second)[1] + 1.0


def _setdiff(sets: _Sets, nargout: int) -> Made:
    kept = sets.distinct(sets.first, lambda x, _: ~sets.among(x, sets.second)[0])
    return None if nargout > 2 else (sets.shaped(kept), kept[1] if kept else _NOWHERE)


def _joined(sets: _Sets, wanted: Callable[[Term, Term], Term], nargout: int) -> Made:
    """Elements of both sets, and the places in each that they come from."""
    kept = sets.distinct(cat(0, sets.first, sets.second), wanted)
    values = sets.shaped(kept)
    if nargout < 2:
        return values
    if not kept:
        return values, _NOWHERE, _NOWHERE
    most = float(sets.first.shape[0])
    mine = kept[1] <= most
    of_first = select_by_mask(mine, kept[1])
    of_second = select_by_mask(~mine, kept[1] - most)
    places = (p[0] if p else _NOWHERE for p in (of_first, of_second))
    return (values, *places)[:nargout]


def _union(sets: _Sets, nargout: int) -> Made:
    return _joined(sets, lambda _, order: constant_array(True, order.shape, BOOL), nargout)


def _setxor(sets: _Sets, nargout: int) -> Made:
    first, second = sets.first, sets.second
    alone = cat(0, ~sets.among(first, second)[0], ~sets.among(second, first)[0])
    return _joined(sets, lambda _, order: elements_at(alone, order - 1.0), nargout)


intersect, setdiff = _set_form(_intersect, "intersect"), _set_form(_setdiff, "setdiff")
union, setxor = _set_form(_union, "union"), _set_form(_setxor, "setxor")
