"""Unfused evaluation of a graph with NumPy: one array per node, as simple as possible.

It is the oracle of the tests, the path for empty arrays, and the way a group is redone when a
value has left the real domain: real operands whose answer is complex give complex results here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from app import memory
from app.accel.codegen import philox
from app.accel.codegen.algorithms import ALGORITHMS
from app.accel.ir import host_functions as hf
from app.accel.ir import loop_node as loops
from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.node import toposort
from app.accel.ir.ops import OPS, Category, Complex
from app.accel.numerics.complex_products import product_along
from app.accel.numerics.equal_extremes import first_of_equal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from app.accel.ir.node import Node

    Array: TypeAlias = Any  # an ndarray; NumPy's own annotations are narrower than its results


def evaluate(
    roots: Iterable[Node], value_of: Callable[[Node], Array], complex_results: bool = True
) -> dict[Node, Array]:
    """The value of every node below `roots`; `value_of` gives the leaves' arrays.

    With `complex_results` functions that leave the real domain give complex arrays; without it
    they give NaN, as a kernel does before its status word is read.
    """
    values: dict[Node, Any] = {}
    with np.errstate(all="ignore"):
        for node in toposort(roots):
            if node.op == "leaf":
                values[node] = _narrowed(node, value_of(node))
            else:
                operands = [values[operand] for operand in node.inputs]
                values[node] = _value(node, operands, complex_results)
    return values


def _value(node: Node, operands: list[Any], complex_results: bool) -> Any:
    """The value of a node; a loop's is the list of its carried variables."""
    if node.op == "pick":
        return operands[0][node.attrs[2]]
    if node.op == "loop":
        return loops.run(node, operands, lambda n, args: apply(n, args, complex_results))
    return apply(node, operands, complex_results)


def apply(node: Node, operands: list[Array], complex_results: bool) -> Array:
    """The value of one node from its operands' values."""
    spec = OPS[node.op]
    if spec.category in {Category.ELEMENTWISE, Category.CAST}:
        result = _elementwise(node, operands, complex_results)
    else:
        result = _STRUCTURED[node.op](node, *operands)
    return np.asfortranarray(_narrowed(node, result))


def _narrowed(node: Node, value: Array) -> Array:
    """A value that left the real numbers, as a real one where no imaginary part is left.

    So it is where every statement is computed by itself, and functions have other answers to
    complex numbers: the least of real ones is no question of their size.
    """
    narrow = value.dtype.kind == "c" and not node.dtype.is_complex and not value.imag.any()
    return value.real if narrow else value


_OF_PARTS = frozenset({"times", "rdivide"})
"""A real factor or divisor acts on both parts of a complex number: it is not made complex."""


def _elementwise(node: Node, operands: list[Array], complex_results: bool) -> Array:
    if node.op in hf.CONVERSIONS:
        return _converted(node.op, operands[0], cast("DType", node.attrs[0]))
    rank = len(node.shape)
    arrays = [a.reshape(shapes.with_rank(a.shape, rank), order="F") for a in operands]
    spec = OPS[node.op]
    is_complex = any(a.dtype.kind == "c" for a in arrays)
    if is_complex and node.op in _OF_PARTS:
        assert spec.host is not None, node.op
        return spec.host(*arrays)
    if is_complex and node.op != "select":
        arrays = [a.astype(_complex(a)) if a.dtype.kind in "fc" else a for a in arrays]
    elif complex_results and spec.domain and spec.domain.is_left(arrays):
        return spec.complex_answers(arrays)
    host = spec.host
    if arrays[0].dtype.kind == "c" and node.op != "select":
        if spec.complex is Complex.NONE:
            raise spec.complex_refusal()
        host = spec.complex_host or host
    assert host is not None, node.op
    return host(*arrays)


def _converted(op: str, a: Array, dtype: DType) -> Array:
    if a.dtype.kind == "c" and dtype.is_float:
        return a.astype(dtype.complex.numpy)
    return hf.CONVERSIONS[op](a, dtype)


def _complex(a: Array) -> np.dtype[Any]:
    return np.result_type(a.dtype, np.complex64)


