"""Fit the polynomials and split the constants of `app.accel.ir.operations`.

Every polynomial is a Chebyshev interpolant computed in 60 digits by mpmath, of the smallest degree
that keeps the wanted bits; where errors count by a weight, it is a weighted least-squares fit. Run
it to write ``app/accel/ir/operations/coefficients.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mpmath as mp
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

mp.mp.dps = 60
OUT = Path(__file__).parent.parent / "app/accel/ir/operations/coefficients.py"
SERIES = 40
LN2, PI = mp.log(2), mp.pi


def series(term: Callable[[int], Any]) -> Callable[[Any], Any]:
    """A power series in z as a function."""
    coefficients = [mp.mpf(term(n)) for n in range(SERIES)]
    return lambda z: mp.polyval(coefficients[::-1], z)


def in_square(f: Callable[[Any], Any], limit: Any) -> Callable[[Any], Any]:
    """(f(x) - x) / x^3 as a function of z = x^2, with its limit at 0."""

    def g(z: Any) -> Any:
        x = mp.sqrt(z)
        return (f(x) - x) / (x * z) if z > mp.mpf("1e-12") else limit(z)

    return g


def erfcx_part(t: Any) -> Any:
    """(1 + 2x) exp(x^2) erfc(x) with x = 4 (1+t)/(1-t) (Shepherd and Laframboise, 1981)."""
    if t == 1:
        return 2 / mp.sqrt(PI)
    x = 4 * (1 + t) / (1 - t)
    if x > 1e4:
        return (1 + 2 * x) / (x * mp.sqrt(PI)) * (1 - 1 / (2 * x * x) + 3 / (4 * x**4))
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def stirling(z: Any) -> Any:
    """x * (lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2) as a function of z = 1/x^2."""
    if z < mp.mpf("1e-8"):
        return mp.mpf(1) / 12 - z / 360 + z * z / 1260
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * PI) / 2)


def near(f: Callable[[Any], Any], at: Any, slope: Any) -> Callable[[Any], Any]:
    """f(at + t) / t as a function of t, with its limit at 0."""
    return lambda t: f(at + t) / t if abs(t) > mp.mpf("1e-25") else slope


def erfc_from_turn(u: Any) -> Any:
    """What erf lacks to 1 beyond its turn: where it is small, so are errors of its logarithm."""
    return mp.erfc(ERF_TURN + u)


ERF_TURN = mp.mpf(27) / 32
R = LN2 / 2 * mp.mpf("1.01")
S2 = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mp.mpf("1.01")
QUARTER = (PI / 4) ** 2 * mp.mpf("1.01")
EULER = mp.euler

# name: (function, from, to, absolute error as a power of two for single, for double)
FITS: dict[str, tuple[Callable[[Any], Any], Any, Any, int, int]] = {
    "EXP": (series(lambda n: 1 / mp.factorial(n + 2)), -R, R, -27, -57),
    "LOG": (series(lambda n: mp.mpf(2) / (2 * n + 3)), 0, S2, -24, -54),
    "LOG_TAIL": (series(lambda n: mp.mpf(1) / (2 * n + 5)), 0, S2, -20, -54),
    "SIN": (series(lambda n: (-1) ** (n + 1) / mp.factorial(2 * n + 3)), 0, QUARTER, -28, -59),
    "COS": (series(lambda n: (-1) ** n / mp.factorial(2 * n + 4)), 0, QUARTER, -28, -59),
    "ASIN": (
        series(lambda n: mp.binomial(2 * n + 2, n + 1) / mp.mpf(4) ** (n + 1) / (2 * n + 3)),
        0,
        0.25,
        -25,
        -56,
    ),
    "ATAN": (series(lambda n: mp.mpf(-1) ** (n + 1) / (2 * n + 3)), 0, 0.1716, -26, -57),
    "SINH": (series(lambda n: 1 / mp.factorial(2 * n + 3)), 0, 1, -27, -57),
    "TANH": (in_square(mp.tanh, lambda z: mp.mpf(-1) / 3 + 2 * z / 15), 0, 0.4, -26, -57),
    "ASINH": (in_square(mp.asinh, lambda z: mp.mpf(-1) / 6 + 3 * z / 40), 0, 0.25, -25, -56),
    "ATANH": (in_square(mp.atanh, lambda z: mp.mpf(1) / 3 + z / 5), 0, 0.25, -25, -56),
    "ERF": (
        series(
            lambda n: (
                2 / mp.sqrt(PI) * (-1) ** n / mp.factorial(n) / (2 * n + 1) - (1 if n == 0 else 0)
            )
        ),
        0,
        0.72,
        -27,
        -57,
    ),
    "ERF_TAIL": (lambda u: -mp.log(erfc_from_turn(u)), 0, 6 - ERF_TURN, -28, -57),
    "ERFCX": (erfcx_part, mp.mpf(-7) / 9, 1, -28, -57),
    "STIRLING": (stirling, 0, mp.mpf(1) / 100, -25, -56),
    "GAMMALN_1": (near(mp.loggamma, mp.mpf(1), -EULER), -0.3, 0.5, -26, -56),
    "GAMMALN_2": (near(mp.loggamma, mp.mpf(2), 1 - EULER), -0.56, 0.6, -26, -56),
    "GAMMA": (lambda t: mp.gamma(2 + t), -0.5, 0.5, -27, -58),
}


WEIGHTS: dict[str, Callable[[Any], Any]] = {"ERF_TAIL": erfc_from_turn}
"""By how much an error of a fit counts at a point, where that is not 1."""
SAMPLES = 120
"""Points of a weighted fit."""


def fit(
    f: Callable[[Any], Any], low: Any, high: Any, bits: int, weight: Callable[[Any], Any] | None
) -> list[Any]:
    """Coefficients, constant first, of the lowest degree within 2**bits."""
    for n in range(3, 40):
        if weight is None:
            coefficients, error = mp.chebyfit(f, [low, high], n, error=True)
            coefficients = list(reversed(coefficients))
        else:
            coefficients, error = weighted_fit(f, low, high, n, weight)
        if error < mp.mpf(2) ** bits:
            return coefficients
    raise ValueError(bits)


def weighted_fit(
    f: Callable[[Any], Any], low: Any, high: Any, n: int, weight: Callable[[Any], Any]
) -> tuple[list[Any], Any]:
    """n coefficients, constant first, of least squares at Chebyshev's points, and their error."""
    turns = [mp.cos(PI * (k + mp.mpf(1) / 2) / SAMPLES) for k in range(SAMPLES)]
    points = [low + (high - low) * (1 - turn) / 2 for turn in turns]
    rows = [[weight(x) * x**k for k in range(n)] for x in points]
    wanted = [weight(x) * f(x) for x in points]
    found = mp.lu_solve(mp.matrix(rows), mp.matrix(wanted))
    errors = (abs(mp.fdot(row, found) - y) for row, y in zip(rows, wanted, strict=True))
    return list(found), max(errors)


