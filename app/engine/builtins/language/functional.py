"""Functions of functions: cellfun, arrayfun, structfun, bsxfun, feval, func2str, str2func."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    FUNCTION,
    STRUCT,
    switch_of,
    takes,
    unknown_option,
)
from app.engine.builtins.containers.error_handlers import call_or_handle
from app.engine.capture.device_arrays import is_gpu_array, to_device
from app.engine.capture.term_arrays import is_resident
from app.engine.declarations.device_support import CALLS, SELF
from app.engine.declarations.registry import builtin, lookup
from app.engine.operators.concatenation import concatenate
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.operators.shapes import repmat
from app.engine.values import (
    Array,
    Cell,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    cell_items,
    class_of,
    host,
    int_of,
    is_char,
    is_empty,
    is_numeric_like,
    is_text_scalar,
    numel,
    object_array,
    object_array_of,
    size_of,
    text_of,
    unwrap,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "functions"


def _options(args: tuple[Value, ...]) -> tuple[list[Value], bool, Value | None]:
    """Split off UniformOutput and ErrorHandler; what comes first is data whatever it says."""
    rest, uniform, handler = list(args), True, None
    while len(rest) > 2 and is_text_scalar(rest[-2]):
        word = text_of(rest[-2]).lower()
        if word and "uniformoutput".startswith(word):
            uniform = switch_of("UniformOutput", rest[-1])
        elif word and "errorhandler".startswith(word):
            handler = rest[-1]
        else:
            break
        del rest[-2:]
    return rest, uniform, handler


def _run(
    ctx: Context,
    name: str,
    function: Value,
    columns: list[list[Value]],
    shape: tuple[int, ...],
    nargout: int,
    options: tuple[bool, Value | None],
) -> Value:
    """Call ``function`` for every row of ``columns`` and collect the outputs."""
    uniform, handler = options
    if handler is None and nargout < 2 and type(function) is FunctionHandle:
        found = _outputs_of_calls(ctx, function, columns, nargout)
        return () if columns[0] and not found else _collect(name, found, shape, uniform=uniform)
    wanted = max(nargout, 1)
    results: list[list[Value]] = [[] for _ in range(wanted)]
    for position, items in enumerate(zip(*columns, strict=True)):
        outputs = call_or_handle(ctx, function, items, nargout, handler, position)
        if len(outputs) < wanted:
            if nargout == 0:
                continue
            text = "One or more output arguments not assigned."
            raise MatlabError("MATLAB:unassignedOutputs", text)
        for k in range(wanted):
            results[k].append(outputs[k])
    if nargout == 0 and not results[0]:
        return () if columns[0] else _collect(name, [], shape, uniform=uniform)
    made = tuple(_collect(name, r, shape, uniform=uniform) for r in results)
    return made if len(made) > 1 else made[0]


def _outputs_of_calls(
    ctx: Context, function: FunctionHandle, columns: list[list[Value]], nargout: int
) -> list[Value]:
    """One output of every call; none of calls that were not asked for one and give none."""
    target, poll = ctx.direct(function)
    results: list[Value] = []
    for items in zip(*columns, strict=True):
        poll()
        made = target(*items, nargout=nargout)
        if made is not None:
            results.append(made)
        elif nargout:
            text = "One or more output arguments not assigned."
            raise MatlabError("MATLAB:unassignedOutputs", text)
    return results


def _collect(name: str, results: list[Value], shape: tuple[int, ...], *, uniform: bool) -> Value:
    if not uniform:
        return Cell(object_array(results, shape))
    if not results:
        return np.zeros(shape)
    kinds = {type(r) for r in results}
    if kinds in ({float}, {bool}):
        a = np.array(results).reshape(shape, order="F")
        return a if a.size > 1 else results[0]
    return _uniform(name, [host(r) for r in results], shape)


def _uniform(name: str, results: list[Value], shape: tuple[int, ...]) -> Value:
    held = [r.data.flat[0] for r in results if isinstance(r, Cell) and r.data.size == 1]
    if len(held) == len(results):
        return Cell(object_array(held, shape))
    first = class_of(results[0])
    for position, r in enumerate(results):
        if numel(r) != 1 or isinstance(r, Cell | Struct | StructArray | FunctionHandle):
            text = (
                f"Non-scalar in Uniform output, at index {position + 1}, output 1.\n"
                "Set 'UniformOutput' to false."
            )
            raise MatlabError(f"MATLAB:{name}:NotAScalarOutput", text)
        if class_of(r) != first:
            text = (
                f"Mismatch at index {position + 1} in vector output 1 at index 1 (previous values "
                f"had class '{first}', this value has class '{class_of(r)}')."
            )
            raise MatlabError(f"MATLAB:{name}:UniformOutputMismatch", text)
    texts = [r.data.flat[0] for r in results if isinstance(r, StringArray)]
    if len(texts) == len(results):
        return StringArray(object_array(texts, shape))
    if first == "char":
        codes = np.array([ord(text_of(r)) for r in results], dtype=np.uint32)
        return rebuild("", codes.reshape(shape, order="F"))
    if all(isinstance(r, NativeObject) for r in results) and len(shape) == 2:
        return _of_native_objects(results, shape)
    try:
        data = np.array([as_array(r).flat[0] for r in results]).reshape(shape, order="F")
    except MatlabError:
        return _of_objects(results, shape)
    return rebuild(results[0], data)


def _of_native_objects(results: list[Value], shape: tuple[int, ...]) -> Value:
    """Handles, dates and the like as brackets join them; a cell of what they cannot join."""
    rows = shape[0]
    try:
        columns = [concatenate(0, results[k : k + rows]) for k in range(0, len(results), rows)]
        return concatenate(1, columns)
    except MatlabError:
        return _of_objects(results, shape)


def _of_objects(results: list[Value], shape: tuple[int, ...]) -> Value:
    """Objects of one class as an array; a cell of what cannot be in one."""
    objects = [r for r in results if isinstance(r, ObjectValue)]
    if len(objects) == len(results) > 1:
        return object_array_of(object_array(objects, shape), objects[0].class_info)
    return results[0] if len(results) == 1 else Cell(object_array(results, shape))


def _same_size(name: str, values: list[Value], ctx: Context) -> tuple[int, ...]:
    """The common size of the arrays; in Octave's dialect one element serves for all."""
    shape = size_of(values[0])
    if ctx.interpreter.octave:
        shape = next((size_of(v) for v in values if numel(v) != 1), shape)
        counts = np.array([shape], float)
        values[:] = [
            v if size_of(v) == shape or numel(v) != 1 else repmat(v, counts) for v in values
        ]
    for k, v in enumerate(values[1:], 2):
        if size_of(v) != shape:
            text = (
                f"All the input arguments must be of the same size and shape. Input #{k} does not "
                "match the first."
            )
            raise MatlabError(f"MATLAB:{name}:InputSizeMismatch", text)
    return shape


