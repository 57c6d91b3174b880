"""Values by group on the device: sorted by their group, then joined side by side.

The groups' numbers are sorted once for all that is joined by the same subscripts. Sums of few
groups are added up as the values lie, without a sort.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.ops import MOST_KEYED_BYTES
from app.accel.ir.whole_ranges import whole_range
from app.engine.builtins.statistics.median_forms import mean_of_two
from app.engine.capture.capture_session import note_look
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.term_arrays import (
    apply_operation,
    column,
    elements_at,
    fetch_terms,
    holds,
    is_resident,
    key_counts,
    real_term_of,
    sort_with_places,
    sorted_keys,
)
from app.engine.capture.terms import Made, Term, cat, where
from app.engine.values import Cell, FunctionHandle, Value, as_array, float_of, numel

Args = tuple[Value, ...]
MOST_KEYS = 1 << 30
_KEPT = 4
_CALL = re.compile(r"@\((\w+)\)(\w+)\(\1\)")


class Groups(NamedTuple):
    """Values with their keys, and what joins them.

    Attributes:
        keys: I32 keys from 1, a column.
        values: in that order.
        counts: values per key.
        shape: the size of the result.
        kind: ``segment`` where keys are sorted, ``keyed`` where they are as they were given.
    """

    keys: Term
    values: Term
    counts: Term
    shape: tuple[int, ...]
    kind: str = "segment"

    def joined(self, op: str, values: Term | None = None) -> Term:
        """A sum, product or extreme of the values, or of others in their order."""
        chosen = self.values if values is None else values
        return apply_operation(f"{self.kind}_{op}", self.keys, chosen, attrs=(self.shape,))

    def of_each(self, x: Term) -> Term:
        """A group's number for each of its values."""
        return elements_at(x, self.keys.cast(DType.F64) - 1.0)


def accumarray(args: Args, nargout: int) -> Made:
    """``accumarray(ind, data, sz, fun, fillval)`` of the usual functions.

    Fetched is at most whether all subscripts are valid, and without ``sz`` the largest ones; the
    host says what is wrong.
    """
    if not (Limits.pure or is_resident(*args[:2])):
        return None
    subs, fun = _subscripts(args[0]), _function(args[3] if len(args) > 3 else None)
    if subs is None or not (fun in _JOINED or fun in _COUNTS) or len(args) > 5 or nargout > 1:
        return None
    if subs.rank != 2 or subs.shape[0] < 2 or not subs.shape[1]:
        return None
    values = _values(args[1], subs.shape[0], fun)
    if values is None or (isinstance(values, Term) and _exceeds_doubles(values)):
        return None
    shape = _shape(subs, args[2] if len(args) > 2 else None)
    if shape is None or not 0 < math.prod(shape) < MOST_KEYS:
        return None
    counts = key_counts(_linear(subs, shape), math.prod(shape)).reshape(shape)
    if isinstance(values, float):
        made = counts * values if fun in ("", "sum") else counts
    elif fun in _COUNTS:
        made = counts
    else:
        made = _JOINED[fun](_groups(subs, values, fun, counts))
        # A sum that is asked for by name is that of `sum`: integers add up to doubles.
        made = made.cast(values.dtype) if values.dtype.is_integer and fun != "sum" else made
    filler = args[4] if len(args) > 4 else None
    missing = float_of(filler) if filler is not None and numel(filler) else 0.0
    if not missing and fun in _ZERO_OF_NONE:
        return made
    if made.dtype is DType.BOOL:
        return None if missing else made & (counts > 0.0)
    return where(counts.eq(0.0), missing, made)


def _exceeds_doubles(x: Term) -> bool:
    """Whether elements are integers of 64 bits."""
    return x.dtype.is_integer and x.dtype.size == 8


def _groups(subs: Term, values: Term, fun: str, counts: Term) -> Groups:
    """The values as ``fun`` needs them."""
    shape = counts.shape
    work = values if fun in _EXTREMES else values.floating()
    if fun in _SUMMED and math.prod(shape) * work.dtype.size <= MOST_KEYED_BYTES:
        keys = column(_linear(subs, shape)).cast(DType.I32)
        return Groups(keys, column(work), counts, shape, "keyed")
    keys, order = _sorted_groups(subs, shape)
    if fun == "median":
        keys, order = _sorted_by_value(values, keys, order)
    return Groups(keys, elements_at(work, order), counts, shape)


