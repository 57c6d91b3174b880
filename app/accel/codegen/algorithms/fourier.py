"""Discrete Fourier transforms along an axis: Stockham's passes.

A pass of radix R takes R elements that are n/R apart, turns them by roots of unity, transforms
them and writes them in the order of the next pass (Govindaraju and others, "High performance
discrete Fourier transforms on graphics processors", 2008); `passes` says how. The roots come from
one table of n numbers that is computed on the host in double precision.

The transform of real numbers is made exactly symmetric at the end, so that its inverse is known to
be real, as it is with the host's libraries. Where neighbours in memory are neighbours of a line,
one of a pair is taken for the real and one for the imaginary part (Cooley, Lewis and Welch, 1970):
the passes move half as much, and what is put together from their result is symmetric. A pass that
has whole lines does so itself. The inverse of a symmetric spectrum goes the same way back: its
first pass reads both frequencies of a pair, and the numbers that it ends with are neighbours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort
from app.accel.codegen.algorithms.fourier_passes import Butterflies, Pass, PassText, passes
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer, indent
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.accel.numerics.fft_tables import radices
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

USUAL_BYTES = 1 << 15
"""Workgroup memory of most adapters, for estimates."""

FUNCTIONS = wgsl_template("fourier/functions")
# The product of the radices so far is p[0].w; extents are p[2].
PASS = wgsl_template("fourier/pass")
MIRROR = wgsl_template("fourier/mirror")
MIRRORED = wgsl_template("fourier/mirrored")
JOINED = wgsl_template("fourier/joined")
OPENED = wgsl_template("fourier/opened")
UNPACKED = wgsl_template("fourier/unpacked")


class _Fourier(Algorithm):
    """Transforms; the second operand is the table of roots."""

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """Whether it is the inverse, whether lines lie apart, and the radices in order."""
        inner, n, _ = self.extents(shape, attrs)
        flags = ("inverse", int(bool(attrs[1]))), ("spread", int(inner > 1))
        return (*flags, *((f"radix{k}", r) for k, r in enumerate(radices(n) or ())))

    def host(
        self,
        ops: Sequence[str],
        operands: Sequence[Array],
        extents: Shape,
        options: dict[str, int],
    ) -> list[Array]:
        """NumPy's transform, in the operand's precision."""
        lines: Any = operands[0].reshape(extents, order="F")
        if ops == ["irfft"]:
            n = extents[1]
            half = lines[:, : n // 2 + 1]
            return [np.fft.irfft(half, n, axis=1).reshape(-1, order="F")]
        transform = np.fft.ifft if options["inverse"] else np.fft.fft
        return [transform(lines, axis=1).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """One shader per pass: radices and where it reads and writes differ."""
        writer = _Shaders(request, abilities)
        cut = _passes(request, abilities.workgroup_bytes)
        if not cut:
            raise Unsupported("transforms whose length has a prime factor above 13")
        made = [writer.one(k, each) for k, each in enumerate(cut)]
        if not _symmetric(request) or cut[0].whole:
            return tuple(made)
        return (*made, writer.unpacked() if writer.each == 2 else writer.mirror())

    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """Pass after pass between scratch memory and the output, where the last one ends."""
        request = dispatch.pipeline.request
        count = math.prod(dispatch.extents)
        apart = len(stages) > 1 and _symmetric(request)
        stages, mirror = (stages[:-1], stages[-1:]) if apart else (stages, ())
        each = int(stages[0].program.kind.split()[-1])
        scratch = (
            count // each * request.outputs[0].complex.size if len(stages) + len(mirror) > 1 else 0
        )
        if scratch > limit:
            raise Unsupported(f"transforming {count} numbers takes {scratch} bytes bound at once")
        before = 1
        for stage in stages:
            radix, lines = map(int, stage.program.kind.split()[-3:-1])
            groups = spread(-(-(count // each // radix) // lines))
            yield stage, Launch(parameter_words(dispatch, count, (before,)), groups, scratch)
            before *= radix
        for stage in mirror:
            n = dispatch.extents[1]
            groups = spread(-(-(count // n * (n // 2 + 1)) // WORKGROUP))
            yield stage, Launch(parameter_words(dispatch, count), groups, scratch)

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """Every pass reads and writes everything; 2 ns per element and doubling with NumPy."""
        cut = max(1, len(_passes(request, USUAL_BYTES)))
        each = 2 if cut > 1 and _packed_passes(request, USUAL_BYTES) else 1
        moved = 2 * points * request.outputs[0].complex.size
        doublings = math.log2(max(2, points // max(1, lines)))
        units = int(points * 10 * doublings)
        return Effort(moved * (cut + each - 1) // each, units, 2.0 * points * doublings)


FOURIER, REAL_INVERSE = _Fourier(), _Fourier()


def _passes(request: KernelRequest, workgroup_bytes: int) -> tuple[Pass, ...]:
    n, capacity = _length(request), workgroup_bytes // request.outputs[0].complex.size
    if "radix0" not in dict(request.attrs):
        return ()
    packed = _packed_passes(request, workgroup_bytes)
    return packed or passes(n, capacity, spread=bool(dict(request.attrs)["spread"]))


def _packed_passes(request: KernelRequest, workgroup_bytes: int) -> tuple[Pass, ...]:
    """The passes over pairs of neighbours that are real."""
    n, capacity = _length(request), workgroup_bytes // request.outputs[0].complex.size
    if _real_inverse(request):
        return passes(n // 2, capacity, spread=False)
    if not _symmetric(request) or n % 2 or not capacity or dict(request.attrs)["spread"]:
        return ()
    cut = passes(n // 2, capacity, spread=False)
    return cut if len(cut) > 1 or cut[0].rows else ()


def _length(request: KernelRequest) -> int:
    return math.prod(value for name, value in request.attrs if name.startswith("radix"))


def _symmetric(request: KernelRequest) -> bool:
    """Whether real numbers are transformed."""
    return not request.inputs[0].is_complex and not dict(request.attrs)["inverse"]


def _real_inverse(request: KernelRequest) -> bool:
    """Whether a symmetric spectrum is made real numbers."""
    return not request.outputs[0].is_complex


class _Shaders(Writer):
    """The shaders of one request."""

    def __init__(self, request: KernelRequest, abilities: Abilities) -> None:
        super().__init__(request, abilities)
        self.dtype = request.outputs[0].complex
        self.c = layout.register(self.dtype)
        self.t = "f64" if self.dtype is DType.C128 else "f32"
        self.forward = not dict(request.attrs)["inverse"]
        self.count = len(_passes(request, abilities.workgroup_bytes))
        self.each = 2 if _packed_passes(request, abilities.workgroup_bytes) else 1

    def one(self, number: int, cut: Pass) -> Program:
        """The shader of one pass."""
        source, target = self._ends(number, cut)
        output = Binding(Role.OUTPUT, 0, writable=True)
        bindings = {Binding(Role.INPUT, 1): self.c}
        if source == "in0":
            bindings[Binding(Role.INPUT, 0)] = layout.entries(self.request.inputs[0], False)
        if "out0" in {source, target}:
            bindings[output] = self.c
        load = f"{source}[place]"
        if source == "in0" and not self.request.inputs[0].is_complex:
            load = f"{self.c}({load}, {self.t}(0.0))"
        opened = source == "in0" and _real_inverse(self.request)
        if opened:
            load = "opened(place)"
        elif source == "in0" and self.each == 2:
            load = f"{self.c}({source}[2u * (place)], {source}[2u * (place) + 1u])"
        small = Butterflies(self.c, forward=self.forward)
        mirrored = cut.whole and _symmetric(self.request)
        packed = mirrored and self.each == 2
        written = PassText(
            cut, small, load, target, self._scale(cut), mirrored=mirrored, packed=packed
        )
        text = PASS.format(radix=cut.radix, each=self.each, text=indent(written.lines()))
        main = text.replace("{", "{{").replace("}", "}}")
        return self.program(
            f"pass {number} {cut.radix} {cut.lines} {self.each}",
            main,
            bindings,
            FUNCTIONS.format(c=self.c, each=self.each)
            + (MIRRORED.format(c=self.c, t=self.t) if mirrored else "")
            + (JOINED.format(c=self.c, t=self.t) if packed else "")
            + (OPENED.format(c=self.c, t=self.t) if opened else "")
            + written.shared(),
            scratch=self.c if "scratch" in {source, target} else "",
        )

    def _ends(self, number: int, cut: Pass) -> tuple[str, str]:
        """The arrays a pass reads and writes; what comes after the last one is the output."""
        behind = int(self.each == 2 and self.forward and not cut.whole)
        to_output = (self.count - 1 - number) % 2 == behind
        source, target = ("scratch", "out0") if to_output else ("out0", "scratch")
        return ("in0" if cut.first else source), target

    def _scale(self, cut: Pass) -> str:
        if self.forward or not cut.last:
            return ""
        return f" * (1.0 / {self.t}(n))" if self.t == "f32" else " * (f64(1u) / f64(n))"

    def mirror(self) -> Program:
        """Give both of a pair of opposite frequencies the mean of one and the other's conjugate."""
        output = {Binding(Role.OUTPUT, 0, writable=True): self.c}
        mirrored = MIRRORED.format(c=self.c, t=self.t)
        return self.program("mirror", MIRROR.format(c=self.c), output, mirrored, scratch="")

    def unpacked(self) -> Program:
        """The launch behind the passes that gives the transform of real numbers."""
        bindings = {Binding(Role.INPUT, 1): self.c, Binding(Role.OUTPUT, 0, writable=True): self.c}
        functions = (
            FUNCTIONS.format(c=self.c, each=self.each)
            + MIRRORED.format(c=self.c, t=self.t)
            + JOINED.format(c=self.c, t=self.t)
        )
        text = UNPACKED.format(c=self.c)
        return self.program("unpacked", text, bindings, functions, scratch=self.c)
