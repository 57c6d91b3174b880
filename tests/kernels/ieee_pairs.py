"""Every elementwise op applied to every other one, over the special values, against the host.

A compiler that assumes finite maths shows itself where two operations meet: ``f(x) - f(x)``,
``x .* 0``, ``x ./ x``, a choice by a comparison. `pairs` lists an outer op over the result of an
inner one in all the ways two operands can be chosen; `mistakes` computes them on a provider and
compares bit for bit (NaN with NaN, 0 apart from -0) with NumPy on the provider's own inner values.

``python -m tests.kernels.ieee_pairs [gpu|host] [CLASS…]`` runs all of them.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from app.accel.backends import reference
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.ops import OPS, Category
from app.accel.runtime.runtime import Runtime

CLASSES = (
    DType.F64,
    DType.F32,
    DType.I8,
    DType.I16,
    DType.I32,
    DType.I64,
    DType.U8,
    DType.U16,
    DType.U32,
    DType.U64,
    DType.BOOL,
)
NOT_EXACT = frozenset({"power", "atan2", "hypot"})
"""Binary ops whose last digit may differ: they stand inside a pair only."""
FLOATS_ONLY = NOT_EXACT | {"angle", "imag", "real", "conj"}
EITHER_ZERO = frozenset({"min", "max"})
"""Of 0 and -0 either is the smaller one."""
CONSTANTS = (0.0, -0.0, 1.0, -1.0, 2.0, np.inf, -np.inf, np.nan)
TOGETHER = 24
"""Pairs that are computed in one go."""


@dataclass(frozen=True)
class Pair:
    """An outer op over an inner one.

    Attributes:
        outer: applied to what `form` names: ``f`` the inner result, ``g`` the inner result with
            its operands exchanged, ``x`` and ``y`` the operands themselves, or a constant.
    """

    dtype: DType
    inner: str
    outer: str
    form: tuple[str | float, ...]

    def __str__(self) -> str:
        shown = ", ".join(str(part) for part in self.form)
        return f"{self.outer}({shown}) with f = {self.inner}(x, y) in {self.dtype.value}"


def special(dtype: DType) -> np.ndarray:
    """The values at which arithmetic is special, and a few ordinary ones."""
    if dtype is DType.BOOL:
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        some = (info.min, info.min + 1, -3, -1, 0, 1, 2, 3, 100, info.max - 1, info.max)
        return np.array([v for v in some if info.min <= v <= info.max], dtype.numpy)
    info = np.finfo(dtype.numpy)
    some = (0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 1e6, info.max, info.tiny, np.inf, np.nan)
    return np.array([*some, *(-v for v in some[:-1])], dtype.numpy)


def _inner_ops(dtype: DType) -> list[str]:
    """Ops of one or two operands of a class that give that class or a logical, and casts."""
    found = []
    for op, spec in OPS.items():
        if spec.category is not Category.ELEMENTWISE or op in {"complex", "select"}:
            continue
        logical, bits = op in {"and", "or", "xor", "not"}, op.startswith("bit")
        if dtype is DType.BOOL:
            fits = logical or op in {"eq", "ne", "lt", "le", "gt", "ge"}
        elif dtype.is_integer:
            fits = (
                not logical
                and (bits or spec.costs.units <= 10)
                and op not in FLOATS_ONLY | {"sqrt"}
            )
        else:
            fits = not logical and not bits
        if fits:
            found.append(op)
    casts = [f"cast {other.value}" for other in CLASSES if other is not dtype]
    return [*found, *casts, "identity"]


def _outer_ops(dtype: DType) -> list[str]:
    """Ops whose answers are the same to the last bit everywhere."""
    return [
        op
        for op in _inner_ops(dtype)
        if op == "identity"
        or op.startswith("cast")
        or (OPS[op].costs.units <= 10 and op not in NOT_EXACT and not OPS[op].domain)
    ] + ["select"]


def _forms(outer: str, dtype: DType) -> Iterator[tuple[str | float, ...]]:
    constants: tuple[float, ...] = CONSTANTS if dtype.is_float else (0.0, 1.0)
    if outer == "identity" or outer.startswith("cast") or OPS[outer].arity == 1:
        yield ("f",)
        return
    if outer == "select":
        # What a compiler may take for a minimum, a maximum or an absolute value.
        yield from ((test, a, b) for test in ("lt", "ge") for a, b in ("xf", "fx", "ff"))
        return
    others = ("f", "g", "x", "y")
    yield from (("f", other) for other in others)
    yield from ((other, "f") for other in ("x", "y"))
    yield from (("f", value) for value in constants)
    yield from ((value, "f") for value in constants)


def pairs(dtype: DType) -> Iterator[Pair]:
    """All pairs of a class."""
    for inner, outer in product(_inner_ops(dtype), _outer_ops(dtype)):
        for form in _forms(outer, dtype):
            yield Pair(dtype, inner, outer, form)


class Grid:
    """The special values against one another on a runtime."""

    def __init__(self, runtime: Runtime, dtype: DType) -> None:
        values = special(dtype)
        columns = np.array(list(product(values, repeat=2)), dtype.numpy)
        self.runtime, self.dtype = runtime, dtype
        self.arrays = {"x": columns[:, [0]], "y": columns[:, [1]]}
        self.leaves = {n: runtime.leaf(np.asfortranarray(a)) for n, a in self.arrays.items()}

    def _apply(self, op: str, operands: list[Node]) -> Node:
        if op == "identity":
            return operands[0]
        if op.startswith("cast"):
            return self.runtime.apply("cast", tuple(operands[:1]), (DType(op.split()[1]),))
        if OPS[op].domain:  # inside the real domain: beyond it the host answers
            operands = [self._inside(op, operands[0]), *operands[1:]]
        return self.runtime.apply(op, tuple(operands[: OPS[op].arity]))

    def _inside(self, op: str, x: Node) -> Node:
        size = self.runtime.apply("abs", (x,))
        one = self.runtime.scalar(1.0, self.dtype)
        if op == "acosh":
            return self.runtime.apply("max", (size, one))
        return self.runtime.apply("min", (size, one)) if op in {"asin", "acos", "atanh"} else size

    def inner(self, op: str, exchanged: bool = False) -> Node:
        """The inner op on the operands, as a value of the grid's class."""
        x, y = self.leaves["x"], self.leaves["y"]
        made = self._apply(op, [y, x] if exchanged else [x, y])
        return self._typed(made)

    def _typed(self, node: Node) -> Node:
        if node.dtype is self.dtype:
            return node
        return self.runtime.apply("cast", (node,), (self.dtype,))

    def outer(self, pair: Pair, named: dict[str, Node]) -> Node:
        """The outer op on its named operands and constants."""
        if pair.outer == "select":
            test, a, b = pair.form
            one, other = named[str(a)], named[str(b)]
            if self.dtype is DType.BOOL:
                mask = self.runtime.apply(str(test), (one, other))
            else:
                mask = self.runtime.apply(str(test), (named["x"], named["f"]))
            return self.runtime.apply("select", (mask, one, other))
        operands = [
            named[part] if isinstance(part, str) else self.runtime.scalar(part, self.dtype)
            for part in pair.form
        ]
        return self._apply(pair.outer, operands)

    def named(self, pair: Pair) -> dict[str, Node]:
        """What the letters of a form stand for."""
        return self.leaves | {"f": self.inner(pair.inner), "g": self.inner(pair.inner, True)}


