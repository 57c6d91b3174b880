"""Sets of resident numbers: sorted, told apart by their neighbours, looked up by bisection.

Only how many elements the result has is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable

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
from app.engine.values import Value, is_text_scalar, numel, size_of, text_of

Args = tuple[Value, ...]
MOST_COLUMNS = 16
"""Of rows that are sorted by one column after the other."""


def _words(args: Args, known: frozenset[str]) -> frozenset[str] | None:
    """Option words; None for what only the host does."""
    if not all(is_text_scalar(a) for a in args):
        return None
    words = frozenset(text_of(a).lower() for a in args)
    return words if words <= known and len(words) < 2 else None


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
    order = row_order(x, [(k, False) for k in range(x.shape[1])])
    lined = rows_taken(x, order - 1.0)
    if x.shape[0] == 1:
        starts = constant_array(True, (1, 1), BOOL)
    else:
        count = x.shape[0] - 1
        changes = lined.part(0, 1, count).ne(lined.part(0, 0, count)).any(1)
        starts = cat(0, constant_array(True, (1, 1), BOOL), changes)
    places = select_by_mask(starts, order)
    if places is None:
        return None
    made = rows_taken(x, places[0] - 1.0), places[0], _group_numbers(starts, order)
    return made[: max(nargout, 1)] if nargout > 1 else made[0]


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
    if rows:
        return _member_rows(*_in_common_type(*found), nargout)
    x, of = _in_common_type(*found)
    inside, places = _members(x, column(of))
    return (inside, where(inside, places + 1.0, 0.0)) if nargout > 1 else inside


def _member_rows(x: Term, of: Term, nargout: int) -> Made:
    """Whether rows are among others, and which is the first equal one: all sorted together."""
    if x.rank > 2 or of.rank > 2 or x.shape[1] != of.shape[1] or x.shape[1] > MOST_COLUMNS:
        return None
    both = cat(0, of, x)
    order = row_order(both, [(k, False) for k in range(both.shape[1])])
    lined = rows_taken(both, order - 1.0)
    count = both.shape[0] - 1
    changes = lined.part(0, 1, count).ne(lined.part(0, 0, count)).any(1)
    starts = cat(0, constant_array(True, (1, 1), BOOL), changes)
    # Equals keep their order, so that the first of a group is the first of the others, if any.
    begins = where(starts, position(starts.shape, 0), 0.0).cummax(0)
    first = elements_at(order, begins)
    back = scatter(constant_array(0.0, order.shape), order - 1.0, first)
    places = back.part(0, of.shape[0], x.shape[0])
    inside = places <= float(of.shape[0])
    return (inside, where(inside, places, 0.0)) if nargout > 1 else inside


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


def _set_form(build: Callable[..., Made], name: str) -> Callable[[Args, int], Made]:
    """The form of ``[C, ia, ib] = f(A, B, order)``."""

    def form(args: Args, nargout: int) -> Made:
        words = _words(args[2:], frozenset(("sorted", "stable")))
        found = resident(*args[:2]) if words is not None else None
        if found is None or words is None or len({x.dtype for x in found}) > 1:
            return None
        a, b = args[:2]
        row = size_of(a)[0] == 1 and numel(a) > 0 if name == "setdiff" else is_row_of_sets(a, b)
        made = build(*map(column, found), row, "stable" in words, max(nargout, 1))
        return made[0] if isinstance(made, tuple) and nargout < 2 else made

    return form


def _selected_elements(
    x: Term, wanted: Callable[[Term, Term], Term], row: bool, stable: bool
) -> tuple[Term, Term] | None:
    """The distinct elements for which ``wanted(elements, places from 1)`` holds, and their
    places."""
    lined, order = sort_with_places(x)
    starts = line_starts(lined)
    if stable:
        lined, starts = x, _marked_first(starts, order)
        order = position(x.shape, 0) + 1.0
    kept = select_by_mask(starts & wanted(lined, order), lined, order)
    if kept is None:
        return None
    values = kept[0].reshape((1, kept[0].size)) if row else kept[0]
    return values, kept[1]


def _intersect(a: Term, b: Term, row: bool, stable: bool, nargout: int) -> Made:
    kept = _selected_elements(a, lambda x, _: _members(x, b)[0], row, stable)
    if kept is None:
        return None
    if nargout < 3:
        return kept
    return *kept, _members(column(kept[0]), b)[1] + 1.0


def _setdiff(a: Term, b: Term, row: bool, stable: bool, nargout: int) -> Made:
    kept = _selected_elements(a, lambda x, _: ~_members(x, b)[0], row, stable)
    return None if kept is None or nargout > 2 else kept


def _union(a: Term, b: Term, row: bool, stable: bool, nargout: int) -> Made:
    if nargout > 1:
        return None
    kept = _selected_elements(
        cat(0, a, b), lambda x, _: constant_array(True, x.shape, BOOL), row, stable
    )
    return None if kept is None else kept


def _setxor(a: Term, b: Term, row: bool, stable: bool, nargout: int) -> Made:
    if nargout > 1:
        return None
    alone = cat(0, ~_members(a, b)[0], ~_members(b, a)[0])
    kept = _selected_elements(
        cat(0, a, b), lambda _, order: elements_at(alone, order - 1.0), row, stable
    )
    return None if kept is None else kept


intersect, setdiff = _set_form(_intersect, "intersect"), _set_form(_setdiff, "setdiff")
union, setxor = _set_form(_union, "union"), _set_form(_setxor, "setxor")
