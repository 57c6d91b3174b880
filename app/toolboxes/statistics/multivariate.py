"""Several variables at once: mahal, procrustes, canoncorr, cmdscale, princomp, dummyvar and kin."""

from __future__ import annotations

import math

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    COUNT,
    MATRIX,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    SQUARE,
    flag,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Struct, Value, as_array, canonical, text_of, true_value
from app.errors import MatlabError

_FAMILY = "statistics"
_TABLE = NUMBERS & REAL & NONEMPTY & MATRIX


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


@builtin(
    "mahal",
    category=_FAMILY,
    signatures=("d2 = mahal(Y, X)",),
    cases=("abs(mahal([3 3], [1 2; 2 1; 3 4; 4 3]) - 0.1875) < 1e-12",),
    see=("pdist2", "cov"),
)
@takes(_TABLE, _TABLE)
def mahal(y: Value, x: Value) -> Value:
    """Squared distances from the rows of X, measured by their covariance."""
    a, b = _real(y), _real(x)
    if a.shape[1] != b.shape[1] or b.shape[0] <= b.shape[1]:
        text = "X and Y need the same columns, and X more rows than columns."
        raise MatlabError("stats:mahal:TooFewRows", text)
    away = a - b.mean(axis=0)
    return column(
        np.sum(away * stoppable.solve(np.cov(b.T).reshape(b.shape[1], -1), away.T).T, axis=1)
    )


@builtin(
    "princomp",
    category=_FAMILY,
    signatures=("[coeff, score, latent, tsquare] = princomp(X)",),
    cases=("[c, s, l] = princomp([1 2; 2 4; 3 6]); abs(l(1) - 5) < 1e-12",),
    see=("pca",),
)
@takes(_TABLE)
def princomp(x: Value) -> Value:
    """Principal components (the older form of pca)."""
    from app.engine.declarations.registry import lookup

    pca = lookup("pca")
    assert pca is not None
    return pca.call(None, (x,), 4)


@builtin(
    "pcacov",
    category=_FAMILY,
    signatures=("[coeff, latent, explained] = pcacov(V)",),
    cases=("[c, l] = pcacov([2 0; 0 3]); isequal(l, [3; 2])",),
    see=("pca",),
)
@takes(_TABLE & SQUARE)
def pcacov(v: Value) -> Value:
    """Principal components of a covariance matrix."""
    values, vectors = stoppable.eigh(_real(v))
    values, vectors = values[::-1], vectors[:, ::-1]
    sign = np.sign(vectors[np.abs(vectors).argmax(axis=0), range(values.size)])
    return canonical(vectors * sign), column(values), column(100 * values / values.sum())


@builtin(
    "procrustes",
    category=_FAMILY,
    signatures=("[d, Z, tr] = procrustes(X, Y)", "[d, Z, tr] = procrustes(X, Y, name, value)"),
    cases=("X = [0 0; 1 0; 0 2]; procrustes(X, 3*X + 5) < 1e-12",),
    see=("cmdscale",),
)
@takes(_TABLE, _TABLE)
def procrustes(x: Value, y: Value, *rest: Value) -> Value:
    """Y turned, scaled and moved to be nearest to X, and how far it stays."""
    options = option_pairs("procrustes", rest, "Scaling Reflection")
    a, b = _real(x), _real(y)
    if a.shape[0] != b.shape[0] or b.shape[1] > a.shape[1]:
        text = "X and Y must have the same rows, and Y no more columns."
        raise MatlabError("stats:procrustes:InputSizeMismatch", text)
    b = np.pad(b, ((0, 0), (0, a.shape[1] - b.shape[1])))
    ca, cb = a.mean(axis=0), b.mean(axis=0)
    sa, sb = np.linalg.norm(a - ca), np.linalg.norm(b - cb)
    u, s, v = stoppable.svd(((a - ca) / sa).T @ ((b - cb) / sb))
    turn = v.T @ u.T
    mirrored = options.get("reflection", "best")
    if mirrored != "best" and true_value(mirrored) != (stoppable.det(turn) < 0):
        v[-1] *= -1
        s[-1] *= -1
        turn = v.T @ u.T
    scale = s.sum() * sa / sb if flag(options, "scaling", True) else 1.0
    d = (
        1 - s.sum() ** 2
        if flag(options, "scaling", True)
        else (1 + (sb / sa) ** 2 - 2 * s.sum() * sb / sa)
    )
    made = scale * (b - cb) @ turn + ca
    shift = np.tile(ca - scale * cb @ turn, (a.shape[0], 1))
    return (
        float(max(d, 0.0)),
        canonical(made),
        Struct({"T": canonical(turn), "b": float(scale), "c": canonical(shift)}),
    )