@builtin(
    "cellfun",
    least=2,
    category=_FAMILY,
    signatures=(
        "A = cellfun(fun, C)",
        "[A, B, ...] = cellfun(fun, C1, C2, ...)",
        "C = cellfun(..., 'UniformOutput', false)",
        "A = cellfun(..., 'ErrorHandler', handler)",
    ),
    device=CALLS,
    cases=(
        "isequal(cellfun(@numel, {1, [1 2]}), [1 2])",
        "isequal(cellfun('isempty', {1, []}), [false true])",
        "isequal(cellfun(@(x) x*2, {1, 2}, 'UniformOutput', false), {2, 4})",
    ),
    see=("arrayfun", "structfun"),
)
def cellfun(ctx: Context, function: Value, *args: Value, nargout: int = 1) -> Value:
    """Apply a function to the contents of every cell."""
    cells, uniform, handler = _options(args)
    if is_text_scalar(function):
        quick = _legacy(text_of(function), cells)
        if quick is not None:
            return quick
        function = ctx.parse_handle(text_of(function))
    if not isinstance(function, FunctionHandle | str | StringArray):
        text = "Input #1 expected to be a function name or handle."
        raise MatlabError("MATLAB:cellfun:FunctionNotCallable", text)
    for c in cells:
        if not isinstance(c, Cell):
            text = f"Input #2 expected to be a cell array, was {class_of(c)} instead."
            raise MatlabError("MATLAB:cellfun:NotACell", text)
    shape = _same_size("cellfun", cells, ctx)
    fast = _builtin_test(function, cells, uniform=uniform, nargout=nargout)
    if fast is not None:
        return fast
    columns = [cell_items(c) for c in cells]
    return _run(ctx, "cellfun", function, columns, shape, nargout, (uniform, handler))


