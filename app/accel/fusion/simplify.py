"""Simplifications made while the graph is captured: data, one function per rule.

A rule gets a call (op, operands, attrs) and gives the node that means exactly the same, another
call, whose operands may be calls again, or None. "Exactly" is meant bit for bit over all special
values (sums but for their order): ``x + 0`` is not ``x`` (-0 + 0 is 0), ``-(-x)`` is. Rules never
look at the values of parameters, except for exponents:
a graph that changed shape with every number would need a kernel for every number. A node of a
real type may still turn out complex (its guard decides later), so rules hold for complex too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.accel.backends import reference
from app.accel.codegen.algorithms import ALGORITHMS
from app.accel.codegen.algorithms import normal_product as normal_products
from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Attrs, Node, make
from app.accel.ir.ops import OPS, Category
from app.accel.ir.shapes import infer

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.node import Number, Shape

Call: TypeAlias = "tuple[str, tuple[Node | Call, ...], Attrs]"
Rule: TypeAlias = "Callable[[str, tuple[Node, ...], Attrs], Call | Node | None]"

MOST_RUNS = 4
"""Parts of one array that a kernel tells apart by their places."""
WHOLE = frozenset(name for name, spec in OPS.items() if spec.whole)


def turned(node: Node) -> Node:
    """The transpose of a matrix."""
    if node.op == "permute" and node.attrs[0] == (1, 0):
        return node.inputs[0]
    shape = (node.shape[1], node.shape[0])
    return make("permute", (node,), ((1, 0),), node.dtype, shape, (), node.origin)


def square(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """x.^2 is x.*x; an integer exponent needs no guard."""
    del attrs
    base, exponent = inputs
    if exponent.op != "param" or not base.dtype.is_float:
        return op, inputs, ()
    value = exponent.data[0]
    if value == 2:
        return "times", (base, base), ()
    whole = not isinstance(value, complex) and math.isfinite(value) and value == value // 1
    return op, inputs, (int(whole),)


def by_number(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """Elements picked by their numbers are the same in every size that an array is given."""
    source = inputs[0]
    if source.op == "reshape":
        inputs = (source.inputs[0], *inputs[1:])
    return in_memory(op, inputs, attrs) or (op, inputs, attrs)


def in_memory(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """Operands that are read by place: a parameter has none until it is filled in."""
    if all(node.op != "param" for node in inputs):
        return None
    return op, tuple(("fill", (n,), ((1, 1),)) if n.op == "param" else n for n in inputs), attrs


def product(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """A column times a row is every element with every element, a row times a column a sum."""
    left, right = inputs
    if "param" in {left.op, right.op}:
        return in_memory(op, inputs, attrs)
    flags = cast("tuple[bool, ...]", attrs) or (False, False)
    column = turned(left) if flags[0] else left
    row = turned(right) if flags[1] else right
    if not column.dtype.is_float:
        return None
    if not flags[1] and (flags[0] or left.op == "permute"):
        twice = normal_product(left if flags[0] else turned(left), right)
        if twice is not None:
            return twice
    if column.shape[1:] == (1,) and row.shape[:1] == (1,):
        return "times", (column, row), ()
    if column.shape[:1] != (1,) or row.shape[1:] != (1,) or column.size != row.size:
        return None
    return "sum", (("times", (turned(column), row), ()),), ((0,),)


def normal_product(left: Node, right: Node) -> Call | None:
    """``A' * (A * v)`` and ``A' * (A * v - b)`` read a large matrix once; `left` is that matrix."""
    inner, *taken = right.inputs if right.op == "minus" else (right,)
    if inner.op != "matmul" or inner.inputs[0] is not left or inner.shape != right.shape:
        return None
    column = inner.inputs[1]
    plain = not any(inner.attrs) and column.shape[1:] == (1,)
    fits = plain and len(left.shape) == 2 and normal_products.fits(left.shape)
    if not fits or any(node.shape != right.shape for node in taken) or not left.dtype.is_float:
        return None
    return "normal_product", (left, column, *taken), ()


def diagonal_of_product(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """The diagonal of a pending square product needs only that: row times column, summed."""
    del op, attrs
    product = inputs[0]
    if product.op != "matmul" or product.shape[0] != product.shape[1]:
        return None
    left, right = product.inputs
    flags = product.attrs or (False, False)
    rows = turned(left) if flags[0] else left
    columns = right if flags[1] else turned(right)
    return "sum", (("times", (rows, columns), ()),), ((1,), "diagonal")


def reduced_in_place(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | None:
    """A reduction of what is turned round reduces it where it lies.

    What is left must keep its order: ``max(A')`` is that of the rows, lined up another way.
    """
    source, given = inputs[0], attrs[0]
    if source.op != "permute":
        return None
    order, data = cast("tuple[int, ...]", source.attrs[0]), source.inputs[0]
    axes = (given,) if isinstance(given, int) else cast("tuple[int, ...]", given)
    if max(axes) >= len(order) or len(attrs) != 1:
        return None
    shape = shapes.with_rank(data.shape, len(order))
    left = [axis for k, axis in enumerate(order) if k not in axes and shape[axis] != 1]
    along = tuple(order[k] for k in axes)
    if left != sorted(left) or max(along) >= len(data.shape):
        return None
    moved = (along[0],) if isinstance(given, int) else (tuple(sorted(along)),)
    return "reshape", ((op, (data,), moved),), (infer(op, inputs, attrs)[1],)


def of_one(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """The sum, the extreme, the running value of one element is that element."""
    source, given = inputs[0], attrs[0]
    axes = (given,) if isinstance(given, int) else cast("tuple[int, ...]", given)
    if any(source.shape[axis : axis + 1] > (1,) or not source.size for axis in axes):
        return None
    if op in {"any", "all", "nnz"} and source.dtype is not DType.BOOL:
        return None
    return ("cast", inputs, (DType.F64,)) if op == "nnz" else source


def reduced(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """What is known of every reduction."""
    return of_one(op, inputs, attrs) or reduced_in_place(op, inputs, attrs)


def total(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """The sum of running totals is every element as often as it has been added: no scan is left."""
    scan = inputs[0]
    axes = cast("tuple[int, ...]", attrs[0])
    if scan.op != "cumsum" or scan.attrs[0] not in axes or not scan.dtype.is_float:
        return reduced(op, inputs, attrs)
    axis, back = cast("tuple[int, bool]", scan.attrs)
    count = scan.shape[axis]
    ends = tuple(
        make("param", (), (), scan.dtype, (1, 1), (float(number),))
        for number in ((1, 1) if back else (count, -1))
    )
    row = (1,) * axis + (count,) + (1,) * (axis == 0)
    times: Call = ("iota", ends, (scan.dtype, row))
    return op, (("times", (scan.inputs[0], times), ()),), attrs


def fold_parameters(node: Node) -> Node:
    """Arithmetic of parameters is done at once: the result is a parameter again.

    Its value is no part of the structure either. What leaves the real domain stays as it is.
    """
    spec = OPS[node.op]
    if spec.category not in {Category.ELEMENTWISE, Category.CAST}:
        return node
    operands = [reference.param(child) for child in node.inputs]
    with np.errstate(all="ignore"):
        value = reference.apply(node, operands, complex_results=True)
    if value.dtype != node.dtype.numpy:
        return node
    return make("param", (), (), node.dtype, (1, 1), (value.item(),), node.origin)


def undone(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """-(-x) is x and ~~x is x."""
    del attrs
    inner = inputs[0]
    if inner.op != op or (op == "uminus" and not inner.dtype.is_float):
        return None
    below = inner.inputs[0]
    return below if below.dtype is inner.dtype else None


def negated_equality(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """~(a == b) is a ~= b, NaN included; orders have no such twin."""
    twin = {"eq": "ne", "ne": "eq"}.get(inputs[0].op)
    return (twin, inputs[0].inputs, ()) if twin else undone(op, inputs, attrs)


def whole_already(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """Rounding what is whole changes nothing."""
    del op, attrs
    inner = inputs[0]
    known = inner.op in WHOLE or inner.dtype.is_integer or inner.dtype is DType.BOOL
    return inner if known else None


def magnitude(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """abs(-x) and abs(abs(x)) are abs(x)."""
    inner = inputs[0]
    if not inner.dtype.is_float or inner.op not in {"uminus", "abs"}:
        return None
    return (op, inner.inputs, attrs) if inner.op == "uminus" else inner


_HOLDS = {
    DType.F64: {
        DType.F32,
        DType.I8,
        DType.I16,
        DType.I32,
        DType.U8,
        DType.U16,
        DType.U32,
        DType.BOOL,
    },
    DType.F32: {DType.I8, DType.I16, DType.U8, DType.U16, DType.BOOL},
    DType.I64: {DType.I8, DType.I16, DType.I32, DType.U8, DType.U16, DType.U32, DType.BOOL},
    DType.I32: {DType.I8, DType.I16, DType.U8, DType.U16, DType.BOOL},
}


def there_and_back(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """A cast to the same type, or back from a type that holds every value exactly."""
    del op
    inner, target = inputs[0], cast("DType", attrs[0])
    if inner.dtype is target:
        return inner
    if inner.op != "cast" or inner.inputs[0].dtype is not target:
        return None
    return inner.inputs[0] if target in _HOLDS.get(inner.dtype, ()) else None


def rearranged(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """A reshape to the same shape, and reshapes of reshapes."""
    inner = inputs[0]
    if inner.shape == attrs[0]:
        return inner
    return (op, inner.inputs, attrs) if inner.op == "reshape" else None


def permuted(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """The identity permutation, and permutations of permutations."""
    inner, order = inputs[0], cast("tuple[int, ...]", attrs[0])
    if order == tuple(range(len(order))):
        return inner
    if inner.op != "permute":
        return None
    first = cast("tuple[int, ...]", inner.attrs[0])
    rank = max(len(first), len(order))
    first += tuple(range(len(first), rank))
    order += tuple(range(len(order), rank))
    both = tuple(first[k] for k in order)
    if both == tuple(range(rank)):
        return inner.inputs[0]
    return op, inner.inputs, (both,)


def part(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """The real part of complex(a, b) is a, the imaginary part is b."""
    del attrs
    inner = inputs[0]
    if inner.op != "complex":
        return None
    found = inner.inputs[op == "imag"]
    return found if found.shape == inner.shape else None


def same_either_way(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """A choice between x and x, unless x is a number: equal ones may differ in the next run.

    So is one between x and what elements of a mask have been set in, as to whether any is true.
    """
    del op, attrs
    mask, a, b = inputs
    while mask.op == "not":
        mask, a, b = mask.inputs[0], b, a
    fits = mask.shape == a.shape or mask.size == 1
    if a is b:
        return a if fits and a.op != "param" else None
    found = _mask_with_any(mask)
    below = a
    while below.op == "select" and below.inputs[0] is found and below.shape == a.shape:
        below = below.inputs[2]
    return a if below is b else None


def _mask_with_any(truth: Node) -> Node | None:
    """The mask of which a truth value says whether any element is true; None for all else."""
    number = truth.inputs[0] if truth.inputs else truth
    if truth.op in {"gt", "ne"} and number.op == "nnz" and truth.inputs[1].op == "param":
        return number.inputs[0] if truth.size == 1 and truth.inputs[1].data == (0.0,) else None
    return truth.inputs[0] if truth.op == "any" and truth.size == 1 else None


def all_of_it(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """A slice of everything in its order: ``x(:, 1)`` of a column, ``x(1:end)``."""
    del op
    steps, shape, *moves = cast("tuple[tuple[int, ...], ...]", attrs)
    whole = not moves and inputs[0].op != "param" and shapes.normal(shape) == inputs[0].shape
    ahead = all(step == 1 or extent == 1 for step, extent in zip(steps, shape, strict=False))
    return inputs[0] if whole and ahead else None


def just_set(assigned: Node, attrs: Attrs, data: tuple[Number, ...]) -> Node | None:
    """What was assigned to a place that is read at once: ``x(k) = v; if x(k) > 1``."""
    if assigned.op != "assign":
        return None
    value = assigned.inputs[1]
    steps, shape, *moves = attrs
    same = assigned.data == data and assigned.attrs == (steps, *moves)
    return value if same and (value.shape, value.dtype) == (shape, assigned.dtype) else None


def side_by_side(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Node | None:
    """Parts of one array joined along an axis: it is read where they lie, without a copy.

    So ``circshift``, ``x([end 1:end-1])`` and borders that repeat are reads of neighbours. Short
    axes are left alone: loops hold them apart.
    """
    del op
    axis = cast("int", attrs[0])
    source = inputs[0].inputs[0] if inputs[0].op == "slice" else None
    if (
        source is None
        or len(inputs) > MOST_RUNS
        or not shapes.SHORT < source.size <= shapes.MOST_READ_APART
    ):
        return None
    shape = shapes.with_rank(source.shape, axis + 1)
    if not all(
        node.inputs[:1] == (source,) and _is_whole_slice(node, axis, shape) for node in inputs
    ):
        return None
    counts = tuple(shapes.with_rank(node.shape, axis + 1)[axis] for node in inputs)
    if sum(counts) <= shapes.SHORT:
        return None
    steps = tuple(cast("tuple[int, ...]", node.attrs[0])[axis] for node in inputs)
    starts = tuple(node.data[axis] for node in inputs)
    made = infer("runs", (source,), (axis, counts, steps))
    return make("runs", (source,), (axis, counts, steps), *made, starts, inputs[0].origin)


def scattered(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> Call | Node | None:
    """Values for no places leave an array as it is."""
    return in_memory(op, inputs, attrs) if inputs[1].size else inputs[0]


def _is_whole_slice(node: Node, axis: int, shape: Shape) -> bool:
    """Whether a node is a slice that takes all along the other axes."""
    if node.op != "slice" or len(node.attrs) != 2 or len(node.data) != len(shape):
        return False
    steps = cast("tuple[int, ...]", node.attrs[0])
    mine = shapes.with_rank(node.shape, len(shape))
    return all(k == axis or (steps[k] == 1 and mine[k] == extent) for k, extent in enumerate(shape))


RULES: dict[str, Rule] = {
    "cat": side_by_side,
    "power": square,
    "diagonal": diagonal_of_product,
    "uminus": undone,
    "not": negated_equality,
    "abs": magnitude,
    "cast": there_and_back,
    "reshape": rearranged,
    "permute": permuted,
    "select": same_either_way,
    "slice": all_of_it,
    **dict.fromkeys(sorted(WHOLE), whole_already),
    "real": part,
    "imag": part,
    **dict.fromkeys(("prod", "amin", "amax", "any", "all", "nnz"), reduced),
    **dict.fromkeys(("argmin", "argmax"), reduced_in_place),
    "sum": total,
    **dict.fromkeys(("cumsum", "cumprod", "cummin", "cummax"), of_one),
    **dict.fromkeys(("assign", *ALGORITHMS), in_memory),
    "gather": by_number,
    "scatter": scattered,
    "matmul": product,
}
"""The rule of each op that has one."""