def _reduce(function: Callable[..., Array]) -> Callable[..., Array]:
    def run(node: Node, a: Array) -> Array:
        axes = cast("tuple[int, ...]", node.attrs[0])
        inside = tuple(k for k in axes if k < a.ndim)
        if not inside:
            inside, a = (a.ndim,), a[..., np.newaxis]
        return function(a, inside).reshape(node.shape, order="F")

    return run


def _extreme(ufunc: np.ufunc) -> Callable[[Array, tuple[int, ...]], Array]:
    def run(a: Array, axes: tuple[int, ...]) -> Array:
        if a.dtype.kind == "c":
            return hf.extreme_of_complex(ufunc, a, axes)
        return first_of_equal(ufunc.reduce(a, axis=axes, keepdims=True), a, axes)

    return run


def _sum(a: Array, axes: tuple[int, ...]) -> Array:
    if a.dtype.kind in "iu":
        return hf.to_integer(np.sum(a, axis=axes, dtype=np.float64, keepdims=True), a.dtype)
    return np.sum(a, axis=axes, dtype=a.dtype)


def _prod(a: Array, axes: tuple[int, ...]) -> Array:
    if a.dtype.kind in "iu":
        return hf.to_integer(np.prod(a, axis=axes, dtype=np.float64, keepdims=True), a.dtype)
    if a.dtype.kind == "c":
        return product_along(a, axes)
    return np.prod(a, axis=axes, dtype=a.dtype)


def _position_of(best: Callable[..., Array], worst: float) -> Callable[..., Array]:
    def run(node: Node, a: Array) -> Array:
        axis = cast("int", node.attrs[0])
        if axis >= a.ndim:
            return np.ones(node.shape)
        if a.dtype.kind == "f":
            a = np.where(np.isnan(a), a.dtype.type(worst), a)
        return (best(a, axis=axis).astype(np.float64) + 1).reshape(node.shape, order="F")

    return run


def _scan(ufunc: np.ufunc) -> Callable[..., Array]:
    def run(node: Node, a: Array) -> Array:
        axis = cast("int", node.attrs[0])
        if axis >= a.ndim:
            return a
        reverse = len(node.attrs) > 1 and node.attrs[1]
        way = np.flip(a, axis) if reverse else a
        wide = a.dtype.kind in "iu" and ufunc in {np.add, np.multiply}  # saturates at the end
        result = ufunc.accumulate(way, axis=axis, dtype=np.float64 if wide else a.dtype)
        if wide:
            result = hf.cast(result, node.dtype)
        return np.flip(result, axis) if reverse else result

    return run


def _random(draw: Callable[..., Array]) -> Callable[..., Array]:
    def run(node: Node) -> Array:
        key, offset = (int(cast("int", item)) for item in node.data)
        return draw(key, offset, node.size, node.dtype).reshape(node.shape, order="F")

    return run


def param(node: Node) -> Array:
    """A parameter as a 1x1 array."""
    return np.full((1, 1), node.data[0], node.dtype.numpy)


def _iota(node: Node, start: Array, step: Array) -> Array:
    index = np.arange(node.size).reshape(node.shape, order="F")
    return start.item() + hf.cast(index.astype(np.float64), node.dtype) * step.item()


def progression_value(node: Node) -> NDArray[Any]:
    """The value of a progression whose ends are parameters."""
    count = math.prod(node.shape)
    memory.require(8.0 * count, f"a range of {count}")
    return np.asfortranarray(_iota(node, *map(param, node.inputs)))


def _position(node: Node) -> Array:
    axis = cast("int", node.attrs[1])
    if axis >= len(node.shape):
        return np.zeros(node.shape)
    return np.indices(node.shape)[axis].astype(np.float64)


def slices(node: Node, extents: tuple[int, ...]) -> tuple[slice, ...]:
    """Python slices of a slice or assign node whose region has `extents`."""
    steps = cast("tuple[int, ...]", node.attrs[0])
    result = []
    for k, step in enumerate(steps):
        start, extent = int(cast("int", node.data[k])), shapes.with_rank(extents, len(steps))[k]
        stop = start + step * extent
        result.append(slice(start, stop if stop >= 0 else None, step))
    return tuple(result)


def _slice(node: Node, a: Array) -> Array:
    steps = cast("tuple[int, ...]", node.attrs[0])
    whole = a.reshape(shapes.with_rank(a.shape, len(steps)), order="F")
    return whole[slices(node, node.shape)].reshape(node.shape, order="F")


