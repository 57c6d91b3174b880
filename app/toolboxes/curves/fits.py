"""``fit``, ``fittype`` and ``fitoptions``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    is_cell,
    is_struct,
    numel,
    text_of,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.curves.fit_objects import Fitted, FitType
from app.toolboxes.curves.fit_types import Options, model_of, option_named
from app.toolboxes.curves.models import (
    INTERPOLANTS,
    Model,
    start_of,
)

_FAMILY = "interpolation"


@builtin(
    "fit",
    category=_FAMILY,
    least=3,
    signatures=(
        "f = fit(x, y, model)",
        "f = fit([x y], z, model)",
        "[f, gof, output] = fit(x, y, model, options)",
        "f = fit(x, y, model, name, value, ...)",
    ),
    cases=(
        "f = fit((0:3)', [1; 3; 5; 7], 'poly1'); abs(f.p1 - 2) < 1e-12",
        "x = (0:0.1:2)'; f = fit(x, 3*exp(-2*x), 'exp1'); abs(f.b + 2) < 1e-6",
        "x = (1:9)'; f = fit(x, 2*x.^1.5, 'a*x^b', 'StartPoint', [1 1]); abs(f(4)-16) < 1e-6",
        "[f, g] = fit((0:3)', [1; 3; 5; 7], 'poly1'); abs(g.rsquare - 1) < 1e-12",
    ),
    see=("fittype", "polyfit", "lsqcurvefit", "fitoptions"),
)
def fit(ctx: CallContext, x: Value, y: Value, model: Value, *args: Value) -> Value:
    """The model that fits data best, in the least squares; ``f(x)`` evaluates it.

    The second output says how good the fit is: sse, rsquare, dfe, adjrsquare and rmse.
    """
    options: Options = dict(model.options) if isinstance(model, FitType) else {}
    rest = list(args)
    while rest and is_struct(given := rest[0]):
        del rest[0]
        options |= {k.lower(): v for k, v in given.fields.items()}
    options |= {option_named(k).lower(): v for k, v in option_pairs("fit", rest).items()}
    chosen = model.model if isinstance(model, FitType) else model_of(ctx, model, {})
    points, z, weights = _data(x, y, options, len(chosen.variables))
    if chosen.kind in INTERPOLANTS:
        made = _interpolant_fit(chosen, points, z, options)
        return made, _goodness(z - made.at(*points), z, weights, 0), Struct({})
    return _fit_results(ctx, chosen, points, z, weights, options)


def _data(x: Value, y: Value, options: Options, count: int) -> tuple[list[Array], Array, Array]:
    a, z = np.asarray(as_array(x), dtype=float), np.asarray(as_array(y), dtype=float).ravel()
    wide = a.ndim == 2 and a.shape[1] == 2 and a.shape[0] == z.size and count == 2
    points = [a[:, 0], a[:, 1]] if wide else [a.ravel(order="F")]
    if any(p.size != z.size for p in points) or len(points) != count:
        text = "X and Y must have the same number of rows, and X a column for each variable."
        raise MatlabError("curvefit:fit:sizeMismatch", text)
    if a.shape[0] == 1 and a.size > 1:
        raise MatlabError(
            "curvefit:fit:xDataMustBeColumnVector", "X must be a matrix with one or two columns."
        )
    keep = np.isfinite(z) & np.all(np.isfinite(points), axis=0)
    if not keep.all():
        raise MatlabError("curvefit:fit:infComputed", "The data must not contain NaN or Inf.")
    if "exclude" in options and numel(options["exclude"]):
        out = np.asarray(as_array(options["exclude"])).ravel()
        gone = out if out.dtype == bool else np.isin(np.arange(z.size) + 1, out)
        keep &= ~gone
    w = (
        np.ones(z.size)
        if "weights" not in options or not numel(options["weights"])
        else (np.asarray(as_array(options["weights"]), dtype=float).ravel())
    )
    return [p[keep] for p in points], z[keep], w[keep]


def _interpolant_fit(model: Model, points: list[Array], z: Array, options: Options) -> Fitted:
    from scipy import interpolate

    x = points[0]
    order = np.argsort(x, kind="stable")
    x, z = x[order], z[order]
    if np.any(np.diff(x) == 0):
        x, place = np.unique(x, return_inverse=True)
        z = np.bincount(place, z) / np.bincount(place)
    makers: dict[str, Callable[[], Any]] = {
        "nearestinterp": lambda: interpolate.interp1d(x, z, "nearest", fill_value="extrapolate"),
        "linearinterp": lambda: interpolate.interp1d(x, z, fill_value="extrapolate"),
        "pchipinterp": lambda: interpolate.PchipInterpolator(x, z),
        "smoothingspline": lambda: _smoothing(x, z, options),
    }
    curve = makers.get(model.kind, lambda: interpolate.CubicSpline(x, z))()
    return Fitted(model, np.zeros(0), [], None, 0, lambda p: np.asarray(curve(p)))


def _smoothing(x: Array, z: Array, options: Options) -> Any:
    """``p`` times the squares of the errors plus ``1 - p`` times those of the bend."""
    from scipy.interpolate import make_smoothing_spline

    gap = float(np.mean(np.diff(x)))
    p = (
        real_number(options["smoothingparam"])
        if "smoothingparam" in options
        else (1 / (1 + gap**3 / 6))
    )
    return make_smoothing_spline(x, z, lam=(1 - p) / p)


def _fit_results(
    ctx: CallContext, model: Model, points: list[Array], z: Array, weights: Array, options: Options
) -> Value:
    model.bound(ctx)
    given = _problem(model, options)
    n = len(model.coefficients)
    if z.size < n:
        text = f"Insufficient data. You need at least {n} data points to fit this model."
        raise MatlabError("curvefit:fit:insufficientData", text)
    centre = (0.0, 1.0)
    if text_of(options.get("normalize", "off")).lower() == "on":
        centre = (float(points[0].mean()), float(points[0].std(ddof=1)))
        points = [(points[0] - centre[0]) / centre[1], *points[1:]]
    low, high = (_limits(options.get(k), n, d) for k, d in (("lower", -np.inf), ("upper", np.inf)))
    root = np.sqrt(weights)
    if model.linear and not np.isfinite(low).any() and not np.isfinite(high).any():
        values, slopes = _linear_solution(model, points, z, root)
    else:
        values, slopes = _search(ctx, model, given, points, z, root, (low, high), options)
    freedom = z.size - n
    assert model.call is not None
    rest = z - model.call(*values, *given, *points)
    noise = float(np.sum(weights * rest**2)) / max(freedom, 1)
    spread = stoppable.pinv(slopes.T @ slopes) * noise
    made = Fitted(model, values, given, spread, freedom, centre=centre)
    made.noise = noise
    output = Struct(
        {
            "numobs": float(z.size),
            "numparam": float(n),
            "residuals": column(rest),
            "Jacobian": canonical(slopes),
            "exitflag": 1.0,
        }
    )
    return made, _goodness(rest, z, weights, n), output


def _problem(model: Model, options: Options) -> list[float]:
    given = options.get("problem")
    if given is None:
        values = []
    elif is_cell(given):
        values = [real_number(v) for v in given.items()]
    else:
        values = np.asarray(as_array(given), dtype=float).ravel().tolist()
    if len(values) != len(model.problem):
        text = f"The model needs values of {len(model.problem)} problem parameters."
        raise MatlabError("curvefit:fit:wrongNumProblemArgs", text)
    return values


def _limits(v: Value | None, n: int, default: float) -> Array:
    made = np.full(n, default)
    if v is not None and numel(v):
        flat = np.asarray(as_array(v), dtype=float).ravel()
        made[: flat.size] = flat if flat.size > 1 or n == 1 else flat[0]
    return made


def _linear_solution(
    model: Model, points: list[Array], z: Array, root: Array
) -> tuple[Array, Array]:
    assert model.call is not None
    table = np.column_stack(
        [model.call(*unit, *points) for unit in np.eye(len(model.coefficients))]
    )
    weighted = table * root[:, None]
    return stoppable.lstsq(weighted, z * root, rcond=None)[0], weighted


def _search(
    ctx: CallContext,
    model: Model,
    given: list[float],
    points: list[Array],
    z: Array,
    root: Array,
    limits: tuple[Array, Array],
    options: Options,
) -> tuple[Array, Array]:
    from scipy.optimize import least_squares

    call = model.call
    assert call is not None
    n = len(model.coefficients)
    if "startpoint" in options and numel(options["startpoint"]):
        start = np.asarray(as_array(options["startpoint"]), dtype=float).ravel()
    else:
        start = start_of(
            model,
            points[0] if len(points) == 1 else np.array(points),
            z,
            lambda k: np.array([stream_of(ctx).one("uniform") for _ in range(k)]),
        )
    if start.size != n:
        text = f"The start point must have {n} elements, one for each coefficient."
        raise MatlabError("curvefit:fit:wrongNumStartPoints", text)
    inside = np.clip(start, limits[0], limits[1])

    def rest(p: Array) -> Array:
        value = (call(*p, *given, *points) - z) * root
        if not np.all(np.isfinite(value)) or np.iscomplexobj(value):
            text = "Inf, NaN or a complex value was computed by the model."
            raise MatlabError("curvefit:fit:infComputed", text)
        return np.asarray(value)

    found = least_squares(
        rest,
        inside,
        bounds=limits,
        x_scale="jac",
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        max_nfev=2000,
    )
    return found.x, found.jac


def _goodness(rest: Array, z: Array, weights: Array, n: int) -> Value:
    sse = float(np.sum(weights * rest**2))
    mean = np.sum(weights * z) / np.sum(weights)
    total = float(np.sum(weights * (z - mean) ** 2))
    freedom = z.size - n
    share = 1 - sse / total if total else np.nan
    return Struct(
        {
            "sse": sse,
            "rsquare": float(share),
            "dfe": float(freedom),
            "adjrsquare": float(1 - (1 - share) * (z.size - 1) / freedom) if freedom else np.nan,
            "rmse": float(np.sqrt(sse / freedom)) if freedom else np.nan,
        }
    )
