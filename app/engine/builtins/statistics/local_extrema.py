"""Local maxima and minima of the columns of an array: islocalmax, islocalmin."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, one_of, option_pairs, real_number, takes
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics import extrema_forms
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, make_logical
from app.errors import MatlabError
from app.records import record

_FAMILY = "data preparation"
_OPTIONS = "MinProminence MinSeparation MaxNumExtrema FlatSelection SamplePoints"


@record
class _Wanted:
    """Which extrema are kept.

    Attributes:
        prominence: the least.
        separation: the least distance between two, of which the more prominent one stays.
        most: how many, the most prominent ones.
        flat: which elements of a flat top: ``center``, ``first``, ``last`` or ``all``.
        points: where the elements are; None for 1, 2, 3, …
    """

    prominence: float
    separation: float
    most: float
    flat: str
    points: Array | None


def _wanted_extrema(name: str, args: tuple[Value, ...], count: int) -> _Wanted:
    given = option_pairs(name, args, _OPTIONS)
    points = None
    if "samplepoints" in given:
        points = np.asarray(as_array(given["samplepoints"]), dtype=np.float64).ravel(order="F")
        if points.size != count or not np.all(np.diff(points) > 0):
            text = "SamplePoints must ascend and have one element for each of the data."
            raise MatlabError(f"MATLAB:{name}:SamplePointsInvalid", text)
    flat = one_of(name, "FlatSelection", given.get("flatselection", "center"), _FLATS)
    return _Wanted(
        real_number(given.get("minprominence", 0.0)),
        real_number(given.get("minseparation", 0.0)),
        real_number(given.get("maxnumextrema", np.inf)),
        flat,
        points,
    )


_FLATS = "center first last all"


def _maxima(column: Array, wanted: _Wanted) -> tuple[Array, Array]:
    """Flags of the maxima that are wanted, and the prominences of all."""
    from scipy.signal import find_peaks

    known = np.flatnonzero(~np.isnan(column))
    flags, prominences = np.zeros(column.size, dtype=bool), np.zeros(column.size)
    places, facts = find_peaks(column[known], plateau_size=1, prominence=0.0)
    heights = facts["prominences"]
    at = np.arange(1.0, column.size + 1) if wanted.points is None else wanted.points
    kept = _selected_extrema(at[known[places]], heights, wanted)
    for k, place in enumerate(places.tolist()):
        left, right = int(facts["left_edges"][k]), int(facts["right_edges"][k])
        top = {"first": [left], "last": [right], "center": [place]}.get(
            wanted.flat, range(left, right + 1)
        )
        prominences[known[left : right + 1]] = heights[k]
        flags[known[list(top)]] = k in kept
    return flags, prominences


def _selected_extrema(at: Array, heights: Array, wanted: _Wanted) -> set[int]:
    """The numbers of the extrema that stay, by prominence, distance and count."""
    order = sorted(range(heights.size), key=lambda k: (-heights[k], k))
    kept: list[int] = []
    for k in order:
        if len(kept) >= wanted.most or heights[k] < wanted.prominence:
            break
        if all(abs(at[k] - at[other]) >= wanted.separation for other in kept):
            kept.append(k)
    return set(kept)


def _extrema(name: str, a: Value, args: tuple[Value, ...], sign: float) -> Value:
    x = np.asarray(as_array(a), dtype=np.float64) * sign
    axis = first_axis(x.shape)
    if args and not is_text_scalar(args[0]):
        axis, args = dimension(args[0]), args[1:]
    if axis >= x.ndim:
        return make_logical(np.zeros(x.shape, dtype=bool)), canonical(np.zeros(x.shape))
    wanted = _wanted_extrema(name, args, x.shape[axis])
    columns = np.moveaxis(x, axis, 0)
    flat = columns.reshape(columns.shape[0], -1)
    made = [_maxima(flat[:, k], wanted) for k in range(flat.shape[1])]

    def whole(part: int, dtype: type) -> Array:
        found: Array = np.zeros(flat.shape, dtype=dtype)
        for k, column in enumerate(made):
            found[:, k] = column[part]
        return np.moveaxis(found.reshape(columns.shape), 0, axis)

    return make_logical(whole(0, bool)), canonical(whole(1, float))


@builtin(
    "islocalmax",
    category=_FAMILY,
    signatures=(
        "[TF, P] = islocalmax(A)",
        "TF = islocalmax(A, dim)",
        "TF = islocalmax(..., 'MinProminence', p, 'MinSeparation', d, 'MaxNumExtrema', n)",
        "TF = islocalmax(..., 'FlatSelection', which, 'SamplePoints', x)",
    ),
    cases=(
        "isequal(islocalmax([1 3 2]), [false true false])",
        "[t, p] = islocalmax([0 4 3 5 0]); isequal({t, p}, {logical([0 1 0 1 0]), [0 1 0 5 0]})",
        "isequal(find(islocalmax([0 4 3 5 0], 'MinProminence', 2)), 4)",
        "isequal(find(islocalmax([0 4 0 5 0 3 0], 'MinSeparation', 3)), 4)",
        "isequal(find(islocalmax([0 4 0 5 0 3 0], 'MaxNumExtrema', 2)), [2 4])",
        "isequal(find(islocalmax([0 2 2 2 0])), 3)",
        "isequal(find(islocalmax([0 2 2 2 0], 'FlatSelection', 'all')), 2:4)",
        "isequal(find(islocalmax([0 2 NaN 1 0])), 2)",
        "isequal(islocalmax([1 3 2; 0 1 5; 4 2 0], 2), logical([0 1 0; 0 0 0; 0 0 0]))",
        "isequal(find(islocalmax([0 4 0 5 0], 'MinSeparation', 9, 'SamplePoints', 10:10:50)),"
        " [2 4])",
    ),
    see=("findpeaks", "islocalmin"),
    device=of_resident(extrema_forms.local_extrema(1.0)),
)
@takes(NUMBERS)
def islocalmax(a: Value, *args: Value) -> Value:
    """True at local maxima, one element of a flat top; and how far each one stands out."""
    return _extrema("islocalmax", a, args, 1.0)


@builtin(
    "islocalmin",
    category=_FAMILY,
    signatures=(
        "[TF, P] = islocalmin(A)",
        "TF = islocalmin(A, dim)",
        "TF = islocalmin(..., 'MinProminence', p, 'MinSeparation', d, 'MaxNumExtrema', n)",
        "TF = islocalmin(..., 'FlatSelection', which, 'SamplePoints', x)",
    ),
    cases=(
        "isequal(islocalmin([3 1 2]), [false true false])",
        "[t, p] = islocalmin([5 1 4 0 6]); isequal({t, p}, {logical([0 1 0 1 0]), [0 3 0 5 0]})",
        "isequal(find(islocalmin([5 1 4 0 6], 'MaxNumExtrema', 1)), 4)",
    ),
    see=("islocalmax",),
    device=of_resident(extrema_forms.local_extrema(-1.0)),
)
@takes(NUMBERS)
def islocalmin(a: Value, *args: Value) -> Value:
    """True at local minima, one element of a flat bottom; and how far each one stands out."""
    return _extrema("islocalmin", a, args, -1.0)
