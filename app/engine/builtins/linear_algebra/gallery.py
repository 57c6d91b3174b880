"""The gallery of test matrices, with the random ones."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.linear_algebra.gallery_bands import BANDS
from app.engine.builtins.linear_algebra.gallery_formulas import FORMULAS, Maker, count, number
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.engine.values.random_stream import RandomStream, stream_of
from app.errors import MatlabError

_F64 = np.dtype(np.float64)
_LATTICE = (
    np.array(
        [
            [6, -6, 2, -8, 3, -8, 2, -6],
            [-6, 32, -6, 20, -8, 16, -8, 20],
            [2, -6, 6, -6, 2, -8, 3, -8],
            [-8, 20, -6, 32, -6, 20, -8, 16],
            [3, -8, 2, -6, 6, -6, 2, -8],
            [-8, 16, -8, 20, -6, 32, -6, 20],
            [2, -8, 3, -8, 2, -6, 6, -6],
            [-6, 20, -8, 16, -8, 20, -6, 32],
        ]
    )
    / 45
)


def _size(v: Array) -> tuple[int, int]:
    return int(v.flat[0]), int(v.flat[-1])


def _cycol(stream: RandomStream, n: Array, k: Array | None = None) -> Any:
    rows, columns = _size(n)
    kept = int(number(k, max(round(columns / 4), 1)))
    return np.tile(stream.draw("normal", (rows, kept), _F64), columns // kept + 1)[:, :columns]


def _krylov(stream: RandomStream, a: Array, x: Array | None = None, j: Array | None = None) -> Any:
    m = count(a) if a.size == 1 else len(a)
    base = stream.draw("normal", (m, m), _F64) if a.size == 1 else a
    columns = [np.ones(m) if x is None else x.ravel(order="F").astype(float)]
    for _ in range(int(number(j, m)) - 1):
        columns.append(base @ columns[-1])
    return np.column_stack(columns)


def _orthogonal(stream: RandomStream, n: int) -> Array:
    q, r = stoppable.qr(stream.draw("normal", (n, n), _F64))
    return np.asarray(q * np.sign(np.diag(r)))


def _qmult(stream: RandomStream, n: Array) -> Any:
    return _orthogonal(stream, count(n))


def _randhess(stream: RandomStream, n: Array) -> Any:
    from scipy import linalg

    m = count(n) if n.size == 1 else n.size
    return linalg.hessenberg(_orthogonal(stream, m))


def _rando(stream: RandomStream, n: Array, k: Array | None = None) -> Any:
    u = stream.draw("uniform", _size(n), _F64)
    kind = int(number(k, 1.0))
    return {1: np.floor(2 * u), 2: 2 * np.floor(2 * u) - 1, 3: np.floor(3 * u) - 1}[kind]


def _randsvd(
    stream: RandomStream, n: Array, kappa: Array | None = None, mode: Array | None = None
) -> Any:
    rows, columns = _size(n)
    p = min(rows, columns)
    worst, kind = number(kappa, float(np.sqrt(1 / np.finfo(float).eps))), int(number(mode, 3.0))
    steps = np.arange(p) / max(p - 1, 1)
    if kind == 5:
        sigma = np.exp(-stream.draw("uniform", (1, p), _F64).ravel() * np.log(worst))
    else:
        sigma = {
            1: np.where(steps == 0, 1, 1 / worst),
            2: np.where(steps == 1, 1 / worst, 1.0),
            3: worst**-steps,
            4: 1 - steps * (1 - 1 / worst),
        }[kind]
    middle = np.zeros((rows, columns))
    middle[range(p), range(p)] = sigma
    return _orthogonal(stream, rows) @ middle @ _orthogonal(stream, columns)


def _toeppd(
    stream: RandomStream,
    n: Array,
    m: Array | None = None,
    w: Array | None = None,
    theta: Array | None = None,
) -> Any:
    terms = int(number(m, count(n)))
    weights, angles = (
        stream.draw("uniform", (1, terms), _F64) if v is None else v for v in (w, theta)
    )
    i = np.arange(count(n))
    away = 2 * np.pi * (i[:, None] - i[None, :])
    pairs = zip(weights.ravel(), angles.ravel(), strict=True)
    return sum((a * np.cos(t * away) for a, t in pairs), np.zeros((i.size, i.size)))


def _wathen(stream: RandomStream, nx: Array, ny: Array, k: Array | None = None) -> Any:
    from scipy import sparse

    across, up = count(nx), count(ny)
    density = 100 * stream.draw("uniform", (across, up), _F64)
    n = 3 * across * up + 2 * across + 2 * up + 1
    total = sparse.lil_array((n, n))
    for j in range(1, up + 1):
        for i in range(1, across + 1):
            a = 3 * j * across + 2 * i + 2 * j + 1
            d = (3 * j - 1) * across + 2 * j + i - 1
            e = 3 * (j - 1) * across + 2 * i + 2 * j - 3
            nodes = np.array([a, a - 1, a - 2, d, e, e + 1, e + 2, d + 1]) - 1
            total[np.ix_(nodes, nodes)] += _LATTICE * density[i - 1, j - 1]
    found = total.tocsc()
    if number(k, 0.0):
        found = (sparse.diags_array(1 / found.diagonal()) @ found).tocsc()
    return SparseMatrix.of(found)


def _data(kind: str, args: list[Value]) -> Value:
    words = [text_of(v) for v in args if is_text_scalar(v)]
    numbers = [as_array(v).astype(float) for v in args if not is_text_scalar(v)]
    limits = numbers.pop(0).ravel() if kind == "integerdata" else np.zeros(2)
    random = np.random.default_rng(int(numbers.pop().flat[0]))
    shape = tuple(int(n) for v in numbers for n in v.ravel())
    shape = shape * 2 if len(shape) == 1 else shape
    if kind == "integerdata":
        low, high = (1, limits[0]) if limits.size == 1 else limits
        found = random.integers(int(low), int(high) + 1, shape).astype(float)
    else:
        found = random.standard_normal(shape) if kind == "normaldata" else random.random(shape)
    return unwrap(found.astype(np.float32)) if words == ["single"] else canonical(found)


_RANDOM: dict[str, Maker] = {
    "cycol": _cycol,
    "krylov": _krylov,
    "qmult": _qmult,
    "randhess": _randhess,
    "rando": _rando,
    "randsvd": _randsvd,
    "toeppd": _toeppd,
    "wathen": _wathen,
}
_DATA = ("integerdata", "normaldata", "uniformdata")


@builtin(
    "gallery",
    category="special matrices",
    signatures=(
        "A = gallery(name, ...)",
        "[A, B, C] = gallery(name, ...)",
        "A = gallery(3)",
        "A = gallery(5)",
    ),
    cases=(
        "isequal(gallery('minij', 3), [1 1 1; 1 2 2; 1 2 3])",
        "isequal(full(gallery('tridiag', 3)), [2 -1 0; -1 2 -1; 0 -1 2])",
        "isequal(gallery('clement', 3), [0 1 0; 2 0 2; 0 1 0])",
        "norm(gallery('binomial', 3)^2 - 4*eye(3)) < 1e-12",
    ),
    see=("hilb", "magic"),
)
def gallery(ctx: CallContext, name: Value, *args: Value, nargout: int = 1) -> Value:
    """Test matrices by name, after N. J. Higham's collection.

    Sparse ones (``tridiag``, ``poisson``, ``wathen`` …) are returned sparse, as in MATLAB.
    """
    if not is_text_scalar(name):
        return _small_example(name)
    word = text_of(name).lower()
    if word in _DATA:
        return _data(word, list(args))
    maker = FORMULAS.get(word) or BANDS.get(word) or _RANDOM.get(word)
    if maker is None:
        known = ", ".join(sorted([*FORMULAS, *BANDS, *_RANDOM, *_DATA]))
        text = f"gallery has no matrix '{word}'. It has: {known}."
        raise MatlabError("MATLAB:gallery:UnknownMatrix", text)
    found = _matrix_of_maker(
        maker, [stream_of(ctx)] if word in _RANDOM else [], [as_array(v) for v in args], nargout
    )
    several = found if isinstance(found, tuple) else (found,)
    values = tuple(canonical(v) if isinstance(v, np.ndarray) else v for v in several)
    return values if len(values) > 1 else values[0]


def _matrix_of_maker(maker: Maker, first: list[Any], given: list[Array], nargout: int) -> Any:
    signature = inspect.signature(maker)
    options = {"nargout": nargout} if "nargout" in signature.parameters else {}
    try:
        signature.bind(*first, *given, **options)
    except TypeError:
        text = "Wrong number of parameters for this matrix."
        raise MatlabError("MATLAB:gallery:WrongParameters", text) from None
    return maker(*first, *given, **options)


def _small_example(n: Value) -> Value:
    if as_array(n).size == 1 and as_array(n).flat[0] == 3:
        return np.array([[-149.0, -50, -154], [537, 180, 546], [-27, -9, -25]])
    if as_array(n).size == 1 and as_array(n).flat[0] == 5:
        return np.array(
            [
                [-9.0, 11, -21, 63, -252],
                [70, -69, 141, -421, 1684],
                [-575, 575, -1149, 3451, -13801],
                [3891, -3891, 7782, -23345, 93365],
                [1024, -1024, 2048, -6144, 24572],
            ]
        )
    text = "gallery takes the name of a matrix, or 3 or 5."
    raise MatlabError("MATLAB:gallery:UnknownMatrix", text)
