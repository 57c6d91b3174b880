"""Structs: struct, fieldnames, isfield, setfield, getfield, rmfield, orderfields."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import STRUCT, enough, takes
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.language.tokens import KEYWORDS, is_name
from app.engine.values import (
    EMPTY,
    Cell,
    HandleObject,
    NativeObject,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    class_of,
    is_cell,
    is_char,
    is_string,
    is_text_scalar,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError, conversion_error

_FAMILY = "structs"


@builtin(
    "struct",
    category=_FAMILY,
    signatures=("s = struct", "s = struct(field, value, ...)", "s = struct(obj)"),
    device=CONTAINER,
    cases=(
        "struct('a', 1).a == 1",
        "isequal(size(struct('a', {{}})), [1 1])",
        "isequal(size(struct('a', {{1, 2}})), [1 1])",
        "numel(struct('a', {1, 2})) == 2",
        "s = struct('start', 1, 'end', {{3}}); s.end{1} == 3",
    ),
    see=("fieldnames", "isfield"),
)
def struct(ctx: CallContext, *args: Value) -> Value:
    """Struct from names and values; cell values spread over a struct array.

    In Octave's dialect fields may have any name.
    """
    if len(args) == 1:
        return _from_object(args[0])
    if len(args) % 2:
        text = "Structure argument list must consist of field name and value pairs."
        raise MatlabError("MATLAB:StructRefBadArg", text)
    any_name = bool(getattr(ctx.settings, "octave", False))
    names = [_field_name(v, any_name=any_name) for v in args[::2]]
    values = args[1::2]
    shapes = {v.shape for v in values if isinstance(v, Cell) and v.data.size != 1}
    if len(shapes) > 1:
        text = "Array dimensions of inputs must match those of other inputs or be scalar."
        raise MatlabError("MATLAB:struct:dimensionMismatch", text)
    if not shapes:
        return Struct({n: _content_of_cell(v) for n, v in zip(names, values, strict=True)})
    shape = shapes.pop()
    columns = {n: _field_elements(v, shape) for n, v in zip(names, values, strict=True)}
    return StructArray(columns, shape)


def _field_name(v: Value, *, any_name: bool) -> str:
    if not is_text_scalar(v):
        text = "Field names must be string scalars or character vectors."
        raise MatlabError("MATLAB:struct:FieldNameNotString", text)
    name = text_of(v)
    if not (any_name or is_name(name) or name in KEYWORDS):  # behind a dot a keyword is a name
        raise MatlabError("MATLAB:AddField:InvalidFieldName", f'Invalid field name "{name}".')
    return name


def _content_of_cell(v: Value) -> Value:
    return v.data.flat[0] if isinstance(v, Cell) else v


def _field_elements(v: Value, shape: tuple[int, ...]) -> Any:
    if isinstance(v, Cell) and v.data.size != 1:
        return v.data
    out = np.empty(shape, dtype=object)
    out.fill(_content_of_cell(v))
    return out


def _from_object(v: Value) -> Value:
    if isinstance(v, Struct | StructArray):
        return v
    if isinstance(v, ObjectValue):
        return Struct(v.class_info.stored(v))
    if isinstance(v, NativeObject):
        return Struct({n: v.get_member(None, n, None, 1) for n in v.members()})
    if isinstance(v, np.ndarray) and v.size == 0:
        return StructArray({}, v.shape)
    if not is_char(v) and not is_string(v):
        raise conversion_error("struct", class_of(v))
    text = "Field and value input arguments must come in pairs."
    raise MatlabError("MATLAB:StructRefBadArg", text)


@builtin(
    "fields",
    category=_FAMILY,
    signatures=("names = fields(s)",),
    device=CONTAINER,
    cases=("isequal(fields(struct('a', 1, 'b', 2)), {'a'; 'b'})",),
    see=("fieldnames",),
)
def fields(s: Value) -> Value:
    """Names of the fields of a struct or of the properties of an object, like fieldnames."""
    return fieldnames(s)


@builtin(
    "fieldnames",
    category=_FAMILY,
    signatures=("names = fieldnames(s)",),
    device=CONTAINER,
    cases=("isequal(fieldnames(struct('a', 1, 'b', 2)), {'a'; 'b'})",),
    see=("isfield",),
)
def fieldnames(s: Value) -> Value:
    """Names of the fields as a column cell."""
    names = names_of(s)
    return Cell.of(names, (len(names), 1))


@builtin(
    "__fieldnames__",
    category=_FAMILY,
    signatures=("names = __fieldnames__(s)",),
    device=CONTAINER,
    cases=("~exist('__fieldnames__')",),
    see=("fieldnames",),
    octave=True,
)
def plain_fieldnames(s: Value) -> Value:
    """Names of the fields without checks, which packages of Octave call."""
    return fieldnames(s)


def names_of(s: Value) -> list[str]:
    """Names of fields or public properties."""
    if isinstance(s, Struct | StructArray):
        return list(s.fields)
    if isinstance(s, ObjectValue):
        public = getattr(s.class_info, "public_properties", None)
        return list(public()) if callable(public) else list(s.properties)
    if isinstance(s, NativeObject):
        return s.members()
    text = f"Invalid input argument of type '{class_of(s)}'. Input must be a structure or a "
    text += "Java or COM object."
    raise MatlabError("MATLAB:fieldnames:InvalidInput", text)


@builtin(
    "numfields",
    category=_FAMILY,
    signatures=("n = numfields(s)",),
    device=CONTAINER,
    cases=("numfields(struct('a', 1)) == 1",),
    see=("fieldnames",),
)
def numfields(s: Value) -> Value:
    """Number of fields."""
    return float(len(s.fields)) if isinstance(s, Struct | StructArray) else 0.0


@builtin(
    "isfield",
    category=_FAMILY,
    signatures=("tf = isfield(s, name)", "tf = isfield(s, names)"),
    device=CONTAINER,
    cases=(
        "isfield(struct('a', 1), 'a')",
        "~isfield(5, 'a')",
        "isequal(isfield(struct('a', 1), {'a', 'b'}), [true false])",
    ),
    see=("fieldnames",),
)
def isfield(s: Value, names: Value) -> Value:
    """True for names that are fields."""
    fields = s.fields if isinstance(s, Struct | StructArray) else {}
    if is_cell(names) or (isinstance(names, StringArray) and names.data.size != 1):
        found = [is_text_scalar(n) and text_of(n) in fields for n in names.data.flat]
        return unwrap(np.array(found, dtype=bool).reshape(names.shape))
    return is_text_scalar(names) and text_of(names) in fields


@builtin(
    "rmfield",
    category=_FAMILY,
    signatures=("s = rmfield(s, names)",),
    device=CONTAINER,
    cases=("isequal(fieldnames(rmfield(struct('a', 1, 'b', 2), 'a')), {'b'})",),
    see=("isfield",),
)
@takes(STRUCT)
def rmfield(s: Struct | StructArray, names: Value) -> Value:
    """Remove fields."""
    gone = texts_of(names)
    for name in gone:
        if name not in s.fields:
            text = f"A field named '{name}' doesn't exist."
            raise MatlabError("MATLAB:rmfield:InvalidFieldname", text)
    return _with_names(s, [name for name in s.fields if name not in gone])


def _with_names(s: Struct | StructArray, names: list[str]) -> Struct | StructArray:
    """The struct with these of its fields, in this order."""
    if isinstance(s, Struct):
        return Struct({name: s.fields[name] for name in names})
    return StructArray({name: s.fields[name] for name in names}, s.shape)


@builtin(
    "orderfields",
    category=_FAMILY,
    signatures=("s = orderfields(s)", "s = orderfields(s, order)", "[s, p] = orderfields(...)"),
    device=CONTAINER,
    cases=("isequal(fieldnames(orderfields(struct('b', 1, 'a', 2))), {'a'; 'b'})",),
)
@takes(STRUCT)
def orderfields(s: Struct | StructArray, order: Value | None = None) -> Value:
    """Sort fields by name, or like another struct, a list of names or a permutation."""
    old = list(s.fields)
    if order is None:
        new = sorted(old)
    elif isinstance(order, Struct | StructArray):
        new = list(order.fields)
    elif isinstance(order, Cell | StringArray):
        new = texts_of(order)
    else:
        chosen = (as_array(order).ravel() - 1).tolist()
        if sorted(chosen) != list(range(len(old))):
            text = "The permutation must hold each number of a field once."
            raise MatlabError("MATLAB:orderfields:InvalidPermVector", text)
        new = [old[int(k)] for k in chosen]
    if sorted(new) != sorted(old):
        text = "The names must be those of the fields of the struct."
        raise MatlabError("MATLAB:orderfields:FieldsMismatch", text)
    places = np.array([[old.index(k) + 1.0] for k in new]).reshape(-1, 1)
    return _with_names(s, new), unwrap(places)


@builtin(
    "getfield",
    category=_FAMILY,
    signatures=("v = getfield(s, name)", "v = getfield(s, {i}, name, {k})"),
    device=CONTAINER,
    cases=("getfield(struct('a', 5), 'a') == 5",),
    see=("setfield",),
)
def getfield(s: Value, *path: Value) -> Value:
    """Value of a field; cells in the path are subscripts."""
    from app.engine.interpreter.indexing.index_read import field, paren

    enough(path, 1)
    for step in path:
        s = paren(s, *step.items()) if is_cell(step) else field(s, text_of(step))
    return s


@builtin(
    "setfield",
    least=3,
    category=_FAMILY,
    signatures=("s = setfield(s, name, value)",),
    device=CONTAINER,
    cases=("setfield(struct('a', 5), 'a', 6).a == 6",),
    see=("getfield",),
)
def setfield(s: Value, *args: Value) -> Value:
    """Set a field; cells in the path are subscripts."""
    *path, value = args
    if isinstance(s, Struct | StructArray):
        from app.engine.interpreter.indexing import index_chains

        return index_chains.assign(s, tuple(map(_step, path)), value)
    return _set(s, path, value)


def _step(step: Value) -> tuple[int, object]:
    """One step of the path of ``setfield``: the subscripts in a cell, or a field."""
    from app.engine.interpreter.indexing import index_chains

    if isinstance(step, Cell):
        return index_chains.PAREN, tuple(step.items())
    return index_chains.FIELD, text_of(step)


def _set(s: Value, path: list[Value], value: Value) -> Value:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if is_cell(step):
        from app.engine.interpreter.indexing.index_assign import set_args
        from app.engine.interpreter.indexing.index_read import paren

        inner = value if not rest else _set(paren(s, *step.items()), rest, value)
        return set_args(s, tuple(step.items()), inner)
    name = text_of(step)
    base = s if isinstance(s, Struct) else Struct()
    if isinstance(s, NativeObject):
        return s.set_member(None, name, _set(EMPTY, rest, value))
    inner = value if not rest else _set(base.fields.get(name, Struct()), rest, value)
    if isinstance(s, ObjectValue):
        return _set_property(s, name, inner)
    return Struct({**base.fields, name: inner})


def _set_property(s: ObjectValue, name: str, value: Value) -> Value:
    if isinstance(s, HandleObject):
        s.properties[name] = value
        return s
    return type(s)(s.class_info, {**s.properties, name: value})