@builtin(
    "canoncorr",
    category=_FAMILY,
    signatures=("[A, B, r, U, V] = canoncorr(X, Y)",),
    cases=("[a, b, r] = canoncorr([1; 2; 3; 5], [2; 4; 6; 10]); abs(r - 1) < 1e-12",),
    see=("corrcoef", "pca"),
)
@takes(_TABLE, _TABLE)
def canoncorr(x: Value, y: Value) -> Value:
    """The combinations of two groups of variables that correlate most."""
    from scipy.linalg import qr, solve_triangular

    a, b = _real(x), _real(y)
    if a.shape[0] != b.shape[0]:
        raise MatlabError("stats:canoncorr:InputSizeMismatch", "X and Y must have the same rows.")
    a, b, n = a - a.mean(axis=0), b - b.mean(axis=0), a.shape[0]
    (qa, ra, pa), (qb, rb, pb) = (qr(m, mode="economic", pivoting=True) for m in (a, b))
    left, r, right = stoppable.svd(qa.T @ qb)
    d = min(a.shape[1], b.shape[1])
    made = []
    for rr, p, m in ((ra, pa, left[:, :d]), (rb, pb, right.T[:, :d])):
        part = np.empty((rr.shape[1], d))
        part[p] = solve_triangular(rr, m) * np.sqrt(n - 1)
        made.append(part)
    return (
        canonical(made[0]),
        canonical(made[1]),
        canonical(np.clip(r[None, :d], 0, 1)),
        canonical(a @ made[0]),
        canonical(b @ made[1]),
    )


