"""Reductions and scans as graph nodes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from app.engine.arguments.dimensions import (
    NAN_FLAGS,
    NO_WORDS,
    SCANS,
    Along,
    along,
    dimension,
    first_axis,
    inside,
)
from app.engine.capture.capture import complex_capture, extreme_pair
from app.engine.capture.capture_session import BOOL, F64, Session, cast, lazy_of, operand
from app.engine.capture.selections import are_pending
from app.engine.values import DeviceArray, Value, is_char, numel, turned_complex

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.engine.declarations.device_support import Reduction


def _apply(op: str, *nodes: Node, attrs: tuple[object, ...] = ()) -> Node:
    made: Node = Session.runtime.apply(op, nodes, attrs)
    return made


def _number(value: float, like: Node) -> Node:
    made: Node = Session.runtime.scalar(value, like.dtype)
    return made


def _source(v: Value) -> Any:
    """The node of a real array with elements; NotImplemented for all else."""
    if not Session.is_active or numel(v) == 0:
        return NotImplemented
    return operand(v)


def _count(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    return math.prod(shape[i] for i in axes)


class _Selected(NamedTuple):
    """What a selection that is not counted is reduced from: an array and a mask."""

    node: Node
    mask: Node
    how: Along
    axes: tuple[int, ...]

    def filled(self, neutral: float) -> Node:
        """The array with a number in place of what is not selected."""
        node = cast(self.node, F64) if self.node.dtype is BOOL else self.node
        return _apply("select", self.mask, node, _number(neutral, node))


def _uncounted_selection(
    v: Value, rest: tuple[Value, ...], words: frozenset[str] | None
) -> _Selected | None:
    """A selection that need not be counted; None where its elements must be picked out."""
    if type(v) is not DeviceArray or v.pending is None:
        return None
    node, selection, _ = v.pending
    mask, axis = selection.mask, selection.axis
    every = tuple(range(len(node.shape)))
    is_list = axis is None or node.shape == mask.shape
    shape = (1, 2) if axis == 1 else (2, 1)
    how = along(shape if is_list else node.shape, rest, words)
    if not (is_list or how.explicit):  # of one row, the columns are summed
        how = along(v.shape, rest, words)
    if how.words or node.dtype.is_complex or (axis or 0) not in how.axes:
        return None
    if not is_list and len(how.axes) > 1:
        return None
    return _Selected(node, mask, how, every if axis is None else (axis,))


def _of_selected(form: Reduction, source: _Selected) -> Node:
    """A reduction of what a mask selects."""
    node, mask, how, axes = source
    if form.result == "count":
        every = tuple(range(len(node.shape)))
        return _apply("nnz", _apply("and", mask, _nonzero(node)), attrs=(every,))
    if form.op == "any":
        return _apply("any", _apply("and", mask, _truth_node("any", node)), attrs=(axes,))
    if form.op == "all":
        tested = _apply("or", _apply("not", mask), _truth_node("all", node))
        return _apply("all", tested, attrs=(axes,))
    if form.op == "mean":
        return _mean(source.filled(0.0), how, axes, mask)
    return _total(form.op, source.filled(0.0 if form.op == "sum" else 1.0), how, axes)


def _is_exact_on_host(form: Reduction, node: Node, how: Along) -> bool:
    """Whether integers stay of their class and doubles would lose digits of what is added up."""
    if not node.dtype.is_integer or how.out_type != "native":
        return False
    return form.op == "mean" or (form.op in {"sum", "prod"} and node.dtype.size == 8)


def reduction(form: Reduction, args: tuple[Value, ...], nargout: int) -> Value:
    """A declared reduction: sum, prod, mean, any, all, nnz."""
    words = NO_WORDS if form.result in {"logical", "count"} else None
    selected = _uncounted_selection(args[0], args[1:], words) if nargout < 2 else None
    if selected is not None and not _is_exact_on_host(form, selected.node, selected.how):
        first = args[0]
        guarded = (
            isinstance(first, DeviceArray)
            and first.guarded
            and form.result not in {"logical", "count"}
        )
        return lazy_of(_of_selected(form, selected), guarded)
    node = _source(args[0])
    if node is NotImplemented and nargout < 2:
        truth = form.result in {"logical", "count"}
        node = complex_capture().source(args[0]) if truth else node
        if node is NotImplemented:
            return complex_capture().total(form.op, args)
    if node is NotImplemented or nargout > 1:
        return NotImplemented
    if form.result == "count":
        axes = tuple(range(len(node.shape)))
        return lazy_of(_apply("nnz", _nonzero(node), attrs=(axes,)))
    how = along(node.shape, args[1:], None)
    axes = inside(how.axes, len(node.shape))
    if not axes or how.words or _is_exact_on_host(form, node, how):
        return NotImplemented
    guarded = type(args[0]) is DeviceArray and args[0].guarded
    if form.result == "logical":
        along(node.shape, args[1:], NO_WORDS)
        return lazy_of(_apply(form.op, _truth_node(form.op, node), attrs=(axes,)))
    if form.op == "mean":
        return lazy_of(_mean(node, how, axes), guarded)
    return lazy_of(_total(form.op, node, how, axes), guarded)


def _nonzero(node: Node) -> Node:
    return node if node.dtype is BOOL else _apply("ne", node, _number(0, node))


def _truth_node(op: str, node: Node) -> Node:
    """Elements that count as true: ``any`` ignores NaN."""
    truth = _nonzero(node)
    if op == "any" and (node.dtype.is_float or node.dtype.is_complex):
        return _apply("and", truth, _apply("not", _apply("isnan", node)))
    return truth


def _without_nan(node: Node, how: Along, instead: float) -> Node:
    if not how.omit_nan or not node.dtype.is_float:
        return node
    return _apply("select", _apply("isnan", node), _number(instead, node), node)


def _total(op: str, node: Node, how: Along, axes: tuple[int, ...]) -> Node:
    """Sum or product with MATLAB's result class."""
    native = node.dtype.is_float or how.out_type == "native"
    result = node.dtype if native and how.out_type != "double" else F64
    work = node.dtype if node.dtype.is_float and result is node.dtype else F64
    filled = _without_nan(cast(node, work), how, 0.0 if op == "sum" else 1.0)
    return cast(_apply(op, filled, attrs=(axes,)), result)


