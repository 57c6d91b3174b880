"""Medians along dimensions of resident numbers, integers and with NaN left out among them."""

from __future__ import annotations

import math

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import along, inside
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.term_arrays import apply_operation, is_resident, taken_along
from app.engine.capture.terms import Made, Term, clamp, is_complex, term, where
from app.engine.values import Value

Args = tuple[Value, ...]


def median(args: Args, nargout: int) -> Made:
    """The middle value, the mean of the two middle ones; NaN where there is one, or left out."""
    x = term(args[0]) if Limits.pure or is_resident(args[0]) else NotImplemented
    if x is NotImplemented or nargout > 1 or is_complex(x):
        return None
    if x.dtype.is_integer and x.dtype.size == 8:
        return None  # doubles do not hold them all
    how = along(x.shape, args[1:])
    axes = inside(how.axes, x.rank)
    if how.words or how.out_type != "default" or len(axes) not in (1, x.rank):
        return None
    if len(axes) > 1:
        x, axes = x.reshape((x.size, 1)), (0,)
    if x.dtype.is_integer:
        return median_along(x.cast(DType.F64), axes[0]).cast(x.dtype)
    if how.omit_nan and x.dtype.is_float:
        return median_of_numbers(x, axes[0])
    return median_along(x.floating(), axes[0])


def nanmedian(args: Args, nargout: int) -> Made:
    """The same with NaN left out."""
    return median((*args, "omitnan"), nargout)


def mean_of_two(low: Term, high: Term) -> Term:
    """The mean, also where the sum passes what numbers hold."""
    total = low + high
    return where(abs(total).eq(math.inf), low / 2.0 + high / 2.0, total / 2.0)


def median_along(x: Term, axis: int) -> Term:
    """The medians along an axis; NaN where there is a NaN."""
    count = x.shape[axis]
    values = apply_operation("sort", x, attrs=(axis, False))
    low = values.part(axis, (count - 1) // 2, 1)
    middle = low
    if count % 2 == 0:  # of two negative zeros it is 0, as on the host
        middle = mean_of_two(low, values.part(axis, count // 2, 1)) + 0.0
    last = values.part(axis, count - 1, 1)
    return where(last.isnan(), last, middle)


def median_of_numbers(x: Term, axis: int) -> Term:
    """The median along an axis, NaN left out."""
    ordered = apply_operation("sort", x, attrs=(axis, False))
    count = (~x.isnan()).nnz(axis)
    low, high = (((count - 1.0) / 2.0).floor(), (count / 2.0).floor())
    ends = [taken_along(ordered, axis, clamp(place, 0.0, math.inf)) for place in (low, high)]
    middle = where(low.eq(high), ends[0], mean_of_two(*ends))
    return where(count > 0.0, middle, math.nan)
