"""``x(i)``, ``c{i}``, ``s.f`` on any value. Scalar subscripts of plain arrays come first."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.declarations.registry import is_string_method
from app.engine.interpreter.indexing import device_index as device_indexing
from app.engine.interpreter.indexing import of_sparse
from app.engine.interpreter.indexing.gather_elements import (
    elements_by_list,
    part_of,
    picked_value,
    row_by_list,
    select,
    select_each,
)
from app.engine.interpreter.indexing.subscripts import (
    COLON,
    DOUBLE,
    element_place,
    is_colon,
    out_of_bounds,
    whole,
)
from app.engine.interpreter.indexing.text_elements import (
    character_in,
    characters,
    part_of_matrix,
)
from app.engine.interpreter.unit import FunctionReference, LinkStub
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    class_of,
    host,
    numel,
    size_of,
)
from app.engine.values.containers import VariableNumber, bad_field_name, no_member
from app.errors import MatlabError

ndarray = np.ndarray
COMPLEX = "c"


class CommaList(tuple[Value, ...]):
    """The values of a comma-separated list that has not exactly one."""

    __slots__ = ()


class _Hooks(threading.local):
    """What indexing needs of the interpreter that runs on this thread, set by it.

    Attributes:
        call: call a function handle ``(handle, args, nargout)``.
        object_paren: ``obj(args)`` of a classdef object.
        object_brace: ``obj{args}`` of a classdef object.
        object_member: ``obj.name`` or ``obj.name(args)`` of a classdef object.
        context: the CallContext for native objects.
    """

    call: Callable[[FunctionHandle, tuple[Value, ...], int], Value]
    object_paren: Callable[[Any, tuple[Value, ...], int], Value]
    object_brace: Callable[[Any, tuple[Value, ...], int], Value]
    object_member: Callable[[Any, str, tuple[Value, ...] | None, int], Value]
    context: Any = None


Hooks = _Hooks()


# --- () ---


def paren1(x: Value, i: Value) -> Value:
    """``x(i)``."""
    if type(i) is float:
        if type(x) is ndarray:
            if i >= 1.0 and x.ndim == 2:
                try:
                    k = int(i)
                    rows = len(x)
                    if k == i:
                        row, column = (0, k - 1) if rows == 1 else ((k - 1) % rows, (k - 1) // rows)
                        if x.dtype is DOUBLE:
                            return x.item(row, column)
                        return _element(x, row, column)
                except (IndexError, OverflowError, ZeroDivisionError):
                    pass
        else:
            made = _element_of_container(x, i)
            if made is not None:
                return made
    elif type(i) is ndarray:
        several = _several(x, i)
        if several is not None:
            return several
    elif type(i) is bool and type(x) is float:
        return x if i else EMPTY
    if type(x) is FunctionHandle and x.target is not None and i is not COLON:
        return x.target(i)  # type: ignore[operator]
    return paren(x, i)


def _several(x: Value, i: Array) -> Value | None:
    """Elements of an array, a text or a cell by a list or a mask; None for other values."""
    if type(x) is ndarray:
        return elements_by_list(x, i)
    if type(x) is str:
        return characters(x, i)
    part = row_by_list(x.data, i) if type(x) is Cell else None
    return None if part is None else Cell(part)


def _element_of_container(x: Value, i: float) -> Value | None:
    """One character, struct or cell; None for other values."""
    if type(x) is str:
        k = whole(i)
        if k > len(x):
            raise out_of_bounds(len(x))
        return x[k - 1]
    if type(x) is StructArray:
        return struct_element(x, whole(i))
    if type(x) is CharArray:
        return character_in(x, whole(i))
    if type(x) is Cell and x.data.ndim == 2 and 1.0 <= i <= x.data.size:
        k, rows = whole(i) - 1, x.data.shape[0]
        return Cell(x.data[k % rows : k % rows + 1, k // rows : k // rows + 1].copy())
    return None


def _element(x: Array, row: int, column: int) -> Value:
    """One element of a matrix of any class, where there is one."""
    number = x.item(row, column)
    if type(number) is bool:
        return number
    if x.dtype.char == "D":
        return number if number.imag != 0.0 else number.real
    return x[row : row + 1, column : column + 1].copy()


def struct_element(x: StructArray, k: int) -> Struct:
    """Element ``k`` (from 1) of a struct array."""
    total = math.prod(x.shape)
    if k > total:
        raise out_of_bounds(total)
    rows = x.shape[0]
    if len(x.shape) == 2:
        r, c = (k - 1) % rows, (k - 1) // rows
        return Struct({name: column[r, c] for name, column in x.fields.items()})
    where = np.unravel_index(k - 1, x.shape, order="F")
    return Struct({name: column[where] for name, column in x.fields.items()})


def paren2(x: Value, i: Value, j: Value) -> Value:
    """``x(i, j)``."""
    if (
        type(i) is float
        and type(j) is float
        and type(x) is ndarray
        and (i >= 1.0 and j >= 1.0 and x.ndim == 2)
    ):
        try:
            r, c = int(i), int(j)
            if r == i and c == j:
                if x.dtype is DOUBLE:
                    return x.item(r - 1, c - 1)
                return _element(x, r - 1, c - 1)
        except (IndexError, ValueError, OverflowError):
            pass
    if type(x) is CharArray and (part := part_of_matrix(x, i, j)) is not None:
        return part
    if type(x) is FunctionHandle and x.target is not None and i is not COLON and j is not COLON:
        return x.target(i, j)  # type: ignore[operator]
    if type(x) is ndarray and x.ndim == 2:
        part = part_of(x, i, j)
        if part is not None:
            return part
    return paren(x, i, j)


def paren(x: Value, *args: Value, nargout: int = 1) -> Value:
    """``x(args)`` for any value and any subscripts."""
    read = _PAREN.get(type(x))
    if read is not None:
        return read(x, args)
    return _paren_rare(x, args, nargout)


def _paren_rare(x: Value, args: tuple[Value, ...], nargout: int) -> Value:
    if isinstance(x, FunctionHandle):
        return Hooks.call(x, tuple(":" if a is COLON else a for a in args), nargout)
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.object_paren(x, args, nargout)
    if isinstance(x, NativeObject):
        return x.paren_get(Hooks.context, native_subscripts(x, args))
    if callable(x):
        return x(*(":" if a is COLON else a for a in args), nargout=nargout)
    raise MatlabError(
        "MATLAB:index:unsupported",
        f"'()' indexing is not supported for variables of type '{class_of(x)}'.",
    )


def native_subscripts(x: NativeObject, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """Subscripts as a native object sees them: the magic colon as text."""
    return tuple(":" if a is COLON else a for a in args)


def _scalar(x: Value, args: tuple[Value, ...]) -> Value:
    args = tuple(host(a, "needs-host-value: subscript") for a in args)
    if all(a == 1.0 if type(a) is float else is_colon(a) or a is True for a in args):
        return x
    return canonical(select(np.array([[x]]), args))


def _array(x: Any, args: tuple[Value, ...]) -> Value:
    if len(args) > 2:
        place = element_place(x.shape, args)
        if place is not None:
            return x.item(*place) if x.dtype is DOUBLE else _element(x[place].reshape(1, 1), 0, 0)
    if any(type(a) is DeviceArray for a in args):
        captured = device_indexing.read_of_host(x, args, paren)
        if captured is not None:
            return captured
    return picked_value(select(x, args))


def _text(x: str, args: tuple[Value, ...]) -> Value:
    if len(args) == 1 and is_colon(args[0]):
        return char_value(char_codes(x).reshape(-1, 1))
    return char_value(select(char_codes(x), args))


def _chars(x: CharArray, args: tuple[Value, ...]) -> Value:
    return char_value(select(x.data, args))


def _strings(x: StringArray, args: tuple[Value, ...]) -> Value:
    return StringArray(select(x.data, args))


def _cell(x: Cell, args: tuple[Value, ...]) -> Value:
    return Cell(select(x.data, args))


def _struct(x: Struct, args: tuple[Value, ...]) -> Value:
    if all(a == 1.0 if type(a) is float else is_colon(a) or a is True for a in args):
        return x
    return _struct_array(as_struct_array(x), args)


def as_struct_array(x: Struct | StructArray) -> StructArray:
    """A struct of any size with one object array per field."""
    if isinstance(x, StructArray):
        return x
    fields = {}
    for name, value in x.fields.items():
        data = np.empty((1, 1), dtype=object)
        data[0, 0] = value
        fields[name] = data
    return StructArray(fields, (1, 1))


def _struct_array(x: StructArray, args: tuple[Value, ...]) -> Value:
    place = element_place(x.shape, args)
    if place is not None:
        return Struct({name: data[place] for name, data in x.fields.items()})
    if not x.fields:
        positions = select(np.empty(x.shape, dtype=np.bool_), args)
        return Struct({}) if positions.size == 1 else StructArray({}, positions.shape)
    made = select_each(x.fields, x.shape, args)
    shape = next(iter(made.values())).shape
    if math.prod(shape) == 1:
        return Struct({name: data.item() for name, data in made.items()})
    return StructArray(made, shape)


def _device(x: DeviceArray, args: tuple[Value, ...]) -> Value:
    return device_indexing.read(x, args, paren)


_PAREN: dict[type, Callable[[Any, tuple[Value, ...]], Value]] = {
    np.ndarray: _array,
    float: _scalar,
    bool: _scalar,
    complex: _scalar,
    str: _text,
    Cell: _cell,
    Struct: _struct,
    StructArray: _struct_array,
    StringArray: _strings,
    CharArray: _chars,
    DeviceArray: _device,
    SparseMatrix: of_sparse.read,
}


def as_callable(x: Value) -> Callable[..., Value]:
    """A variable as the callee of ``x(args)``."""
    target: Any = x.target if type(x) is FunctionHandle else None
    if target is not None:
        return target  # type: ignore[no-any-return]

    def index(*args: Value, nargout: int = 1) -> Value:
        return paren(x, *args, nargout=nargout)

    return index


# --- {} ---


def brace1(x: Value, i: Value) -> Value:
    """``c{i}`` with one value."""
    if type(i) is float and type(x) is Cell:
        data = x.data
        k = int(i) if -9e15 < i < 9e15 else 0
        if k == i and 0 < k <= data.size and data.ndim == 2:
            rows = data.shape[0]
            return data[0, k - 1] if rows == 1 else data[(k - 1) % rows, (k - 1) // rows]
    return brace(x, i)


def brace(x: Value, *args: Value) -> Value:
    """``c{args}`` where exactly one value is wanted."""
    made = braces(x, *args)
    return only_one(made) if type(made) is CommaList else made


def only_one(made: CommaList) -> Value:
    """The value of a list where one is wanted."""
    if not made:
        text = "Expected one output from a curly brace or dot indexing expression, but there were 0 results."  # noqa: E501 - MATLAB's words
        raise MatlabError("MATLAB:index:expected_one_output_from_expression", text)
    if len(made) == 1:
        return made[0]
    text = "Expected one output from a curly brace or dot indexing expression, but there were "
    raise MatlabError(
        "MATLAB:index:expected_one_output_from_expression", f"{text}{len(made)} results."
    )


def of_elements(values: CommaList, args: tuple[Value, ...] | None) -> Value:
    """A property of the elements of an array; with subscripts there may be one element only."""
    if args is not None:
        return paren(only_one(values), *args)
    return values[0] if len(values) == 1 else values


def braces(x: Value, *args: Value, nargout: int = 1) -> Value:
    """``c{args}``: one value, or a CommaList when it stands for none or several."""
    if type(x) is Cell:
        place = element_place(x.data.shape, args)
        if place is not None:
            return x.data[place]
        picked = select(x.data, args)
        if picked.size == 1:
            return picked.reshape(-1)[0]
        return CommaList(picked.ravel(order="F"))
    if type(x) is StringArray:
        texts = select(x.data, args).ravel(order="F")
        made = CommaList("" if t is None else t for t in texts)
        return made[0] if len(made) == 1 else made
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.object_brace(x, args, nargout)
    if isinstance(x, NativeObject):
        return as_list(x.brace_get(Hooks.context, native_subscripts(x, args), nargout))
    if isinstance(x, FunctionReference | LinkStub):
        return braces(x(), *args, nargout=nargout)
    raise brace_unsupported(x)


def as_list(value: Value) -> Value:
    """What a native object answered, several values as a CommaList."""
    return CommaList(value) if isinstance(value, tuple) else value


def brace_unsupported(x: Value) -> MatlabError:
    """The error for ``x{…}`` on something without contents."""
    return MatlabError(
        "MATLAB:cellRefFromNonCell", "Brace indexing is not supported for variables of this type."
    )


# --- . ---


def field(x: Value, name: str) -> Value:
    """``s.name`` where exactly one value is wanted."""
    if type(x) is Struct:
        try:
            return x.fields[name]
        except KeyError:
            raise no_field(name, x.fields) from None
    made = fields(x, name)
    return only_one(made) if type(made) is CommaList else made


def inner_field(x: Value, name: str) -> Value:
    """``s.name`` with more to come: a class or function of a package is not called yet."""
    if isinstance(x, FunctionReference):
        inner = x.member(name)
        return inner_field(x(), name) if inner is None else inner
    found = getattr(x, "inner_member", None)
    return field(x, name) if found is None else found(Hooks.context, name)


def no_field(name: str, fields: Iterable[str]) -> MatlabError:
    """The error for a field that is not one of a struct's ``fields``."""
    error = MatlabError("MATLAB:nonExistentField", f'Unrecognized field name "{name}".')
    error.known = fields
    return error