_QUICK: dict[str, Callable[[Value], Value]] = {
    "isempty": lambda v: not v if type(v) is str else is_empty(v),
    "length": lambda v: float(max(size_of(v))) if numel(v) else 0.0,
    "ischar": is_char,
    "isreal": lambda v: is_numeric_like(v) and not np.iscomplexobj(as_array(v)),
    "numel": lambda v: float(len(v) if type(v) is str else numel(v)),
    "prodofsize": lambda v: float(numel(v)),
    "ndims": lambda v: float(len(size_of(v))),
    "iscell": lambda v: isinstance(v, Cell),
    "islogical": lambda v: class_of(v) == "logical",
    "isclass": class_of,
    "isstruct": lambda v: isinstance(v, Struct | StructArray),
}
_OF_TEXTS: dict[Callable[[Value], Value], tuple[Callable[[str], int], type]] = {
    _QUICK["isempty"]: (operator.not_, bool),
    **{_QUICK[name]: (len, float) for name in ("length", "numel", "prodofsize")},
}
"""The same of texts alone, and the class of the answers."""
_COUNTS = tuple(_QUICK[name] for name in ("length", "numel", "prodofsize", "ndims"))
"""What answers with numbers, of no cells, too."""
_HANDLE_QUICK = ("isempty", "length", "ischar", "numel", "iscell", "isstruct")


def _legacy(name: str, cells: list[Value]) -> Value | None:
    """``cellfun('isempty', C)`` and the like, without a call per element."""
    if name == "size" and len(cells) == 2:
        axis = int_of(cells[1]) - 1
        return _quick_values(lambda v: float((*size_of(v), 1, 1)[axis]), cells[0])
    if name == "isclass" and len(cells) == 2:
        wanted = text_of(cells[1])
        return _quick_values(lambda v: class_of(v) == wanted, cells[0])
    test = _QUICK.get(name)
    return _quick_values(test, cells[0]) if test is not None and len(cells) == 1 else None


def _builtin_test(
    function: Value, cells: list[Value], *, uniform: bool, nargout: int
) -> Value | None:
    if not uniform or nargout > 1 or len(cells) != 1 or not isinstance(function, FunctionHandle):
        return None
    cell = cells[0]
    if not isinstance(cell, Cell) or function.name not in _HANDLE_QUICK:
        return None
    if not cell.data.size:  # no call says of which class the answers are: doubles
        return None
    if not _means_builtin(function, cell):
        return None
    return _quick_values(_QUICK[function.name], cell)


def _means_builtin(function: FunctionHandle, c: Cell) -> bool:
    """Whether the handle is that of the builtin and no element overloads it."""
    known = lookup(function.name)
    target = function.target
    ours = (
        target is None
        or target is known
        or getattr(target, "builtin", None) is known  # of generated code
        or getattr(target, "__self__", None) is known
    )
    if not ours or set(map(type, c.items())) <= _PLAIN:
        return ours
    return not any(hasattr(x, "class_info") or hasattr(x, "members") for x in c.data.flat)


