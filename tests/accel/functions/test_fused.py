"""Definitions for machines whose products and sums round once, on a host that computes like one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.accel.codegen.elementary.numpy_form import Host
from app.accel.ir import host_functions as hf
from app.accel.ir.ops import DEFINITIONS


class Fused(Host):
    """Singles; sums of products are rounded from doubles, in which products are exact."""

    def __init__(self) -> None:
        super().__init__(32)
        self.fused = True

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """``a*b + c``, rounded once but for what a double loses."""
        wide = np.multiply(a, b, dtype=np.float64)
        return np.asarray(wide + np.asarray(c, np.float64), np.float32)


class Flushed(np.ndarray):
    """Singles whose denormal results are 0, as a card's are."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = (v.view(np.ndarray) if isinstance(v, Flushed) else v for v in inputs)
        made = getattr(ufunc, method)(*plain, **options)
        if made.dtype.kind != "f":
            return made
        tiny = np.abs(made) < np.finfo(made.dtype).tiny
        return np.where(tiny, made.dtype.type(0), made).view(Flushed)


class Card(Host):
    """Singles on a card."""

    def __init__(self) -> None:
        super().__init__(32)

    def select(self, test: Any, yes: Any, no: Any) -> Any:
        """One of two numbers."""
        return np.asarray(super().select(test, yes, no)).view(Flushed)


def error(x: np.ndarray, y: np.ndarray) -> float:
    """The largest error of powers in units of the last place."""
    with np.errstate(all="ignore"):
        found = DEFINITIONS["power"].body(Fused(), x, y).astype(np.float64)
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
        tight = np.abs(exact.astype(np.float32))
    normal = (tight >= np.finfo(np.float32).tiny) & np.isfinite(tight)
    assert normal.any()
    tiny = exact[~normal & (tight < 1)]
    assert np.all(np.abs(found[~normal & (tight < 1)] - tiny) <= 2.0**-148)
    assert np.array_equal(np.isinf(found), np.isinf(tight) & ~np.isnan(exact))
    return float((np.abs(found - exact)[normal] / np.spacing(tight[normal])).max())


@pytest.mark.parametrize(
    ("bases", "exponents"),
    [
        ((-1.0, 1.0), (-60.0, 60.0)),
        ((-126.0, 127.0), (-1.0, 1.0)),
        ((-0.1, 0.1), (-900.0, 900.0)),
        ((-3.0, 3.0), (1.8, 1.8)),
        ((-0.003, 0.003), (-3e4, 3e4)),
    ],
)
def test_powers(bases: tuple[float, float], exponents: tuple[float, float]) -> None:
    rng = np.random.default_rng(1)
    x = np.exp2(rng.uniform(*bases, 200_000)).astype(np.float32)
    y = rng.uniform(*exponents, x.size).astype(np.float32)
    assert error(x, y) <= 1.5


def test_edges_of_powers() -> None:
    x, y = np.meshgrid(
        np.array(
            [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 1e-40, np.inf, -np.inf, np.nan], np.float32
        ),
        np.array([0.0, 1.8, -1.8, 2.0, 3.0, -3.0, 7e4, -7e4, np.inf, -np.inf, np.nan], np.float32),
    )
    with np.errstate(all="ignore"):
        found = DEFINITIONS["power"].body(Fused(), x.ravel(), y.ravel())
        expected = DEFINITIONS["power"].body(Host(32), x.ravel(), y.ravel())
    np.testing.assert_allclose(found, expected, rtol=3e-7)


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_angles(name: str) -> None:
    rng = np.random.default_rng(2)
    near = np.round(rng.uniform(1, 1900, 50_000)) * (np.pi / 2)
    x = np.concatenate(
        [
            rng.uniform(-3000, 3000, 200_000),
            rng.uniform(-4, 4, 200_000),
            near,
            np.exp2(rng.uniform(-40, 30, 50_000)),
        ]
    ).astype(np.float32)
    with np.errstate(all="ignore"):
        found = DEFINITIONS[name].body(Fused(), x).astype(np.float64)
    exact = getattr(np, name)(x.astype(np.float64))
    assert (np.abs(found - exact) / np.spacing(np.abs(exact.astype(np.float32)))).max() <= 1.6


def test_lengths_where_denormal_numbers_are_zero() -> None:
    rng = np.random.default_rng(3)
    x = np.exp2(rng.uniform(-125, 126, 200_000)).astype(np.float32)
    y = (x * np.exp2(rng.uniform(-14, 14, x.size))).astype(np.float32)
    y = np.clip(y, 1.2e-38, 2e38).astype(np.float32)
    with np.errstate(all="ignore"):
        found = DEFINITIONS["hypot"].body(Card(), x.view(Flushed), y.view(Flushed))
        exact = np.hypot(x.astype(np.float64), y.astype(np.float64))
    tight = exact.astype(np.float32)
    assert (np.abs(np.asarray(found) - exact) / np.spacing(tight)).max() <= 1.0


@pytest.mark.parametrize("name", ["mod", "rem"])
def test_remainders_where_denormal_numbers_are_zero(name: str) -> None:
    rng = np.random.default_rng(4)
    tiny = np.finfo(np.float32).tiny
    some = np.outer([1, -1], [1, 1.5, 2, 2.5, 3, 7, 100, 2.0**24, 2.0**66, 2.0**126, 2.0**252])
    x, y = (v.ravel() for v in np.meshgrid(some * tiny, some * tiny))
    x = np.append(x, np.exp2(rng.uniform(-126, 127, 20_000))).astype(np.float32)
    y = np.append(y, -np.exp2(rng.uniform(-126, -80, 20_000))).astype(np.float32)
    with np.errstate(all="ignore"):
        found = np.asarray(DEFINITIONS[name].body(Card(), x.view(Flushed), y.view(Flushed)))
        assert (found == getattr(hf, name)(x, y)).all()
