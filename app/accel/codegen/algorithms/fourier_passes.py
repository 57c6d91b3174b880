"""The passes of a Fourier transform, and their shaders.

A pass transforms R elements that are n/R apart, for several neighbouring lines at once. Where R is
a product of radices, a workgroup holds its lines in workgroup memory between the steps, so that
memory is read and written once per pass. Places there are turned by their row of sixteen: whatever
the stride of a step, neighbouring lanes find different banks.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from app.accel.codegen.algorithms.shader_parts import WORKGROUP
from app.accel.numerics.fft_tables import radices
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

HELD = 4096
"""Elements that the workgroup's registers hold."""
LINES = 4
"""Lines of a pass over scattered elements, at least: neighbours share what memory hands out."""
PAD = 4
SMALL = 16
"""The radix that needs no workgroup memory."""
PLACE = """\
fn at(line: u32, i: u32) -> u32 {{ return line * {width}u + {place}; }}
"""
TURNED_PLACE = "(i ^ ((i >> 4u) & 15u))"


@record
class Pass:
    """One pass.

    Attributes:
        steps: the radices of its steps.
        lines: lines of a workgroup.
        first, last: whether it is the transform's first or last pass.
        rows: whether its elements are neighbours in memory.
        spread: whether there are other axes between neighbours.
    """

    steps: tuple[int, ...]
    lines: int
    first: bool
    last: bool
    rows: bool
    spread: bool

    @property
    def radix(self) -> int:
        """Elements of a line."""
        return math.prod(self.steps)

    @property
    def whole(self) -> bool:
        """Whether its lines are the whole transform's, so that opposite frequencies meet."""
        return self.first and self.last

    @property
    def width(self) -> int:
        """Places of a line in workgroup memory."""
        return self.radix + (PAD if self.lines > 1 else 0)

    def by_lines(self, *, loading: bool) -> bool:
        """Whether neighbouring lanes have neighbouring lines, else elements of one line."""
        if self.rows or len(self.steps) == 1:
            return not self.rows
        return loading or self.spread or not self.first


def passes(n: int, capacity: int, *, spread: bool) -> tuple[Pass, ...]:
    """How a transform is cut, where workgroup memory holds so many elements (0: no use)."""
    cut: tuple[tuple[int, ...], ...] = tuple((radix,) for radix in radices(n) or ())
    if capacity:
        most = capacity if not spread and n <= capacity else capacity // LINES
        cut = tuple(radices(part) or () for part in _balanced_factors(n, most))
    rows = len(cut) == 1 and len(cut[0]) > 1 and not spread
    return tuple(
        Pass(steps, _lines(steps, capacity), k == 0, k == len(cut) - 1, rows, spread)
        for k, steps in enumerate(cut)
    )


