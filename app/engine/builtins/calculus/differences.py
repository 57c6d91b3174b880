"""Derivatives on grids and reshuffles of dimensions: gradient, del2, flipdim, rotdim, accumdim."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    ANY,
    DIM,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    element_count,
    real_number,
    takes,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays import array_forms, structured_forms
from app.engine.capture import shape_capture
from app.engine.declarations.device_support import Custom, of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.operators.shapes import flip
from app.engine.values import (
    EMPTY,
    Array,
    FunctionHandle,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    int_of,
    numel,
    size_of,
    unwrap,
)
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError

_FAMILY = "arrays"


def _grid(a: Array, axis: int, spacing: Value) -> Array:
    h = as_array(spacing).ravel(order="F").astype(np.float64)
    if h.size == 1:
        return np.asarray(np.arange(a.shape[axis]) * h[0])
    if h.size != a.shape[axis]:
        text = "The spacing must be a scalar or have as many elements as the dimension."
        raise MatlabError("MATLAB:gradient:InvalidInputs", text)
    return h


def _slope(a: Array, axis: int, x: Array) -> Array:
    """Central differences inside, one-sided at the ends."""
    if a.shape[axis] < 2:
        return np.zeros(a.shape)
    moved = np.moveaxis(a, axis, -1)
    out = np.empty(moved.shape, dtype=np.result_type(a, np.float32))
    out[..., 1:-1] = (moved[..., 2:] - moved[..., :-2]) / (x[2:] - x[:-2])
    out[..., 0] = (moved[..., 1] - moved[..., 0]) / (x[1] - x[0])
    out[..., -1] = (moved[..., -1] - moved[..., -2]) / (x[-1] - x[-2])
    return np.moveaxis(out, -1, axis)


@builtin(
    "gradient",
    category=_FAMILY,
    signatures=("FX = gradient(F)", "[FX, FY, ...] = gradient(F, hx, hy, ...)"),
    device=term_form(array_forms.gradient),
    cases=("isequal(gradient([1 4 9]), [3 4 5])",),
    see=("diff", "del2"),
)
def gradient(f: Value, *spacings: Value, nargout: int = 1) -> Value:
    """Numerical gradient: along columns first, then rows, then further dimensions."""
    a = as_array(f)
    a = a.astype(np.float64) if a.dtype.kind in "biu" else a
    is_vector = a.ndim == 2 and 1 in a.shape
    axes = [first_axis(a.shape)] if is_vector else [1, 0, *range(2, a.ndim)]
    steps = list(spacings) if len(spacings) > 1 else list(spacings or (1.0,)) * len(axes)
    found = [
        canonical(_slope(a, axis, _grid(a, axis, h))) for axis, h in zip(axes, steps, strict=False)
    ]
    return tuple(found[: max(nargout, 1)])


@builtin(
    "del2",
    category=_FAMILY,
    signatures=("L = del2(U)", "L = del2(U, h)"),
    device=of_resident(structured_forms.del2),
    cases=("isequal(del2([1 4 9 16]), [0.5 0.5 0.5 0.5])",),
    see=("gradient",),
)
def del2(u: Value, *spacings: Value) -> Value:
    """Discrete Laplacian divided by twice the number of dimensions."""
    a = as_array(u).astype(np.float64)
    if len(spacings) not in (0, 1, a.ndim):
        text = "There must be one spacing, or one for every dimension."
        raise MatlabError("MATLAB:del2:InvalidInputs", text)
    axes = [i for i, n in enumerate(a.shape) if n > 1]
    order = [1, 0, *range(2, a.ndim)]
    steps = list(spacings) if len(spacings) > 1 else list(spacings or (1.0,)) * a.ndim
    total = np.zeros(a.shape)
    for axis in axes:
        if a.shape[axis] >= 3:
            at = order.index(axis) if len(spacings) > 1 else 0
            total += _second(a, axis, _grid(a, axis, steps[at]))
    count = 1 if len(axes) == 1 else len(axes)
    return canonical(total / (2 * count) if len(axes) > 1 else total / 4)


def _second(a: Array, axis: int, x: Array) -> Array:
    moved = np.moveaxis(a, axis, -1)
    out = np.empty(moved.shape)
    left, right = x[1:-1] - x[:-2], x[2:] - x[1:-1]
    slope = np.diff(moved, axis=-1) / np.diff(x)
    out[..., 1:-1] = 2 * np.diff(slope, axis=-1) / (left + right)
    if moved.shape[-1] > 3:
        out[..., 0] = 2 * out[..., 1] - out[..., 2]
        out[..., -1] = 2 * out[..., -2] - out[..., -3]
    else:
        out[..., 0] = out[..., -1] = out[..., 1]
    return np.moveaxis(out, -1, axis)


@builtin(
    "flipdim",
    category=_FAMILY,
    signatures=("B = flipdim(A, dim)",),
    device=Custom(lambda args, nargout: shape_capture.flip(args)),
    cases=("isequal(flipdim([1 2], 2), [2 1])",),
    see=("flip",),
)
def flipdim(a: Value, dim: Value | None = None) -> Value:
    """Reverse the order along a dimension (old name of flip)."""
    return flip(a) if dim is None else flip(a, dim)


@builtin(
    "rotdim",
    category=_FAMILY,
    signatures=("B = rotdim(A, n, plane)",),
    cases=("isequal(rotdim([1 2; 3 4]), [2 4; 1 3])",),
    see=("rot90",),
)
@takes(ANY, NUMBER & WHOLE, element_count(2))
def rotdim(a: Value, n: Value = 1.0, plane: Value | None = None) -> Value:
    """Rotate by multiples of 90 degrees in a plane of two dimensions (Octave's)."""
    x = data_of(a)
    if plane is None:
        axes = tuple(i for i, k in enumerate(x.shape) if k != 1)[:2]
        axes = axes if len(axes) == 2 else (0, 1)
    else:
        first, second = as_array(plane).ravel()
        axes = (dimension(float(first)), dimension(float(second)))
    turned = np.rot90(x, int_of(n), axes)
    return from_dense(turned) if isinstance(a, SparseMatrix) else rebuild(a, turned)


@builtin(
    "common_size",
    category=_FAMILY,
    signatures=("[err, A, B, ...] = common_size(A, B, ...)",),
    cases=("common_size([1 2], 3) == 0",),
    see=("size",),
)
def common_size(*values: Value) -> Value:
    """Bring scalars to the size of the other arguments; err is 1 when sizes differ (Octave's)."""
    shapes = {size_of(v) for v in values if numel(v) != 1}
    if len(shapes) > 1:
        return (1.0, *values)
    if not shapes:
        return (0.0, *values)
    shape = shapes.pop()
    return (0.0, *(unwrap(np.array(np.broadcast_to(as_array(v), shape))) for v in values))


@builtin(
    "accumdim",
    category=_FAMILY,
    signatures=("A = accumdim(subs, vals, dim, n, func, fillval)",),
    cases=(
        "isequal(accumdim([1; 2; 1], [10; 20; 30]), [40; 20])",
        "isequal(accumdim([1 3 1], [1 2; 3 4; 5 9], 1, 3, @max, -1), [5 9; -1 -1; 3 4])",
        "isequal(accumdim([1 2 1], [1 2 4; 3 4 8], 2, [], @mean), [2.5 2; 5.5 4])",
    ),
    see=("accumarray",),
)
@takes(NUMBERS & VECTOR & WHOLE & POSITIVE, NUMBERS, DIM)
def accumdim(
    ctx: CallContext,
    subs: Value,
    values: Value,
    dim: Value | None = None,
    n: Value = EMPTY,
    func: Value = EMPTY,
    fill: Value = EMPTY,
) -> Value:
    """Sum slices that have the same index, or put them together by a function (Octave's)."""
    places = as_array(subs).ravel().astype(np.int64)
    x = as_array(values)
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    most = int(places.max(initial=0))
    count = int_of(n) if numel(n) else 0
    if 0 < count < most:
        raise MatlabError("MATLAB:accumdim:OutOfRange", f"N must be at least {most}.")
    if places.size != (x.shape[axis] if axis < x.ndim else 1):
        text = f"There must be one index for each slice along dimension {axis + 1}."
        raise MatlabError("MATLAB:accumdim:InputSizeMismatch", text)
    moved = np.moveaxis(x, axis, 0)
    blank = real_number(fill) if numel(fill) else 0.0
    out = np.full((count or most, *moved.shape[1:]), blank, np.result_type(x.dtype, np.float64))
    if not isinstance(func, FunctionHandle):
        out[np.unique(places) - 1] = 0.0
        np.add.at(out, places - 1, moved)
        return canonical(np.moveaxis(out, 0, axis))
    between = (EMPTY,) if func.name in ("max", "min") else ()
    for place in np.unique(places):
        slices = canonical(np.moveaxis(moved[places == place], 0, axis))
        found = as_array(ctx.call(func, (slices, *between, axis + 1.0))[0])
        out[place - 1] = np.moveaxis(found, axis, 0)[0]
    return canonical(np.moveaxis(out, 0, axis))


@builtin(
    "shift",
    category=_FAMILY,
    signatures=("y = shift(x, k)", "y = shift(x, k, dim)"),
    cases=("isequal(shift([1 2 3], 1), [3 1 2])",),
    see=("circshift",),
)
@takes(NONEMPTY, NUMBER & WHOLE, DIM)
def shift(x: Value, k: Value, dim: Value | None = None) -> Value:
    """Shift around in a circle (Octave's old name of circshift)."""
    a = as_array(x)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    return unwrap(np.roll(a, int_of(k), axis))


@builtin(
    "bincoeff",
    category="number theory",
    signatures=("b = bincoeff(n, k)",),
    cases=("bincoeff(5, 2) == 10",),
    see=("nchoosek",),
)
def bincoeff(n: Value, k: Value) -> Value:
    """Binomial coefficients, for any real n (Octave's)."""
    from scipy import special

    x, y = np.broadcast_arrays(as_array(n).astype(float), as_array(k).astype(float))
    mirrored = np.where(y % 2 == 0, 1.0, -1.0) * special.binom(y - x - 1, np.maximum(y, 0))
    plain = special.binom(x, np.maximum(y, 0))
    negative = (x < 0) & (x == np.round(x))
    result = np.where(y < 0, 0.0, np.where(negative, mirrored, plain))
    whole = (x == np.round(x)) & (y == np.round(y)) & np.isfinite(result)
    return canonical(np.where(whole, np.round(result), result))


@builtin(
    "powerset",
    category="sets",
    signatures=("p = powerset(A)",),
    cases=("numel(powerset([1 2])) == 4",),
    see=("unique",),
)
def powerset(ctx: CallContext, a: Value) -> Value:
    """All subsets as a cell (Octave's)."""
    from app.engine.operators.element_arrays import data_of, rebuild
    from app.engine.values import EMPTY, Cell

    if numel(a) > 20:
        text = "The subsets of more than 20 elements are more than a cell should hold."
        raise MatlabError("MATLAB:powerset:TooMany", text)
    if numel(a) == 0:
        return Cell.empty() if not isinstance(a, Cell) else Cell.of([])
    items = data_of(ctx.call("unique", (a,), 1)[0]).ravel(order="F")
    subsets: list[Value] = [Cell.of([], (1, 0)) if isinstance(a, Cell) else EMPTY]
    for size in range(1, 1 << items.size):
        picks = [i for i in range(items.size) if size >> i & 1]
        subsets.append(rebuild(a, items[picks].reshape(1, -1)))
    return Cell.of(subsets)