def fields(x: Value, name: str, nargout: int = 1) -> Value:
    """``s.name``: one value, or a CommaList for struct arrays."""
    if type(x) is Struct:
        return field(x, name)
    if type(x) is StructArray:
        if name not in x.fields:
            raise no_field(name, x.fields)
        return CommaList(x.fields[name].ravel(order="F"))
    return as_list(member_value(x, name, None, nargout))


def member_value(x: Value, name: str, args: tuple[Value, ...] | None, nargout: int) -> Value:
    """``x.name`` or ``x.name(args)`` of something that is no struct."""
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.object_member(x, name, args, nargout)
    if isinstance(x, NativeObject):
        made = None if args is None else native_subscripts(x, args)
        try:
            found = x.get_member(Hooks.context, name, made, nargout)
        except MatlabError as problem:  # x.name(…) of a method that is a function, too
            if problem.identifier != "MATLAB:noSuchMethodOrField":
                raise
            method = x.methods().get(name)
            if method is None:
                raise
            found = method(Hooks.context, (x, *(args or ())), nargout)
        if nargout == 1 and type(found) is tuple:
            if not found:
                raise MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")
            return found[0]
        return found
    if isinstance(x, FunctionReference):
        return _reference_member(x, name, args, nargout)
    if isinstance(x, LinkStub):
        return (
            member(x(), name, *(args or ()), nargout=nargout)
            if args is not None
            else field(x(), name)
        )
    if isinstance(x, StringArray):
        return _string_method(x, name, args or (), nargout)
    text = "Dot indexing is not supported for variables of this type."
    raise MatlabError("MATLAB:structRefFromNonStruct", text)


