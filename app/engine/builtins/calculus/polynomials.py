"""Polynomials as rows of coefficients, highest power first, and piecewise polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.numerics import cubic_pieces
from app.engine.arguments.checks import (
    DIM,
    FINITE,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    VECTOR,
    WHOLE,
    element_count,
    takes,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.calculus import interpolation_forms
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators import factors
from app.engine.operators.arithmetic import float_operands
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    numel,
    size_of,
)
from app.errors import MatlabError

_FAMILY = "polynomials"


def coefficients(v: Value) -> Array:
    """The elements of a value as floating numbers, one behind the other."""
    a = np.asarray(as_array(v)).ravel(order="F")
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _row(a: Array) -> Value:
    return canonical(np.asarray(a).reshape(1, -1))


def _column(a: Array) -> Value:
    return canonical(np.asarray(a).reshape(-1, 1)) if np.asarray(a).size else np.zeros((0, 1))


@builtin(
    "roots",
    category=_FAMILY,
    signatures=("r = roots(p)",),
    cases=("norm(roots([1 -3 2]) - [2; 1]) < 1e-14", "isempty(roots(5))"),
    see=("poly", "polyval"),
)
@takes(NUMBERS)
def roots(p: Value) -> Value:
    """Roots of a polynomial, as eigenvalues of its companion matrix."""
    if numel(p) and (len(size_of(p)) > 2 or 1 not in size_of(p)):
        raise MatlabError("MATLAB:roots:NonVectorInput", "Input must be a vector.")
    c = coefficients(p)
    if not np.all(np.isfinite(c)):
        text = "Input to ROOTS must not contain NaN or Inf."
        raise MatlabError("MATLAB:roots:NonFiniteInput", text)
    nonzero = np.flatnonzero(c)
    if nonzero.size == 0:
        return EMPTY
    trailing = c.size - 1 - int(nonzero[-1])
    c = c[nonzero[0] : nonzero[-1] + 1]
    found = np.zeros(0)
    if c.size > 1:
        companion = np.diag(np.ones(c.size - 2, dtype=c.dtype), -1)
        while np.isinf(c[1:] / c[0]).any():
            c = c[1:]
        companion = companion[: c.size - 1, : c.size - 1]
        companion[0, :] = -c[1:] / c[0]
        found = factors.eigenvalues(companion)
    return _column(np.concatenate([found, np.zeros(trailing)]))


@builtin(
    "poly",
    category=_FAMILY,
    signatures=("p = poly(r)", "p = poly(A)"),
    cases=("norm(poly([2 1]) - [1 -3 2]) < 1e-14", "norm(poly([1 2; 3 4]) - [1 -5 -2]) < 1e-13"),
    see=("roots", "polyval"),
)
@takes(NUMBERS)
def poly(r: Value) -> Value:
    """Polynomial with given roots, or the characteristic polynomial of a square matrix."""
    a = np.asarray(as_array(r))
    a = a.astype(np.float64) if a.dtype.kind in "bui" else a
    if a.size == 0:
        return 1.0
    square = a.ndim == 2 and a.shape[0] == a.shape[1]
    if not square and max(a.shape) != a.size:
        text = "Argument must be a vector or a square matrix."
        raise MatlabError("MATLAB:poly:InputSize", text)
    zeros = factors.eigenvalues(a) if square and a.size > 1 else a.ravel(order="F")
    zeros = zeros[np.isfinite(zeros)]
    result = np.ones_like(zeros, shape=1)
    for z in zeros:
        result = np.convolve(result, np.array([1.0, -z], dtype=zeros.dtype))
    paired = np.sort_complex(zeros[zeros.imag > 0]), np.sort_complex(np.conj(zeros[zeros.imag < 0]))
    return _row(result.real if np.array_equal(*paired) else result)


@builtin(
    "polyder",
    category=_FAMILY,
    signatures=("q = polyder(p)", "q = polyder(a, b)", "[q, d] = polyder(a, b)"),
    cases=("isequal(polyder([1 2 3]), [2 2])", "isequal(polyder([1 1], [1 2]), [2 3])"),
    see=("polyint", "polyval"),
)
@takes(NUMBERS & VECTOR & NONEMPTY, NUMBERS & VECTOR & NONEMPTY)
def polyder(a: Value, b: Value | None = None, *, nargout: int = 1) -> Value:
    """Derivative of a polynomial, of a product, or of a quotient (two outputs)."""
    p = coefficients(a)
    if b is None:
        return _row(_trim(_derivative(p)))
    p, q = float_operands(p, coefficients(b))
    if nargout < 2:
        return _row(_trim(_derivative(np.convolve(p, q))))
    top = np.polysub(np.convolve(_derivative(p), q), np.convolve(p, _derivative(q)))
    return _row(_trim(top)), _row(_trim(np.convolve(q, q)))


def _derivative(p: Array) -> Array:
    powers = np.arange(p.size - 1, 0, -1).astype(p.real.dtype)
    return np.zeros_like(p, shape=1) if p.size < 2 else p[:-1] * powers


def _trim(p: Array) -> Array:
    kept = np.flatnonzero(p)
    return p[kept[0] :] if kept.size else np.zeros_like(p, shape=1)


@builtin(
    "polyreduce",
    category=_FAMILY,
    signatures=("q = polyreduce(p)",),
    cases=("isequal(polyreduce([0 0 1 2]), [1 2])", "isequal(polyreduce([0 0]), 0)"),
    see=("poly", "polyval"),
)
@takes(NUMBERS & VECTOR & NONEMPTY)
def polyreduce(p: Value) -> Value:
    """A polynomial without its leading zeros (Octave's)."""
    made = _trim(coefficients(p))
    return canonical(made.reshape((-1, 1) if size_of(p)[1] == 1 else (1, -1)))


@builtin(
    "polyint",
    words="",
    category=_FAMILY,
    signatures=("q = polyint(p)", "q = polyint(p, k)"),
    cases=("isequal(polyint([2 2]), [1 2 0])", "isequal(polyint([2 2], 5), [1 2 5])"),
    see=("polyder",),
)
@takes(NUMBERS & VECTOR)
def polyint(p: Value, k: Value = 0.0) -> Value:
    """Integral of a polynomial with integration constant k."""
    c = coefficients(p)
    return _row(np.concatenate([c / np.arange(c.size, 0, -1), coefficients(k)]))


@builtin(
    "polyvalm",
    category=_FAMILY,
    signatures=("Y = polyvalm(p, A)",),
    cases=("isequal(polyvalm([1 0 0], [1 1; 0 1]), [1 2; 0 1])",),
    see=("polyval",),
)
def polyvalm(p: Value, a: Value) -> Value:
    """Polynomial of a square matrix, by Horner's rule in matrix products."""
    x = np.asarray(as_array(a))
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        raise MatlabError("MATLAB:polyvalm:NonSquareMatrix", "Matrix must be square.")
    result = np.zeros(x.shape)
    for c in coefficients(p):
        result = result @ x + c * np.eye(x.shape[0])
    return canonical(result)


@builtin(
    "polygcd",
    words="",
    category=_FAMILY,
    signatures=("q = polygcd(b, a)", "q = polygcd(b, a, tol)"),
    cases=("norm(polygcd(poly([1 2]), poly([2 3])) - [1 -2]) < 1e-8",),
    see=("roots",),
)
@takes(NUMBERS & FINITE, NUMBERS & FINITE, NUMBER)
def polygcd(b: Value, a: Value, tol: Value | None = None) -> Value:
    """Greatest common divisor of two polynomials, leading coefficient one (Euclid)."""
    p, q = _trim(coefficients(b)), _trim(coefficients(a))
    limit = float(np.sqrt(np.finfo(float).eps)) if tol is None else float(coefficients(tol)[0])
    if p.size < q.size:
        p, q = q, p
    scale = np.abs(p[0] / q[0])
    limit = limit * scale * float(np.linalg.norm(q, np.inf))
    while q.size > 1 or q[0] != 0:
        _, rest = np.polydiv(p, q)
        rest = _trim(np.where(np.abs(rest) < limit, 0, rest))
        if rest.size == 1 and rest[0] == 0:
            return _row(q / q[0])
        p, q = q, rest
        if q.size == 1:
            return 1.0
    return _row(p / p[0])


@builtin(
    "mkpp",
    category=_FAMILY,
    signatures=("pp = mkpp(breaks, coefs)", "pp = mkpp(breaks, coefs, d)"),
    cases=("ppval(mkpp([0 1 2], [1 0; 1 1]), 1.5) == 1.5",),
    see=("ppval", "unmkpp", "spline"),
)
def mkpp(breaks: Value, coefs: Value, d: Value = 1.0) -> Value:
    """Piecewise polynomial from its breaks and the coefficients of its pieces."""
    edges = coefficients(breaks)
    shape = coefficients(d)
    pieces = edges.size - 1
    table = np.asarray(as_array(coefs))
    count = pieces * int(np.prod(shape))
    if pieces < 1 or count < 1 or table.size % count:
        text = "The number of coefficients does not match the breaks."
        raise MatlabError("MATLAB:mkpp:PPNumberMismatchCoeffs", text)
    table = table.reshape(count, -1, order="F")
    return Struct(
        {
            "form": "pp",
            "breaks": _row(edges),
            "coefs": canonical(table),
            "pieces": float(pieces),
            "order": float(table.shape[1]),
            "dim": _row(shape),
        }
    )


@builtin(
    "unmkpp",
    category=_FAMILY,
    signatures=("[breaks, coefs, pieces, order, dim] = unmkpp(pp)",),
    cases=("isequal(unmkpp(mkpp([0 1], [1 2])), [0 1])",),
    see=("mkpp",),
)
def unmkpp(pp: Value) -> tuple[Value, Value, Value, Value, Value]:
    """Take a piecewise polynomial apart."""
    f = _fields(pp)
    return f["breaks"], f["coefs"], f["pieces"], f["order"], f["dim"]


def _fields(pp: Value) -> dict[str, Value]:
    if isinstance(pp, Struct) and pp.fields.get("form") == "pp":
        return pp.fields
    text = "The input array does not seem to describe a pp function."
    raise MatlabError("MATLAB:unmkpp:NotPP", text)


@builtin(
    "ppval",
    category=_FAMILY,
    signatures=("v = ppval(pp, xq)",),
    device=of_resident(interpolation_forms.ppval),
    cases=("isequal(ppval(mkpp([0 1 2], [1 0; 1 1]), [0.5 1.5]), [0.5 1.5])",),
    see=("mkpp",),
)
def ppval(pp: Value, xq: Value) -> Value:
    """Evaluate a piecewise polynomial; the end pieces go on beyond the ends."""
    if not isinstance(pp, Struct):
        pp, xq = xq, pp
    f = _fields(pp)
    breaks, table = coefficients(f["breaks"]), np.asarray(as_array(f["coefs"]))
    x = np.asarray(as_array(xq), dtype=np.float64)
    flat = x.ravel(order="F")
    piece = np.clip(np.searchsorted(breaks, flat, side="right") - 1, 0, breaks.size - 2)
    offset = flat - breaks[piece]
    shape = tuple(int(n) for n in coefficients(f["dim"]))
    width = int(np.prod(shape))
    rows = table.reshape(width, breaks.size - 1, -1, order="F")[:, piece, :]
    value = rows[:, :, 0]
    for k in range(1, rows.shape[2]):
        value = value * offset + rows[:, :, k]
    if width == 1:
        return canonical(value.reshape(x.shape, order="F"))
    vector = x.size == max(x.shape, default=0)
    kept = (x.size,) if vector else x.shape
    return canonical(value.reshape((*shape, *kept), order="F"))


def piecewise(breaks: Array, coefs: Array) -> Value:
    """A scalar piecewise polynomial; ``coefs`` is pieces by order, highest power first."""
    return mkpp(_row(breaks), canonical(coefs))


def _knots(x: Value, y: Value, name: str) -> tuple[Array, Array, bool]:
    t = coefficients(x).astype(np.float64)
    values = np.asarray(as_array(y))
    rows = values.shape[0] != 1 and values.ndim == 2 and values.shape[1] != 1
    data = values.T if rows else values.ravel(order="F")
    if t.size < 2:
        text = "There should be at least two data points."
        raise MatlabError(f"MATLAB:{name}:NotEnoughPts", text)
    if data.shape[0] not in (t.size, t.size + 2):
        text = "The number of sites must match the number of values."
        raise MatlabError("MATLAB:chckxy:NumSitesMismatchValues", text)
    if data.shape[0] == t.size and not np.isfinite(data).all():
        finite = np.isfinite(data.reshape(t.size, -1)).all(axis=1)
        t, data = t[finite], data[finite]
    order = np.argsort(t, kind="stable")
    if np.any(np.diff(t[order]) == 0):
        text = "The first input must contain unique values."
        raise MatlabError("MATLAB:chckxy:RepeatedSites", text)
    if data.shape[0] == t.size:
        data = data[order]
    else:  # end slopes belong to the ends, whatever the order of the sites
        data = np.concatenate([data[:1], data[1:-1][order], data[-1:]])
    return t[order], data, rows


def _spline_object(x: Value, y: Value) -> tuple[Any, bool]:
    t, data, rows = _knots(x, y, "spline")
    ends = None
    if data.shape[0] == t.size + 2:
        ends, data = (data[0], data[-1]), data[1:-1]
    elif data.shape[0] != t.size:
        text = "The number of sites must match the number of values."
        raise MatlabError("MATLAB:chckxy:NumSitesMismatchValues", text)
    return cubic_pieces.cubic_spline(t, data, ends), rows


def _as_pp(curve: Any) -> Value:
    coefs = np.asarray(curve.c)
    if coefs.ndim == 2:
        return piecewise(curve.x, coefs.T)
    width = coefs.shape[2]
    table = coefs.transpose(2, 1, 0).reshape(width * coefs.shape[1], -1, order="F")
    return mkpp(_row(curve.x), canonical(table), float(width))


def _evaluate(curve: Any, rows: bool, xq: Value) -> Value:
    x = np.asarray(as_array(xq), dtype=np.float64)
    value = np.asarray(curve(x.ravel(order="F")))
    if rows:
        return canonical(value.T)
    return canonical(value.reshape(x.shape, order="F"))


def smooth_pieces(method: str, x: Array, v: Array) -> Value:
    """The curve through points, by ``spline`` or ``pchip``, as a piecewise polynomial."""
    make = spline if method == "spline" else pchip
    return make(canonical(x.reshape(1, -1)), canonical(v))


@builtin(
    "spline",
    category=_FAMILY,
    signatures=("s = spline(x, y, xq)", "pp = spline(x, y)"),
    device=of_resident(interpolation_forms.smooth_form("spline", smooth_pieces)),
    cases=("abs(spline(0:3, (0:3).^3, 1.5) - 1.5^3) < 1e-13",),
    see=("pchip", "ppval", "interp1"),
)
def spline(x: Value, y: Value, xq: Value | None = None) -> Value:
    """Cubic spline through points, not-a-knot ends, or given end slopes (two extra values)."""
    curve, rows = _spline_object(x, y)
    return _as_pp(curve) if xq is None else _evaluate(curve, rows, xq)


@builtin(
    "pchip",
    category=_FAMILY,
    signatures=("p = pchip(x, y, xq)", "pp = pchip(x, y)"),
    device=of_resident(interpolation_forms.smooth_form("pchip", smooth_pieces)),
    cases=("pchip([0 1 2], [0 1 1], 2) == 1", "pchip([0 1 2], [0 1 1], 1.5) <= 1"),
    see=("spline", "interp1"),
)
def pchip(x: Value, y: Value, xq: Value | None = None) -> Value:
    """Shape-preserving piecewise cubic interpolation (Fritsch-Carlson)."""
    t, data, rows = _knots(x, y, "pchip")
    curve = cubic_pieces.pchip(t, data)
    return _as_pp(curve) if xq is None else _evaluate(curve, rows, xq)


@builtin(
    "makima",
    category=_FAMILY,
    signatures=("y = makima(x, y, xq)", "pp = makima(x, y)"),
    cases=("makima([0 1 2], [0 1 2], 1.5) == 1.5",),
    see=("pchip", "spline"),
)
def makima(x: Value, y: Value, xq: Value | None = None) -> Value:
    """Modified Akima piecewise cubic interpolation."""
    from scipy.interpolate import Akima1DInterpolator

    t, data, rows = _knots(x, y, "makima")
    curve: Any = Akima1DInterpolator(t, data, method="makima", extrapolate=True)
    return _as_pp(curve) if xq is None else _evaluate(curve, rows, xq)


@builtin(
    "polyout",
    category=_FAMILY,
    signatures=("s = polyout(p, x)",),
    cases=("strcmp(polyout([1 2], 's'), '1*s^1 + 2')",),
    see=("poly",),
)
@takes(NUMBERS & VECTOR & NONEMPTY)
def polyout(p: Value, x: Value = "s") -> Value:
    """A polynomial as readable text."""
    c = coefficients(p)
    parts = [_term(value, c.size - 1 - k, str(x), k == 0) for k, value in enumerate(c)]
    return "".join(parts)


def _term(value: Any, power: int, name: str, first: bool) -> str:
    number = value.real if np.isreal(value) else value
    sign = "-" if np.isreal(value) and number < 0 else "+"
    shown = f"{abs(number):g}" if np.isreal(value) else f"({value.real:g} + {value.imag:g}i)"
    body = f"{shown}*{name}^{power}" if power else shown
    if first:
        return ("-" if sign == "-" else "") + body
    return f" {sign} {body}"


@builtin(
    "interpft",
    category=_FAMILY,
    signatures=("y = interpft(x, n)", "y = interpft(x, n, dim)"),
    cases=("numel(interpft([1 2 1 0], 8)) == 8",),
    see=("fft", "interp1"),
)
@takes(NUMBERS, NUMBER & WHOLE, DIM)
def interpft(x: Value, n: Value, dim: Value | None = None) -> Value:
    """Resample a periodic signal to n points through its Fourier transform."""
    data, count = np.asarray(as_array(x), dtype=np.float64), int_of(n)
    axis = first_axis(data.shape) if dim is None else dimension(dim)
    given = data.shape[axis]
    found = np.moveaxis(np.fft.rfft(data, axis=axis), axis, 0)
    common = min(count, given)
    kept = np.zeros((count // 2 + 1, *found.shape[1:]), found.dtype)
    kept[: common // 2 + 1] = found[: common // 2 + 1]
    if common % 2 == 0 and count != given:  # half of the highest frequency lies on either side
        kept[common // 2] *= 2.0 if count < given else 0.5
    made = np.fft.irfft(np.moveaxis(kept, 0, axis), count, axis=axis)
    return canonical(np.asarray(made * (count / given)))


@builtin(
    "polyaffine",
    category=_FAMILY,
    signatures=("g = polyaffine(f, mu)",),
    cases=("isequal(polyaffine([1 0], [1 2]), [0.5 -0.5])",),
    see=("polyfit", "polyval"),
)
@takes(NUMBERS & VECTOR, NUMBERS & element_count(2))
def polyaffine(f: Value, mu: Value) -> Value:
    """Coefficients of ``f((x - mu(1))/mu(2))``."""
    c, (shift, scale) = coefficients(f), coefficients(mu)[:2]
    result = np.zeros(1)
    for value in c:
        result = np.polyadd(np.convolve(result, [1 / scale, -shift / scale]), [value])
    padded = np.zeros(max(c.size, result.size))
    padded[padded.size - result.size :] = result
    return _row(padded[-c.size :]) if numel(f) else EMPTY