def _mean(groups: Groups) -> Term:
    sums = groups.joined("sum")
    return sums / groups.counts.cast(sums.dtype)


def _variance(groups: Groups) -> Term:
    values, counts = groups.values, groups.counts
    away = values - groups.of_each(_mean(groups))
    counts = counts.cast(values.dtype)
    return groups.joined("sum", away * away) / where(counts > 1.0, counts - 1.0, 1.0)


def _any_of_groups(groups: Groups, sign: bool = True) -> Term:
    truths = groups.values.ne(0.0) if sign else groups.values.eq(0.0)
    return groups.joined("sum", truths.number()).ne(0.0)


def _median(groups: Groups) -> Term:
    """The middle of values that are in ascending order within their groups."""
    values, counts = groups.values, groups.counts
    begins = (counts.reshape((counts.size, 1)).cumsum(0)).reshape(counts.shape) - counts
    last = (counts - 1.0).max(0.0)
    most = float(values.size - 1)
    low, high, end = (
        elements_at(values, (begins + step).min(most))
        for step in ((last / 2.0).floor(), (counts / 2.0).floor().min(last), last)
    )
    middle = where(low.eq(high), low, mean_of_two(low, high))
    return where(end.isnan(), end, middle)


_COUNTS = frozenset(("numel", "length"))
_EXTREMES = frozenset(("max", "min"))
_TRUTHS = frozenset(("", "sum", "any", "all", *_COUNTS))
_SUMMED = frozenset(("", "sum", "mean", "var", "std", "any", "all"))
"""What is made of sums alone."""
_ZERO_OF_NONE = frozenset(("", "sum", "numel", "length", "max", "min"))
_JOINED: dict[str, Callable[[Groups], Term]] = {
    "": lambda groups: groups.joined("sum"),
    "sum": lambda groups: groups.joined("sum"),
    "prod": lambda groups: groups.joined("prod"),
    "max": lambda groups: groups.joined("max"),
    "min": lambda groups: groups.joined("min"),
    "range": lambda groups: groups.joined("max") - groups.joined("min"),
    "mean": _mean,
    "var": _variance,
    "std": lambda groups: _variance(groups).root(),
    "any": _any_of_groups,
    "all": lambda groups: ~_any_of_groups(groups, False),
    "median": _median,
}
"""What joins the values of a group, by the function's name."""


def _function(fun: Value | None) -> str:
    """The name of the function that combines values; "?" for what only the host does."""
    if fun is None or (not isinstance(fun, FunctionHandle) and not numel(fun)):
        return ""
    if not isinstance(fun, FunctionHandle):
        return "?"
    call = _CALL.fullmatch(fun.text.replace(" ", ""))
    if call and not fun.name and call[2] not in fun.captured:
        return call[2]
    return fun.name or "?"


def _subscripts(v: Value) -> Term | None:
    """Rows of subscripts, given as a matrix or as columns in a cell."""
    if not isinstance(v, Cell):
        return real_term_of(v)
    columns = [x for x in map(real_term_of, v.items()) if x is not None]
    if not columns or len(columns) < numel(v) or len({x.size for x in columns}) > 1:
        return None
    return cat(1, *(x.cast(DType.F64).reshape((x.size, 1)) for x in columns))


def _values(data: Value, count: int, fun: str) -> Term | float | None:
    """One whole number, or a term of as many numbers as there are subscripts."""
    if type(data) is float:
        usual = data.is_integer() and fun in ("", "sum", *_COUNTS)
        return data if usual else None
    found = real_term_of(data)
    if found is None or found.size != count:
        return None
    plain = fun in ("", "sum")
    if found.dtype is DType.BOOL:
        return found if fun in _TRUTHS else None
    if found.dtype.is_float or fun in _EXTREMES:
        return found
    # Integers are added up as doubles, as on the host, where 32 bits or less are exact.
    return found if plain and found.dtype.size < 8 else None


