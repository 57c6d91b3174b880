"""Executes kernel instructions with NumPy, one cache-sized block at a time.

A `Program` is prepared once per kernel: which values are uniform (computed once per dispatch),
which scratch array each value lives in, and when it dies. Running it on a block then is a plain
walk over a list of tuples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from app.accel.codegen import philox
from app.accel.ir import host_functions as hf
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access, Instr, KernelRequest, MapValues, Store
from app.accel.ir.shapes import flat_strides
from app.errors import InternalError
from app.records import mutable_record, record

if TYPE_CHECKING:
    from app.accel.ir.node import Shape

Array: TypeAlias = Any  # an ndarray; NumPy's own annotations are narrower than its results
BLOCK = 131072
"""Elements of a block: short enough for the caches, long enough that Python is not felt."""
DEAR_BLOCK = 32768
"""The same where an element takes so long that threads pay early."""
STRETCH = 1 << 19
"""Elements of a block that NumPy reduces after machine code has computed them. Between two of its
calls a thread waits for Python's lock: of sixteen threads with blocks a quarter as long, one and a
half worked."""


@mutable_record
class Frame:
    """What one dispatch works on.

    Attributes:
        kernel: the request.
        extents: the box.
        inputs: flat arrays.
        maps: offsets and strides.
        params: numbers.
        uniforms: values that are the same everywhere in the box.
        status: set when a guard was left.
        results: per reduction, its results over the kept axes (while the epilogue runs).
        carries: in a loop, the carried values of the block that runs.
        done: in a loop, the passes done.
        origin: where in the box the results begin.
    """

    kernel: KernelRequest
    extents: Shape
    inputs: Sequence[Array]
    maps: Sequence[MapValues]
    params: Sequence[Any]
    uniforms: dict[int, Array] = field(default_factory=dict)
    results: Sequence[Array] = ()
    status: bool = False
    carries: Sequence[Array] = ()
    done: int = 0
    origin: Shape = ()

    def place(self, number: int) -> MapValues:
        """The run-time half of a map; in a loop it may move on with every pass."""
        values = self.maps[number]
        loop = self.kernel.loop
        if loop is None or not self.done or loop.loop_strides[number] < 0:
            return values
        moved = self.done * int(self.params[loop.loop_strides[number]])
        return MapValues(values.offset + moved, values.strides)


@record
class Block:
    """A part of the box: first coordinates and extents."""

    start: Shape
    shape: Shape


def blocks(
    extents: Shape, limit: int = BLOCK, bounds: tuple[int, int] | None = None
) -> Iterator[Block]:
    """Blocks of at most about `limit` elements that cover the box, axis 0 fastest.

    `bounds` restricts the last axis.
    """
    rank = len(extents)
    low, high = bounds or (0, extents[-1])
    inner, axis = 1, 0
    while axis < rank - 1 and inner * extents[axis] <= limit:
        inner *= extents[axis]
        axis += 1
    chunk = max(1, limit // inner)
    outer = [range(e) for e in extents[axis + 1 :]]
    if axis < rank - 1:
        outer[-1] = range(low, high)
    first, last = (low, high) if axis == rank - 1 else (0, extents[axis])
    lead, ones = (0,) * axis, (1,) * (rank - axis - 1)
    for rest in _product(outer):
        for start in range(first, last, chunk):
            shape = (*extents[:axis], min(chunk, last - start), *ones)
            yield Block((*lead, start, *rest), shape)


def _product(ranges: list[range]) -> Iterator[Shape]:
    if not ranges:
        yield ()
        return
    for last in ranges[-1]:
        for rest in _product(ranges[:-1]):
            yield (*rest, last)


def window(base: Array, values: MapValues, strides: Shape, block: Block) -> Array:
    """The elements a map visits in a block, without a copy."""
    item = base.itemsize
    offset = values.offset
    for start, stride in zip(block.start, strides, strict=True):
        offset += start * stride
    return np.ndarray(
        block.shape, base.dtype, base, offset * item, tuple(s * item for s in strides)
    )


def _with_deaths(
    instrs: list[tuple[int, Instr]], results: set[int]
) -> list[tuple[int, Instr, tuple[int, ...]]]:
    """Each instruction with the values that nobody needs after it."""
    last = {arg: number for number, instr in instrs for arg in instr.args}
    dead: dict[int, list[int]] = {}
    for value, number in last.items():
        if value not in results:
            dead.setdefault(number, []).append(value)
    return [(number, instr, tuple(dead.get(number, ()))) for number, instr in instrs]


NEVER_UNIFORM = frozenset("position axis result carry counter load_at advance".split())


class Program:
    """A list of instructions prepared for block execution."""

    def __init__(
        self,
        instrs: Sequence[Instr],
        first: int,
        kernel: KernelRequest,
        results: set[int],
        skipped: tuple[bool, ...] = (),
        uniform: Iterable[int] = (),
    ) -> None:
        self.kernel = kernel
        self.skipped = skipped
        self.uniform: list[tuple[int, Instr]] = []
        varying: list[tuple[int, Instr]] = []
        known = set(uniform)
        for number, instr in enumerate(instrs, first):
            if self._is_uniform(instr, known):
                known.add(number)
                self.uniform.append((number, instr))
            else:
                varying.append((number, instr))
        self.varying = _with_deaths(varying, results)

    def _is_uniform(self, instr: Instr, known: set[int]) -> bool:
        if instr.op == "load":
            loop, place = self.kernel.loop, instr.attrs[1]
            moves = loop is not None and loop.loop_strides[place] >= 0
            return self.kernel.maps[place].access is Access.SCALAR and not moves
        if instr.op in NEVER_UNIFORM:
            return False
        return instr.op == "param" or (bool(instr.args) and all(arg in known for arg in instr.args))

    def strides(self, frame: Frame, number: int) -> Shape:
        """Strides of a map in this frame."""
        if frame.kernel.maps[number].access is Access.FLAT:
            return flat_strides(frame.extents, self.skipped)
        if frame.kernel.maps[number].access is Access.SCALAR:
            return (0,) * len(frame.extents)
        return frame.maps[number].strides

    def prepare(self, frame: Frame) -> None:
        """Compute the uniform values of a dispatch."""
        block = Block((0,) * len(frame.extents), (1,) * len(frame.extents))
        for number, instr in self.uniform:
            frame.uniforms[number] = self._instruction_result(
                frame, number, instr, frame.uniforms, block, None
            )

    def run(
        self,
        frame: Frame,
        block: Block,
        scratch: Scratch,
        known: dict[int, Array] | None = None,
        targets: dict[int, Array] | None = None,
    ) -> dict[int, Array]:
        """Values of all instructions on a block (uniform ones have one element).

        `targets` are places in the outputs where values may be computed at once.
        """
        values = dict(frame.uniforms if known is None else known)
        scratch.begin(block.shape, targets or {})
        for number, instr, dead in self.varying:
            values[number] = self._instruction_result(frame, number, instr, values, block, scratch)
            for gone in dead:
                scratch.release(gone)
        return values

    def _instruction_result(
        self,
        frame: Frame,
        number: int,
        instr: Instr,
        values: dict[int, Array],
        block: Block,
        scratch: Scratch | None,
    ) -> Array:
        special = _SPECIAL.get(instr.op)
        if special is not None:
            return special(self, frame, instr, values, block)
        args = [values[arg] for arg in instr.args]
        if instr.guard and not frame.status:
            domain = OPS[instr.op].domain
            frame.status = domain is not None and domain.is_left(args)
        convert = hf.CONVERSIONS.get(instr.op)
        if convert is not None:
            return _value_of_its_own(convert(args[0], instr.dtype), args, scratch)
        ufunc = in_place(instr.op, args[-1].dtype.kind)
        if ufunc is not None and scratch is not None:
            return ufunc(*args, out=scratch.take(number, instr.dtype))
        host = OPS[instr.op].host
        if host is None:
            raise InternalError("host provider", f"{instr.op} has no host meaning")
        return _value_of_its_own(host(*args), args, scratch)


def _value_of_its_own(made: Array, args: Sequence[Array], scratch: Scratch | None) -> Array:
    """A value that does not lie in the memory of its operands, which may be used again before it.

    ``real`` of real numbers, ``round`` of whole ones and casts to the same type give what they get.
    """
    shared = scratch is not None and any(np.may_share_memory(made, arg) for arg in args)
    return made.copy(order="F") if shared else made


_FLOAT_UFUNCS: dict[str, np.ufunc] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "rdivide": np.divide,
    "uminus": np.negative,
    "abs": np.absolute,
    "floor": np.floor,
    "ceil": np.ceil,
    "fix": np.trunc,
    "max": np.fmax,
    "min": np.fmin,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "sign": np.sign,
}


def in_place(op: str, kind: str) -> np.ufunc | None:
    """The ufunc that computes an op on operands of a kind straight into a given array."""
    if kind == "f" and op in _FLOAT_UFUNCS:
        return _FLOAT_UFUNCS[op]
    host = OPS[op].host
    return host if isinstance(host, np.ufunc) and kind != "c" else None


class Scratch:
    """Arrays of one block that a thread reuses, value after value and block after block."""

    def __init__(self) -> None:
        self._free: dict[DType, list[Array]] = {}
        self._used: dict[int, tuple[DType, Array]] = {}
        self._shape: Shape = ()
        self._count = 0
        self._targets: dict[int, Array] = {}
        self._dense: dict[tuple[int, DType], Array] = {}

    def begin(self, shape: Shape, targets: dict[int, Array]) -> None:
        """Start on a block: everything taken before is free."""
        for number in list(self._used):
            self.release(number)
        self._targets = targets
        self._shape = shape
        self._count = math.prod(shape)

    def dense(self, number: int, count: int, dtype: DType) -> Array:
        """A flat array that machine code fills."""
        key = (number, dtype)
        owned = self._dense.get(key)
        if owned is None or owned.size < count:
            owned = self._dense[key] = np.empty(max(count, BLOCK), dtype.numpy)
        return owned[:count]

    def end(self) -> None:
        """Let go of the outputs; their owners may count who holds them."""
        self._targets = {}

    def take(self, number: int, dtype: DType) -> Array:
        """An array of the block's shape for a value, its final place if that is known."""
        target = self._targets.get(number)
        if target is not None:
            return target
        free = self._free.get(dtype)
        owned = free.pop() if free else None
        if owned is None or owned.size < self._count:
            owned = np.empty(max(self._count, BLOCK), dtype.numpy)
        self._used[number] = (dtype, owned)
        return owned[: self._count].reshape(self._shape, order="F")

    def release(self, number: int) -> None:
        """The value is dead."""
        entry = self._used.pop(number, None)
        if entry is not None:
            self._free.setdefault(entry[0], []).append(entry[1])


