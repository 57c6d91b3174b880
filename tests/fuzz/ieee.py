"""Expressions over special values in programs: on the host at once, fused there, and on a device.

`Items` makes assignments over two vectors ``x`` and ``y`` that hold every pair of a class's special
values: one operation alone, one against itself or a constant, two-step compositions, choices by
masks and reductions. Each is computed by three sessions: one that captures nothing, one that fuses on the host,
one with the device forced. Where every operation is exact the answers agree bit for bit (NaN with
NaN, 0 apart from -0); where one is not they agree within its documented error.

``python -m tests.fuzz.ieee [SECONDS] [SEED] [CLASS…]`` goes on for so long. Cards flush denormal singles,
which is documented: where one does, singles are of sizes whose quotients and products are no such numbers.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.engine.values import DeviceArray, as_array, class_of
from app.settings import Settings
from app.source import SourceText
from tests.support.special_values import ULPS, ulps

FLOATS = ("double", "single")
COMPLEX = ("complex double", "complex single")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
CLASSES = (*FLOATS, *COMPLEX, *INTEGERS, "logical")
TOGETHER = 24
"""Items that one program computes."""
_SIZES = "0 1 2 3 0.5 1.5 2.5 100 127.5 2^31 2^53-1 2^63 pi eps realmin realmax flintmax Inf"
_PARTS = "0 -0 1 -2.5 realmin realmax 710 Inf -Inf NaN"
_MODERATE_SIZES = "0 1 2 3 0.5 1.5 2.5 40 127.5 2^20 2^20-1 2^-20 Inf"
_MODERATE_PARTS = "0 -0 1 -2.5 2^-20 2^20 40 Inf -Inf NaN"
"""Singles for devices that flush denormal ones."""

_EXACT_UNARY = ("-{}", "abs({})", "sign({})", "floor({})", "ceil({})", "round({})", "fix({})")
_EXACT_BINARY = (
    *("({}) + ({})", "({}) - ({})", "({}) .* ({})", "({}) ./ ({})", "({}) .\\ ({})"),
    *("max({}, {}) + 0", "min({}, {}) + 0", "mod({}, {})", "rem({}, {})"),
)
"""Of 0 and -0 either is the larger one: adding 0 makes them one."""
_COMPARISONS = tuple(f"({{}}) {sign} ({{}})" for sign in ("<", "<=", ">", ">=", "==", "~="))
_TESTS = ("isnan({})", "isinf({})", "isfinite({})")
_ROUNDED_UNARY = (
    *("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos"),
    *("atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "gammaln"),
)
_ROUNDED_BINARY = ("({}) .^ ({})", "atan2({}, {})", "hypot({}, {})")
_WHOLE_BINARY = (
    *_EXACT_BINARY,
    *("bitand({}, {})", "bitor({}, {})", "bitxor({}, {})"),
    *(f"idivide({{}}, {{}}, '{how}')" for how in ("fix", "floor", "ceil", "round")),
)
_REMAINDER = re.compile(r"\b(mod|rem)\(")
_CONSTANTS = ("0", "-0", "1", "-1", "2", "Inf", "-Inf", "NaN")
_TOLD = (
    *("({0}) - ({0})", "({0}) ./ ({0})", "({0}) .* 0", "0 .* ({0})", "({0}) == ({0})"),
    *("({0}) ~= ({0})", "max({0}, NaN)", "min(NaN, {0})", "({0}) + NaN", "({0}) .^ 0", "-({0})"),
    *("({0}) .* 1", "({0}) - Inf", "({0}) < NaN", "max({0}, {0})"),
)
"""What may stand around a rounded value: its last digit has no say in what comes out."""
_REDUCED = (
    *("max({}) + 0", "min({}) + 0", "any({})", "all({})", "sum(isnan({}))", "nnz({})"),
    *("max({}, [], 'includenan') + 0", "cummax({}) + 0", "max(reshape({}, 1, []), [], 2) + 0"),
)
_COMPLEX_REDUCED = (
    *("isnan({} .^ {})", "isinf({} .^ {})", "isnan({} .^ {}.^2)", "isfinite({} .^ real({}))"),
    *(
        "isfinite({} .^ 3 + {})",
        "isfinite({} .^ -2 + {})",
        "isnan({} .^ 2.5 + {})",
        "abs({}) .* {}",
    ),
    *("isnan(2 .^ {} - {})", "isnan((-Inf) .^ {} + {})", "isfinite(real({}) .^ {})"),
    *(f"{m}([{{}} {{}}], [], 2); r(isnan(r)) = 7; r = abs(r)" for m in ("max", "min")),
    *("isnan(max([{} {}], [], 2))", "isnan(min({}, {}))"),
    *("isnan(prod([{} {}], 2))", "isinf(prod([{} {}], 2))", "isnan(mean([{} {}], 2))"),
    *("isnan(mode([{0} {1} {0}], 2))", "isnan([{} {}] * [2; 3])", "isinf(cumsum([{} {}], 2))"),
)
"""What is told of special parts: which of them are NaN, infinite, or how large."""


@dataclass(frozen=True)
class Item:
    """An assignment to ``r``.

    Attributes:
        code: its statements.
        rounded: the function whose last digit may differ; empty where every bit is the same.
    """

    code: str
    rounded: str = ""


def values_of(kind: str, *, flushing: bool = False) -> str:
    """Statements that set ``x`` and ``y`` to every pair of the special values of a class.

    Args:
        kind: the class.
        flushing: only singles of moderate sizes, for devices that flush denormal ones.
    """
    moderate = flushing and kind.endswith("single")
    if kind == "logical":
        values = "v = [false true];"
    elif kind in INTEGERS:
        values = (
            f"m = intmin('{kind}'); M = intmax('{kind}');"
            f"v = [m m+1 M-1 M M/2 M/2+1 {kind}([-3 -2 -1 0 1 2 3 7 100])];"
        )
    elif kind in FLOATS:
        sizes = _MODERATE_SIZES if moderate else _SIZES
        for name in ("eps", "realmin", "realmax", "flintmax"):
            sizes = sizes.replace(name, f"{name}('{kind}')")
        denormal = "4.9e-324 1e-310" if kind == "double" else ""
        values = f"v = {kind}([{sizes} {denormal}]); v = [v -v NaN];"
    else:
        real = kind.split()[1]
        parts = _MODERATE_PARTS if moderate else _PARTS
        parts = parts.replace("realmin", f"realmin('{real}')")
        parts = parts.replace("realmax", f"realmax('{real}')")
        values = (
            f"p = {real}([{parts}]); k = numel(p);"
            "v = complex(reshape(repmat(p, k, 1), 1, []), repmat(p, 1, k));"
        )
    return f"{values} n = numel(v); x = reshape(repmat(v, n, 1), [], 1); y = repmat(v(:), n, 1);"


class Items:
    """Random assignments over the values of a class."""

    def __init__(self, kind: str, choose: random.Random) -> None:
        self.kind, self.choose = kind, choose

    def _of(self, forms: Sequence[str], depth: int) -> str:
        return self.choose.choice(forms).format(self.value(depth), self.value(depth))

    def value(self, depth: int) -> str:
        """An exact expression of the class."""
        if depth <= 0 or self.choose.random() < 0.1:
            return self.choose.choice("xy")
        if self.kind == "logical":
            return self._of((*_COMPARISONS, "({}) & ({})", "({}) | ({})", "~({})"), depth - 1)
        if self.kind in COMPLEX:
            forms: tuple[str, ...] = ("({}) + ({})", "({}) - ({})", "-({})", "conj({})")
        elif self.kind in INTEGERS:
            forms = (*_WHOLE_BINARY, "-({})", "abs({})", "sign({})")
        else:
            forms = (*_EXACT_BINARY, *_EXACT_UNARY)
        made = self.choose.random()
        if made < 0.12 and self.kind not in COMPLEX:
            other = self.choose.choice([k for k in CLASSES if k not in (*COMPLEX, "logical")])
            return f"{self.kind}({other}({self.value(depth - 1)}))"
        if made < 0.2 and self.kind not in COMPLEX:
            return f"{self.kind}({self._of(_COMPARISONS, depth - 1)})"
        if made < 0.35:
            return self.choose.choice(forms).format(
                *self.choose.sample([self.value(depth - 1), self.constant()], 2)
            )
        return self._of(forms, depth - 1)

    def constant(self) -> str:
        """A number that an operand of the class may meet."""
        if self.kind in INTEGERS:
            return f"{self.kind}({self.choose.choice(_CONSTANTS)})"
        return self.choose.choice(_CONSTANTS)

    def __call__(self) -> Item:
        """One item."""
        match self.choose.randrange(8):
            case 0:
                return Item(f"r = {self.value(1)};")
            case 1:
                form = self.choose.choice(_TOLD[:4])
                parts = self.kind in COMPLEX and "./" in form
                return Item(f"r = {form.format(self.value(2))};", "rdivide" if parts else "")
            case 2 if self.kind not in INTEGERS and self.kind != "logical":
                return self._rounded()
            case 3:
                test = self._of(_COMPARISONS, 1)
                made = f"r = {self.value(1)}; m = {test}; q = {self.value(1)}; r(m) = q(m);"
                # Imaginary parts that are all 0 lose their sign with the selection.
                return Item(made, "select" if self.kind in COMPLEX else "")
            case 4:
                return Item(f"r = {self._of((*_COMPARISONS, *_TESTS), 1)};")
            case 5 if self.kind in COMPLEX:
                form = self.choose.choice(_COMPLEX_REDUCED)
                return Item(f"r = {form.format(*self.choose.sample('xy', 2))};", "abs")
            case 5:
                return Item(f"r = {self.choose.choice(_REDUCED).format(self.value(2))};")
            case _:
                return Item(f"r = {self.value(2)};")

    def _rounded(self) -> Item:
        """A function that rounds, alone or where its last digit does not matter."""
        inner = self.value(self.choose.randrange(2))
        if self.kind in COMPLEX:
            name = self.choose.choice(("exp", "log", "sqrt", "abs", "angle", "times", "rdivide"))
            sign = {"times": ".*", "rdivide": "./"}.get(name)
            made = f"({inner}) {sign} ({self.value(1)})" if sign else f"{name}({inner})"
        elif self.choose.random() < 0.3:
            name = self.choose.choice(_ROUNDED_BINARY)
            made = name.format(inner, self.value(1))
        else:
            name = self.choose.choice(_ROUNDED_UNARY)
            made = f"{name}({inner})"
        if self.choose.random() < 0.5:
            made = self.choose.choice(_TOLD).format(made)
        return Item(f"r = {made};", name)


class Side:
    """A session that computes items.

    Args:
        device: cpu or gpu.
        capture: arrays with fewer elements run at once on the host.
    """

    def __init__(self, device: str, capture: int) -> None:
        settings = Settings()
        settings.set("device", device, "option")
        settings.set("capture_threshold", capture, "option")
        self.name = f"{device}, {'captured' if capture == 1 else 'at once'}"
        self.events: list[Event] = []
        self.session = Session(settings, self.events.append)

    def run(self, code: str) -> str:
        """Run code: the identifier of its error, or nothing."""
        self.events.clear()
        self.session.run_source(SourceText("<ieee>", code))
        return next((e.identifier for e in self.events if isinstance(e, ErrorRaised)), "")

    def flushes(self) -> bool:
        """Whether denormal singles are zero here."""
        self.session.acceleration.activate()
        self.run("r = nnz(realmin('single') ./ single([2 2 2 2]));")
        value = self.session.value_of("r")
        if isinstance(value, DeviceArray) and not value.known:
            value.runtime.evaluate([value.node], "test")
        return not as_array(value).any()

    def results(self, kind: str, items: Sequence[Item], *, flushing: bool = False) -> list[Any]:
        """The value of each item over `values_of` a class, or the identifier of its error."""
        self.session.acceleration.activate()
        self.run("clear")
        if self.run(values_of(kind, flushing=flushing)):
            raise RuntimeError(f"no values of {kind}: {self.events}")
        made: list[Any] = []
        for k, item in enumerate(items):
            said = self.run(item.code)
            made.append(said or self.session.value_of("r"))
            if not said:
                self.run(f"r{k} = r;")
        lazy = [v for v in made if isinstance(v, DeviceArray) and not v.known]
        if lazy:
            lazy[0].runtime.evaluate([v.node for v in lazy], "test")
        return [v if isinstance(v, str) else (class_of(v), as_array(v)) for v in made]

    def close(self) -> None:
        """End the session."""
        self.session.close()


def difference(item: Item, ours: Any, theirs: Any) -> str:
    """What is not the same about two results; empty where nothing is."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return "" if ours is theirs or ours == theirs else f"{_told(ours)}, not {_told(theirs)}"
    if ours[0] != theirs[0] or ours[1].shape != theirs[1].shape:
        return f"{_told(ours)}, not {_told(theirs)}"
    a, b = ours[1], theirs[1]
    if item.rounded:  # a last digit decides whether all imaginary parts are 0
        a, b = (v.astype(np.result_type(a, b)) for v in (a, b))
    if a.dtype != b.dtype:
        return f"{a.dtype}, not {b.dtype}"
    if b.dtype.kind not in "fc":
        wrong = a != b
    elif not item.rounded:
        wrong = ~(_alike(a.real, b.real) & _alike(a.imag, b.imag))
    elif b.dtype.kind == "c":
        wrong = _apart(a, b) > 40
    else:
        wrong = ulps(a, b) > ULPS.get(item.rounded, 4)
    if not wrong.any():
        return ""
    at = np.flatnonzero(wrong.ravel(order="F"))
    a, b = a.ravel(order="F"), b.ravel(order="F")
    return f"{a[at[0]]!r}, not {b[at[0]]!r}, at {at[0] + 1} ({at.size} of {a.size})"