def _string_method(x: StringArray, name: str, args: tuple[Value, ...], nargout: int) -> Value:
    """``text.name(args)``: a function of texts; one of that name in the file is not meant."""
    method = Hooks.context.interpreter.builtin(name) if is_string_method(name) else None
    if method is None:
        raise no_member("string", name)
    return method(x, *args, nargout=nargout)


def _reference_member(
    x: FunctionReference, name: str, args: tuple[Value, ...] | None, nargout: int
) -> Value:
    """``pkg.name``, ``Class.name`` or ``f().name``."""
    inner = x.member(name)
    if inner is None:
        value = x()
        return field(value, name) if args is None else member(value, name, *args, nargout=nargout)
    if inner.is_package and args is None:
        text = f"Unable to resolve the name '{'.'.join(inner.path)}': a package is not a value."
        raise MatlabError("MATLAB:undefinedVarOrClass", text)
    if args is None:
        return inner(nargout=nargout)
    return inner(*(":" if a is COLON else a for a in args), nargout=nargout)


def member(x: Value, name: str, *args: Value, nargout: int = 1) -> Value:
    """``x.name(args)``: indexing of a field, or a method call."""
    if type(x) is Struct:
        value = field(x, name)
        if len(args) == 1 and nargout == 1:
            return paren1(value, args[0])
        return paren(value, *args, nargout=nargout)
    if type(x) is StructArray:
        return paren(field(x, name), *args, nargout=nargout)
    return member_value(x, name, args, nargout)


