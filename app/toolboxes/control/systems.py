"""The classes ``tf``, ``zpk`` and ``ss``: what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.declarations.registry import native_type
from app.engine.values import Array, Cell, Value, as_array, canonical, is_cell, size_of
from app.toolboxes.control import rational
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.rational import Channels
from app.toolboxes.control.shown import (
    by_channel,
    factors,
    fraction,
    labelled_matrix,
    polynomial_text,
)


def _rows(c: Channels) -> Any:
    made = np.empty(c.shape, dtype=object)
    for k in np.ndindex(c.shape):
        made[k] = canonical(np.asarray(c[k]).reshape(1, -1))
    return made


def channels_of(v: Value) -> Channels:
    """Coefficients given as one vector, or as a cell of vectors."""
    if is_cell(v):
        rows, columns = size_of(v)[:2]
        return rational.channels(
            [[_vector(v.data[i, j]) for j in range(columns)] for i in range(rows)]
        )
    return rational.channels([[_vector(v)]])


def _vector(v: Value) -> Array:
    a = np.asarray(as_array(v)).ravel(order="F")
    return a if a.dtype.kind == "c" else a.astype(np.float64)


@native_type
class TransferFunction(Lti):
    """A matrix of fractions of polynomials."""

    class_name = "tf"
    rank, title = 1, "transfer function"

    def __init__(self, num: Channels, den: Channels, ts: float = 0.0, delay: float = 0.0) -> None:
        super().__init__(ts, delay)
        self.num, self.den = num.copy(), den.copy()
        for k in np.ndindex(num.shape):
            self.num[k], self.den[k] = (
                rational.trimmed_polynomial(num[k]),
                rational.trimmed_polynomial(den[k]),
            )

    @property
    def io(self) -> tuple[int, int]:
        """Numbers of outputs and inputs."""
        return self.num.shape  # type: ignore[no-any-return]

    def parts(self) -> dict[str, Value]:
        """Numerators and denominators at equal length."""
        num, den = self.num.copy(), self.den.copy()
        for k in np.ndindex(num.shape):
            num[k], den[k] = rational.same_length(num[k], den[k])
        return {"Numerator": Cell(_rows(num)), "Denominator": Cell(_rows(den))}

    def with_part(self, name: str, value: Value) -> TransferFunction:
        """Other coefficients."""
        new = channels_of(value)
        pair = (new, self.den) if name == "Numerator" else (self.num, new)
        return TransferFunction(*pair, self.ts, self.delay)

    def channel(self, rows: list[int], columns: list[int]) -> TransferFunction:
        """Some rows and columns."""
        at = np.ix_(rows, columns)
        return TransferFunction(self.num[at], self.den[at], self.ts, self.delay)

    def body(self) -> str:
        """Fractions."""
        lead = (
            ""
            if not self.delay
            else f"z^(-{self.delay:g}) * "
            if self.ts
            else (f"exp(-{self.delay:g}*s) * ")
        )

        def one(i: int, j: int) -> str:
            pair = self.num[i, j], self.den[i, j]
            if self.variable.endswith("^-1"):
                pair = rational.same_length(*pair)
            top, bottom = (polynomial_text(p, self.variable) for p in pair)
            return fraction(top, bottom, lead)

        return by_channel(self.io, one)


@native_type
class ZeroPoleGain(Lti):
    """A matrix of products of roots."""

    class_name = "zpk"
    rank, title = 2, "zero/pole/gain model"

    def __init__(
        self, z: Channels, p: Channels, k: Array, ts: float = 0.0, delay: float = 0.0
    ) -> None:
        super().__init__(ts, delay)
        self.z, self.p, self.k = z, p, k

    @property
    def io(self) -> tuple[int, int]:
        """Numbers of outputs and inputs."""
        return self.k.shape

    def parts(self) -> dict[str, Value]:
        """Zeros, poles and gains."""
        z, p = _rows(self.z), _rows(self.p)
        for k in np.ndindex(z.shape):
            z[k] = canonical(np.asarray(self.z[k]).reshape(-1, 1))
            p[k] = canonical(np.asarray(self.p[k]).reshape(-1, 1))
        return {"Z": Cell(z), "P": Cell(p), "K": canonical(self.k)}

    def with_part(self, name: str, value: Value) -> ZeroPoleGain:
        """Other roots or gains."""
        new = {"Z": self.z, "P": self.p, "K": self.k}
        new[name] = np.atleast_2d(as_array(value)) if name == "K" else channels_of(value)
        return ZeroPoleGain(new["Z"], new["P"], new["K"], self.ts, self.delay)

    def channel(self, rows: list[int], columns: list[int]) -> ZeroPoleGain:
        """Some rows and columns."""
        at = np.ix_(rows, columns)
        return ZeroPoleGain(self.z[at], self.p[at], self.k[at], self.ts, self.delay)

    def body(self) -> str:
        """Fractions of factors."""

        def one(i: int, j: int) -> str:
            top, gain = factors(self.z[i, j], self.variable), self.k[i, j]
            number = "" if gain == 1 and top else f"{gain:.5g}" + (" " if top else "")
            bottom = factors(self.p[i, j], self.variable) or "1"
            return fraction((number + top).replace("1 (", "1 (", 1), bottom)

        return by_channel(self.io, one)


@native_type
class StateSpace(Lti):
    """Matrices of first-order equations."""

    class_name = "ss"
    rank, title = 3, "state-space model"

    def __init__(
        self, a: Array, b: Array, c: Array, d: Array, ts: float = 0.0, delay: float = 0.0
    ) -> None:
        super().__init__(ts, delay)
        self.a, self.b, self.c, self.d = a, b, c, d

    @property
    def io(self) -> tuple[int, int]:
        """Numbers of outputs and inputs."""
        return self.d.shape

    @property
    def order(self) -> int:
        """Number of states."""
        return int(self.a.shape[0])

    def parts(self) -> dict[str, Value]:
        """The four matrices."""
        return {
            n: canonical(m) for n, m in zip("ABCD", (self.a, self.b, self.c, self.d), strict=True)
        }

    def with_part(self, name: str, value: Value) -> StateSpace:
        """Another matrix."""
        new = {
            "A": self.a,
            "B": self.b,
            "C": self.c,
            "D": self.d,
            name: np.atleast_2d(np.asarray(as_array(value), dtype=np.float64)),
        }
        return StateSpace(new["A"], new["B"], new["C"], new["D"], self.ts, self.delay)

    def channel(self, rows: list[int], columns: list[int]) -> StateSpace:
        """Some rows of C and D, some columns of B and D."""
        return StateSpace(
            self.a,
            self.b[:, columns],
            self.c[rows],
            self.d[np.ix_(rows, columns)],
            self.ts,
            self.delay,
        )

    def body(self) -> str:
        """Matrices with named rows and columns."""
        blocks = (
            ("A", self.a, "x", "x"),
            ("B", self.b, "x", "u"),
            ("C", self.c, "y", "x"),
            ("D", self.d, "y", "u"),
        )
        return " \n".join(
            f"  {name} = \n{labelled_matrix(m, row, column)}"
            for name, m, row, column in blocks
            if m.size
        )
