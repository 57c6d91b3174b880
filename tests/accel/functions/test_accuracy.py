"""Every elementary function against mpmath, on the host and on a device, single and double.

``ACCURACY_POINTS=4000`` looks at so many arguments of every kind instead of a few.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider
from app.accel.codegen.elementary.numpy_form import evaluate
from app.accel.ir.ops import DEFINITIONS, OPS
from tests.accel.functions import devices

COUNT = int(os.environ.get("ACCURACY_POINTS", "60"))
ALIKE = sorted(name for name in DEFINITIONS if name in OPS and hasattr(mp, name))
REFERENCES: dict[str, Callable[..., Any]] = {
    **{name: getattr(mp, name) for name in ALIKE if not name.startswith("is")},
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
    "log2": lambda x: mp.log(x) / mp.log(2),
    "gammaln": lambda x: mp.loggamma(x).real,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "mod": lambda a, b: mp.mpf(float(a) % float(b)),
    "rem": lambda a, b: mp.mpf(math.fmod(float(a), float(b))),
}
LIMITS = {"gamma": 4.0, "gammaln": 4.0}


def points(name: str, width: int) -> tuple[np.ndarray, ...]:
    """Arguments over the whole domain of a function."""
    rng = np.random.default_rng(len(name) + width)
    most = 126 if width == 32 else 1022

    def scales(low: float, high: float) -> np.ndarray:
        return np.exp2(rng.uniform(low, high, COUNT)) * rng.choice([-1, 1], COUNT)

    def flat(low: float, high: float) -> np.ndarray:
        return rng.uniform(low, high, COUNT)

    size = 87 if width == 32 else 708
    sets: dict[str, list[np.ndarray]] = {
        "exp": [flat(-size, size), scales(-30, 3)],
        "expm1": [flat(-50, size), scales(-40, 2)],
        "log1p": [flat(-0.99, 1), scales(-60, -2), abs(scales(0, most))],
        "asin": [flat(-1, 1), 1 - abs(scales(-20, -1))],
        "acosh": [flat(1, 5), 1 + abs(scales(-20, 0)), abs(scales(1, most))],
        "erfc": [flat(-3, 9 if width == 32 else 26), scales(-30, 2)],
        "erfcx": [flat(-9 if width == 32 else -26, 30), scales(-30, 2)],
        "erfinv": [flat(-0.999, 0.999), 1 - abs(scales(-20, -3))],
        "gamma": [flat(-9, 30), flat(-30, 34) if width == 32 else flat(-160, 170)],
        "gammaln": [flat(0, 30), 1 + scales(-20, -2), 2 + scales(-20, -2), abs(scales(-30, 99))],
        "sinh": [flat(-5, 5), flat(-size, size), scales(-30, 0)],
        "trig": [
            flat(-10, 10),
            scales(-30, most),
            flat(-1e5, 1e5),
            np.round(flat(1, 9999)) * np.pi / 2,
        ],
        "log": [abs(scales(-most, most)), flat(0.5, 2)],
        "any": [flat(-10, 10), scales(-30, most)],
    }
    if name in {"hypot", "atan2", "mod", "rem"}:
        both = [flat(-50, 50), scales(-60, 60), np.round(flat(-999, 999))]
        return np.concatenate(both), np.concatenate(
            [flat(-5, 5), scales(-60, 60), np.round(flat(1, 20))]
        )
    if name == "power":
        return (
            np.concatenate([flat(0.1, 5), abs(scales(-most, most)), flat(0.9, 1.1)]),
            np.concatenate([flat(-30, 30), flat(-1, 1), flat(-400, 400)]),
        )
    kind = {
        "log2": "log",
        "log10": "log",
        "acos": "asin",
        "atanh": "asin",
        "sin": "trig",
        "cos": "trig",
        "tan": "trig",
        "cosh": "sinh",
    }.get(name, name)
    return (np.concatenate(sets.get(kind, sets["any"])),)


def ulps(value: float, exact: Any, width: int) -> float:
    """Error in units of the last place of the exact value."""
    digits, least, most = (24, -149, 128) if width == 32 else (53, -1074, 1024)
    if exact == 0:
        return 0.0 if value == 0 else math.inf
    if abs(exact) >= mp.mpf(2) ** most * (1 - mp.mpf(2) ** (-digits - 1)):
        return 0.0 if math.isinf(value) else math.inf
    if not math.isfinite(value):
        return math.inf
    exponent = max(int(mp.floor(mp.log(abs(exact), 2))) + 1 - digits, least)
    return float(abs(mp.mpf(value) - exact) / mp.mpf(2) ** exponent)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("name", REFERENCES)
def test_error_is_small(provider: WgpuProvider, name: str, width: int) -> None:
    kind = np.float32 if width == 32 else np.float64
    args = tuple(a.astype(kind) for a in points(name, width))
    results = {"host": evaluate(name, *args), "device": devices.evaluate(provider, name, *args)[0]}
    with mp.workprec(160):
        exact = [
            REFERENCES[name](*(mp.mpf(float(a[k])) for a in args)) for k in range(len(args[0]))
        ]
        for where, got in results.items():
            errors = [
                ulps(float(g), e, width) if isinstance(e, mp.mpf) else 0.0
                for g, e in zip(got, exact, strict=True)
            ]
            worst = int(np.argmax(errors))
            assert errors[worst] <= LIMITS.get(name, 2.0), (where, [a[worst] for a in args])
