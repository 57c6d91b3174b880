"""Functions of MATLAB for objects of Python: the conversions."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.python.py_object import (
    Method,
    PyObject,
    call_python,
    from_python,
    python_at_work,
    to_matlab,
)
from app.engine.builtins.python.py_remote import Remote, ask_of, fetched
from app.engine.builtins.python.py_tables import (
    column_names,
    is_frame,
    named_columns,
    table_of,
    times_from,
)
from app.engine.builtins.python.py_values import CONVERSION, matrix_of
from app.engine.builtins.python.py_worker import DEEP, SHALLOW
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import lookup
from app.engine.values import Cell, StringArray, Struct, Value, canonical, float_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext

_NUMERIC = (
    *("double", "single", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
)


def _held_object(args: tuple[Value, ...], depth: int = DEEP) -> object:
    """The object that is converted, a copy of it where it is in another process; what lends an
    array as that array."""
    (target,) = args
    assert isinstance(target, PyObject)
    found = fetched(target.held, depth)
    if isinstance(found, Remote | np.generic) or is_frame(found) or column_names(found):
        return found
    return np.asarray(found) if hasattr(found, "__array__") else found


def _numbers(name: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held_object(args)
        if isinstance(held, bytes | bytearray):
            held = np.frombuffer(held, np.uint8)
        elif isinstance(held, int) and not isinstance(held, bool) and name.endswith("64"):
            low, high = (0, 2**64 - 1) if name == "uint64" else (-(2**63), 2**63 - 1)
            return canonical(np.array([[min(max(held, low), high)]], dtype=name))
        with python_at_work(ctx):
            made = matrix_of(_number_there(held))
        return ctx.call(name, (made,), 1)[0]

    return convert


def _number_there(held: object) -> object:
    """What a number in another process is; anything else as it is."""
    if not isinstance(held, Remote) or hasattr(held, "__array__"):
        return held
    if hasattr(held, "__dlpack__"):
        return ask_of(held, "numpy.from_dlpack", held, depth=DEEP)
    return ask_of(held, "builtins.float", held) if hasattr(held, "__float__") else held


def _logical(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    with python_at_work(ctx):
        made = matrix_of(_held_object(args))
    return ctx.call("logical", (made,), 1)[0]


def _text(held: object) -> str:
    if isinstance(held, bytes | bytearray):
        return held.decode("utf-8", "replace")
    return str(held)


def _char(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    with python_at_work(ctx):
        return _text(_held_object(args))


def _string(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held_object(args)
    with python_at_work(ctx):
        if held is None:
            return StringArray.scalar(None)
        if isinstance(held, list | tuple):
            return StringArray.of([None if item is None else _text(item) for item in held])
        if isinstance(held, np.ndarray):
            items = held.ravel(order="F").tolist()
            flat = [None if item is None or item != item else str(item) for item in items]
            return StringArray.of(flat, PyObject(held).shape)
        return StringArray.scalar(_text(held))


def _cell(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held_object(args, SHALLOW)
    if isinstance(held, str | bytes) or not hasattr(held, "__iter__"):
        raise _no_conversion(held, "cell")
    with python_at_work(ctx):
        if isinstance(held, np.ndarray):
            flat = [from_python(item) for item in held.ravel(order="F")]
            return Cell.of(flat, PyObject(held).shape)
        return Cell.of([from_python(item) for item in held])


def _struct(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held_object(args, SHALLOW)
    if not isinstance(held, Mapping):
        raise _no_conversion(held, "struct")
    for key in held:
        if not (isinstance(key, str) and key.isidentifier()):
            text = f"The key {key!r} cannot name a field of a struct."
            raise MatlabError("MATLAB:Python:InvalidFieldName", text)
    return Struct({key: from_python(value) for key, value in held.items()})


def _time(kind: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held_object(args)
        made = times_from(held)
        if made is None or made.class_name != kind:
            raise _no_conversion(held, kind)
        return made

    return convert


def _table(kind: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held_object(args)
        with python_at_work(ctx):
            made = table_of(held, to_matlab) if is_frame(held) else named_columns(held, to_matlab)
        if made is None:
            raise _no_conversion(held, kind)
        if made.class_name != kind and kind == "timetable":
            raise MatlabError(CONVERSION, "The index of the DataFrame has no times.")
        return made if made.class_name == kind else ctx.call("timetable2table", (made,), 1)[0]

    return convert


def _dictionary(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held_object(args, SHALLOW)
    if not isinstance(held, Mapping):
        raise _no_conversion(held, "dictionary")
    columns = tuple(_joined_items(list(items)) for items in (held.keys(), held.values()))
    return ctx.call("dictionary", columns if held else (), 1)[0]


def _joined_items(items: list[object]) -> Value:
    """Text as strings, numbers as doubles, anything else in a cell."""
    if all(isinstance(item, str) for item in items):
        return StringArray.of(map(str, items))
    if all(isinstance(item, int | float) for item in items):
        return matrix_of([float(item) for item in items])  # type: ignore[arg-type]
    return Cell.of([to_matlab(item) for item in items])


def _cellstr(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return ctx.call("cellstr", (_string(ctx, args, 1),), 1)[0]


def _no_conversion(held: object, kind: str) -> MatlabError:
    text = f"Conversion of Python '{type(held).__name__}' to {kind} is not supported."
    return MatlabError(CONVERSION, text)


def _end_index(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    target, position, count = args
    assert isinstance(target, PyObject)
    shape = target.shape
    if count == 1.0:
        return float(np.prod(shape))
    at = int(float_of(position)) - 1
    return float(shape[at]) if at < len(shape) else 1.0


def _mod(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return call_python(ctx, operator.mod, args)


def _of_one(name: str, convert: Method) -> Method:
    """A conversion of one object; with more arguments the function of that name is meant."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        if len(args) == 1:
            return convert(ctx, args, nargout)
        function = lookup(name)
        assert function is not None
        return function.call_past_methods(ctx, args, nargout)

    return call


_CONVERSIONS: dict[str, Method] = {
    **{name: _numbers(name) for name in _NUMERIC},
    "logical": _logical,
    "char": _char,
    "string": _string,
    "cell": _cell,
    "struct": _struct,
    "cellstr": _cellstr,
    "dictionary": _dictionary,
    **{name: _time(name) for name in ("datetime", "duration")},
    **{name: _table(name) for name in ("table", "timetable")},
}
add_methods(
    "py.object",
    {
        **{name: _of_one(name, convert) for name, convert in _CONVERSIONS.items()},
        "mod": _mod,
        "end": _end_index,
    },
)