def field_name(value: Value) -> str:
    """The name in ``s.(value)``."""
    if type(value) is str and value:
        return value
    if type(value) is StringArray and value.data.size == 1:
        return str(value.data.reshape(-1)[0])
    if type(value) is float and value.is_integer():
        return VariableNumber(int(value))
    raise bad_field_name()


# --- end ---


def end_of(x: Value, position: int, count: int) -> Value:
    """``end`` as subscript ``position`` (from 0) of ``count``."""
    if type(x) is ndarray and count == 1:
        return float(x.size)
    if type(x) is Cell and count == 1:
        return float(x.data.size)
    if type(x) is float or x is None:
        return 0.0 if x is None else 1.0
    if Limits.growing is not None and type(x) is DeviceArray:
        growing = Limits.growing.get(x.node)
        if growing is not None:
            return growing.end(x.node, position, count)
    if isinstance(x, ObjectValue | ObjectArray | NativeObject):
        answer = _object_end(x, position, count)
        if answer is not None:
            return answer
    if isinstance(x, FunctionReference | LinkStub):
        x = x()
    if count == 1:
        return float(numel(x))
    shape = size_of(x)
    if position < count - 1:
        return float(shape[position]) if position < len(shape) else 1.0
    rest = 1
    for extent in shape[position:]:
        rest *= extent
    return float(rest)


def _object_end(x: Any, position: int, count: int) -> float | None:
    if isinstance(x, NativeObject):
        method = x.methods().get("end")
        if method is None:
            return None
        answer = method(Hooks.context, (x, float(position + 1), float(count)), 1)
        return float(as_array(answer).item())
    answer = x.class_info.overload("end", x, float(position + 1), float(count))
    return None if answer is None else float(answer)


def first(value: Value) -> Value:
    """The right side of a single assignment: the first of a list."""
    if type(value) is CommaList:
        if not value:
            return only_one(value)
        return value[0]
    return value


def take(values: Value, count: int) -> tuple[Value, ...]:
    """Exactly ``count`` values for the targets on the left."""
    given: tuple[Value, ...] = values if isinstance(values, tuple) else (values,)
    if len(given) >= count and (count != 1 or given[0] is not None):
        return given[:count] if len(given) > count else given
    raise MatlabError(
        "MATLAB:needMoreRhsOutputs",
        "Insufficient number of outputs from right hand side of equal sign to satisfy assignment.",
    )
