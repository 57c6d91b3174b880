"""Famous matrices: magic, Hilbert, Hankel, Toeplitz, Vandermonde and their kin."""

from __future__ import annotations

from functools import partial

import numpy as np

from app import memory
from app.engine.arguments.checks import (
    NONEMPTY,
    NONNEGATIVE,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    takes,
    within,
)
from app.engine.builtins.arrays import array_forms, creation_forms, structured_forms
from app.engine.capture.lazy_limits import LONG
from app.engine.declarations.device_support import SELF, of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import cast, float_operands, saturate
from app.engine.stoppable import heeding, of_elements
from app.engine.values import Array, Value, as_array, canonical, float_of, numel
from app.errors import MatlabError

_FAMILY = "special matrices"


def _order(n: Value, name: str) -> int:
    if numel(n) != 1:
        raise MatlabError(f"MATLAB:{name}:InvalidSize", f"{name}: the order must be a scalar.")
    return max(0, int(float(as_array(n).real.flat[0])))


def _vector(v: Value) -> Array:
    return np.asarray(as_array(v)).ravel(order="F")


def _of_one_class(x: Array, y: Array) -> tuple[Array, Array]:
    """Numbers in the class that they have side by side: integers before single before double."""
    whole = next((a.dtype for a in (x, y) if a.dtype.kind in "iu"), None)
    return float_operands(x, y) if whole is None else (cast(x, whole), cast(y, whole))


@builtin(
    "magic",
    category=_FAMILY,
    signatures=("M = magic(n)",),
    cases=(
        "isequal(magic(3), [8 1 6; 3 5 7; 4 9 2])",
        "all(sum(magic(6)) == 111)",
        "trace(magic(4)) == 34",
    ),
    see=("hilb", "vander"),
)
@takes(NUMBER & NONNEGATIVE)
def magic(n: Value) -> Value:
    """Magic square: rows, columns and diagonals have equal sums.

    Odd orders use the Siamese method, multiples of four the exchange of complements, the rest
    the LUX scheme of four odd squares.
    """
    order = _order(n, "magic")
    if order == 0:
        return np.zeros((0, 0))
    if order == 2:
        return np.array([[1.0, 3.0], [4.0, 2.0]])
    even = _doubly_even_magic if order % 4 == 0 else _singly_even_magic
    square = partial(_odd_magic if order % 2 else even, order)
    return canonical(of_elements(order * order, square))


