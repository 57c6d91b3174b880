"""Single pulses and angles brought into one turn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import NUMBERS, REAL, takes
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import Formula
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError
from app.toolboxes.signal import pulse_forms

_FAMILY = "signal processing"


def declare_shape(
    name: str,
    summary: str,
    host: Callable[..., Any],
    form: Callable[..., Term],
    *cases: str,
    category: str = _FAMILY,
    width: bool = False,
) -> None:
    """Declare a function of every element, possibly with a width."""

    def call(t: Value, w: Value = 1.0) -> Value:
        (NUMBERS & REAL)(name, 1, t)
        x = as_array(t)
        x = x if x.dtype.kind == "f" else x.astype(np.float64)
        return canonical(np.asarray(host(x, as_array(w)) if width else host(x)).astype(x.dtype))

    def alone(t: Value) -> Value:
        return call(t)

    more = (f"y = {name}(t, w)",) if width else ()
    builtin(
        name,
        category=category,
        signatures=(f"y = {name}(t)", *more),
        cases=cases,
        text=summary,
        device=Formula(form),
    )(call if width else alone)


def _rectangle(x: Array, w: Array) -> Any:
    return (x >= -w / 2) & (x < w / 2)


def _triangle(x: Array, w: Array) -> Any:
    return np.maximum(1 - np.abs(x) * 2 / w, 0)


def _angle_wrap(turn: float, centred: bool) -> Callable[[Array], Any]:
    """Angles within one turn: from 0, or around 0."""

    def wrapped(a: Array) -> Any:
        if centred:
            inside = np.abs(a) <= turn / 2
            return np.where(inside, a, _positive(a + turn / 2, turn) - turn / 2)
        return _positive(a, turn)

    return wrapped


def _positive(a: Array, turn: float) -> Array:
    """Angles from 0; whole positive turns stay a whole turn."""
    found = np.mod(a, turn)
    return np.where((found == 0) & (a > 0), turn, found)


declare_shape(
    "rectpuls",
    "Rectangular pulse of width w (1) around zero.",
    _rectangle,
    pulse_forms.rectangle,
    "isequal(rectpuls([-0.5 0 0.5]), [1 1 0])",
    width=True,
)


@builtin(
    "tripuls",
    category=_FAMILY,
    signatures=("y = tripuls(t)", "y = tripuls(t, w)", "y = tripuls(t, w, skew)"),
    cases=(
        "isequal(tripuls([0 0.25 1]), [1 0.5 0])",
        "isequal(tripuls(-1:0.5:1, 2, 0.5), [0 1/3 2/3 1 0])",
        "isequal(tripuls(-1:1, 2, 1), [0 0.5 1])",
        "isequal(tripuls(-1:1, 2, -1), [1 0.5 0])",
    ),
    device=Formula(pulse_forms.triangle),
)
@takes(NUMBERS & REAL)
def tripuls(t: Value, w: Value = 1.0, skew: Value = 0.0) -> Value:
    """Triangular pulse of width w (1) around zero; its top is at skew (0, from -1 to 1) * w/2."""
    x = as_array(t)
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    s = as_array(skew)
    if s.size == 1 and s.flat[0] == 0:
        return canonical(np.asarray(_triangle(x, as_array(w))).astype(x.dtype))
    if s.size != 1 or not abs(s.flat[0]) <= 1:
        raise MatlabError("signal:tripuls:InvalidSkew", "The skew must be a number from -1 to 1.")
    half = as_array(w) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        rising, falling = (x + half) / (half * (1 + s)), (half - x) / (half * (1 - s))
    found = np.where(x < half * s, rising, np.where(x > half * s, falling, 1.0))
    return canonical(np.maximum(found, 0).astype(x.dtype))


declare_shape(
    "heaviside",
    "Unit step: 0 below zero, 1/2 at zero, 1 above.",
    lambda x: np.where(np.isnan(x), x, (np.sign(x) + 1) / 2),
    pulse_forms.step,
    "isequal(heaviside([-2 0 3]), [0 0.5 1])",
    category="special functions",
)
declare_shape(
    "dirac",
    "Dirac's delta: Inf at zero, 0 elsewhere.",
    lambda x: np.where(np.isnan(x), x, np.where(x == 0, np.inf, 0.0)),
    pulse_forms.impulse,
    "isequal(dirac([-1 0 1]), [0 Inf 0])",
    category="special functions",
)
declare_shape(
    "wrapTo360",
    "Degrees from 0 to 360.",
    _angle_wrap(360.0, False),
    pulse_forms.degrees_from_zero,
    "wrapTo360(-90) == 270",
    "wrapTo360(720) == 360",
    category="trigonometry",
)
declare_shape(
    "wrapTo180",
    "Degrees from -180 to 180.",
    _angle_wrap(360.0, True),
    pulse_forms.degrees_around_zero,
    "wrapTo180(270) == -90",
    category="trigonometry",
)
declare_shape(
    "wrapTo2Pi",
    "Radians from 0 to 2*pi.",
    _angle_wrap(2 * math.pi, False),
    pulse_forms.radians_from_zero,
    "abs(wrapTo2Pi(-pi/2) - 3*pi/2) < 1e-15",
    category="trigonometry",
)
declare_shape(
    "wrapToPi",
    "Radians from -pi to pi.",
    _angle_wrap(2 * math.pi, True),
    pulse_forms.radians_around_zero,
    "abs(wrapToPi(3*pi/2) + pi/2) < 1e-15",
    category="trigonometry",
)
