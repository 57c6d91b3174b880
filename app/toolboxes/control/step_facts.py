"""How fast and how far a step response goes: stepinfo."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import option_pairs, real_number
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Struct, Value, as_array, float_of, is_text_scalar
from app.errors import MatlabError
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.time_responses import step_of, times_of

_FAMILY = "control systems"


@builtin(
    "stepinfo",
    category=_FAMILY,
    least=1,
    signatures=(
        "S = stepinfo(sys)",
        "S = stepinfo(y, t)",
        "S = stepinfo(y, t, yfinal)",
        "S = stepinfo(..., 'SettlingTimeThreshold', ST, 'RiseTimeLimits', RT)",
    ),
    cases=(
        "S = stepinfo(tf(1, [1 1])); abs(S.RiseTime - log(9)) < 0.01 && S.Overshoot == 0",
        "abs(stepinfo(tf(1, [1 0.4 1])).Overshoot - 52.66) < 0.1",
    ),
    see=("step", "damp"),
)
def stepinfo(first: Value, *rest: Value) -> Value:
    """Rise time, settling time, overshoot and peak of a step response."""
    count = next((k for k, v in enumerate(rest) if is_text_scalar(v)), len(rest))
    options = option_pairs("stepinfo", rest[count:], "RiseTimeLimits SettlingTimeThreshold")
    if isinstance(first, Lti):
        t, y, _ = step_of(first, times_of(first, None))
        values, final = y[:, 0, 0], _settled_value(first)
    else:
        values = np.asarray(as_array(first), dtype=np.float64).ravel(order="F")
        t = (
            np.asarray(as_array(rest[0]), dtype=np.float64).ravel()
            if count
            else (np.arange(1.0, values.size + 1))
        )
        final = real_number(rest[1]) if count > 1 else float(values[-1])
        if t.size != values.size:
            raise MatlabError(
                "Control:analysis:stepinfo1", "Times and values do not match in size."
            )
    limits = np.asarray(as_array(options.get("risetimelimits", np.array([[0.1, 0.9]])))).ravel()
    threshold = real_number(options.get("settlingtimethreshold", 0.02))
    return Struct(_facts(t, values, final, limits, threshold))


def _settled_value(s: Lti) -> float:
    from app.toolboxes.control.system_properties import dcgain

    return float_of(dcgain(s))


def _facts(t: Array, y: Array, final: float, limits: Array, threshold: float) -> dict[str, Value]:
    names = (
        "RiseTime",
        "TransientTime",
        "SettlingTime",
        "SettlingMin",
        "SettlingMax",
        "Overshoot",
        "Undershoot",
        "Peak",
        "PeakTime",
    )
    if not np.isfinite(final) or not np.all(np.isfinite(y)) or final == 0:
        peak = float(np.abs(y).max(initial=0.0))
        known = {"Peak": peak if np.isfinite(final) else np.inf}
        return {name: known.get(name, float("nan")) for name in names}
    scaled = y / final
    low, high = (_crossing(t, scaled, float(v)) for v in limits)
    settled = _last_outside(t, scaled, threshold)
    risen = scaled[t >= high] * final if np.isfinite(high) else np.array([np.nan])
    at = int(np.argmax(np.abs(y)))
    return dict(
        zip(
            names,
            (
                high - low,
                settled,
                settled,
                float(risen.min()),
                float(risen.max()),
                100 * max(0.0, float(scaled.max()) - 1),
                100 * max(0.0, -float(scaled.min())),
                float(abs(y[at])),
                float(t[at]),
            ),
            strict=True,
        )
    )


def _crossing(t: Array, y: Array, level: float) -> float:
    above = np.flatnonzero(y >= level)
    if not above.size:
        return float("nan")
    k = int(above[0])
    if k == 0:
        return float(t[0])
    share = (level - y[k - 1]) / (y[k] - y[k - 1])
    return float(t[k - 1] + share * (t[k] - t[k - 1]))


def _last_outside(t: Array, y: Array, threshold: float) -> float:
    outside = np.flatnonzero(np.abs(y - 1) > threshold)
    if not outside.size:
        return float(t[0])
    k = int(outside[-1])
    if k == t.size - 1:
        return float("nan")
    edge = 1 + threshold * np.sign(y[k] - 1)
    return float(t[k] + (edge - y[k]) / (y[k + 1] - y[k]) * (t[k + 1] - t[k]))
