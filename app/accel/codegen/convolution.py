"""Convolutions of any number of dimensions on the host, each in the way that costs least.

Every one is a *valid correlation*: sums of products of a kernel with each place of a wide array,
which has a border of zeros where the result reaches beyond the data. Three ways give the same:
machine code that walks the taps with a block of sums in registers; without it, sums of shifted
copies or a product with the windows; and transforms where kernels are large. Sums of whole numbers
are exact in all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from app.native import address_of

if TYPE_CHECKING:
    from collections.abc import Callable

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

AWAKE_NS, KEPT_NS = 2e7, 1e6
"""Work without machine code after which that is worth making, or reading where it is kept."""
STEP_NS, CALL_NS = 0.6, 5e3
"""Of machine code: a tap of a vector of sums, and a call."""
SHIFT_NS, SUM_NS = 5e3, 1.2
"""Of shifted sums: a tap, and an element of one."""
WINDOW_NS, WINDOWS_NS, MOST_WINDOWS = 1.3, 2e4, 1 << 22
"""Of a product with windows: an element, a call, and how many elements there may be."""
TRANSFORM_NS, TRANSFORMS_NS = 2.5, 8e4
"""Of transforms: an element and power of two, and a call; higher than measured, since their errors
are those of the largest element."""
LANES = 8
EXACT = 2.0**40
"""Sums of whole numbers below it come out of transforms with errors far below a half."""


def convolve(a: Array, b: Array, shape: str = "full") -> Array:
    """The convolution of two float arrays: all of it, or its middle, for ``same`` and ``valid``.

    ``same`` has the size of ``a``; ``valid`` leaves out what needs a border. The result is double,
    single where an operand is, and complex where an operand is.
    """
    plan = _plan(a.shape, b.shape, shape)
    kind = _kind(a.dtype, b.dtype)
    if not plan.count:
        return np.zeros(plan.size, kind, order="F")
    data, kernel = (b, a) if plan.swapped else (a, b)
    if not np.isfinite(kernel).all():
        return _of_infinite(data, kernel, plan)
    if data.dtype.kind != "c" and kernel.dtype.kind != "c":
        return _real(data.astype(kind, copy=False), kernel.astype(kind, copy=False), plan)

    def real(x: Array, k: Array) -> Array:
        return _real(x.astype(kind), k.astype(kind), plan)

    found = real(data.real, kernel.real) + 1j * real(data.real, kernel.imag)
    other = real(data.imag, kernel.real) + 1j * real(data.imag, kernel.imag)
    return np.asarray(found + 1j * other)


def correlate(wide: Array, kernel: Array) -> Array:
    """Sums of products of ``kernel`` with every place of ``wide`` where all of it lies inside.

    Both are real, of one class and as many dimensions.
    """
    return convolve(wide, kernel[(slice(None, None, -1),) * kernel.ndim], "valid")


@lru_cache(maxsize=64)
def _kind(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """The class of a real result."""
    narrow = any(d.char in "fF" for d in (a, b))
    return np.dtype(np.float32 if narrow else np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """A convolution of certain sizes as a valid correlation of a *wide* array with a kernel.

    The axes of the wide array are those along which anything happens, a long one first.

    Attributes:
        size: of the result.
        count: its elements.
        start: where it begins in the full convolution.
        swapped: the first operand is the kernel.
        inside: what of the data is reached, as slices.
        place: where that lies in the wide array; None where it is all of it.
        kept: the axes.
        way: all axes, those first; None where they are in their order.
        wide: extents of the wide array.
        kernel: extents of the kernel.
        made: extents of the result along the kept axes.
        taps, columns: where elements of the kernel (the last first) and of the first row of the
            result lie in the wide array, counted in elements.
        transforms, shifts, windows, steps: what each way costs, in ns.
    """

    size: Shape
    count: int
    start: Shape = ()
    swapped: bool = False
    inside: tuple[slice, ...] = ()
    place: tuple[slice, ...] | None = None
    kept: Shape = ()
    way: Shape | None = None
    wide: Shape = ()
    kernel: Shape = ()
    made: Shape = ()
    taps: Array = field(default_factory=lambda: np.zeros(0))
    columns: Array = field(default_factory=lambda: np.zeros(0))
    transforms: float = 0.0
    shifts: float = 0.0
    windows: float = 0.0
    steps: float = 0.0


@lru_cache(maxsize=512)
def _plan(first: Shape, second: Shape, shape: str) -> _Plan:
    rank = max(len(first), len(second))
    a, b = (s + (1,) * (rank - len(s)) for s in (first, second))
    size, start = _kept_part(a, b, shape)
    count = math.prod(size) if math.prod(a) and math.prod(b) else 0
    if not count:
        return _Plan(size, 0)
    swapped = math.prod(a) < math.prod(b)
    data, kernel = (b, a) if swapped else (a, b)
    kept = [k for k in range(rank) if data[k] > 1 or kernel[k] > 1] or [0]
    longest = max(kept, key=lambda k: size[k])
    if longest != kept[0] and size[kept[0]] < LANES:
        kept.insert(0, kept.pop(kept.index(longest)))
    way = (*kept, *(k for k in range(rank) if k not in kept))
    firsts = [start[k] - kernel[k] + 1 for k in range(rank)]
    extents = [kernel[k] + size[k] - 1 for k in range(rank)]
    ends = [min(data[k], firsts[k] + extents[k]) for k in range(rank)]
    inside = [slice(max(0, firsts[k]), ends[k]) for k in range(rank)]
    place = tuple(slice(inside[k].start - firsts[k], ends[k] - firsts[k]) for k in kept)
    wide, taps, made = (tuple(v[k] for k in kept) for v in (extents, kernel, size))
    full = all(p == slice(0, n) for p, n in zip(place, wide, strict=True))
    return _Plan(
        size,
        count,
        start,
        swapped,
        tuple(inside),
        None if full else place,
        tuple(kept),
        None if way == tuple(range(rank)) else way,
        wide,
        taps,
        made,
        np.ascontiguousarray(_places(taps, wide)[::-1]),
        _places((1, *made[1:]), wide),
        *_costs(wide, taps, made),
    )


def _kept_part(a: Shape, b: Shape, shape: str) -> tuple[Shape, Shape]:
    """Size and beginning of the part of the full convolution that is wanted."""
    if shape == "same":
        return a, tuple(n // 2 for n in b)
    if shape == "valid":
        size = tuple(max(0, m - n + 1) for m, n in zip(a, b, strict=True))
        return size, tuple(n - 1 for n in b)
    return tuple(m + n - 1 for m, n in zip(a, b, strict=True)), (0,) * len(a)


def _places(shape: Shape, extents: Shape) -> Array:
    """Where the elements of a part of an array lie, counted in elements, in column-major order."""
    places, stride = np.zeros(1, np.int64), 1
    for n, extent in zip(shape, extents, strict=True):
        places = np.add.outer(np.arange(n) * stride, places).ravel()
        stride *= extent
    return places


def _costs(wide: Shape, kernel: Shape, made: Shape) -> tuple[float, float, float, float]:
    """Of transforms, shifted sums, a product with windows, and machine code, in ns."""
    taps, count, extent = math.prod(kernel), math.prod(made), math.prod(wide)
    products = taps * count
    return (
        TRANSFORMS_NS + TRANSFORM_NS * extent * math.log2(2 * extent),
        taps * (SHIFT_NS + SUM_NS * count),
        WINDOWS_NS + WINDOW_NS * products if products < MOST_WINDOWS else math.inf,
        CALL_NS + STEP_NS * taps * -(-made[0] // LANES) * (count // made[0]),
    )


def _real(x: Array, kernel: Array, plan: _Plan) -> Array:
    """The convolution of real arrays of one class."""
    x = _with_plan_axes(_with_rank_of_result(x, plan)[plan.inside], plan)
    if plan.place is None:
        wide = np.asfortranarray(x)
    else:
        wide = np.zeros(plan.wide, x.dtype, order="F")
        wide[plan.place] = x
    found = _cheapest_way(plan)(
        wide, _with_plan_axes(_with_rank_of_result(kernel, plan), plan), plan
    )
    if plan.way is None:
        return found.reshape(plan.size, order="F")
    turned = found.reshape([plan.size[n] for n in plan.way], order="F")
    return np.asfortranarray(turned.transpose(np.argsort(plan.way)))


def _with_rank_of_result(x: Array, plan: _Plan) -> Array:
    """With as many dimensions as the result has."""
    rank = len(plan.size)
    return x if x.ndim == rank else x.reshape(x.shape + (1,) * (rank - x.ndim), order="F")


def _with_plan_axes(x: Array, plan: _Plan) -> Array:
    """With the axes of the plan alone."""
    if plan.way is not None:
        x = x.transpose(plan.way)
    kept = len(plan.kept)
    return x if x.ndim == kept else x.reshape(x.shape[:kept], order="F")


def _of_infinite(x: Array, kernel: Array, plan: _Plan) -> Array:
    """Nothing is multiplied that lies outside: what is not finite stays where it is."""
    x, kernel = _with_rank_of_result(x, plan), _with_rank_of_result(kernel, plan)
    whole = tuple(m + n - 1 for m, n in zip(x.shape, kernel.shape, strict=True))
    full = np.zeros(whole, np.result_type(x, kernel), order="F")
    with np.errstate(invalid="ignore"):
        for place, weight in np.ndenumerate(kernel):
            full[tuple(slice(k, k + m) for k, m in zip(place, x.shape, strict=True))] += x * weight
    part = tuple(slice(s, s + n) for s, n in zip(plan.start, plan.size, strict=True))
    return np.asfortranarray(full[part])


class _Native:
    """The machine code, loaded once there was enough work.

    Attributes:
        spent_ns: work done without it.
        functions: one for each class, by its letter.
    """

    def __init__(self) -> None:
        self.spent_ns = 0.0
        self._enough_ns = KEPT_NS
        self.functions: dict[str, Callable[..., None]] = {}

    def is_awake(self, ns: float) -> bool:
        """Whether it is there for work that takes so long without it."""
        if not self.functions:
            self.spent_ns += ns
            if self.spent_ns >= self._enough_ns:
                from app.accel.codegen import convolution_llvm

                if self.spent_ns < AWAKE_NS and not convolution_llvm.is_at_hand():
                    self._enough_ns = AWAKE_NS
                    return False
                self.functions = convolution_llvm.compile_all()
        return bool(self.functions)


_native = _Native()


def _cheapest_way(plan: _Plan) -> Callable[[Array, Array, _Plan], Array]:
    """The way that costs least."""
    if _native.functions or _native.is_awake(min(plan.transforms, plan.shifts, plan.windows)):
        return by_machine_code if plan.steps <= plan.transforms else by_transforms
    if plan.transforms < min(plan.shifts, plan.windows):
        return by_transforms
    return by_windows if plan.windows < plan.shifts else by_shifts


# --- the ways -------------------------------------------------------------------------------------


def by_machine_code(x: Array, kernel: Array, plan: _Plan) -> Array:
    """A block of sums stays in registers while all taps go by."""
    out = np.empty(plan.made, x.dtype, order="F")
    arrays = (out, x, kernel.ravel(order="F"), plan.taps, plan.columns)
    addresses = [address_of(v) for v in arrays]
    code = _native.functions[x.dtype.char]
    code(*addresses, plan.taps.size, plan.columns.size, plan.made[0])
    return out


def by_shifts(x: Array, kernel: Array, plan: _Plan) -> Array:
    """Sums of shifted copies."""
    found = np.zeros(plan.made, x.dtype, order="F")
    last = [n - 1 for n in plan.kernel]
    with np.errstate(invalid="ignore", over="ignore"):
        for place, weight in np.ndenumerate(kernel):
            starts = (n - k for n, k in zip(last, place, strict=True))
            part = tuple(slice(s, s + n) for s, n in zip(starts, plan.made, strict=True))
            found += x[part] * weight
    return found


def by_windows(x: Array, kernel: Array, plan: _Plan) -> Array:
    """Windows as the rows of a matrix, times the kernel as a column."""
    windows = np.lib.stride_tricks.sliding_window_view(x, plan.kernel)
    flipped = kernel[(slice(None, None, -1),) * kernel.ndim]
    with np.errstate(invalid="ignore", over="ignore"):
        found = windows.reshape(plan.count, kernel.size) @ flipped.ravel()
    return np.asfortranarray(found.reshape(plan.made))


def by_transforms(x: Array, kernel: Array, plan: _Plan) -> Array:
    """Through frequencies; whole numbers are rounded, and what is not finite goes another way."""
    from scipy import fft

    if not np.isfinite(x).all():
        return (by_machine_code if _native.is_awake(math.inf) else by_shifts)(x, kernel, plan)
    axes: Sequence[int] = range(x.ndim)
    lengths = [fft.next_fast_len(n, real=True) for n in x.shape]
    product = fft.rfftn(x, lengths, axes) * fft.rfftn(kernel, lengths, axes)
    full = fft.irfftn(product, lengths, axes)
    found = full[tuple(slice(n - 1, m) for m, n in zip(x.shape, kernel.shape, strict=True))]
    bound = float(np.abs(x).max()) * float(np.abs(kernel).sum())
    if bound < EXACT and _is_whole(kernel) and _is_whole(x):
        found = np.rint(found)
    return np.asfortranarray(found)


def _is_whole(a: Array) -> bool:
    return bool((a == np.rint(a)).all())