def _mean(node: Node, how: Along, axes: tuple[int, ...], mask: Node | None = None) -> Node:
    """The mean; of elements where a mask is true, and zeros, their sum by how many they are."""
    node = node if node.dtype.is_float and how.out_type != "double" else cast(node, F64)
    total = _total("sum", node, how, axes)
    present = mask
    if how.omit_nan:
        present = _apply("not", _apply("isnan", node))
        present = present if mask is None else _apply("and", mask, present)
    if present is not None:
        counts = cast(_apply("nnz", present, attrs=(axes,)), total.dtype)
    else:
        counts = _number(float(_count(node.shape, axes)), total)
    return _apply("rdivide", total, counts)


def spread(name: str, args: tuple[Value, ...], nargout: int) -> Value:
    """Variance and standard deviation, unweighted."""
    rest = args[1:]
    population = False
    if rest and not is_char(rest[0]):
        if type(rest[0]) is not float and numel(rest[0]):
            return NotImplemented
        population, rest = rest[0] == 1.0 if numel(rest[0]) else False, rest[1:]
    selected = _uncounted_selection(args[0], rest, NAN_FLAGS) if nargout < 2 else None
    node = _source(args[0]) if selected is None else selected.filled(0.0)
    if node is NotImplemented or nargout > 1:
        return NotImplemented
    how = along(node.shape, rest, NAN_FLAGS) if selected is None else selected.how
    axes = inside(how.axes, len(node.shape)) if selected is None else selected.axes
    if not axes or how.omit_nan or how.words:
        return NotImplemented
    mask = None if selected is None else selected.mask
    node = node if node.dtype.is_float else cast(node, F64)
    deviation = _apply("minus", node, _mean(node, how, axes, mask))
    if mask is not None:
        deviation = _apply("select", mask, deviation, _number(0.0, deviation))
    size = _apply("abs", deviation) if _is_guarded(args[0]) else deviation
    total = _apply("sum", _apply("times", size, size), attrs=(axes,))
    divisor = _divisor(total, population, _count(node.shape, axes), mask)
    result = _apply("rdivide", total, divisor)
    return lazy_of(_apply("sqrt", result) if name == "std" else result)


