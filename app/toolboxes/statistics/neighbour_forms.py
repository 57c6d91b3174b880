"""Distances between all rows, and the nearest of them."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import apply_operation, elements_at, resident, sort_with_places
from app.engine.capture.terms import Made, Term, cat, clamp, position, where
from app.engine.values import Value, as_array, int_of, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
MOST_PICKED = 16
MOST_APART = 1 << 26
"""Distances that are made at once."""
Distance = Callable[[Term, Term], Term]


def _of_differences(build: Callable[[Term], Term]) -> Distance:
    """Distances of all rows of two matrices from the sizes of their differences."""

    def distance(x: Term, y: Term) -> Term:
        (m, p), n = x.shape, y.shape[0]
        return build(abs(x.reshape((m, 1, p)) - y.reshape((1, n, p)))).reshape((m, n))

    return distance


def _cosine(x: Term, y: Term) -> Term:
    a, b = (t / (t * t).sum(1).root() for t in (x, y))
    return 1.0 - clamp(a.matmul(b, False, True), -1.0, 1.0)


def _correlation(x: Term, y: Term) -> Term:
    return _cosine(x - x.mean(1), y - y.mean(1))


_PLAIN: dict[str, Distance] = {
    "euclidean": _of_differences(lambda away: (away * away).sum(2).root()),
    "squaredeuclidean": _of_differences(lambda away: (away * away).sum(2)),
    "cityblock": _of_differences(lambda away: away.sum(2)),
    "chebychev": _of_differences(lambda away: away.amax(2)),
    "hamming": _of_differences(lambda away: away.ne(0.0).number().mean(2)),
    "cosine": _cosine,
    "correlation": _correlation,
}
_PLAIN["sqeuclidean"] = _PLAIN["squaredeuclidean"]


def _distance(args: list[Value]) -> Distance | None:
    """The distance that a word, and perhaps an exponent, name."""
    word = text_of(args[0]).lower() if args and is_text_scalar(args[0]) else ""
    if args and not word:
        return None
    if word == "minkowski" and (len(args) == 1 or type(args[1]) is float):
        power = float(as_array(args[1]).item()) if len(args) > 1 else 2.0
        return _of_differences(lambda away: Term(((away**power).sum(2) ** (1.0 / power)).node))
    return _PLAIN.get(word or "euclidean") if len(args) < 2 else None


def _rows(*args: Value) -> list[Term] | None:
    """Real matrices with equally many columns, as doubles or singles."""
    found = resident(*args)
    if found is None or any(x.rank > 2 or x.dtype.is_integer for x in found):
        return None
    if len({x.shape[1] for x in found}) > 1:
        return None
    single = any(x.dtype is DType.F32 for x in found)
    return [x.cast(DType.F32 if single else DType.F64) for x in found]


def pdist(args: Args, nargout: int) -> Made:
    """``pdist(X, distance)``: what lies below the diagonal of all distances."""
    found, distance = _rows(args[0]), _distance(list(args[1:]))
    if found is None or distance is None or nargout > 1 or found[0].shape[0] < 2:
        return None
    count = found[0].shape[0]
    if count * count > MOST_APART:
        return None
    square = distance(found[0], found[0])
    below = position(square.shape, 0) > position(square.shape, 1)
    return apply_operation("compact", square, below, attrs=((1, count * (count - 1) // 2),))


def squareform(args: Args, nargout: int) -> Made:
    """``squareform(D)`` of a row of distances."""
    found = resident(args[0])
    if found is None or len(args) > 1 or nargout > 1:
        return None
    if found[0].shape[0] != 1 or found[0].dtype.size != 8:
        return None
    row = found[0].number()
    count = round((1 + math.sqrt(1 + 8 * row.size)) / 2)
    if count * (count - 1) // 2 != row.size or not row.dtype.is_float:
        return None
    shape = (count, count)
    i, j = position(shape, 0), position(shape, 1)
    low, high = i.min(j), i.max(j)
    place = low * float(count) - low * (low + 1.0) / 2.0 + (high - low - 1.0)
    inside = i.ne(j)
    return where(inside, elements_at(row, where(inside, place, 0.0)), 0.0)


def _top_of_columns(far: Term, count: int, largest: bool) -> tuple[Term, Term]:
    """The first few along columns, and where they were."""
    if count <= MOST_PICKED:
        attrs = (0, largest, count)
        return apply_operation("top", far, attrs=attrs), apply_operation(
            "top_index", far, attrs=attrs
        )
    lined, order = sort_with_places(far, 0, largest)
    return lined.part(0, 0, count), order.part(0, 0, count)


def _nearest(x: Term, y: Term, distance: Distance, count: int, largest: bool) -> tuple[Term, Term]:
    """The first few rows of ``x`` for each row of ``y``, a column each; in parts that fit."""
    step = max(1, MOST_APART // x.shape[0])
    parts = [
        _top_of_columns(
            distance(x, y.part(0, start, min(step, y.shape[0] - start))), count, largest
        )
        for start in range(0, y.shape[0], step)
    ]
    if len(parts) == 1:
        return parts[0]
    return cat(1, *(p[0] for p in parts)), cat(1, *(p[1] for p in parts))


def pdist2(args: Args, nargout: int) -> Made:
    """``[D, I] = pdist2(X, Y, distance, 'Smallest', k)``."""
    rest, few = list(args[2:]), ""
    if len(rest) > 1 and is_text_scalar(rest[-2]):
        few = text_of(rest[-2]).lower()
    if few in ("smallest", "largest"):
        count, rest = rest[-1], rest[:-2]
    else:
        few, count = "", 0.0
    found, distance = _rows(*args[:2]), _distance(rest)
    if found is None or distance is None or type(count) is not float:
        return None
    x, y = found
    if not few:
        return distance(x, y) if nargout < 2 else None
    k = min(int(count), x.shape[0])
    made = _nearest(x, y, distance, k, few == "largest") if k > 0 else None
    return made if made is None or nargout > 1 else made[0]


def knnsearch(args: Args, nargout: int) -> Made:
    """``[idx, D] = knnsearch(X, Y, 'K', k, 'Distance', d)``."""
    names = [text_of(v).lower() if is_text_scalar(v) else "" for v in args[2::2]]
    options = dict(zip(names, args[3::2], strict=False))
    plain = set(names) <= {"k", "distance", "nsmethod", "sortindices"} and len(args) % 2 == 0
    if not plain or nargout > 2:
        return None
    found, distance = _rows(*args[:2]), _distance([options.get("distance", "euclidean")])
    number = options.get("k", 1.0)
    if found is None or distance is None or numel(number) != 1:
        return None
    count = min(int_of(number), found[0].shape[0])
    if count < 1:
        return None
    away, order = _nearest(found[0], found[1], distance, count, largest=False)
    turned = order.permute(1, 0)
    return (turned, away.permute(1, 0)) if nargout > 1 else turned