def _apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance of complex numbers in rounding units of the larger part; special parts must match."""
    ours, parts = np.stack([a.real, a.imag]), np.stack([b.real, b.imag])
    with np.errstate(all="ignore"):
        size = np.where(np.isfinite(parts), np.abs(parts), 0).max(axis=0)
        apart = np.abs(ours - parts) / np.spacing(size)
    same = (ours == parts) | (np.isnan(ours) & np.isnan(parts))
    # Beside NaN the sign of an infinite part says nothing (C, annex G).
    same |= np.isinf(ours) & np.isinf(parts) & np.isnan(parts).any(axis=0)
    return np.where(same, 0, np.where(np.isnan(apart), np.inf, apart)).max(axis=0)


def _told(result: Any) -> str:
    return result if isinstance(result, str) else f"{result[0]} {result[1].shape}"


def _alike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    same = (a == b) & (np.signbit(a) == np.signbit(b))
    return same | (np.isnan(a) & np.isnan(b))


class Campaign:
    """Items of every class before three sessions."""

    def __init__(self) -> None:
        self.plain = Side("cpu", 10**9)
        self.others = (Side("cpu", 1), Side("gpu", 1))
        self.flushing = any(side.flushes() for side in self.others)

    def findings(self, kind: str, seed: int, count: int = TOGETHER) -> Iterator[str]:
        """Which items of a seed do not agree, and how."""
        items = Items(kind, random.Random(seed))
        for said in self.compared(kind, [items() for _ in range(count)]):
            yield f"{said} (seed {seed})"

    def compared(self, kind: str, items: Sequence[Item]) -> Iterator[str]:
        """Which of these do not agree, and how; a denormal single counts as 0 as a divisor of mod."""
        single = kind.endswith("single")
        delicate = [item for item in items if single and _REMAINDER.search(item.code)]
        others = [item for item in items if item not in delicate]
        yield from self._compared(kind, others, flushing=self.flushing)
        yield from self._compared(kind, delicate, flushing=True)

    def _compared(self, kind: str, items: Sequence[Item], *, flushing: bool) -> Iterator[str]:
        wanted = self.plain.results(kind, items, flushing=flushing)
        for side in self.others:
            found = side.results(kind, items, flushing=flushing)
            for item, ours, theirs in zip(items, found, wanted, strict=True):
                said = difference(item, ours, theirs)
                if said:
                    yield f"{kind}: {item.code} {side.name}: {said}"

    def close(self) -> None:
        """End the sessions."""
        for side in (self.plain, *self.others):
            side.close()


def main(seconds: float, seed: int, kinds: Sequence[str]) -> int:
    """Go on for so long; 1 when something was found."""
    campaign, found, end = Campaign(), 0, time.monotonic() + seconds
    counts = dict.fromkeys(kinds, 0)
    while time.monotonic() < end:
        for kind in kinds:
            for said in campaign.findings(kind, seed):
                found += 1
                sys.stdout.write(f"{said}\n")
                sys.stdout.flush()
            counts[kind] += TOGETHER
        seed += 1
    campaign.close()
    each = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    sys.stdout.write(f"IEEE: {each}; {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("60", "1")[len(sys.argv) - 1 :]]
    sys.exit(main(float(given[0]), int(given[1]), given[2:] or CLASSES))
