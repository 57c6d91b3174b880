"""Wavelets of matrices and pictures: dwt2, idwt2, wavedec2, waverec2, appcoef2, detcoef2."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import COUNT, NONEMPTY, NUMBERS, POSITIVE, real_number
from app.engine.builtins.vectors import row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError
from app.toolboxes.wavelets.wavelets import Filters, chosen_filters, filters_of, merge, split

_FAMILY = "signal processing"
Parts = tuple[Array, Array, Array, Array]
"""The approximation, and the horizontal, vertical and diagonal details."""


def _double_array(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=np.float64)


def _split_along(x: Array, axis: int, f: Filters) -> tuple[Array, Array]:
    lines = np.moveaxis(x, axis, -1)
    flat = lines.reshape(-1, lines.shape[-1])
    halves = [split(line, f) for line in flat]
    low, high = (np.array([h[k] for h in halves]) for k in range(2))
    shape = (*lines.shape[:-1], low.shape[-1])
    return tuple(np.moveaxis(p.reshape(shape), -1, axis) for p in (low, high))  # type: ignore[return-value]


def _merged_along(low: Array, high: Array, axis: int, f: Filters, length: int) -> Array:
    lows, highs = np.moveaxis(low, axis, -1), np.moveaxis(high, axis, -1)
    pairs = zip(lows.reshape(-1, lows.shape[-1]), highs.reshape(-1, lows.shape[-1]), strict=True)
    made = np.array([merge(a, d, f, length) for a, d in pairs])
    return np.moveaxis(made.reshape(*lows.shape[:-1], length), -1, axis)


def _parts(x: Array, f: Filters) -> Parts:
    """One level: the lines of both directions are split, those across first."""
    low, high = _split_along(x, 1, f)
    return (*_split_along(low, 0, f), *_split_along(high, 0, f))


def _picture_of_parts(parts: Parts, f: Filters, shape: tuple[int, int]) -> Array:
    a, h, v, d = parts
    low, high = (_merged_along(p, q, 0, f, shape[0]) for p, q in ((a, h), (v, d)))
    return _merged_along(low, high, 1, f, shape[1])


@builtin(
    "dwt2",
    category=_FAMILY,
    least=2,
    signatures=("[cA, cH, cV, cD] = dwt2(X, wavelet)", "[cA, cH, cV, cD] = dwt2(X, LoD, HiD)"),
    cases=(
        "[a, h, v, d] = dwt2([1 2; 3 5], 'haar'); norm([a h v d] - [5.5 -2.5 -1.5 0.5]) < 1e-12",
    ),
    see=("idwt2", "wavedec2", "dwt"),
)
def dwt2(x: Value, *rest: Value) -> Value:
    """One level of the wavelet transform of a matrix, its edges mirrored; pages each for itself.

    The parts are the approximation and the horizontal, vertical and diagonal details.
    """
    (NUMBERS & NONEMPTY)("dwt2", 1, x)
    return tuple(map(canonical, _parts(_double_array(x), chosen_filters("dwt2", rest))))


@builtin(
    "idwt2",
    category=_FAMILY,
    least=5,
    signatures=(
        "X = idwt2(cA, cH, cV, cD, wavelet)",
        "X = idwt2(cA, cH, cV, cD, LoR, HiR)",
        "X = idwt2(..., size)",
    ),
    cases=(
        "[a, h, v, d] = dwt2(magic(6), 'db2'); "
        "norm(idwt2(a, h, v, d, 'db2', [6 6]) - magic(6)) < 1e-9",
        "norm(idwt2(4, [], [], [], 'haar') - 2*ones(2)) < 1e-12",
    ),
    see=("dwt2",),
)
def idwt2(ca: Value, ch: Value, cv: Value, cd: Value, *rest: Value) -> Value:
    """The matrix of an approximation and its details; ``[]`` stands for zeros."""
    given = [_double_array(p) if numel(p) else None for p in (ca, ch, cv, cd)]
    some = next((p for p in given if p is not None), None)
    if some is None:
        raise MatlabError("Wavelet:idwt2:InvalidInput", "One of the four parts must be given.")
    if any(p is not None and p.shape != some.shape for p in given):
        raise MatlabError("Wavelet:idwt2:InvalidInput", "The parts must have the same size.")
    by_name = is_text_scalar(rest[0])
    f, sizes = chosen_filters("idwt2", rest), rest[1 if by_name else 2 :]
    shape = tuple(2 * n - f[2].size + 2 for n in some.shape[:2])
    if sizes and numel(sizes[0]):
        shape = tuple(int(n) for n in vector(sizes[0]).real[:2])
    filled = tuple(np.zeros_like(some) if p is None else p for p in given)
    return canonical(_picture_of_parts(filled, f, shape))  # type: ignore[arg-type]


@builtin(
    "wavedec2",
    category=_FAMILY,
    least=3,
    signatures=("[c, s] = wavedec2(X, n, wavelet)", "[c, s] = wavedec2(X, n, LoD, HiD)"),
    cases=(
        "[c, s] = wavedec2(magic(8), 2, 'haar'); isequal(s, [2 2; 2 2; 4 4; 8 8]) && "
        "abs(norm(c) - norm(magic(8), 'fro')) < 1e-9",
    ),
    see=("waverec2", "appcoef2", "detcoef2"),
)
def wavedec2(x: Value, n: Value, *rest: Value) -> Value:
    """Several levels of the transform of a matrix: coefficients in a row, and their sizes."""
    (NUMBERS & NONEMPTY)("wavedec2", 1, x)
    (COUNT & POSITIVE)("wavedec2", 2, n)
    a, f = _double_array(x), chosen_filters("wavedec2", rest)
    flat: list[Array] = []
    sizes = [a.shape]
    for _ in range(int(real_number(n))):
        a, *details = _parts(a, f)
        flat = [*(d.ravel(order="F") for d in details), *flat]
        sizes.insert(0, a.shape)
    made = np.concatenate([a.ravel(order="F"), *flat])
    return row(made), canonical(np.array([a.shape, *sizes], dtype=np.float64))


def _levels(c: Value, s: Value) -> tuple[Array, list[tuple[Array, Array, Array]], list[Array]]:
    """The approximation, the details of each level, the coarsest first, and the sizes."""
    flat, table = vector(c).real, _double_array(s).astype(int)
    counts = [int(table[0].prod()), *(int(t.prod()) for t in table[1:-1] for _ in range(3))]
    if len(table) < 3 or sum(counts) != flat.size:
        text = "The sizes do not fit the coefficients."
        raise MatlabError("Wavelet:wavedec2:InvalidSizes", text)
    pieces = np.split(flat, np.cumsum(counts)[:-1])
    shapes = [table[0], *(t for t in table[1:-1] for _ in range(3))]
    a, *rest = (p.reshape(tuple(t), order="F") for p, t in zip(pieces, shapes, strict=True))
    details = [(rest[k], rest[k + 1], rest[k + 2]) for k in range(0, len(rest), 3)]
    return a, details, list(table[2:])


def _rebuilt(c: Value, s: Value, f: Filters, levels: int | None = None) -> Array:
    a, details, sizes = _levels(c, s)
    for parts, size in list(zip(details, sizes, strict=True))[:levels]:
        a = _picture_of_parts((a, *parts), f, (int(size[0]), int(size[1])))
    return a


@builtin(
    "waverec2",
    category=_FAMILY,
    least=3,
    signatures=("X = waverec2(c, s, wavelet)", "X = waverec2(c, s, LoR, HiR)"),
    cases=("X = magic(9); [c, s] = wavedec2(X, 3, 'db3'); norm(waverec2(c, s, 'db3') - X) < 1e-8",),
    see=("wavedec2",),
)
def waverec2(c: Value, s: Value, *rest: Value) -> Value:
    """The matrix of several levels."""
    return canonical(_rebuilt(c, s, chosen_filters("waverec2", rest)))


@builtin(
    "appcoef2",
    category=_FAMILY,
    least=3,
    signatures=("A = appcoef2(c, s, wavelet)", "A = appcoef2(c, s, wavelet, n)"),
    cases=(
        "[c, s] = wavedec2(ones(4), 2, 'haar'); abs(appcoef2(c, s, 'haar') - 4) < 1e-12 && "
        "norm(appcoef2(c, s, 'haar', 1) - 2*ones(2)) < 1e-12",
    ),
    see=("wavedec2", "detcoef2"),
)
def appcoef2(c: Value, s: Value, wavelet: Value, n: Value | None = None) -> Value:
    """The approximation of a level, the coarsest unless said."""
    most = len(_double_array(s)) - 2
    level = most if n is None else _level("appcoef2", n, most, least=0)
    return canonical(_rebuilt(c, s, filters_of("appcoef2", wavelet), most - level))


def _level(name: str, n: Value, most: int, least: int = 1) -> int:
    level = int(real_number(n))
    if not least <= level <= most:
        raise MatlabError(f"Wavelet:{name}:InvalidLevel", "There is no such level.")
    return level


@builtin(
    "detcoef2",
    category=_FAMILY,
    signatures=("[H, V, D] = detcoef2('all', c, s, n)", "D = detcoef2(type, c, s, n)"),
    cases=(
        "[c, s] = wavedec2([1 2; 3 5], 1, 'haar'); [h, v, d] = detcoef2('all', c, s, 1); "
        "norm([h v d] - [-2.5 -1.5 0.5]) < 1e-12 && detcoef2('v', c, s, 1) == v",
    ),
    see=("wavedec2", "appcoef2"),
)
def detcoef2(kind: Value, c: Value, s: Value, n: Value) -> Value:
    """The details of a level: horizontal (h), vertical (v), diagonal (d), all or as a row."""
    _, details, _ = _levels(c, s)
    parts = details[len(details) - _level("detcoef2", n, len(details))]
    word = text_of(kind).lower()
    if word in ("c", "compact"):
        return row(np.concatenate([p.ravel(order="F") for p in parts]))
    if word in ("a", "all"):
        return tuple(map(canonical, parts))
    if word not in ("h", "v", "d"):
        text = "The type must be 'h', 'v', 'd', 'all' or 'compact'."
        raise MatlabError("Wavelet:detcoef2:InvalidType", text)
    return canonical(parts["hvd".index(word)])
