"""Matrices of the gallery with few diagonals, and the famous small ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import enough
from app.engine.builtins.linear_algebra.gallery_formulas import Maker, count, number
from app.engine.values import Array, SparseMatrix
from app.errors import MatlabError


def banded(diagonals: list[Any], offsets: list[int]) -> SparseMatrix:
    """Sparse matrix from its diagonals."""
    from scipy import sparse

    return SparseMatrix.of(sparse.diags_array(diagonals, offsets=offsets, format="csc"))


def _tridiag(n: Array, *more: Array) -> Any:
    given = (n, *more)
    if len(given) == 3 and any(a.size > 1 for a in given):
        return banded([a.ravel(order="F").astype(float) for a in given], [-1, 0, 1])
    enough(given, 4 if more else 1)
    m = count(n)
    values = [number(a, 0.0) for a in more[:3]] or [-1.0, 2.0, -1.0]
    sizes = (max(m - 1, 0), m, max(m - 1, 0))
    return banded([np.full(k, x) for k, x in zip(sizes, values, strict=True)], [-1, 0, 1])


def _clement(n: Array, k: Array | None = None) -> Any:
    up = np.arange(1.0, count(n))
    down = up[::-1]
    if number(k, 0.0):
        up = down = np.sqrt(up * down)
    return np.diag(down, -1) + np.diag(up, 1)


def _condex(n: Array, k: Array | None = None, theta: Array | None = None) -> Any:
    order, kind, t = count(n), int(number(k, 3.0)), number(theta, 100.0)
    if kind == 1:
        core = np.array([[1, -1, -2 * t, 0], [0, 1, t, -t], [0, 1, 1 + t, -1 - t], [0, 0, 0, t]])
    elif kind == 2:
        core = np.array([[1, 1 - 2 / t**2, -2], [0, 1 / t, -1 / t], [0, 0, 1]])
    elif kind == 3:
        core = np.eye(order) - np.tril(np.ones((order, order)), -1)
        core[-1, -1] = -1
    else:
        i = np.arange(order)
        pair = np.column_stack([np.ones(order), (-1.0) ** i * (1 + i / max(order - 1, 1))])
        q, _ = stoppable.qr(pair)
        core = np.eye(order) + t * q @ q.T
    full = np.eye(max(order, len(core)))
    full[: len(core), : len(core)] = core
    return full


def _dorr(n: Array, theta: Array | None = None, *, nargout: int = 1) -> Any:
    m = count(n)
    h = 1 / (m + 1)
    i = np.arange(1, m + 1)
    term = number(theta, 0.01) / h**2
    first = i <= (m + 1) // 2
    slope = (0.5 - i * h) / h
    low = np.where(first, -term, -term + slope)
    high = np.where(first, -term - slope, -term)
    parts = [low[1:], -(low + high), high[:-1]]
    return tuple(p.reshape(-1, 1) for p in parts) if nargout > 1 else banded(parts, [-1, 0, 1])


def _dramadah(n: Array, k: Array | None = None) -> Any:
    from scipy import linalg

    m, kind = count(n), int(number(k, 1.0))
    column, row = np.ones(m), np.zeros(m)
    if kind == 1:
        column[[p for p in range(1, m) if p % 4 in (1, 2)]] = 0
        row[[p for p in (0, 1, 3) if p < m]] = 1
    elif kind == 2:
        column[1:] = 0
        row[:] = 1
        row[2::2] = 0
    else:
        column[1::2] = 0
        row[:2] = 1
    return linalg.toeplitz(column, row)


def _jordbloc(n: Array, value: Array | None = None) -> Any:
    return number(value, 1.0) * np.eye(count(n)) + np.eye(count(n), k=1)


def _forsythe(n: Array, alpha: Array | None = None, value: Array | None = None) -> Any:
    found = np.eye(count(n), k=1) + number(value, 0.0) * np.eye(count(n))
    found[-1, 0] = number(alpha, float(np.sqrt(np.finfo(float).eps)))
    return found


def _gearmat(n: Array, i: Array | None = None, j: Array | None = None) -> Any:
    m = count(n)
    found = np.eye(m, k=1) + np.eye(m, k=-1)
    first, last = int(number(i, m)), int(number(j, -m))
    found[0, abs(first) - 1] = np.sign(first)
    found[-1, m - abs(last)] = np.sign(last)
    return found


def _grcar(n: Array, k: Array | None = None) -> Any:
    ones = np.ones((count(n),) * 2)
    return np.tril(np.triu(ones), int(number(k, 3.0))) - np.eye(count(n), k=-1)


def _hanowa(n: Array, d: Array | None = None) -> Any:
    half, odd = divmod(count(n), 2)
    if odd:
        raise MatlabError("MATLAB:hanowa:InvalidN", "N must be even.")
    side = np.diag(np.arange(1.0, half + 1))
    middle = number(d, -1.0) * np.eye(half)
    return np.block([[middle, -side], [side, middle]])


def _lauchli(n: Array, mu: Array | None = None) -> Any:
    small = number(mu, float(np.sqrt(np.finfo(float).eps)))
    return np.vstack([np.ones((1, count(n))), small * np.eye(count(n))])


def _leslie(a: Array, b: Array | None = None) -> Any:
    births = np.ones(count(a)) if b is None else a.ravel(order="F")
    rest = np.ones(births.size - 1) if b is None else b.ravel(order="F")
    found = np.diag(rest.astype(float), -1)
    found[0] = births
    return found


def _lesp(n: Array) -> Any:
    x = np.arange(2.0, count(n) + 2)
    return np.diag(-(2 * x + 1)) + np.diag(1 / x[:-1], -1) + np.diag(x[:-1], 1)


def _mesh(sides: tuple[int, int], lines: list[Array]) -> SparseMatrix:
    from scipy import sparse

    one, two = (sparse.csc_array(x) for x in lines)
    left = sparse.kron(one, sparse.eye_array(sides[1]))
    return SparseMatrix.of((left + sparse.kron(sparse.eye_array(sides[0]), two)).tocsc())


def _second_difference(m: int) -> Array:
    return 2 * np.eye(m) - np.eye(m, k=1) - np.eye(m, k=-1)


def _poisson(n: Array) -> Any:
    m = count(n)
    return _mesh((m, m), [_second_difference(m)] * 2)


def _neumann(n: Array) -> Any:
    root = round(float(n.flat[0]) ** 0.5)
    sides = (root, root) if n.size == 1 else (int(n.flat[0]), int(n.flat[1]))
    if n.size == 1 and root * root != int(n.flat[0]):
        raise MatlabError("MATLAB:neumann:NNotPerfectSquare", "N must be a perfect square.")
    lines = [_second_difference(m) for m in sides]
    for line in lines:
        line[0, 1] = line[-1, -2] = -2
    return _mesh(sides, lines)


def _smoke(n: Array, k: Array | None = None) -> Any:
    m = count(n)
    found = np.diag(np.exp(2j * np.pi * np.arange(1, m + 1) / m)) + np.eye(m, k=1)
    found[-1, 0] += number(k, 0.0) == 0
    return found


def _toeppen(n: Array, *bands: Array) -> Any:
    m = count(n)
    values = [number(b, 0.0) for b in bands] + [1.0, -10.0, 0.0, 10.0, 1.0][len(bands) :]
    lines = [np.full(max(m - abs(k), 0), v) for k, v in zip(range(-2, 3), values, strict=True)]
    return banded(lines, [-2, -1, 0, 1, 2])


def _wilk(n: Array, *, nargout: int = 1) -> Any:
    order = count(n)
    if order == 3:
        a = np.array([[1e-10, 0.9, -0.4], [0, 0.9, -0.4], [0, 0, 1e-10]])
        return a, np.array([[0.0], [0.0], [1.0]])
    if order == 4:
        a = np.array(
            [
                [0.9143e-4, 0, 0, 0],
                [0.8762, 0.7156e-4, 0, 0],
                [0.7943, 0.8143, 0.9504e-4, 0],
                [0.8017, 0.6123, 0.7165, 0.7123e-4],
            ]
        )
        return a, np.array([[0.6524], [0.3127], [0.4186], [0.7853]])
    if order == 5:
        i = np.arange(1.0, 6)
        return 1.8144 / (i[:, None] + i[None, :])
    if order == 21:
        return np.diag(np.abs(np.arange(-10.0, 11))) + np.eye(21, k=1) + np.eye(21, k=-1)
    raise MatlabError("MATLAB:wilk:InvalidN", "N must be 3, 4, 5 or 21.")


def _house(x: Array, k: Array | None = None, *, nargout: int = 1) -> Any:
    v = x.ravel(order="F").astype(complex if x.dtype.kind == "c" else float)
    size = np.linalg.norm(v)
    if size == 0:
        return x, 1.0, 0.0
    sign = v[0] / abs(v[0]) if v[0] else 1.0
    s = (sign if number(k, 0.0) == 1 else -sign) * size
    v[0] -= s
    return v.reshape(-1, 1), float(2 / np.vdot(v, v).real), s


BANDS: dict[str, Maker] = {
    "clement": _clement,
    "condex": _condex,
    "dorr": _dorr,
    "dramadah": _dramadah,
    "forsythe": _forsythe,
    "gearmat": _gearmat,
    "grcar": _grcar,
    "hanowa": _hanowa,
    "house": _house,
    "jordbloc": _jordbloc,
    "lauchli": _lauchli,
    "leslie": _leslie,
    "lesp": _lesp,
    "neumann": _neumann,
    "poisson": _poisson,
    "smoke": _smoke,
    "toeppen": _toeppen,
    "tridiag": _tridiag,
    "wilk": _wilk,
}