def _odd_magic(n: int) -> Array:
    j, i = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1))
    a = (i + j - (n + 3) // 2) % n
    b = (i + 2 * j - 2) % n
    return (n * a + b + 1).astype(np.float64)


def _doubly_even_magic(n: int) -> Array:
    m = np.arange(1, n * n + 1, dtype=np.float64).reshape(n, n)
    half = (np.arange(1, n + 1) % 4) // 2
    keep = half[:, None] == half[None, :]
    return np.where(keep, n * n + 1 - m, m)


def _singly_even_magic(n: int) -> Array:
    p = n // 2
    q = _odd_magic(p)
    m = np.block([[q, q + 2 * p * p], [q + 3 * p * p, q + p * p]])
    k = (n - 2) // 4
    columns = [*range(k), *range(n - k + 1, n)]
    top = m[:p, columns].copy()
    m[:p, columns] = m[p:, columns]
    m[p:, columns] = top
    middle = k
    for column in (0, k):
        m[middle, column], m[middle + p, column] = m[middle + p, column], m[middle, column]
    return m


@builtin(
    "spiral",
    category=_FAMILY,
    signatures=("S = spiral(n)",),
    cases=(
        "isequal(spiral(3), [7 8 9; 6 1 2; 5 4 3])",
        "isequal(spiral(4), [7 8 9 10; 6 1 2 11; 5 4 3 12; 16 15 14 13])",
        "isequal(spiral(1), 1) && isempty(spiral(0))",
    ),
    see=("magic",),
)
@takes(NUMBER & NONNEGATIVE)
def spiral(n: Value) -> Value:
    """The numbers 1 to ``n^2`` in a spiral that turns clockwise out of the middle."""
    order = _order(n, "spiral")
    found = np.zeros((order, order))
    for k in heeding(range(order)):  # a row and a column more: below and right, or above and left
        column = np.arange(k * k + 1.0, k * k + k + 1.0)
        row = np.arange(k * k + k + 1.0, (k + 1.0) ** 2 + 1.0)
        first = (order - k - (k % 2 == 0)) // 2  # so many rows above, and columns, come later
        if k % 2:
            found[first : first + k, first + k] = column
            found[first + k, first : first + k + 1] = row[::-1]
        else:
            found[first, first : first + k + 1] = row
            found[first + 1 : first + 1 + k, first] = column[::-1]
    return canonical(found)


@builtin(
    "hilb",
    category=_FAMILY,
    device=SELF,
    signatures=("H = hilb(n)",),
    cases=("isequal(hilb(2), [1 1/2; 1/2 1/3])",),
    see=("invhilb",),
)
@takes(NUMBER & WHOLE)
def hilb(n: Value) -> Value:
    """Hilbert matrix, ``H(i,j) = 1/(i+j-1)``: a famous badly conditioned matrix."""
    order = _order(n, "hilb")
    if order * order >= LONG:
        lazy = creation_forms.hilbert(order)
        if lazy is not NotImplemented:
            return lazy
    i = np.arange(1, order + 1, dtype=np.float64)
    return canonical(1.0 / (i[:, None] + i[None, :] - 1.0))


@builtin(
    "invhilb",
    category=_FAMILY,
    signatures=("H = invhilb(n)",),
    cases=("isequal(invhilb(2), [4 -6; -6 12])",),
    see=("hilb",),
)
@takes(NUMBER & WHOLE)
def invhilb(n: Value) -> Value:
    """Exact inverse of the Hilbert matrix, from its closed form in binomials."""
    from math import comb

    m = _order(n, "invhilb")
    result = np.zeros((m, m))
    for i in range(1, m + 1):
        for j in range(1, m + 1):
            value = (i + j - 1) * comb(m + i - 1, m - j) * comb(m + j - 1, m - i)
            result[i - 1, j - 1] = (-1) ** (i + j) * value * comb(i + j - 2, i - 1) ** 2
    return canonical(result)


@builtin(
    "vander",
    category=_FAMILY,
    signatures=("A = vander(v)",),
    device=term_form(array_forms.vander),
    cases=(
        "isequal(vander([1 2 3]), [1 1 1; 4 2 1; 9 3 1])",
        "isa(vander(single([1 2])), 'single')",
    ),
    see=("polyfit",),
)
@takes(NUMBERS & VECTOR)
def vander(v: Value) -> Value:
    """Vandermonde matrix: the columns are falling powers of the vector."""
    x = _vector(v)
    whole = x.dtype.kind in "biu"
    powers = np.vander(x.astype(np.float64)) if whole else np.vander(x).astype(x.dtype)
    return canonical(saturate(powers, x.dtype) if x.dtype.kind in "iu" else powers)


@builtin(
    "toeplitz",
    words="",
    category=_FAMILY,
    signatures=("T = toeplitz(c, r)", "T = toeplitz(r)"),
    device=of_resident(structured_forms.toeplitz),
    cases=(
        "isequal(toeplitz([1 2 3]), [1 2 3; 2 1 2; 3 2 1])",
        "isequal(toeplitz([1 2],[1 5 6]), [1 5 6; 2 1 5])",
    ),
    see=("hankel",),
)
@takes(VECTOR, VECTOR)
def toeplitz(c: Value, r: Value | None = None) -> Value:
    """Toeplitz matrix: constant along diagonals, from its first column and first row."""
    column = _vector(c)
    row = column if r is None else _vector(r)
    if r is None and np.iscomplexobj(column):
        column = np.conj(column)
        column[:1] = np.conj(column[:1])
    column, row = _of_one_class(column, row)
    values = np.concatenate([column[::-1], row[1:]])
    i, j = np.arange(column.size), np.arange(row.size)
    return canonical(values[column.size - 1 - i[:, None] + j[None, :]])


@builtin(
    "hankel",
    words="",
    category=_FAMILY,
    signatures=("H = hankel(c, r)", "H = hankel(c)"),
    device=of_resident(structured_forms.hankel),
    cases=(
        "isequal(hankel([1 2 3]), [1 2 3; 2 3 0; 3 0 0])",
        "isequal(hankel([1 2],[2 7 8]), [1 2 7; 2 7 8])",
    ),
    see=("toeplitz",),
)
@takes(VECTOR, VECTOR)
def hankel(c: Value, r: Value | None = None) -> Value:
    """Hankel matrix: constant along anti-diagonals, from first column and last row."""
    column = _vector(c)
    row = np.zeros_like(column) if r is None else _vector(r)
    values = np.concatenate([*_of_one_class(column, row[1:])])
    return canonical(values[np.arange(column.size)[:, None] + np.arange(row.size)[None, :]])


@builtin(
    "pascal",
    category=_FAMILY,
    signatures=("P = pascal(n)", "P = pascal(n, k)"),
    cases=("isequal(pascal(3), [1 1 1; 1 2 3; 1 3 6])",),
    see=("hilb",),
)
@takes(NUMBER, NUMBER & within(-1, 2))
def pascal(n: Value, kind: Value = 0.0) -> Value:
    """Pascal's triangle as a symmetric matrix; ``pascal(n,1)`` its Cholesky factor, signed."""
    m = _order(n, "pascal")
    lower = np.zeros((m, m))
    if m:
        lower[:, 0] = 1.0
    for i in range(1, m):
        lower[i, 1:] = lower[i - 1, 1:] + lower[i - 1, :-1]
    signed = lower * (-1.0) ** np.arange(m)[None, :]
    choice = int(float_of(kind))
    if choice == 0:
        return canonical(lower @ lower.T)
    if choice == 1:
        return canonical(signed)
    if choice == 2:
        turned = np.rot90(signed, 3)
        return canonical(turned if m % 2 else -turned)
    return canonical(lower)


@builtin(
    "rosser",
    category=_FAMILY,
    signatures=("A = rosser()",),
    cases=("isequal(size(rosser()), [8 8])", "issymmetric(rosser())"),
    see=("wilkinson",),
)
def rosser() -> Value:
    """Rosser's symmetric 8x8 eigenvalue test matrix."""
    rows = [
        [611, 196, -192, 407, -8, -52, -49, 29],
        [196, 899, 113, -192, -71, -43, -8, -44],
        [-192, 113, 899, 196, 61, 49, 8, 52],
        [407, -192, 196, 611, 8, 44, 59, -23],
        [-8, -71, 61, 8, 411, -599, 208, 208],
        [-52, -43, 49, 44, -599, 411, 208, 208],
        [-49, -8, 8, 59, 208, 208, 99, -911],
        [29, -44, 52, -23, 208, 208, -911, 99],
    ]
    return np.array(rows, dtype=np.float64)


@builtin(
    "wilkinson",
    category=_FAMILY,
    signatures=("W = wilkinson(n)",),
    cases=("isequal(wilkinson(3), [1 1 0; 1 0 1; 0 1 1])",),
    see=("rosser",),
)
@takes(NUMBER & WHOLE & NONNEGATIVE)
def wilkinson(n: Value) -> Value:
    """Wilkinson's tridiagonal eigenvalue test matrix."""
    m = _order(n, "wilkinson")
    main = np.abs(np.arange(m) - (m - 1) / 2)
    off = np.ones(max(m - 1, 0))
    return canonical(np.diag(main) + np.diag(off, 1)[:m, :m] + np.diag(off, -1)[:m, :m])


@builtin(
    "hadamard",
    category=_FAMILY,
    signatures=("H = hadamard(n)",),
    cases=(
        "isequal(hadamard(4)*hadamard(4)', 4*eye(4))",
        "isequal(hadamard(12)*hadamard(12)', 12*eye(12))",
    ),
    see=("hankel",),
)
@takes(NUMBER & WHOLE & POSITIVE)
def hadamard(n: Value) -> Value:
    """Hadamard matrix of order n, where n, n/12 or n/20 is a power of two.

    Sylvester doubling from the orders 1, 12 and 20 (Paley's construction).
    """
    m = _order(n, "hadamard")
    for start in (1, 12, 20):
        quotient, rest = divmod(m, start)
        if m and rest == 0 and quotient & (quotient - 1) == 0:
            memory.require_array((m, m), np.dtype(float).itemsize)
            h = np.ones((1, 1)) if start == 1 else _paley(start)
            while h.shape[0] < m:
                h = np.block([[h, h], [h, -h]])
            return canonical(h)
    text = "n must be an integer and n, n/12 or n/20 must be a power of 2."
    raise MatlabError("MATLAB:hadamard:InvalidInput", text)


def _paley(order: int) -> Array:
    q = order - 1
    squares = {(k * k) % q for k in range(1, q)}
    character = np.array([0] + [1 if k in squares else -1 for k in range(1, q)], dtype=np.float64)
    jacobsthal = character[(np.arange(q)[None, :] - np.arange(q)[:, None]) % q]
    h = np.ones((order, order))
    h[1:, 1:] = jacobsthal + np.eye(q)
    h[1:, 0] = -1.0
    return h


@builtin(
    "compan",
    category=_FAMILY,
    signatures=("A = compan(p)",),
    cases=("isequal(compan([1 2 3]), [-2 -3; 1 0])",),
    see=("roots", "poly"),
)
@takes(NUMBERS & VECTOR & NONEMPTY)
def compan(p: Value) -> Value:
    """Companion matrix: its eigenvalues are the roots of the polynomial."""
    c = _vector(p)
    c = c if c.dtype.kind in "fc" else c.astype(np.float64)
    if c.size < 2:
        return np.zeros((0, 0))
    result = np.eye(c.size - 1, k=-1, dtype=c.dtype)
    result[0, :] = -c[1:] / c[0]
    return canonical(result)
