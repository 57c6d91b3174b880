"""Matrices of the gallery that a formula of row and column gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.values import Array
from app.errors import MatlabError

Maker = Callable[..., Any]
_EPS = float(np.finfo(float).eps)


def count(n: Array) -> int:
    """An order; negative ones count as 0."""
    if n.size != 1:
        raise MatlabError("MATLAB:gallery:InvalidOrder", "The order must be a scalar.")
    return max(0, int(n.flat[0].real))


def number(v: Array | None, default: float) -> float:
    """A scalar parameter or its default."""
    return default if v is None or not v.size else v.flat[0].item()


def points(v: Array) -> Array:
    """A vector, or 1 … n when its length was given."""
    return np.arange(1.0, count(v) + 1) if v.size == 1 else v.ravel(order="F")


def _rows(n: int) -> tuple[Array, Array]:
    i = np.arange(1.0, n + 1)
    return i[:, None], i[None, :]


def by_index(formula: Callable[[Array, Array, int], Any]) -> Maker:
    """The matrix whose elements are a formula of the indices (from 1) and the order."""

    def make(n: Array) -> Any:
        order = count(n)
        return np.asarray(formula(*_rows(order), order)) + np.zeros((order, order))

    return make


def _cauchy(x: Array, y: Array | None = None) -> Any:
    a = points(x)
    return 1.0 / (a[:, None] + (a if y is None else points(y))[None, :])


def _circul(v: Array) -> Any:
    c = points(v)
    i = np.arange(c.size)
    return c[(i[None, :] - i[:, None]) % c.size]


def _fiedler(c: Array) -> Any:
    p = points(c)
    return np.abs(p[:, None] - p[None, :])


def _moler(n: Array, alpha: Array | None = None) -> Any:
    upper = _triw(n, alpha)
    return upper.T @ upper


def _triw(n: Array, alpha: Array | None = None, k: Array | None = None) -> Any:
    rows, columns = int(n.flat[0]), int(n.flat[-1])
    full = np.eye(rows, columns) + number(alpha, -1.0) * np.triu(np.ones((rows, columns)), 1)
    return np.tril(full, int(number(k, columns - 1)))


def _chebspec(n: Array, k: Array | None = None) -> Any:
    inner = number(k, 0.0) == 1
    m = count(n) + inner
    x = np.cos(np.arange(m) * np.pi / (m - 1))
    d = np.ones(m)
    d[[0, -1]] = 2
    i = np.arange(m)
    signs = (-1.0) ** (i[:, None] + i[None, :])
    c = d[:, None] / d[None, :] * signs / (x[:, None] - x[None, :] + np.eye(m))
    c[i, i] = -x / (2 * (1 - x * x))
    c[0, 0] = (2 * (m - 1) ** 2 + 1) / 6
    c[-1, -1] = -c[0, 0]
    return c[1:, 1:] if inner else c


def _chebvand(m: Array, p: Array | None = None) -> Any:
    given = m if p is None else p
    x = np.linspace(0, 1, count(given)) if given.size == 1 else given.ravel(order="F")
    rows = x.size if p is None else count(m)
    return np.array([np.polynomial.chebyshev.Chebyshev.basis(k)(x) for k in range(rows)])


def _chow(n: Array, alpha: Array | None = None, delta: Array | None = None) -> Any:
    i, j = _rows(count(n))
    low = np.where(i - j >= -1, float(number(alpha, 1.0)) ** np.maximum(i - j + 1, 0), 0.0)
    return low + number(delta, 0.0) * np.eye(count(n))


def _frank(n: Array, k: Array | None = None) -> Any:
    i, j = _rows(count(n))
    found = np.where(j >= i - 1, count(n) + 1 - np.maximum(i, j), 0.0)
    return found[::-1, ::-1].T if number(k, 0.0) else found


def _ipjfact(n: Array, k: Array | None = None) -> Any:
    from scipy import special

    i, j = _rows(count(n))
    found = special.factorial(i + j)
    return 1 / found if number(k, 0.0) else found


def _kahan(n: Array, theta: Array | None = None, pert: Array | None = None) -> Any:
    rows, columns = int(n.flat[0]), int(n.flat[-1])
    angle = number(theta, 1.2)
    upper = np.eye(columns) - np.cos(angle) * np.triu(np.ones((columns, columns)), 1)
    scaled = np.sin(angle) ** np.arange(columns)[:, None] * upper
    scaled += number(pert, 25.0) * _EPS * np.diag(np.arange(columns, 0.0, -1))
    return np.vstack([scaled, np.zeros((max(rows - columns, 0), columns))])[:rows]


def _kms(n: Array, rho: Array | None = None) -> Any:
    i, j = _rows(count(n))
    base = number(rho, 0.5)
    low = base ** np.abs(i - j)
    return np.where(j > i, np.conj(low), low) if isinstance(base, complex) else low


def _orthog(n: Array, k: Array | None = None) -> Any:
    m = count(n)
    i, j = _rows(m)
    kind = int(number(k, 1.0))
    turn = 2 * np.pi * (i - 1) * (j - 1) / m
    forms: dict[int, Callable[[], Any]] = {
        1: lambda: np.sqrt(2 / (m + 1)) * np.sin(i * j * np.pi / (m + 1)),
        2: lambda: 2 / np.sqrt(2 * m + 1) * np.sin(2 * i * j * np.pi / (2 * m + 1)),
        3: lambda: np.exp(1j * turn) / np.sqrt(m),
        4: lambda: _helmert(m),
        5: lambda: (np.sin(turn) + np.cos(turn)) / np.sqrt(m),
        6: lambda: np.sqrt(2 / m) * np.cos((i - 0.5) * (j - 0.5) * np.pi / m),
        -1: lambda: np.cos((i - 1) * (j - 1) * np.pi / (m - 1)),
        -2: lambda: np.cos((i - 1) * (j - 0.5) * np.pi / m),
    }
    if kind not in forms:
        raise MatlabError("MATLAB:gallery:orthog:InvalidK", "K must be -2, -1 or 1 to 6.")
    return forms[kind]()


def _helmert(m: int) -> Any:
    i, j = _rows(m)
    scale = np.sqrt(np.maximum(i * (i - 1), 1))
    rows = np.where(j < i, 1.0, np.where(i == j, 1.0 - i, 0.0)) / scale
    rows[0] = 1 / np.sqrt(m)
    return rows


def _pei(n: Array, alpha: Array | None = None) -> Any:
    return number(alpha, 1.0) * np.eye(count(n)) + 1.0


def _prolate(n: Array, w: Array | None = None) -> Any:
    i, j = _rows(count(n))
    width = number(w, 0.25)
    return 2 * width * np.sinc(2 * width * (i - j))


def _compar(a: Array, k: Array | None = None) -> Any:
    off = np.abs(a) - np.diag(np.abs(np.diag(a)))
    if number(k, 0.0):
        worst = np.repeat(off.max(axis=1, keepdims=True), a.shape[1], axis=1)
        off = worst - np.diag(np.diag(worst))
        off = np.tril(off) if not np.triu(a, 1).any() else off
        off = np.triu(off) if not np.tril(a, -1).any() else off
    return np.diag(np.abs(np.diag(a))) - off


def _lotkin(i: Array, j: Array, n: int) -> Any:
    return np.where(i == 1, 1.0, 1 / (i + j - 1))


def _invhess(x: Array, y: Array | None = None) -> Any:
    low = points(x)
    up = -low[:-1] if y is None else y.ravel(order="F")
    found = np.tril(np.repeat(low[None, :], low.size, axis=0))
    return found + np.triu(np.repeat(np.append(up, 0)[:, None], low.size, axis=1), 1)


def _invol(n: Array) -> Any:
    m = count(n)
    i, j = _rows(m)
    a = 1 / (i + j - 1)
    d = -float(m)
    a[:, 0] *= d
    for k in range(1, m):
        d = -(m + k) * (m - k) * d / (k * k)
        a[k] *= d
    return a


def _binomial(n: Array) -> Any:
    from scipy import linalg

    m = count(n)
    low = linalg.pascal(m, kind="lower").astype(float)
    return low @ np.diag((-2.0) ** np.arange(m)) @ low[::-1, ::-1]


FORMULAS: dict[str, Maker] = {
    "binomial": _binomial,
    "cauchy": _cauchy,
    "chebspec": _chebspec,
    "chebvand": _chebvand,
    "chow": _chow,
    "circul": _circul,
    "compar": _compar,
    "fiedler": _fiedler,
    "frank": _frank,
    "gcdmat": by_index(lambda i, j, n: np.gcd(i.astype(int), j.astype(int)) * 1.0),
    "invhess": _invhess,
    "invol": _invol,
    "ipjfact": _ipjfact,
    "kahan": _kahan,
    "kms": _kms,
    "lehmer": by_index(lambda i, j, n: np.minimum(i, j) / np.maximum(i, j)),
    "lotkin": by_index(_lotkin),
    "minij": by_index(lambda i, j, n: np.minimum(i, j)),
    "moler": _moler,
    "orthog": _orthog,
    "parter": by_index(lambda i, j, n: 1 / (i - j + 0.5)),
    "pei": _pei,
    "prolate": _prolate,
    "redheff": by_index(lambda i, j, n: ((j == 1) | (j % i == 0)) * 1.0),
    "riemann": by_index(lambda i, j, n: np.where((j + 1) % (i + 1) == 0, i, -1.0)),
    "ris": by_index(lambda i, j, n: 0.5 / (n - i - j + 1.5)),
    "triw": _triw,
}