def _lines(steps: Sequence[int], capacity: int) -> int:
    radix = math.prod(steps)
    if len(steps) == 1:
        return WORKGROUP
    return max(1, min(capacity // (radix + PAD), min(capacity, HELD) // radix))


def _balanced_factors(n: int, most: int) -> list[int]:
    """Factors of n, few of them and none above `most`: the last is small or all are alike."""
    if n > most and n % SMALL == 0 and n // SMALL <= most:
        return [n // SMALL, SMALL]
    primes = [p for radix in radices(n) or () for p in _primes(radix)]
    for count in range(1, len(primes) + 1):
        parts = [1] * count
        for prime in sorted(primes, reverse=True):
            parts[parts.index(min(parts))] *= prime
        if max(parts) <= most:
            return parts
    return [1]


def _primes(radix: int) -> list[int]:
    return [2] * (radix.bit_length() - 1) if radix % 2 == 0 else [radix]


class Butterflies:
    """Transforms of a few values in registers.

    Attributes:
        c: the shader's complex type.
        forward: the sign of the exponent.
    """

    def __init__(self, c: str, *, forward: bool) -> None:
        self.c, self.forward = c, forward
        self.suffix = "lf" if "f64" in c else "f"

    def transform(self, names: list[str], lines: list[str], mark: str) -> list[str]:
        """The transform of named values: halves of halves, odd radices by their definition."""
        radix = len(names)
        if radix == 1:
            return names
        if radix % 2:
            return self._odd(names, lines, mark)
        even = self.transform(names[0::2], lines, f"{mark}e")
        odd = self.transform(names[1::2], lines, f"{mark}o")
        low, high = [], []
        for k, (first, second) in enumerate(zip(even, odd, strict=True)):
            turned = self._times_root_of_unity(second, k, radix)
            lines += [
                f"let {mark}a{k} = {first} + {turned};",
                f"let {mark}b{k} = {first} - {turned};",
            ]
            low.append(f"{mark}a{k}")
            high.append(f"{mark}b{k}")
        return low + high

    def _times_root_of_unity(self, value: str, k: int, radix: int) -> str:
        """A value times the k-th of so many roots of unity."""
        if k == 0:
            return value
        if 4 * k == radix:
            x, y = (f"{value}.y", f"-{value}.x") if self.forward else (f"-{value}.y", f"{value}.x")
            return f"{self.c}({x}, {y})"
        root = cmath.exp((-2j if self.forward else 2j) * math.pi * k / radix)
        x, y = (f"{part:.17g}{self.suffix}" for part in (root.real, root.imag))
        return f"turned({value}, {self.c}({x}, {y}))"

    def _odd(self, names: list[str], lines: list[str], mark: str) -> list[str]:
        radix = len(names)
        results = []
        for k in range(radix):
            terms = [
                self._times_root_of_unity(name, r * k % radix, radix)
                for r, name in enumerate(names)
            ]
            lines.append(f"let {mark}d{k} = {' + '.join(terms)};")
            results.append(f"{mark}d{k}")
        return results


class PassText:
    """The statements of one pass.

    Attributes:
        load: text of an element of the operand at ``place``.
        target: array that is written.
        scale: text after a stored value.
        mirrored: whether the results of opposite frequencies are made each other's conjugates.
        packed: whether lines are pairs of real numbers, whose transform the results are.
    """

    def __init__(
        self,
        cut: Pass,
        small: Butterflies,
        load: str,
        target: str,
        scale: str,
        *,
        mirrored: bool = False,
        packed: bool = False,
    ) -> None:
        self.cut, self.small, self.load = cut, small, load
        self.target, self.scale = target, scale
        self.mirrored, self.packed = mirrored, packed

    def shared(self) -> str:
        """Declarations."""
        if len(self.cut.steps) == 1:
            return ""
        place = TURNED_PLACE if self.cut.radix % 16 == 0 else "i"
        held = f"var<workgroup> held: array<{self.small.c}, {self.cut.width * self.cut.lines}>;\n"
        return held + PLACE.format(width=self.cut.width, place=place)

    def lines(self) -> list[str]:
        """All steps."""
        text, before = [], 1
        for number, radix in enumerate(self.cut.steps):
            text += self._step(number, radix, before)
            before *= radix
        if self.packed:
            return text + self._unpacked()
        return text + (self._mirror() if self.mirrored and len(self.cut.steps) > 1 else [])

    def _mirror(self) -> list[str]:
        """Every frequency from workgroup memory, with its opposite, to memory."""
        count, lines, radix = self.cut.lines * self.cut.radix, self.cut.lines, self.cut.radix
        q, line = f"e % {radix}u", f"e / {radix}u"
        if self.cut.by_lines(loading=False):
            q, line = f"e / {lines}u", f"e % {lines}u"
        return [
            "workgroupBarrier();",
            f"for (var e = lane; e < {count}u; e = e + {WORKGROUP}u) {{",
            f"    let q = {q}; let l = {line};",
            f"    let point = number * {lines}u + l;",
            "    if (point < points) {",
            "        let to = (point / inner) * n * inner + point % inner + q * inner;",
            f"        let opposite = held[at(l, ({radix}u - q) % {radix}u)];",
            f"        {self.target}[to] = mirrored(held[at(l, q)], opposite);",
            "    }",
            "}",
        ]

    def _unpacked(self) -> list[str]:
        """The transform of twice as many real numbers: even and odd ones apart, then together."""
        half = self.cut.radix
        return [
            "workgroupBarrier();",
            f"for (var e = lane; e < {self.cut.lines * (half + 1)}u; e = e + {WORKGROUP}u) {{",
            f"    let q = e % {half + 1}u; let l = e / {half + 1}u;",
            f"    let point = number * {self.cut.lines}u + l;",
            "    if (point < points) {",
            f"        let a = held[at(l, q % {half}u)];",
            f"        let b = held[at(l, ({half}u - q) % {half}u)];",
            "        let value = joined(a, b, in1[q]);",
            f"        let first = point * {2 * half}u;",
            f"        {self.target}[first + q] = value;",
            f"        if (q != 0u && q != {half}u) {{",
            f"            {self.target}[first + {2 * half}u - q] = "
            f"{self.small.c}(value.x, -value.y);",
            "        }",
            "    }",
            "}",
        ]

    def _step(self, number: int, radix: int, before: int) -> list[str]:
        """Read, transform, write."""
        steps, apart = self.cut.steps, self.cut.radix // radix
        first, ends = number == 0, number == len(steps) - 1
        last = ends and not (self.mirrored and len(steps) > 1)
        flies = self.cut.lines * apart
        mine = -(-flies // WORKGROUP)
        text, writes = [], []
        for u in range(mine):
            mark = f"{number}_{u}"
            text += self._place(mark, u, flies, apart, by_lines=self.cut.by_lines(loading=not ends))
            if first or last:
                text += self._line(mark)
            text += self._read(mark, radix, apart, before, first=first)
            names = self.small.transform([f"v{mark}_{q}" for q in range(radix)], text, f"s{mark}")
            stores = self._write(mark, radix, apart, before, names, last=last)
            inside = f"live{mark}" if last else "true"
            if (u + 1) * WORKGROUP > flies:
                inside = f"lane + {u * WORKGROUP}u < {flies}u && {inside}"
            writes += [f"if ({inside}) {{", *(f"    {line}" for line in stores), "}"]
        if not first and not last:
            text.append("workgroupBarrier();")
        return [*text, *writes, *([] if ends else ["workgroupBarrier();"])]

    def _place(self, mark: str, u: int, flies: int, apart: int, *, by_lines: bool) -> list[str]:
        """The butterfly ``t`` and the line ``l`` of an invocation."""
        t, line = f"w{mark} % {apart}u", f"w{mark} / {apart}u"
        if by_lines:
            t, line = f"w{mark} / {self.cut.lines}u", f"w{mark} % {self.cut.lines}u"
        return [
            f"let w{mark} = min(lane + {u * WORKGROUP}u, {flies - 1}u);",
            f"let t{mark} = {t}; let l{mark} = {line};",
        ]

    def _line(self, mark: str) -> list[str]:
        """Where a line lies in memory: ``b`` and ``j``, and its turn."""
        return [
            f"let point{mark} = number * {self.cut.lines}u + l{mark};",
            f"let live{mark} = point{mark} < points;",
            f"let rest{mark} = point{mark} / inner; let j{mark} = rest{mark} % part;",
            f"let b{mark} = (rest{mark} / part) * n * inner + point{mark} % inner;",
            f"let k{mark} = j{mark} % before;",
        ]

    def _read(self, mark: str, radix: int, apart: int, before: int, *, first: bool) -> list[str]:
        turn = f"(t{mark} % {before}u) * {apart // before}u * part"
        text = [f"let turn{mark} = {f'k{mark} * (part / before)' if first else turn};"]
        turned = not (first and self.cut.first)
        if turned:
            text += self._roots(mark, radix, f"{apart}u * turn{mark}" if first else f"turn{mark}")
        if turned and first:
            text.append(f"let g{mark} = root(t{mark} * turn{mark});")
        names = [f"v{mark}_{q}" for q in range(radix)]
        parts = [f"t{mark} + {q * apart}u" for q in range(radix)]
        roots = [f"h{mark}_{q}" if q else "" for q in range(radix)]
        if not first:
            values = [f"held[at(l{mark}, {part})]" for part in parts]
            return text + [
                f"let {name} = {f'turned({value}, {root})' if root else value};"
                for name, value, root in zip(names, values, roots, strict=True)
            ]
        places = [f"b{mark} + (j{mark} + ({part}) * part) * inner" for part in parts]
        text += [f"var {name}: {self.small.c};" for name in names]
        text += [
            f"if (live{mark}) {{",  # all reads are on their way before one is waited for
            *(
                f"    {name} = {self.load.replace('place', place)};"
                for name, place in zip(names, places, strict=True)
            ),
            "}",
        ]
        if turned:
            both = [f"turned(g{mark}, {root})" if root else f"g{mark}" for root in roots]
            text += [
                f"{name} = turned({name}, {root});" for name, root in zip(names, both, strict=True)
            ]
        return text

    @staticmethod
    def _roots(mark: str, radix: int, step: str) -> list[str]:
        """The powers of a root: those of two from the table, others as products of two."""
        text = []
        for q in range(1, radix):
            high = 1 << (q.bit_length() - 1)
            value = f"root({q}u * ({step}))"
            if radix % 2 == 0 and q != high:
                value = f"turned(h{mark}_{high}, h{mark}_{q - high})"
            text.append(f"let h{mark}_{q} = {value};")
        return text

    def _write(
        self, mark: str, radix: int, apart: int, before: int, names: list[str], *, last: bool
    ) -> list[str]:
        if last and self.mirrored:
            names = [f"mirrored({name}, {names[-q]})" for q, name in enumerate(names)]
        if last:
            to = f"b{mark} + ((j{mark} / before) * before * {self.cut.radix}u + k{mark}"
            return [
                f"{self.target}[{to} + (t{mark} + {q * apart}u) * before) * inner] = "
                f"{names[q]}{self.scale};"
                for q in range(radix)
            ]
        to = f"(t{mark} / {before}u) * {before * radix}u + t{mark} % {before}u"
        return [f"held[at(l{mark}, {to} + {q * before}u)] = {names[q]};" for q in range(radix)]