def _load(program: Program, frame: Frame, instr: Instr, _: dict[int, Array], block: Block) -> Array:
    binding, number = instr.attrs
    strides = program.strides(frame, number)
    return window(frame.inputs[binding], frame.place(number), strides, block)


def _load_at(_: Program, frame: Frame, instr: Instr, values: dict[int, Array], __: Block) -> Array:
    return frame.inputs[instr.attrs[0]][values[instr.args[0]]]


def _param(_: Program, frame: Frame, instr: Instr, __: dict[int, Array], block: Block) -> Array:
    return np.full((1,) * len(block.shape), frame.params[instr.attrs[0]], instr.dtype.numpy)


def _position(
    program: Program, frame: Frame, instr: Instr, _: dict[int, Array], block: Block
) -> Array:
    number = instr.attrs[0]
    strides = program.strides(frame, number)
    total = np.full((1,) * len(block.shape), frame.maps[number].offset, np.int64)
    for k, (start, extent, stride) in enumerate(
        zip(block.start, block.shape, strides, strict=True)
    ):
        if stride:
            walk = np.arange(start, start + extent, dtype=np.int64) * stride
            total = total + walk.reshape([-1 if j == k else 1 for j in range(len(block.shape))])
    return total.astype(np.uint32)


def _axis(_: Program, __: Frame, instr: Instr, ___: dict[int, Array], block: Block) -> Array:
    k = instr.attrs[0]
    walk = np.arange(block.start[k], block.start[k] + block.shape[k], dtype=np.uint32)
    return walk.reshape([-1 if j == k else 1 for j in range(len(block.shape))])