def _divisor(total: Node, population: bool, count: int, mask: Node | None) -> Node:
    """What squares are divided by: one less than there are, but for one or the population."""
    if mask is None:
        return _number(float(count if population or count == 1 else count - 1), total)
    axes = (tuple(range(len(mask.shape))),)
    found = cast(_apply("nnz", mask, attrs=axes), total.dtype)
    if population:
        return found
    several = _apply("gt", found, _number(1.0, found))
    return _apply("select", several, _apply("minus", found, _number(1.0, found)), found)


def _is_guarded(v: Value) -> bool:
    return type(v) is DeviceArray and v.guarded


def extreme(name: str, args: tuple[Value, ...], nargout: int) -> Value:
    """``max`` and ``min`` in all their forms."""
    a = args[0]
    if len(args) == 2:
        pair = nargout < 2 and not is_char(args[1])
        pair = pair and bool(are_pending(args[1]) or numel(args[1]))
        return extreme_pair(name, a, args[1]) if pair else NotImplemented
    node = _source(a)
    if node is NotImplemented and nargout < 2:
        return complex_capture().extreme(name, args)
    if node is NotImplemented or (nargout > 1 and turned_complex(a)):
        return NotImplemented
    guarded = nargout < 2 and _is_guarded(a)
    if len(args) > 1 and not _is_empty(args[1]):
        return NotImplemented
    how = along(node.shape, args[2:], None)
    axes = inside(how.axes, len(node.shape))
    if not axes or how.words or any(is_char(v) and v == "includenan" for v in args[2:]):
        return NotImplemented
    if node.dtype is BOOL:
        return NotImplemented
    values = lazy_of(_apply(f"a{name}", node, attrs=(axes,)), guarded)
    if nargout < 2:
        return values
    if len(axes) > 1:
        if len(axes) != len(node.shape):
            return NotImplemented
        column = _apply("reshape", node, attrs=((numel(a), 1),))
        return values, lazy_of(_apply(f"arg{name}", column, attrs=(0,)))
    return values, lazy_of(_apply(f"arg{name}", node, attrs=(axes[0],)))


def _is_empty(v: Value) -> bool:
    return not is_char(v) and numel(v) == 0


def scan(name: str, args: tuple[Value, ...]) -> Value:
    """Running sums and products: those of integers in doubles, as on the host."""
    node = _source(args[0])
    if node is NotImplemented:
        return complex_capture().scan(name, args)
    if node.dtype.is_integer and node.dtype.size == 8:
        return NotImplemented
    how = along(node.shape, args[1:], SCANS)
    axis = how.axes[0]
    if axis >= len(node.shape) or how.omit_nan or len(how.axes) > 1:
        return NotImplemented
    source = node if node.dtype.is_float else cast(node, F64)
    result = _apply(name, source, attrs=(axis, "reverse" in how.words))
    if node.dtype.is_integer:
        return lazy_of(cast(result, node.dtype))
    return lazy_of(result, _is_guarded(args[0]))


def column_norms(args: tuple[Value, ...]) -> Value:
    """``vecnorm``: 2-norms of the vectors along a dimension."""
    a = args[0]
    node = _source(a)
    if node is NotImplemented or not node.dtype.is_float or (len(args) > 1 and args[1] != 2.0):
        return NotImplemented
    axes = inside(along(node.shape, args[2:], NO_WORDS).axes, len(node.shape))
    if len(axes) != 1:
        return NotImplemented
    size = _apply("abs", node) if _is_guarded(a) else node
    return lazy_of(_apply("sqrt", _apply("sum", _apply("times", size, size), attrs=(axes,))))


def covariance(args: tuple[Value, ...]) -> Value:
    """``cov`` of the columns of one real matrix, or of two arrays of many elements."""
    a = args[0]
    node = _source(a)
    if len(args) > 1 and numel(args[1]) > 1:
        node, args = _two_columns(node, args[1]), (a, *args[2:])
    if (
        node in (None, NotImplemented)
        or len(node.shape) > 2
        or 1 in node.shape
        or turned_complex(a)
    ):
        return NotImplemented
    if not node.dtype.is_float or len(args) > 2 or (len(args) == 2 and args[1] not in (0.0, 1.0)):
        return NotImplemented
    rows = node.shape[0]
    centred = _apply("minus", node, _mean(node, Along((0,)), (0,)))
    gram = _apply("matmul", centred, centred, attrs=(True, False))
    divisor = rows if len(args) == 2 and args[1] == 1.0 else rows - 1
    return lazy_of(_apply("rdivide", gram, _number(float(divisor), gram)))