_PLAIN = frozenset((float, bool, complex, str, np.ndarray, Cell, Struct, StructArray))
"""Types that have no methods of their own."""


def _quick_values(test: Callable[[Value], Value], c: Value) -> Value:
    if not isinstance(c, Cell):
        raise MatlabError("MATLAB:cellfun:NotACell", "Input #2 expected to be a cell array.")
    items = c.items()
    of_text = _OF_TEXTS.get(test)
    if of_text is not None and set(map(type, items)) == {str}:
        answer, kind = of_text
        found = map(answer, cast("list[str]", items))
        if kind is bool:
            made: Array = np.frombuffer(bytearray(found), np.bool_)
        else:
            made = np.fromiter(found, np.float64, len(items))
        return unwrap(made.reshape(c.shape, order="F"))
    values = [test(x) for x in items]
    if not values:
        return np.zeros(c.shape, dtype=float if test in _COUNTS else bool)
    return rebuild(values[0], np.array(values).reshape(c.shape, order="F"))


@builtin(
    "arrayfun",
    least=2,
    category=_FAMILY,
    signatures=(
        "B = arrayfun(fun, A)",
        "[B, C, ...] = arrayfun(fun, A1, A2, ...)",
        "C = arrayfun(..., 'UniformOutput', false)",
    ),
    cases=(
        "isequal(arrayfun(@(x) x^2, [1 2 3]), [1 4 9])",
        "isequal(arrayfun(@(x) {x}, [1 2], 'UniformOutput', false), {{1}, {2}})",
    ),
    see=("cellfun", "structfun"),
    device=SELF,
)
@takes(FUNCTION)
def arrayfun(ctx: Context, function: Value, *args: Value, nargout: int = 1) -> Value:
    """Apply a function to every element of arrays."""
    arrays, uniform, handler = _options(args)
    if is_text_scalar(function):
        function = ctx.parse_handle(text_of(function))
    resident = _on_resident(ctx, function, arrays, nargout) if uniform and not handler else None
    if resident is not None:
        return resident if len(resident) > 1 else resident[0]
    devices = any(map(is_gpu_array, arrays))
    if devices:
        arrays = _expanded_arrays(arrays)
    shape = _same_size("arrayfun", arrays, ctx)
    columns = [list(_elements(a)) for a in arrays]
    made = _run(ctx, "arrayfun", function, columns, shape, nargout, (uniform, handler))
    if not (devices and uniform):
        return made
    return tuple(map(to_device, made)) if isinstance(made, tuple) else to_device(made)


def _on_resident(
    ctx: Context, function: Value, arrays: list[Value], nargout: int
) -> tuple[DeviceArray, ...] | None:
    """The outputs for arrays whose data are on the device; None where calls are made one by one."""
    if not isinstance(function, FunctionHandle) or not is_resident(*arrays):
        return None
    large = [v for v in arrays if numel(v) != 1] or arrays[:1]
    fit = arrays if ctx.interpreter.octave or any(map(is_gpu_array, arrays)) else large
    shape = size_of(large[0])
    if len(fit) < len(arrays) or any(size_of(v) != shape for v in large):
        return None
    from app.engine.interpreter.loops.element_calls import element_calls

    return element_calls(ctx.interpreter, function, arrays, shape, max(nargout, 1))


def _expanded_arrays(arrays: list[Value]) -> list[Value]:
    """Among device arrays, singleton dimensions are expanded to the others' sizes."""
    held = [as_array(host(v)) for v in arrays]
    try:
        shape = np.broadcast_shapes(*(a.shape[::-1] for a in held))[::-1]
    except ValueError:
        return arrays
    return [canonical(_broadcast(a, shape)) for a in held]