def shortened(x: Any, bits: int) -> Any:
    """x truncated to a number of significant bits."""
    exponent = int(mp.floor(mp.log(abs(x), 2))) + 1
    unit = mp.mpf(2) ** (exponent - bits)
    return mp.floor(x / unit) * unit


def parts(x: Any, bits: list[int]) -> list[Any]:
    """x as a sum of numbers with so many bits each."""
    result = []
    for n in bits:
        result.append(shortened(x, n))
        x -= result[-1]
    return result


def numbers(values: list[Any], single: bool) -> str:
    """A tuple of floats as text."""
    shown = [repr(float(np.float32(float(v)) if single else float(v))) for v in values]
    return "(" + ", ".join(shown) + ",)"


SPLITS: dict[str, tuple[Any, list[int], list[int]]] = {
    "LN2": (LN2, [15, 24], [41, 53]),
    "HALF_PI_STEPS": (PI / 2, [13, 13, 13, 24], [36, 36, 53]),
    "HALF_PI": (PI / 2, [24, 24], [53, 53]),
    "INV_LN2": (1 / LN2, [24, 24], [53, 53]),
    "INV_LN10": (1 / mp.log(10), [24, 24], [53, 53]),
    "LOG10_2": (mp.log10(2), [12, 24], [40, 53]),
    "LN_SQRT_2PI": (mp.log(2 * PI) / 2, [24, 24], [53, 53]),
    "THIRD": (mp.mpf(1) / 3, [24, 24], [53, 53]),
    "PI_PARTS": (PI, [24, 24], [53, 53]),
    "ERFCX_FIRST": (erfcx_part(mp.mpf(0)), [24, 24], [53, 53]),
}


def two_over_pi(width: int) -> str:
    """The bits of 2/pi in words."""
    mp.mp.dps = 500
    x, words = 2 / mp.pi, []
    for _ in range(8 if width == 32 else 20):
        x *= mp.mpf(2) ** width
        words.append(int(mp.floor(x)))
        x -= words[-1]
    mp.mp.dps = 60
    return "(" + ", ".join(hex(w) for w in words) + ",)"


def main() -> None:
    """Write the module."""
    lines = [
        '"""Coefficients and constants as (single, double). Written by '
        'scripts/fit_functions.py."""',
        "",
        "# fmt: off",
        "# ruff: noqa: E501",
    ]
    for name, (f, low, high, single, double) in FITS.items():
        weight = WEIGHTS.get(name)
        pair = (
            numbers(fit(f, low, high, single, weight), True),
            numbers(fit(f, low, high, double, weight), False),
        )
        lines += [f"{name} = (", f"    {pair[0]},", f"    {pair[1]},", ")"]
    for name, (x, single_bits, double_bits) in SPLITS.items():
        pair = (numbers(parts(x, single_bits), True), numbers(parts(x, double_bits), False))
        lines += [f"{name} = (", f"    {pair[0]},", f"    {pair[1]},", ")"]
    lines += ["TWO_OVER_PI = (", f"    {two_over_pi(32)},", f"    {two_over_pi(64)},", ")"]
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