def _random(_: Program, __: Frame, instr: Instr, values: dict[int, Array], ___: Block) -> Array:
    key, offset, place = (values[arg] for arg in instr.args)
    draw = philox.uniform if instr.op == "random_uniform" else philox.normal
    flat = place.reshape(-1, order="F")
    start, count = int(flat[0]), flat.size
    base = int(offset.item())
    if int(flat[-1]) - start == count - 1 and (count < 2 or np.all(np.diff(flat) == 1)):
        drawn = draw(int(key.item()), base + start, count, instr.dtype)
    else:
        drawn = philox.draws_at(draw, int(key.item()), base, flat, instr.dtype)
    return drawn.reshape(place.shape, order="F")


def _result(_: Program, frame: Frame, instr: Instr, __: dict[int, Array], block: Block) -> Array:
    whole = frame.results[instr.attrs[0]]
    origin = frame.origin or (0,) * len(block.start)
    return whole[
        tuple(
            slice(s - o, s - o + n)
            for s, o, n in zip(block.start, origin, block.shape, strict=True)
        )
    ]


def _carry(_: Program, frame: Frame, instr: Instr, __: dict[int, Array], ___: Block) -> Array:
    return frame.carries[instr.attrs[0]]


def _counter(_: Program, frame: Frame, __: Instr, ___: dict[int, Array], block: Block) -> Array:
    return np.full((1,) * len(block.shape), frame.done, np.uint32)


