"""Interpolation and polynomial fits: interp1, interp2, polyfit, polyval."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from app.accel.numerics import cubic_pieces
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    FLOATS,
    NONNEGATIVE,
    NUMBERS,
    SCALAR,
    WHOLE,
    element_count,
    enough,
    takes,
    unknown_option,
)
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.calculus import fit_forms, interpolation_forms, polynomials
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands
from app.engine.operators.linear_solves import Warnings, best_fit
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "interpolation"


def _parsed_arguments(args: tuple[Value, ...]) -> tuple[list[Array], list[str], Value]:
    """Arrays, option words, and the extrapolation value (None for none)."""
    arrays, words = [], []
    extrapolate: Value = None
    seen_text = False
    for v in args:
        if is_text_scalar(v):
            words.append(text_of(v).lower().lstrip("*"))
            seen_text = True
        elif seen_text:
            extrapolate = v
        else:
            arrays.append(as_array(v))
    return arrays, words, extrapolate


@builtin(
    "interp1",
    most=6,
    words="linear nearest next previous pchip cubic v5cubic spline makima extrap pp left "
    "right *linear *nearest *cubic *spline *pchip *next *previous",
    least=2,
    category=_FAMILY,
    signatures=(
        "vq = interp1(x, v, xq)",
        "vq = interp1(v, xq)",
        "vq = interp1(x, v, xq, method)",
        "vq = interp1(x, v, xq, method, extrapolation)",
    ),
    device=of_resident(interpolation_forms.interp1_form(polynomials.smooth_pieces)),
    cases=(
        "interp1([1 2 3], [10 20 30], 2.5) == 25",
        "isnan(interp1([1 2], [1 2], 3))",
        "interp1([1 2], [1 2], 3, 'linear', 'extrap') == 3",
        "interp1([1 2 3], [1 4 9], 1.4, 'nearest') == 1",
    ),
    see=("interp2", "polyfit", "spline"),
)
def interp1(ctx: CallContext, *args: Value) -> Value:
    """Interpolation in one dimension: linear, nearest, next, previous, pchip, cubic, spline.

    In Octave's dialect a point that comes twice is a jump; there the value from the right counts,
    or with ``'left'`` the one from the left.
    """
    arrays, words, fill = _parsed_arguments(args)
    if len(arrays) == 4:
        fill = arrays.pop()
    enough(arrays, 1 if "pp" in words else 2)
    if "pp" in words:
        arrays.append(arrays[-1])
    if len(arrays) == 2:
        v, xq = arrays
        count = v.size if 1 in v.shape else v.shape[0]
        x = np.arange(1.0, count + 1)
    else:
        x, v, xq = arrays[0].ravel(), arrays[1], arrays[-1]
    sides = [w for w in words if w in ("left", "right")]
    octave = getattr(ctx.settings, "octave", False)
    if sides and not octave:
        raise unknown_option("interp1", sides[0], "linear nearest next previous pchip cubic spline")
    words = [w for w in words if w not in sides]
    method = next((w for w in words if w not in ("extrap", "pp")), "linear")
    if octave and method == "cubic":  # MATLAB's cubic is a convolution, Octave's keeps the shape
        method = "pchip"
    if "pp" in words:
        return _piecewise(method, x, v)
    smooth = method in ("spline", "pchip", "cubic", "makima")
    beyond = "extrap" in words or (smooth and fill is None)
    columns = v.reshape(-1, 1) if 1 in v.shape else v.reshape(v.shape[0], -1)
    if x.size != columns.shape[0]:
        which = "YVectorInvalidNumRows" if 1 in v.shape else "YInvalidNumRows"
        raise MatlabError(f"MATLAB:interp1:{which}", "X and V must be of the same length.")
    order = np.argsort(x, kind="stable")
    x, columns = x[order].astype(np.float64), columns[order]
    jumps = octave and method == "linear" and bool((np.diff(x) == 0).any())
    if not jumps:
        _check_points(x)
    flat = xq.ravel(order="F").astype(np.float64)
    if jumps:
        k, share = cells(x, flat, "left" if "left" in sides else "right")
        result = straight_line(columns[k], columns[k + 1], share[:, None])
    else:
        result = evaluate(method, x, columns, flat)
    outside = (flat < x[0]) | (flat > x[-1]) | np.isnan(flat)
    if not beyond:
        result[outside] = np.nan if fill is None else as_array(fill).flat[0]
    shape = xq.shape if 1 in v.shape else (flat.size, *v.shape[1:])
    if np.float32 in (xq.dtype, v.dtype):
        result = result.astype(np.float32)
    return canonical(result.reshape(shape, order="F"))


def _piecewise(method: str, x: Array, v: Array) -> Value:
    """The interpolant as a piecewise polynomial."""
    if method in ("spline", "pchip", "cubic"):
        return polynomials.smooth_pieces(method, x, v)
    order = np.argsort(x, kind="stable")
    x, y = x[order].astype(np.float64), v.ravel(order="F")[order]
    if method == "linear":
        coefs = np.column_stack([np.diff(y) / np.diff(x), y[:-1]])
    elif method == "nearest":
        x = np.concatenate([x[:1], (x[:-1] + x[1:]) / 2, x[-1:]])
        coefs = y.reshape(-1, 1)
    elif method in ("previous", "next"):
        coefs = (y[:-1] if method == "previous" else y[1:]).reshape(-1, 1)
    else:
        raise MatlabError("MATLAB:interp1:InvalidMethod", f"Invalid method '{method}'.")
    return polynomials.mkpp(canonical(x.reshape(1, -1)), canonical(coefs))


def _check_points(x: Array) -> None:
    if x.size < 2:
        text = "Interpolation requires at least two sample points for each grid dimension."
        raise MatlabError("MATLAB:griddedInterpolant:DegenerateGridErrId", text)
    if np.isnan(x).any():
        raise MatlabError("MATLAB:interp1:NaNinX", "NaN is not an appropriate value for X.")
    if (np.diff(x) == 0).any():
        text = "Sample points must be unique."
        raise MatlabError("MATLAB:griddedInterpolant:NonUniqueCompVecsPtsErrId", text)


def evaluate(method: str, x: Array, v: Array, xq: Array) -> Array:
    """Columns of ``v`` at ``x``, interpolated at ``xq``; the end pieces go on beyond the ends."""
    if method in ("pchip", "cubic", "makima", "spline"):
        return _smooth(method, x, v, xq)
    if method != "linear":
        return np.array(v[nearby(method, x, xq)], dtype=np.result_type(v, np.float32))
    k, share = cells(x, xq)
    return straight_line(v[k], v[k + 1], share[:, None])


def cells(x: Array, xq: Array, side: Literal["left", "right"] = "right") -> tuple[Array, Array]:
    """The cell of a grid line that each point is in, the end cells beyond the ends, and how far.

    A point of the grid line is in the cell on its ``side``. The share is 0 at the cell's first
    point and 1 at its last; NaN for a NaN.
    """
    k = np.clip(np.searchsorted(x, xq, side=side) - 1, 0, x.size - 2)
    width = x[k + 1] - x[k]
    share = (xq - x[k]) / np.where(width == 0, 1.0, width)
    return k, np.where(width == 0, (xq > x[k]).astype(np.float64), share)


def straight_line(low: Array, high: Array, share: Array) -> Array:
    """The straight line from ``low`` to ``high``, which it meets exactly."""
    low, high = (a.astype(np.float64) if a.dtype == np.bool_ else a for a in (low, high))
    return np.asarray(np.where(share == 1, high, low + share * (high - low)))


def nearby(method: str, x: Array, xq: Array) -> Array:
    """The place of the grid point that stands for each query; raises for other methods."""
    k, _ = cells(x, xq)
    match method:
        case "nearest":
            return np.where(xq - x[k] < x[k + 1] - xq, k, k + 1)
        case "previous":
            return np.where(xq >= x[-1], x.size - 1, k)
        case "next":
            return np.where(xq <= x[k], k, k + 1)
    raise MatlabError("MATLAB:interp1:InvalidMethod", f"Invalid method '{method}'.")


def _smooth(method: str, x: Array, v: Array, xq: Array) -> Array:
    if v.dtype.kind == "c":
        parts = (_smooth(method, x, p, xq) for p in (v.real, v.imag))
        return np.asarray(next(parts) + 1j * next(parts))
    if not np.isfinite(v).all():
        keep = np.isfinite(v).all(axis=1)
        return _smooth(method, x[keep], v[keep], xq)
    if method == "spline":
        if x.size == 2:
            return evaluate("linear", x, v, xq)
        if x.size == 3:
            from scipy import interpolate

            bend = interpolate.BarycentricInterpolator(x, v)
            return np.asarray(bend(xq))
        return cubic_pieces.cubic_spline(x, v)(xq)
    if method == "makima":
        from scipy import interpolate

        return np.asarray(interpolate.Akima1DInterpolator(x, v, method="makima")(xq))
    return cubic_pieces.pchip(x, v)(xq)


@builtin(
    "interp1q",
    category=_FAMILY,
    signatures=("vq = interp1q(x, v, xq)",),
    cases=("interp1q([1; 2], [1; 2], 1.5) == 1.5",),
    see=("interp1",),
)
def interp1q(ctx: CallContext, x: Value, v: Value, xq: Value) -> Value:
    """Linear interpolation (old name)."""
    return interp1(ctx, x, v, xq)


# --- polynomials ------------------------------------------------------------------------------


@builtin(
    "polyfit",
    category="polynomials",
    signatures=(
        "p = polyfit(x, y, n)",
        "[p, S] = polyfit(x, y, n)",
        "[p, S, mu] = polyfit(x, y, n)",
    ),
    device=of_resident(fit_forms.polyfit),
    cases=(
        "norm(polyfit([1 2 3], [2 4 6], 1) - [2 0]) < 1e-13",
        "abs(polyval(polyfit(0:2000:10000, 21:-2:11, 4), 0) - 21) < 1e-6",
        "norm(polyfit(1:3, [2 4 6] * 1i, 1) - [2i 0]) < 1e-13",
    ),
    see=("polyval", "roots"),
)
@takes(NUMBERS, NUMBERS, NUMBERS & SCALAR & WHOLE & NONNEGATIVE)
def polyfit(x: Value, y: Value, n: Value, *, nargout: int = 1) -> Value:
    """Polynomial of degree n that fits points best in the least-squares sense."""
    if numel(x) != numel(y):
        text = "The first two inputs must have the same number of elements."
        raise MatlabError("MATLAB:polyfit:XYSizeMismatch", text)
    a, b = float_operands(as_array(x), as_array(y))
    if a.dtype.kind in "iu":
        text = "polyfit takes points in double or single precision; double(x) converts integers."
        raise MatlabError("MATLAB:polyfit:InvalidType", text)
    points, values = a.reshape(-1, order="F"), b.reshape(-1, 1, order="F")
    mu = np.array([[0.0], [1.0]])
    if nargout > 2:
        mu = np.array([[points.mean()], [points.std(ddof=1)]])
        points = (points - mu[0, 0]) / mu[1, 0]
    degree = int_of(n)
    columns = np.vander(points, degree + 1)
    if np.isfinite(columns).all() and np.isfinite(values).all():
        p, rank, upper = best_fit(columns, values)
        _warn_of_fit(points.size, degree + 1, rank, scaled=nargout > 2)
    else:
        p = np.full_like(values, np.nan, shape=(degree + 1, 1))
        upper = np.full_like(columns, np.nan, shape=(min(columns.shape), degree + 1))
    made = canonical(p.reshape(1, -1).astype(np.result_type(a, b)))
    if nargout < 2:
        return made
    left = np.linalg.norm(values - columns @ p)
    facts = Struct(
        {
            "R": canonical(upper),
            "df": float(max(0, points.size - degree - 1)),
            "normr": float(left),
            "rsquared": float(1 - (left / np.linalg.norm(values - values.mean())) ** 2),
        }
    )
    return made, facts, canonical(mu)


def _warn_of_fit(points: int, coefficients: int, rank: int, scaled: bool) -> None:
    """Say that a polynomial is one of many, or hardly known."""
    if points < coefficients:
        text = "Polynomial is not unique; degree >= number of data points."
        Warnings.issue("MATLAB:polyfit:PolyNotUnique", text)
    elif rank < coefficients:
        text = "Polynomial is badly conditioned. Add points with distinct X values"
        if scaled:
            text += " or reduce the degree of the polynomial."
            Warnings.issue("MATLAB:polyfit:RepeatedPoints", text)
        else:
            text += ", reduce the degree of the polynomial, or try centering and scaling"
            text += " as described in HELP POLYFIT."
            Warnings.issue("MATLAB:polyfit:RepeatedPointsOrRescale", text)


@builtin(
    "polyval",
    words="",
    category="polynomials",
    signatures=("y = polyval(p, x)", "[y, delta] = polyval(p, x, S)", "y = polyval(p, x, [], mu)"),
    device=term_form(array_forms.polyval),
    cases=("polyval([1 2 3], 2) == 11", "isequal(polyval([1 0], [1 2]), [1 2])"),
    see=("polyfit",),
)
@takes(FLOATS, FLOATS)
def polyval(p: Value, x: Value, s: Value = EMPTY, mu: Value | None = None) -> Value:
    """Value of a polynomial, by Horner's rule."""
    if numel(p) and 1 not in size_of(p):
        raise MatlabError("MATLAB:polyval:InvalidP", "P must be a vector.")
    coefficients, points = float_operands(as_array(p).reshape(-1, order="F"), as_array(x))
    if mu is not None:
        (FLOATS & element_count(2))("polyval", 4, mu)
        centre = as_array(mu).ravel()
        points = (points - centre[0]) / centre[1]
    dtype = np.result_type(coefficients, points)
    first = coefficients[:1] if coefficients.size else np.zeros(1)
    result: Any = np.broadcast_to(first, points.shape).astype(dtype)
    for c in coefficients[1:]:
        result = result * points + c
    if not isinstance(s, Struct):
        return canonical(result)
    return canonical(result), canonical(_prediction_error(coefficients, points, s))


def _prediction_error(p: Array, points: Array, s: Struct) -> Array:
    if not {"R", "df", "normr"} <= set(s.fields):
        text = "The third input must be the struct that polyfit gave."
        raise MatlabError("MATLAB:polyval:InvalidS", text)
    columns = np.vander(points.ravel(order="F"), p.size)
    weights = columns @ np.linalg.inv(as_array(s.fields["R"]))
    spread = np.sqrt(1 + (weights**2).sum(axis=1)).reshape(points.shape, order="F")
    return np.asarray(spread * as_array(s.fields["normr"]) / np.sqrt(as_array(s.fields["df"])))