def _broadcast(a: Array, shape: tuple[int, ...]) -> Array:
    full = a.reshape(a.shape + (1,) * (len(shape) - a.ndim))
    return np.asfortranarray(np.broadcast_to(full, shape))


def _elements(v: Value) -> Iterator[Value]:
    v = host(v)
    if isinstance(v, StructArray):
        yield from v.elements()
        return
    data = data_of(v)
    if data.dtype in (np.float64, np.bool_, np.complex128) and not is_char(v):
        yield from data.ravel(order="F").tolist()
        return
    flat = data.ravel(order="F")
    for i in range(flat.size):
        yield rebuild(v, flat[i : i + 1].reshape(1, 1))


@builtin(
    "structfun",
    least=2,
    category=_FAMILY,
    signatures=("[A1, ...] = structfun(fun, S)", "S = structfun(fun, S, 'UniformOutput', false)"),
    device=CALLS,
    cases=(
        "isequal(structfun(@(x) x*2, struct('a', 1, 'b', 2)), [2; 4])",
        "[m, k] = structfun(@max, struct('a', [1 5], 'b', 7)); isequal([m k], [5 2; 7 1])",
        "[m, k] = structfun(@max, struct('a', [1 5]), 'UniformOutput', false);"
        " isequal(m, struct('a', 5)) && isequal(k, struct('a', 2))",
    ),
    see=("cellfun",),
)
@takes(FUNCTION, STRUCT)
def structfun(ctx: Context, function: Value, s: Value, *args: Value, nargout: int = 1) -> Value:
    """Apply a function to every field of a struct."""
    (_, *rest), uniform, handler = _options((s, *args))
    if rest:
        raise unknown_option("structfun", text_of(rest[0]), "UniformOutput ErrorHandler")
    if not isinstance(s, Struct):
        text = "Inputs to STRUCTFUN must be scalar structures."
        raise MatlabError("MATLAB:structfun:nonScalarStruct", text)
    if is_text_scalar(function):
        function = ctx.parse_handle(text_of(function))
    columns = [list(s.fields.values())]
    shape = (len(s.fields), 1)
    result = _run(ctx, "structfun", function, columns, shape, nargout, (uniform, handler))
    if uniform:
        return result
    outputs = result if isinstance(result, tuple) else (result,)
    made = tuple(Struct(dict(zip(s.fields, c.items(), strict=True))) for c in outputs)
    return made[0] if len(made) == 1 else made


@builtin(
    "bsxfun",
    category=_FAMILY,
    signatures=("C = bsxfun(fun, A, B)",),
    device=SELF,
    cases=("isequal(bsxfun(@plus, [1 2], [10; 20]), [11 12; 21 22])",),
    see=("arrayfun",),
)
def bsxfun(ctx: CallContext, function: Value, a: Value, b: Value) -> Value:
    """Apply a function of two arrays with implicit expansion."""
    name = function.name if isinstance(function, FunctionHandle) else text_of(function)
    if lookup(name) is not None:
        return ctx.call(function, (a, b), 1)[0]
    from app.engine.operators.expansion import align

    if is_resident(a, b):
        return ctx.call(function, (_spread(ctx, a, b), _spread(ctx, b, a)), 1)[0]
    x, y = align(as_array(a), as_array(b))
    p, q = np.broadcast_arrays(x, y)
    return ctx.call(function, (rebuild(a, np.array(p)), rebuild(b, np.array(q))), 1)[0]


def _spread(ctx: CallContext, v: Value, other: Value) -> Value:
    """An array with its dimensions of one element repeated to those of another."""
    own, wanted = size_of(v), size_of(other)
    rank = max(len(own), len(wanted))
    own, wanted = own + (1,) * (rank - len(own)), wanted + (1,) * (rank - len(wanted))
    counts = [float(n) if m == 1 else 1.0 for m, n in zip(own, wanted, strict=True)]
    return ctx.call("repmat", (v, np.array([counts])), 1)[0]
