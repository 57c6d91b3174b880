"""Densities, distribution functions and quantiles with a closed form, as formulas.

Parameters that make no sense give NaN, as on the host.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.accel.ir.dtypes import DType
from app.engine.capture.terms import Term, clamp, horner, is_complex, terms, value_where, where
from app.engine.values import Value, is_text_scalar

Args = tuple[Value, ...]
_ROOT_TWO = math.sqrt(2.0)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


def _gauss(z: Term) -> Term:
    return (z * z * -0.5).exp() / _ROOT_TWO_PI


def _normal_pdf(x: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, _gauss((x - m) / s) / s)


def _normal_cdf(x: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, ((m - x) / s / _ROOT_TWO).erfc() * 0.5)


def _share(p: Term) -> Term:
    """Probabilities; NaN outside 0 … 1."""
    return value_where((p >= 0.0) & (p <= 1.0), p)


def _positive(x: Term) -> Term:
    return where(x > 0.0, x, 1.0)


_NEAR = (
    (
        (
            2509.0809287301226727,
            33430.575583588128105,
            67265.770927008700853,
            45921.953931549871457,
        ),
        (13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    ),
    (
        (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867),
        (5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
    ),
)
_OUTER = (
    (
        (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177),
        (1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055),
        (4.6303378461565452959, 1.42343711074968357734),
    ),
    (
        (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966),
        (0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494),
        (2.05319162663775882187, 1.0),
    ),
)
_TAIL = (
    (
        (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386),
        (0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358),
        (5.4637849111641143699, 6.6579046435011037772),
    ),
    (
        (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5),
        (7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531),
        (0.59983220655588793769, 1.0),
    ),
)


def _ratio(x: Term, parts: tuple[tuple[tuple[float, ...], ...], ...]) -> Term:
    above, below = (horner(x, [c for row in rows for c in row]) for rows in parts)
    return above / below


def _normal_quantile(p: Term) -> Term:
    """Wichura's rational functions (Applied Statistics, AS 241): 16 digits."""
    work = p.cast(DType.F64)
    middle = work - 0.5
    near = middle * _ratio(0.180625 - middle * middle, _NEAR)
    tail = where(middle < 0.0, work, 1.0 - work)
    depth = (-clamp(_positive(tail), 0.0, 0.5).log()).root()
    far = where(depth <= 5.0, _ratio(depth - 1.6, _OUTER), _ratio(depth - 5.0, _TAIL))
    far = where(tail > 0.0, far, math.inf)
    found = where(abs(middle) <= 0.425, near, where(middle < 0.0, -far, far))
    return value_where((work >= 0.0) & (work <= 1.0), found).cast(p.dtype)


def _normal_inv(p: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, _normal_quantile(p) * s + m)


def _logn_inv(p: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, (_normal_quantile(p) * s + m).exp())


def _logn_pdf(x: Term, m: Term, s: Term) -> Term:
    safe = _positive(x)
    found = _gauss((safe.log() - m) / s) / (s * safe)
    return value_where((s > 0.0) & ~x.isnan(), where((x > 0.0) & x.isfinite(), found, 0.0))


def _logn_cdf(x: Term, m: Term, s: Term) -> Term:
    found = _normal_cdf(_positive(x).log(), m, s)
    return value_where((s > 0.0) & ~x.isnan(), where(x > 0.0, found, 0.0))


def _exp_pdf(x: Term, mu: Term) -> Term:
    return value_where((mu > 0.0) & ~x.isnan(), where(x >= 0.0, (-x / mu).exp() / mu, 0.0))


def _exp_cdf(x: Term, mu: Term) -> Term:
    return value_where((mu > 0.0) & ~x.isnan(), where(x >= 0.0, -(-x / mu).expm1(), 0.0))


def _minus_log1p(p: Term) -> Term:
    """``-log(1-p)`` of probabilities."""
    inside = (p >= 0.0) & (p <= 1.0)
    return value_where(inside, Term((-(-where(inside, p, 0.5)).log1p()).node))


def _exp_inv(p: Term, mu: Term) -> Term:
    return value_where(mu > 0.0, _minus_log1p(p) * mu)


def _unif_pdf(x: Term, a: Term, b: Term) -> Term:
    found = where((x >= a) & (x <= b), 1 / (b - a), 0.0)
    return value_where((b > a) & ~x.isnan(), found)


def _unif_cdf(x: Term, a: Term, b: Term) -> Term:
    share = (x - a) / (b - a)
    found = where(x <= a, 0.0, where(x >= b, 1.0, share))
    return value_where((b > a) & ~x.isnan(), found)


def _unif_inv(p: Term, a: Term, b: Term) -> Term:
    return value_where(b > a, _share(p) * (b - a) + a)