def _same(op: str, ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    if ours.dtype.kind != "f":
        return np.equal(ours, theirs)
    zeros = (theirs != 0) | (np.signbit(ours) == np.signbit(theirs)) | (op in EITHER_ZERO)
    return ((ours == theirs) & zeros) | (np.isnan(ours) & np.isnan(theirs))


def _flushed(op: str, arrays: Iterable[np.ndarray]) -> np.ndarray:
    """Where some number is a denormal single: shading languages let devices take it for 0.

    What a long division has left over is one already where the divisor is near them.
    """
    some = np.zeros((), np.bool_)
    least = np.finfo(np.float32).tiny * (2.0**24 if op in {"mod", "rem"} else 1.0)
    for a in arrays:
        if a.dtype == np.float32:
            some = some | ((a != 0) & (np.abs(a) < least)).ravel()
    return some


class Inner:
    """Values of inner ops as the provider computes them, each alone."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.kept: dict[tuple[str, bool], np.ndarray] = {}

    def __call__(self, op: str, exchanged: bool) -> np.ndarray:
        """The value of an inner op."""
        if (op, exchanged) not in self.kept:
            node = self.grid.inner(op, exchanged)
            shape = self.grid.arrays["x"].shape
            self.kept[op, exchanged] = self.grid.runtime.gather(node).reshape(shape, order="F")
        return self.kept[op, exchanged]


def mistakes(runtime: Runtime, apart: Runtime, chosen: Iterable[Pair]) -> list[str]:
    """What is not as on the host, one line per pair; `apart` computes the inner ops alone."""
    found, grids = [], {}
    batch: list[Pair] = []

    def finish() -> None:
        if batch:
            grid = grids[batch[0].dtype]
            found.extend(_compared(grid[0], grid[1], batch))
            batch.clear()

    for pair in sorted(chosen, key=lambda pair: (pair.dtype.value, pair.inner)):
        if pair.dtype not in grids:
            grids[pair.dtype] = (Grid(runtime, pair.dtype), Inner(Grid(apart, pair.dtype)))
        if batch and (len(batch) >= TOGETHER or batch[0].dtype is not pair.dtype):
            finish()
        batch.append(pair)
    finish()
    return found


def _compared(grid: Grid, inner: Inner, batch: list[Pair]) -> Iterator[str]:
    runtime = grid.runtime
    nodes = [grid.outer(pair, grid.named(pair)) for pair in batch]
    runtime.evaluate(nodes, "test")
    for pair, node in zip(batch, nodes, strict=True):
        arrays = grid.arrays | {"f": inner(pair.inner, False), "g": inner(pair.inner, True)}
        leaves = {name: runtime.leaf(np.asfortranarray(a)) for name, a in arrays.items()}
        wanted = grid.outer(pair, leaves)
        given = dict(zip(leaves.values(), arrays.values(), strict=True))
        theirs = reference.evaluate([wanted], given.__getitem__, complex_results=False)[wanted]
        ours = runtime.gather(node).reshape(theirs.shape, order="F")
        wrong = np.flatnonzero(
            ~(
                _same(pair.outer, ours, theirs).ravel()
                | _flushed(pair.outer, [*arrays.values(), theirs])
            )
        )
        if ours.dtype != theirs.dtype or wrong.size:
            k = wrong[0] if wrong.size else 0
            at = ", ".join(f"{name} = {a.ravel()[k]}" for name, a in arrays.items())
            yield f"{pair}: {ours.ravel()[k]}, not {theirs.ravel()[k]}, at {at} ({wrong.size})"


def sample(dtype: DType, inners: int, count: int, seed: int) -> list[Pair]:
    """So many inner ops of a class, each with so many of its pairs."""
    choose = random.Random(seed)
    ops = choose.sample(_inner_ops(dtype), inners)
    found = []
    for op in ops:
        every = [pair for pair in pairs(dtype) if pair.inner == op]
        found += choose.sample(every, min(count, len(every)))
    return found


def _runtime(where: str) -> Runtime:
    from app.accel.support.options import AccelOptions
    from tests.support.machine_code import compiling_runtime

    if where == "host":
        return compiling_runtime()
    return Runtime(AccelOptions(device="gpu", verify=True))


def _main(where: str, names: list[str]) -> int:
    one, apart, bad = _runtime(where), _runtime(where), 0
    for dtype in [DType(name) for name in names] or CLASSES:
        chosen, started = list(pairs(dtype)), time.monotonic()
        for op in _inner_ops(dtype):
            for line in mistakes(one, apart, [pair for pair in chosen if pair.inner == op]):
                bad += 1
                print(line, flush=True)
        spent = time.monotonic() - started
        print(f"{dtype.value}: {len(chosen)} pairs, {bad} mistakes, {spent:.0f} s", flush=True)
    one.close()
    apart.close()
    return bool(bad)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1] if len(sys.argv) > 1 else "gpu", sys.argv[2:]))