def _two_columns(node: Node, other: Value) -> Node | None:
    """Two arrays of as many floats of one class as the columns of a matrix; None for others."""
    second = NotImplemented if is_char(other) or turned_complex(other) else _source(other)
    if node is NotImplemented or second is NotImplemented or node.dtype is not second.dtype:
        return None
    if math.prod(node.shape) != math.prod(second.shape):
        return None
    columns = [_apply("reshape", n, attrs=((math.prod(n.shape), 1),)) for n in (node, second)]
    return _apply("cat", *columns, attrs=(1,))


def vector_norm(args: tuple[Value, ...]) -> Value:
    """The 1-, 2- and Inf-norm of a vector, the 1-, Inf- and Frobenius norm of a matrix."""
    a = args[0]
    node, is_complex = _source(a), complex_capture().is_complex_node(a)
    if is_complex and isinstance(a, DeviceArray):
        node = _apply("abs", a.node)
    kind = args[1] if len(args) > 1 else 2.0
    if node is NotImplemented or not node.dtype.is_float or len(node.shape) > 2:
        return NotImplemented
    if len(args) > 2 or not (type(kind) is float or (is_char(kind) and kind in _NAMED_NORMS)):
        return NotImplemented
    if kind in (1.0, math.inf, "inf", "Inf"):
        unknown = not is_complex and turned_complex(a)
        return NotImplemented if unknown else _absolute_norm(node, kind != 1.0)
    if not (kind == "fro" or (kind == 2.0 and _is_vector(node))):
        return NotImplemented
    size = _apply("abs", node) if _is_guarded(a) else node
    total = _apply("sum", _apply("times", size, size), attrs=((0, 1),))
    return lazy_of(_apply("sqrt", total))


_NAMED_NORMS = frozenset(("fro", "inf", "Inf"))


def _absolute_norm(node: Node, largest: bool) -> Value:
    """The largest sum of the columns' magnitudes, or of the rows'; NaN where there is a NaN."""
    size = _apply("abs", node)
    summed = (0, 1) if _is_vector(node) else (int(largest),)
    sums = size if _is_vector(node) and largest else _apply("sum", size, attrs=(summed,))
    most = _apply("amax", sums, attrs=((0, 1),))
    broken = _apply("any", _apply("isnan", sums), attrs=((0, 1),))
    return lazy_of(_apply("select", broken, _number(math.nan, most), most))


def inner_product(args: tuple[Value, ...]) -> Value:
    """``dot(a, b)`` of two vectors, or of the columns of two matrices."""
    a, b = args[0], args[1]
    capture = complex_capture()
    if capture.is_complex_node(a) or capture.is_complex_node(b):
        return _complex_product(args)
    if len(args) > 3 or any(type(v) is not float for v in args[2:]) or numel(a) != numel(b):
        return NotImplemented
    if turned_complex(a) or turned_complex(b):
        return NotImplemented
    x, y = _source(a), _source(b)
    if x is NotImplemented or y is NotImplemented or x.dtype is not y.dtype:
        return NotImplemented
    if not x.dtype.is_float or x.dtype.is_complex:
        return NotImplemented
    if x.shape == y.shape and (len(args) > 2 or 1 not in x.shape):
        axis = dimension(args[2]) if len(args) > 2 else first_axis(x.shape)
        if axis >= len(x.shape):
            return NotImplemented
        return lazy_of(_apply("sum", _apply("times", x, y), attrs=((axis,),)))
    if not _is_vector(x) or not _is_vector(y):
        return NotImplemented
    columns = [_apply("reshape", n, attrs=((numel(a), 1),)) for n in (x, y)]
    return lazy_of(_apply("sum", _apply("times", *columns), attrs=((0,),)))


def _complex_product(args: tuple[Value, ...]) -> Value:
    """``dot(a, b)`` of vectors of one size, or of columns of matrices, one of them complex."""
    capture = complex_capture()
    x, y = (capture.node_of(v) for v in args[:2])
    if len(args) > 2 or NotImplemented in (x, y) or x.shape != y.shape or len(x.shape) > 2:
        return NotImplemented
    if x.dtype.real is not y.dtype.real:
        return NotImplemented
    return capture.inner_product(x, y, (1,) if x.shape[0] == 1 else (0,))


def _is_vector(node: Node) -> bool:
    return len(node.shape) == 2 and 1 in node.shape