def _advance(_: Program, frame: Frame, instr: Instr, values: dict[int, Array], __: Block) -> Array:
    offset, done = (values[arg] for arg in instr.args)
    return offset + done.astype(np.uint64) * np.uint64(frame.params[instr.attrs[0]])


_SPECIAL = {
    "carry": _carry,
    "counter": _counter,
    "advance": _advance,
    "load": _load,
    "load_at": _load_at,
    "param": _param,
    "position": _position,
    "axis": _axis,
    "random_uniform": _random,
    "random_normal": _random,
    "result": _result,
}


def targets(
    program: Program, frame: Frame, stores: Sequence[Store], outputs: Sequence[Array], block: Block
) -> list[Array]:
    """Where a block's values go, store by store."""
    return [
        window(
            outputs[item.binding], frame.place(item.map), program.strides(frame, item.map), block
        )
        for item in stores
    ]


def write(stores: Sequence[Store], places: Sequence[Array], values: dict[int, Array]) -> None:
    """Write values of a block to the outputs, unless they were computed there."""
    for item, place in zip(stores, places, strict=True):
        value = values[item.value]
        if value is not place:
            place[...] = value


def run_block(
    program: Program,
    frame: Frame,
    stores: Sequence[Store],
    outputs: Sequence[Array],
    block: Block,
    scratch: Scratch,
) -> dict[int, Array]:
    """Compute a block and store its values."""
    places = targets(program, frame, stores, outputs, block)
    # Later windows win: two outputs may have the same value, each must be written.
    direct = {item.value: place for item, place in zip(stores, places, strict=True)}
    values = program.run(frame, block, scratch, None, direct)
    write(stores, places, values)
    scratch.end()
    return values


def segments(extent: int, parts: int, grain: int = 1) -> list[tuple[int, int]]:
    """Even bounds of at most `parts` parts, which begin at multiples of `grain`."""
    parts = max(1, min(parts, extent // grain))
    edges = [extent * k // parts // grain * grain for k in range(parts)] + [extent]
    return list(pairwise(edges))