def _rayl_pdf(x: Term, b: Term) -> Term:
    z = x / b
    found = where((x >= 0.0) & x.isfinite(), z * (z * z * -0.5).exp() / b, 0.0)
    return value_where((b > 0.0) & ~x.isnan(), found)


def _rayl_cdf(x: Term, b: Term) -> Term:
    z = x / b
    return value_where((b > 0.0) & ~x.isnan(), where(x >= 0.0, -(z * z * -0.5).expm1(), 0.0))


def _rayl_inv(p: Term, b: Term) -> Term:
    return value_where(b > 0.0, (_minus_log1p(p) * 2.0).root() * b)


def _pareto_free(power: Term) -> Term:
    """A power of a positive base: always real."""
    return Term(power.node)


def _wbl_cdf(x: Term, a: Term, b: Term) -> Term:
    ratio = _pareto_free((_positive(x) / a) ** b)
    return value_where((a > 0.0) & (b > 0.0) & ~x.isnan(), where(x > 0.0, -(-ratio).expm1(), 0.0))


def _wbl_pdf(x: Term, a: Term, b: Term) -> Term:
    safe = where((x > 0.0) & x.isfinite(), x, 1.0)
    ratio = _pareto_free((safe / a) ** b)
    found = ratio * (-ratio).exp() * b / safe
    at_zero = where(b.eq(1.0), 1 / a, where(b < 1.0, math.inf, 0.0))
    inner = where((x > 0.0) & x.isfinite(), found, where(x.eq(0.0), at_zero, 0.0))
    return value_where((a > 0.0) & (b > 0.0) & ~x.isnan(), inner)


def _wbl_inv(p: Term, a: Term, b: Term) -> Term:
    return value_where((a > 0.0) & (b > 0.0), _pareto_free(_minus_log1p(p) ** (1 / b)) * a)


def _ev_pdf(x: Term, m: Term, s: Term) -> Term:
    z = (x - m) / s
    found = where(x.isfinite(), (z - z.exp()).exp() / s, 0.0)
    return value_where((s > 0.0) & ~x.isnan(), found)


def _ev_cdf(x: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, -(-((x - m) / s).exp()).expm1())


def _ev_inv(p: Term, m: Term, s: Term) -> Term:
    return value_where(s > 0.0, Term(_minus_log1p(p).log().node) * s + m)


def _geo_cdf(x: Term, p: Term) -> Term:
    inside = (p > 0.0) & (p <= 1.0)
    base = Term((-where(inside, p, 0.5)).log1p().node)
    exponent = (x.floor() + 1.0) * base
    return value_where(inside & ~x.isnan(), where(x >= 0.0, -exponent.expm1(), 0.0))


def _unid_pdf(x: Term, n: Term) -> Term:
    inside = (x >= 1.0) & (x <= n) & x.floor().eq(x)
    return value_where((n >= 1.0) & n.floor().eq(n) & ~x.isnan(), where(inside, 1 / n, 0.0))


def _unid_cdf(x: Term, n: Term) -> Term:
    found = where(x < 1.0, 0.0, where(x >= n, 1.0, x.floor() / n))
    return value_where((n >= 1.0) & n.floor().eq(n) & ~x.isnan(), found)


_FORMULAS: dict[str, Callable[..., Term]] = {
    "normpdf": _normal_pdf,
    "normcdf": _normal_cdf,
    "norminv": _normal_inv,
    "lognpdf": _logn_pdf,
    "logncdf": _logn_cdf,
    "logninv": _logn_inv,
    "exppdf": _exp_pdf,
    "expcdf": _exp_cdf,
    "expinv": _exp_inv,
    "unifpdf": _unif_pdf,
    "unifcdf": _unif_cdf,
    "unifinv": _unif_inv,
    "raylpdf": _rayl_pdf,
    "raylcdf": _rayl_cdf,
    "raylinv": _rayl_inv,
    "wblpdf": _wbl_pdf,
    "wblcdf": _wbl_cdf,
    "wblinv": _wbl_inv,
    "evpdf": _ev_pdf,
    "evcdf": _ev_cdf,
    "evinv": _ev_inv,
    "geocdf": _geo_cdf,
    "unidpdf": _unid_pdf,
    "unidcdf": _unid_cdf,
}


def distribution_value(
    name: str, parameters: int, defaults: tuple[float, ...], args: Args, nargout: int
) -> Any:
    """A density, distribution function or quantile of real floats."""
    if nargout > 1 or any(is_text_scalar(v) for v in args) or len(args) > parameters + 1:
        return NotImplemented
    missing = parameters + 1 - len(args)
    if missing > len(defaults):
        return NotImplemented
    found = terms((*args, *(float(d) for d in defaults[len(defaults) - missing :])))
    if found is NotImplemented or any(map(is_complex, found)):
        return NotImplemented
    sizes = {t.shape for t in found if t.size > 1}
    return NotImplemented if len(sizes) > 1 else _FORMULAS[name](*found)
