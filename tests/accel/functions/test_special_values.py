"""MATLAB's special values, on the host; the device is held against the host in tests/kernels."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.codegen.elementary.numpy_form import evaluate

INF, NAN = np.inf, np.nan
CASES = [
    ("round", (2.5,), 3.0),
    ("round", (-2.5,), -3.0),
    ("round", (0.49999999999999994,), 0.0),
    ("sign", (NAN,), NAN),
    ("sign", (-3.0,), -1.0),
    ("sign", (0.0,), 0.0),
    ("sign", (-0.0,), 0.0),
    ("sign", (-INF,), -1.0),
    ("sign", (5e-324,), 1.0),
    ("mod", (-4.0, 2.0), 0.0),
    ("mod", (-0.0, 3.0), 0.0),
    ("rem", (-4.0, 2.0), 0.0),
    ("rem", (1e308, 3.0), 2.0),
    ("mod", (-1e308, 3.0), 1.0),
    ("rem", (5.0, INF), 5.0),
    ("mod", (-0.0, 0.0), -0.0),
    ("mod", (INF, 2.0), NAN),
    ("max", (NAN, 2.0), 2.0),
    ("min", (2.0, NAN), 2.0),
    ("max", (NAN, NAN), NAN),
    ("mod", (5.0, 0.0), 5.0),
    ("mod", (-1.0, 3.0), 2.0),
    ("mod", (1.0, -3.0), -2.0),
    ("mod", (5.0, INF), 5.0),
    ("mod", (-1.0, INF), INF),
    ("rem", (5.0, 0.0), NAN),
    ("rem", (-5.0, 3.0), -2.0),
    ("rem", (INF, 3.0), NAN),
    ("power", (0.0, 0.0), 1.0),
    ("power", (NAN, 0.0), 1.0),
    ("power", (-2.0, 3.0), -8.0),
    ("power", (-2.0, 0.5), NAN),
    ("power", (0.0, -1.0), INF),
    ("power", (-0.0, -1.0), -INF),
    ("power", (INF, -1.0), 0.0),
    ("power", (2.0, 10.0), 1024.0),
    ("power", (0.5, INF), 0.0),
    ("power", (-1.0, INF), 1.0),
    ("exp", (-INF,), 0.0),
    ("exp", (INF,), INF),
    ("exp", (0.0,), 1.0),
    ("log", (0.0,), -INF),
    ("log", (-1.0,), NAN),
    ("log", (INF,), INF),
    ("log2", (8.0,), 3.0),
    ("log10", (1000.0,), 3.0),
    ("log1p", (-1.0,), -INF),
    ("sin", (INF,), NAN),
    ("sin", (-0.0,), -0.0),
    ("cos", (0.0,), 1.0),
    ("atan", (INF,), np.pi / 2),
    ("atan2", (0.0, -1.0), np.pi),
    ("atan2", (-0.0, -1.0), -np.pi),
    ("atan2", (0.0, 0.0), 0.0),
    ("atan2", (INF, INF), np.pi / 4),
    ("asin", (2.0,), NAN),
    ("acosh", (0.5,), NAN),
    ("atanh", (1.0,), INF),
    ("tanh", (INF,), 1.0),
    ("sinh", (-INF,), -INF),
    ("hypot", (INF, NAN), INF),
    ("hypot", (3e200, 4e200), 5e200),
    ("gamma", (5.0,), 24.0),
    ("gamma", (0.0,), INF),
    ("gamma", (171.0,), 7.257415615307999e306),
    ("gamma", (172.0,), INF),
    ("gammaln", (1.0,), 0.0),
    ("gammaln", (0.0,), INF),
    ("erf", (INF,), 1.0),
    ("erfc", (-INF,), 2.0),
    ("erfinv", (1.0,), INF),
    ("cbrt", (-27.0,), -3.0),
    ("cbrt", (5e-324,), np.cbrt(5e-324)),
    ("expm1", (-INF,), -1.0),
]


@pytest.mark.parametrize(("name", "args", "expected"), CASES)
def test_special_value(name: str, args: tuple[float, ...], expected: float) -> None:
    got = evaluate(name, *(np.array([a]) for a in args))[0]
    assert (np.isnan(got) and np.isnan(expected)) or got == pytest.approx(
        expected, rel=4e-16, abs=0
    )
    assert np.signbit(got) == np.signbit(expected) or np.isnan(got)
