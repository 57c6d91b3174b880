"""Discrete Fourier transforms along an axis: Stockham's passes of small radices.

A pass of radix R takes R elements that are n/R apart, turns them by roots of unity, transforms
them in registers and writes them in the order of the next pass (Govindaraju and others, "High
performance discrete Fourier transforms on graphics processors", 2008). All roots, those inside a
radix too, come from one table of n numbers that is computed on the host in double precision.

The transform of real numbers is made exactly symmetric at the end, so that its inverse is known to
be real, as it is with the host's libraries.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.algorithms.base import Algorithm, Effort
from app.accel.algorithms.writing import WORKGROUP, Writer
from app.accel.dtypes import DType
from app.accel.kernels import storage
from app.accel.kernels.launch import Launch, parameter_words, spread
from app.accel.kernels.program import Binding, Role
from app.accel.roots import radices
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.kernels.program import Program
    from app.accel.kernels.storage import Abilities
    from app.accel.node import Attrs, Shape
    from app.accel.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

FUNCTIONS = """\
fn turned(a: {c}, w: {c}) -> {c} {{
    return {c}(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
}}
fn root(k: u32) -> {c} {{ return in1[k]; }}
"""
# The product of the radices so far is p[0].w; extents are p[2].
PASS = """\
    let point = number * {size}u + lane;
    if (point >= total() / {r}u) {{ return; }}
    let inner = p[2].x; let n = p[2].y; let part = n / {r}u; let before = p[0].w;
    let a = point % inner;
    let rest = point / inner;
    let j = rest % part;
    let b = (rest / part) * n * inner + a;
    let k = j % before;
    let turn = k * (part / before);
{load}
{transform}
    let to = (j / before) * before * {r}u + k;
{store}
}}"""


MIRROR = """\
    let point = number * {{size}}u + lane;
    let inner = p[2].x; let n = p[2].y; let half = n / 2u + 1u;
    if (point >= total() / n * half) {{{{ return; }}}}
    let rest = point / inner;
    let k = rest % half;
    let line = (rest / half) * n * inner + point % inner;
    let here = line + k * inner; let there = line + ((n - k) % n) * inner;
    let a = out0[here]; let b = out0[there];
    let mean = {c}((a.x + b.x) / {t}(2u), (a.y - b.y) / {t}(2u));
    out0[here] = mean;
    if (here != there) {{{{ out0[there] = {c}(mean.x, -mean.y); }}}}
}}}}"""


class _Fourier(Algorithm):
    """The one algorithm of this module; the second operand is the table of roots."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Whether it is the inverse, and the radices in order."""
        found = radices(shape[int(str(attrs[0]))]) or ()
        return (("inverse", int(bool(attrs[1]))), *((f"radix{k}", r) for k, r in enumerate(found)))

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """NumPy's transform, in the operand's precision."""
        del ops
        lines: Any = operands[0].reshape(extents, order="F")
        transform = np.fft.ifft if options["inverse"] else np.fft.fft
        return [transform(lines, axis=1).reshape(-1, order="F")]

    def programs(
        self, request: KernelRequest, *, abilities: Abilities
    ) -> tuple[Program, ...]:
        """One shader per pass: radices and where it reads and writes differ."""
        passes = _passes(request)
        if not passes:
            raise Unsupported("transforms whose length has a prime factor above 13")
        writer = _Shaders(request, abilities)
        made = [writer.one(k, radix, len(passes)) for k, radix in enumerate(passes)]
        return (*made, writer.mirror()) if _symmetric(request) else tuple(made)

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Pass after pass between scratch memory and the output, where the last one ends."""
        request = dispatch.pipeline.request  # type: ignore[attr-defined]
        count = math.prod(dispatch.extents)
        scratch = count * request.outputs[0].size if len(_passes(request)) > 1 else 0
        if scratch > limit:
            raise Unsupported(f"transforming {count} numbers takes {scratch} bytes bound at once")
        before = 1
        for stage, radix in zip(stages, _passes(request), strict=False):
            groups = spread(-(-(count // radix) // WORKGROUP))
            yield stage, Launch(parameter_words(dispatch, count, (before,)), groups, scratch)
            before *= radix
        if _symmetric(request):
            n = dispatch.extents[1]
            groups = spread(-(-(count // n * (n // 2 + 1)) // WORKGROUP))
            yield stages[-1], Launch(parameter_words(dispatch, count), groups)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every pass reads and writes everything; 2 ns per element and doubling with NumPy."""
        passes = max(1, len(_passes(request)))
        host = 2.0 * points * math.log2(max(2, points // max(1, lines)))
        return Effort(2 * passes * points * request.outputs[0].size, passes * points * 40, host)


FOURIER = _Fourier()


def _passes(request: KernelRequest) -> tuple[int, ...]:
    return tuple(value for name, value in request.attrs if name.startswith("radix"))


def _symmetric(request: KernelRequest) -> bool:
    """Whether real numbers are transformed."""
    return not request.inputs[0].is_complex and not dict(request.attrs)["inverse"]


class _Shaders(Writer):
    """The shaders of one request."""

    def __init__(self, request: KernelRequest, abilities: Abilities) -> None:
        super().__init__(request, abilities)
        self.dtype = request.outputs[0]
        self.c = storage.register(self.dtype)
        self.t = "f64" if self.dtype is DType.C128 else "f32"
        self.forward = not dict(request.attrs)["inverse"]

    def one(self, number: int, radix: int, count: int) -> Program:
        """The shader of one pass."""
        output = Binding(Role.OUTPUT, 0, writable=True)
        bindings = {Binding(Role.INPUT, 1): self.c}
        to_output = (count - 1 - number) % 2 == 0
        source, target = ("scratch", "out0") if to_output else ("out0", "scratch")
        if number == 0:
            source = "in0"
            bindings[Binding(Role.INPUT, 0)] = storage.entries(self.request.inputs[0], False)
        if "out0" in {source, target}:
            bindings[output] = self.c
        text = PASS.format(
            size=WORKGROUP, r=radix, load=self._load(source, radix),
            transform="\n".join(f"    {line}" for line in self._transform(radix)),
            store=self._store(target, radix, number == count - 1),
        )  # fmt: skip
        main = text.replace("{", "{{").replace("}", "}}")
        return self.program(
            f"pass {number}", main, bindings, FUNCTIONS.format(c=self.c),
            scratch=self.c if "scratch" in {source, target} else "",
        )  # fmt: skip

    def mirror(self) -> Program:
        """Give both of a pair of opposite frequencies the mean of one and the other's conjugate."""
        text = MIRROR.format(c=self.c, t=self.t)
        return self.program("mirror", text, {Binding(Role.OUTPUT, 0, writable=True): self.c},
                            scratch="")  # fmt: skip

    def _load(self, source: str, radix: int) -> str:
        lines = []
        for r in range(radix):
            value = f"{source}[b + (j + {r}u * part) * inner]"
            if source == "in0" and not self.request.inputs[0].is_complex:
                value = f"{self.c}({value}, {self.t}(0.0))"
            if r:
                value = f"turned({value}, root({r}u * turn))" if source != "in0" else value
            lines.append(f"    let v{r} = {value};")
        return "\n".join(lines)

    def _store(self, target: str, radix: int, last: bool) -> str:
        scale = ""
        if last and not self.forward:
            scale = f" * (1.0 / {self.t}(n))" if self.t == "f32" else " * (f64(1u) / f64(n))"
        return "\n".join(
            f"    {target}[b + (to + {r}u * before) * inner] = y{r}{scale};" for r in range(radix)
        )

    def _transform(self, radix: int) -> list[str]:
        """Statements from ``v0…`` to ``y0…``."""
        names = [f"v{r}" for r in range(radix)]
        lines: list[str] = []
        for r, value in enumerate(self._small(names, lines, "t")):
            lines.append(f"let y{r} = {value};")
        return lines

    def _small(self, names: list[str], lines: list[str], mark: str) -> list[str]:
        """The transform of named values: halves of halves, odd radices by their definition."""
        radix = len(names)
        if radix == 1:
            return names
        if radix % 2:
            return self._odd(names, lines, mark)
        even = self._small(names[0::2], lines, f"{mark}e")
        odd = self._small(names[1::2], lines, f"{mark}o")
        low, high = [], []
        for k, (first, second) in enumerate(zip(even, odd, strict=True)):
            turned = self._rooted(second, k, radix)
            lines += [f"let {mark}a{k} = {first} + {turned};",
                      f"let {mark}b{k} = {first} - {turned};"]  # fmt: skip
            low.append(f"{mark}a{k}")
            high.append(f"{mark}b{k}")
        return low + high

    def _rooted(self, value: str, k: int, radix: int) -> str:
        """A value times the k-th of so many roots of unity."""
        if k == 0:
            return value
        if 4 * k == radix:
            x, y = (f"{value}.y", f"-{value}.x") if self.forward else (f"-{value}.y", f"{value}.x")
            return f"{self.c}({x}, {y})"
        return f"turned({value}, root({k}u * (n / {radix}u)))"

    def _odd(self, names: list[str], lines: list[str], mark: str) -> list[str]:
        radix = len(names)
        results = []
        for k in range(radix):
            terms = [self._rooted(name, r * k % radix, radix) for r, name in enumerate(names)]
            lines.append(f"let {mark}d{k} = {' + '.join(terms)};")
            results.append(f"{mark}d{k}")
        return results