@builtin(
    "cmdscale",
    words="",
    category=_FAMILY,
    signatures=("[Y, e] = cmdscale(D)", "Y = cmdscale(D, p)"),
    cases=("D = pdist([0 0; 3 0; 0 4]); norm(pdist(cmdscale(D)) - [3 4 5]) < 1e-9",),
    see=("pdist", "procrustes"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def cmdscale(d: Value, p: Value | None = None) -> Value:
    """Points whose distances are the given ones (classical scaling)."""
    from scipy.spatial.distance import squareform

    a = _real(d)
    a = squareform(a.ravel()) if 1 in a.shape and a.size > 1 else a
    if a.shape[0] != a.shape[1]:
        raise MatlabError("stats:cmdscale:InputSizeMismatch", "The distances must be square.")
    centre = np.eye(a.shape[0]) - 1 / a.shape[0]
    values, vectors = stoppable.eigh(-centre @ a**2 @ centre / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = int(np.sum(values > np.finfo(float).eps ** 0.75 * np.abs(values).max(initial=1e-300)))
    keep = keep if p is None else min(keep, int(_real(p).flat[0]))
    made = vectors[:, :keep] * np.sqrt(values[:keep])
    sign = np.sign(made[np.abs(made).argmax(axis=0), range(keep)]) if keep else np.ones(0)
    return canonical(made * sign), column(values)


@builtin(
    "dummyvar",
    category=_FAMILY,
    signatures=("D = dummyvar(group)",),
    cases=("isequal(dummyvar([1; 3; 2]), [1 0 0; 0 0 1; 0 1 0])",),
    see=("grp2idx",),
)
def dummyvar(group: Value) -> Value:
    """A column of zeros and ones for each level of each group."""
    from app.engine.builtins.arrays.categorical_class import Categorical

    a = group.data if isinstance(group, Categorical) else _real(group)
    if np.any(a != np.round(a)) or np.any(a < 1):
        text = "Each element of GROUP must be a positive integer."
        raise MatlabError("stats:dummyvar:BadGroup", text)
    columns = a.T if a.ndim == 2 and a.shape[0] > 1 and a.shape[1] > 1 else [a.ravel()]
    return canonical(
        np.hstack([(c[:, None] == np.arange(1, c.max() + 1)).astype(float) for c in columns])
    )


@builtin(
    "cholcov",
    words="",
    category=_FAMILY,
    signatures=("[T, num] = cholcov(Sigma)", "T = cholcov(S, 0)"),
    cases=("T = cholcov([4 2; 2 1]); norm(T'*T - [4 2; 2 1]) < 1e-12",),
    see=("chol",),
)
@takes(_TABLE & SQUARE)
def cholcov(sigma: Value, flag: Value = 1.0) -> Value:
    """A factor ``T'*T`` of a covariance, also where it is singular."""
    a = _real(sigma)
    try:
        return canonical(stoppable.cholesky(a).T), 0.0
    except np.linalg.LinAlgError:
        if real_number(flag) == 0:
            return canonical(np.zeros((0, 0))), math.nan
        values, vectors = stoppable.eigh((a + a.T) / 2)
        limit = 10 * np.finfo(float).eps * max(abs(values).max(), 1e-300) * values.size
        keep = values > limit
        if np.any(values < -limit):
            return canonical(np.zeros((0, 0))), float(np.sum(values < -limit))
        return canonical(np.sqrt(values[keep])[:, None] * vectors[:, keep].T), 0.0


@builtin(
    "nnmf",
    category=_FAMILY,
    signatures=("[W, H, D] = nnmf(A, k)", "[W, H, D] = nnmf(A, k, name, value)"),
    cases=("[W, H, D] = nnmf([1 2; 2 4; 3 6], 1); D < 1e-6 && all(W(:) >= 0)",),
    see=("pca",),
)
@takes(_TABLE, COUNT & POSITIVE)
def nnmf(a: Value, k: Value, *rest: Value) -> Value:
    """Two nonnegative factors whose product is near a matrix (alternating least squares)."""
    from scipy.optimize import nnls

    option_pairs("nnmf", rest, "")
    m, rank = _real(a), int(_real(k).flat[0])
    u, s, _ = stoppable.svd(m, full_matrices=False)
    w = np.abs(u[:, :rank] * np.sqrt(s[:rank]))
    w = np.pad(w, ((0, 0), (0, rank - w.shape[1])), constant_values=1e-3)
    h, before, error = np.zeros((rank, m.shape[1])), np.inf, 0.0
    for _ in range(100):
        h = np.array([nnls(w, c)[0] for c in m.T]).T
        w = np.array([nnls(h.T, r)[0] for r in m])
        error = float(np.sqrt(np.mean((m - w @ h) ** 2)))
        if before - error < 1e-10 * max(before, 1e-12):
            break
        before = error
    size = np.linalg.norm(h, axis=1)
    size = np.where(size > 0, size, 1.0)
    return canonical(w * size), canonical(h / size[:, None]), error


@builtin(
    "statset",
    category=_FAMILY,
    least=0,
    signatures=("options = statset(name, value, ...)", "options = statset(function)"),
    cases=("statset('MaxIter', 7).MaxIter == 7",),
    see=("statget", "kmeans"),
)
def statset(*args: Value) -> Value:
    """Options of statistics functions."""
    names = (
        "Display",
        "MaxFunEvals",
        "MaxIter",
        "TolBnd",
        "TolFun",
        "TolTypeFun",
        "TolX",
        "TolTypeX",
        "GradObj",
        "Jacobian",
        "DerivStep",
        "FunValCheck",
        "Robust",
        "RobustWgtFun",
        "WgtFun",
        "Tune",
        "UseParallel",
        "UseSubstreams",
        "Streams",
        "OutputFcn",
    )
    fields: dict[str, Value] = dict.fromkeys(names, np.zeros((0, 0)))
    rest = list(args)
    while rest and (isinstance(rest[0], Struct) or len(rest) % 2):
        first = rest.pop(0)
        if isinstance(first, Struct):
            fields |= first.fields
    for name, value in option_pairs("statset", rest).items():
        spelled = [n for n in names if n.lower().startswith(name)]
        if not spelled:
            text = f"Unrecognized parameter name '{name}'."
            raise MatlabError("stats:statset:BadParameter", text)
        fields[spelled[0]] = value
    return Struct(fields)


@builtin(
    "statget",
    category=_FAMILY,
    signatures=("v = statget(options, name)", "v = statget(options, name, default)"),
    cases=("statget(statset('MaxIter', 7), 'MaxIter') == 7",),
    see=("statset",),
)
def statget(options: Value, name: Value, default: Value = np.zeros((0, 0))) -> Value:  # noqa: B008 - never written to
    """The value of one option, or the default."""
    if not isinstance(options, Struct):
        raise MatlabError("stats:statget:BadOptions", "The options must be a struct of statset.")
    word = text_of(name).lower()
    found = next((v for k, v in options.fields.items() if k.lower() == word), None)
    return default if found is None or as_array(found).size == 0 else found