def _runs(node: Node, a: Array) -> Array:
    axis, counts, steps = cast("tuple[int, tuple[int, ...], tuple[int, ...]]", node.attrs)
    runs = zip(node.data, counts, steps, strict=True)
    places = [int(cast("int", start)) + step * np.arange(count) for start, count, step in runs]
    return np.take(a, np.concatenate(places), axis=axis)


def _assign(node: Node, base: Array, value: Array) -> Array:
    steps = cast("tuple[int, ...]", node.attrs[0])
    result = base.copy(order="F").astype(np.result_type(base, value), copy=False)
    whole = result.reshape(shapes.with_rank(result.shape, len(steps)), order="F")
    whole[slices(node, value.shape)] = value.reshape(
        shapes.with_rank(value.shape, len(steps)), order="F"
    )
    return result


def _permute(node: Node, a: Array) -> Array:
    order = cast("tuple[int, ...]", node.attrs[0])
    whole = a.reshape(shapes.with_rank(a.shape, len(order)), order="F")
    return np.transpose(whole, order).reshape(node.shape, order="F")


def _repmat(node: Node, a: Array) -> Array:
    reps = cast("tuple[int, ...]", node.attrs[0])
    rank = max(len(reps), a.ndim)
    whole = a.reshape(shapes.with_rank(a.shape, rank), order="F")
    return np.tile(whole, shapes.with_rank(reps, rank)).reshape(node.shape, order="F")


def _cat(node: Node, *parts: Array) -> Array:
    axis = cast("int", node.attrs[0])
    rank = max(len(node.shape), axis + 1)
    whole = [p.reshape(shapes.with_rank(p.shape, rank), order="F") for p in parts]
    return np.concatenate(whole, axis=axis).reshape(node.shape, order="F")


def _gather(node: Node, a: Array, index: Array) -> Array:
    return a.reshape(-1, order="F")[index.reshape(-1, order="F")].reshape(node.shape, order="F")


def _matmul(node: Node, a: Array, b: Array) -> Array:
    left = a.T if node.attrs and node.attrs[0] else a
    right = b.T if node.attrs and node.attrs[1] else b
    return np.matmul(left, right)


def _algorithm(op: str) -> Callable[..., Array]:
    def run(node: Node, *operands: Array) -> Array:
        algorithm = ALGORITHMS[op]
        extents = algorithm.extents(operands[0].shape, node.attrs)
        options = dict(algorithm.options(operands[0].shape, node.attrs))
        found = algorithm.host([op], operands, extents, options)
        return found[0].reshape(node.shape, order="F")

    return run


_STRUCTURED: dict[str, Callable[..., Array]] = {
    "param": param,
    **{op: _algorithm(op) for op in ALGORITHMS},
    "sum": _reduce(_sum),
    "prod": _reduce(_prod),
    "amin": _reduce(_extreme(np.fmin)),
    "amax": _reduce(_extreme(np.fmax)),
    "any": _reduce(lambda a, axes: np.any((a != 0) & (a == a), axis=axes)),
    "all": _reduce(lambda a, axes: np.all(a != 0, axis=axes)),
    "nnz": _reduce(lambda a, axes: np.count_nonzero(a, axis=axes, keepdims=True).astype(float)),
    "argmin": _position_of(np.argmin, np.inf),
    "argmax": _position_of(np.argmax, -np.inf),
    "cumsum": _scan(np.add),
    "cumprod": _scan(np.multiply),
    "cummin": _scan(np.fmin),
    "cummax": _scan(np.fmax),
    "random_uniform": _random(philox.uniform),
    "random_normal": _random(philox.normal),
    "fill": lambda node, a: np.full(node.shape, a.item(), a.dtype),
    "iota": _iota,
    "position": _position,
    "slice": _slice,
    "assign": _assign,
    "runs": _runs,
    "permute": _permute,
    "reshape": lambda node, a: a.reshape(node.shape, order="F"),
    "repmat": _repmat,
    "cat": _cat,
    "gather": _gather,
    "matmul": _matmul,
    "diagonal": lambda _, a: np.diagonal(a).reshape(-1, 1),
}