@dataclass
class _Known:
    """What has been found out about subscripts.

    Attributes:
        most: the largest of each dimension; None where one is not valid.
        inside: whether all are within limits.
        lines: their sorted keys, by the size of the result.
    """

    most: tuple[int, ...] | None = ()
    inside: dict[tuple[int, ...], bool] = field(default_factory=dict)
    lines: dict[tuple[int, ...], tuple[Term, Term]] = field(default_factory=dict)


_known: WeakKeyDictionary[Node, _Known] = WeakKeyDictionary()


def _facts(subs: Term) -> _Known:
    """What is known of these subscripts; nothing is remembered of those that are traced."""
    if Limits.pure:
        return _Known()
    note_look()
    known = _known.get(subs.node)
    if known is None:
        while len(_known) >= _KEPT:
            _known.pop(next(iter(_known.keys())))
        known = _known[subs.node] = _Known()
    return known


def _shape(subs: Term, size: Value | None) -> tuple[int, ...] | None:
    """The size of the result; None where a subscript is not valid or beyond it."""
    if size is None or not numel(size):
        most = _largest(subs)
        return (*most, 1) if most and len(most) == 1 else most
    shape = tuple(int(n) for n in as_array(size).ravel())
    one_list = subs.shape[1] == 1 and len(shape) == 2 and 1 in shape
    limits = (math.prod(shape),) if one_list else shape
    return shape if len(limits) == subs.shape[1] and _all_inside(subs, limits) else None


def _largest(subs: Term) -> tuple[int, ...] | None:
    """The largest subscript of each dimension, fetched; None where one is not valid."""
    known = _facts(subs)
    if known.most == ():
        work = subs.cast(DType.F64)
        cause = "needs-host-value: the largest subscripts"
        broken, most = fetch_terms(_no_place(work).any(), work.amax(0), cause=cause)
        valid = not broken.item() and bool(np.isfinite(most).all())
        known.most = tuple(int(n) for n in np.asarray(most).ravel()) if valid else None
    return known.most


def _all_inside(subs: Term, limits: tuple[int, ...]) -> bool:
    """Whether subscripts are valid and within limits; fetched where the graph does not say it."""
    sure = whole_range(subs.node)
    if sure is not None and sure[0] >= 1.0 and sure[1] <= min(limits):
        return True
    inside = _facts(subs).inside
    if limits not in inside:
        work, wrong = subs.cast(DType.F64), None
        for k, limit in enumerate(limits):
            column = work.part(1, k, 1) if len(limits) > 1 else work
            beyond = _no_place(column) | (column > float(limit))
            wrong = beyond if wrong is None else wrong | beyond
        assert wrong is not None
        inside[limits] = not holds(wrong.any(), "are all subscripts valid?")
    return inside[limits]


def _no_place(work: Term) -> Term:
    return (work < 1.0) | work.floor().ne(work)


def _sorted_groups(subs: Term, shape: tuple[int, ...]) -> tuple[Term, Term]:
    """The groups' numbers from 1 in ascending order, and the places from 0 they came from."""
    lines = _facts(subs).lines
    if shape not in lines:
        lines[shape] = sorted_keys(_linear(subs, shape), math.prod(shape))
    return lines[shape]


def _linear(subs: Term, shape: tuple[int, ...]) -> Term:
    """The groups' numbers from 1, a column."""
    work = subs.cast(DType.F64)
    if subs.shape[1] == 1:
        return work
    linear, apart = work.part(1, 0, 1), shape[0]
    for k, extent in enumerate(shape[1:], 1):
        linear = linear + (work.part(1, k, 1) - 1.0) * float(apart)
        apart *= extent
    return linear


def _sorted_by_value(values: Term, keys: Term, order: Term) -> tuple[Term, Term]:
    """The same, with the values of a group in ascending order."""
    places = sort_with_places(values.reshape((values.size, 1)))[1] - 1.0
    # Where each value's key is in the sorted line is the inverse of the order.
    rank = apply_operation("scatter", keys, order.cast(DType.I64), keys)
    lined, again = sort_with_places(elements_at(rank, places))
    return lined, elements_at(places, again - 1.0)
