"""Small systems of equations: solutions or an inverse, how near to singular, and the determinant.

One workgroup holds the LU factors of the matrix (row exchanges, as LAPACK's `getrf`) and inverts
it, which gives the condition exactly; each of the others repeats the factors, which takes less time
than to wait for them, and solves for some of the right sides. What is asked of one small matrix is
one launch and one result, so nobody has to look on the way: `equations` of A (n x n) and B (n x m)
is n x (m + 1), of A alone n x (n + 1): the solutions or the inverse, and in the last column
1 / (norm(A, 1) * norm(inv(A), 1)), the determinant, and zeros. With a pivot of zero the answers are
infinite, with a NaN they are NaN, as MATLAB's are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.accel.codegen.algorithms.algorithm import Algorithm, Effort, held
from app.accel.codegen.algorithms.shader_parts import WORKGROUP, Writer
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.launch import Launch, parameter_words, spread
from app.accel.codegen.wgsl.program import Binding, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import MOST_EQUATIONS
from app.accel.numerics.lapack import routine as lapack
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]

TILE = 16
"""Right sides that a workgroup solves for at a time."""
TEAM = WORKGROUP // TILE
SOLVE = wgsl_template("equations/solve")


class _Special(NamedTuple):
    """How infinity and NaN are told, and made of parameters: compilers take constants for finite.

    Attributes:
        bits: the bits of `value` without its sign.
        top: those of infinity; NaN has more.
        infinity: infinity, from its upper word.
        no_number: NaN, likewise.
        words: the upper words of both.
    """

    bits: str
    top: str
    infinity: str
    no_number: str
    words: tuple[int, int]


SPECIAL = {
    DType.F64: _Special(
        "bitcast<u64>(value) & 0x7ffffffffffffffflu",
        "0x7ff0000000000000lu",
        "bitcast<f64>(u64(p[1].y) << 32u)",
        "bitcast<f64>(u64(p[1].z) << 32u)",
        (0x7FF00000, 0x7FF80000),
    ),
    DType.F32: _Special(
        "bitcast<u32>(value) & 0x7fffffffu",
        "0x7f800000u",
        "bitcast<f32>(p[1].y)",
        "bitcast<f32>(p[1].z)",
        (0x7F800000, 0x7FC00000),
    ),
}


class _Equations(Algorithm):
    """The one algorithm of this module."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """Rows and columns of the matrix."""
        del attrs
        return shape[0], shape[1], 1

    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """LAPACK's; of complex numbers too, where a matrix has turned out complex."""
        del ops, options
        a = operands[0].reshape(extents[:2], order="F").astype(np.result_type(*operands))
        n, sides = len(a), [operand.reshape((len(a), -1), order="F") for operand in operands[1:]]
        factors, pivots, info = lapack("getrf", a.dtype)(a)
        right = np.hstack([*sides, np.eye(n, dtype=a.dtype)])
        found = np.asarray(lapack("getrs", a.dtype)(factors, pivots, right)[0])
        last, finite = np.zeros((n, 1), a.dtype), bool(np.isfinite(a).all())
        with np.errstate(all="ignore"):
            if np.isnan(a).any():
                found[:] = np.nan
            elif info > 0 and finite:
                found[:] = np.inf
            size, grown = (np.abs(part).sum(axis=0).max() for part in (a, found[:, -n:]))
            near = 0.0 if info > 0 else 1 / size / grown
            last[0] = near if finite else np.nan
            last[1] = _product(factors.diagonal())
        if np.count_nonzero(pivots != np.arange(n)) % 2:
            last[1] = -last[1]
        kept = found[:, :-n] if sides else found
        return [np.hstack([kept, last]).reshape(-1, order="F")]

    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """The one shader."""
        dtype = request.inputs[0]
        if dtype not in SPECIAL:
            raise Unsupported(f"equations of {dtype.label}")
        special = SPECIAL[dtype]
        t, alone = layout.register(dtype), len(request.inputs) == 1
        inputs = {Binding(Role.INPUT, k): t for k in range(len(request.inputs))}
        shared = (
            f"var<workgroup> held: array<{t}, {MOST_EQUATIONS**2}>;\n"
            f"var<workgroup> side: array<{t}, {MOST_EQUATIONS * TILE}>;\n"
            f"var<workgroup> sizes: array<{t}, {MOST_EQUATIONS}>;\n"
            f"var<workgroup> grown: array<{t}, {MOST_EQUATIONS}>;\n"
            f"var<workgroup> order: array<u32, {MOST_EQUATIONS}>;\n"
            "var<workgroup> odd: atomic<u32>;\n"
        )
        given = f"select({t}(), {t}(1.0), order[r] == c)"
        if not alone:
            given = f"select(in1[min(c, sides - 1u) * n + order[r]], {given}, number == 0u)"
        program = Writer(request, abilities).program(
            "solve",
            SOLVE,
            inputs | {Binding(Role.OUTPUT, 0, writable=True): t},
            shared,
            scratch="",
            t=t,
            tile=TILE,
            team=TEAM,
            given=given,
            inverse="true" if alone else "false",
            results="n" if alone else "sides",
            bits=special.bits,
            top=special.top,
            infinity=special.infinity,
            no_number=special.no_number,
        )
        return (program,)

    def launches(
        self, dispatch: Dispatch, stages: Sequence[object], limit: int
    ) -> Iterator[tuple[object, Launch]]:
        """One workgroup inverts the matrix, the others share the right sides."""
        del limit
        n = dispatch.extents[0]
        if not 1 < n <= MOST_EQUATIONS:
            raise Unsupported(f"equations of {n} rows")
        sides = held(dispatch.inputs[1]).count // n if len(dispatch.inputs) > 1 else 0
        more = -(-sides // TILE)
        special = SPECIAL[dispatch.pipeline.request.inputs[0]]
        words = parameter_words(dispatch, n * n, (sides, more, *special.words))
        yield stages[0], Launch(words, spread(1 + more))

    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """As long as its steps, one after the other; LAPACK takes some 10 us of calls."""
        del lines
        n = max(1.0, points**0.5)
        return Effort(3 * points * request.inputs[0].size, int(1000 * n), 1e4 + points * n)


def _product(pivots: Array) -> complex:
    """The product of the pivots; of real ones it is not infinite on the way."""
    if pivots.dtype.kind == "c":
        return complex(math.prod(pivots.tolist()))
    parts, powers = zip(*map(math.frexp, pivots.tolist()), strict=True)
    return float(np.ldexp(math.prod(parts), sum(powers)))


EQUATIONS = _Equations()
