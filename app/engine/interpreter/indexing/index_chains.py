"""Nested assignment ``a.b(i){2}.c = v``: each level is taken out of its container, changed, put
back.

While a level is taken out its container does not hold it, so a solely owned inner value is changed
in place. An error puts everything back as it was.
"""

from __future__ import annotations

import math
from sys import getrefcount
from typing import Any

import numpy as np

from app import memory
from app.engine.interpreter.indexing.index_assign import (
    becomes_struct,
    longer_row,
    set_brace_general,
    set_field_general,
    set_general,
    unshared_object,
)
from app.engine.interpreter.indexing.index_delete import delete
from app.engine.interpreter.indexing.index_read import (
    CommaList,
    Hooks,
    as_list,
    as_struct_array,
    braces,
    fields,
    native_subscripts,
    only_one,
    paren,
)
from app.engine.interpreter.indexing.ownership import IN_HELPER, LOCAL, owns_data
from app.engine.interpreter.indexing.store_elements import enlarged_copy
from app.engine.interpreter.indexing.subscripts import element_place, is_colon, resolve, whole
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    DeviceArray,
    NativeObject,
    ObjectArray,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    filled_objects,
    host,
)
from app.errors import MatlabError

PAREN, BRACE, FIELD = 0, 1, 2
Steps = tuple[tuple[int, Any], ...]
_DELETE, _DELETE_TEXT = object(), object()
_PLAIN = frozenset((Struct, Cell, StructArray, np.ndarray))
"""Classes that no class of a program has to do with."""


def assign(x: Value, steps: Steps, v: Value) -> Value:
    """The variable ``x`` after ``x<steps> = v``."""
    own = getrefcount(x) <= IN_HELPER
    return _assign(x, own, steps, 0, v)


def delete_in(x: Value, steps: Steps, text: bool = False) -> Value:
    """The variable ``x`` after ``x<steps> = []`` (or ``''``), the last step a subscript."""
    own = getrefcount(x) <= IN_HELPER
    return _assign(x, own, steps, 0, _DELETE_TEXT if text else _DELETE)


def _assign(x: Value, own: bool, steps: Steps, at: int, v: Value) -> Value:
    kind, arg = steps[at]
    if type(x) not in _PLAIN and isinstance(x, ObjectValue | ObjectArray):
        if v is _DELETE or v is _DELETE_TEXT:
            return _delete_through(x, own, steps, at, v)
        return Hooks.context.objects.assign(x, own, steps, at, v, _assign)
    if at == len(steps) - 1:
        return _last(x, own, kind, arg, v)
    if type(x) not in _PLAIN and isinstance(x, NativeObject):
        return _native(x, steps, at, v)
    if type(x) is DeviceArray:
        x = host(x, "indexed-assignment")
    if kind == FIELD:
        return _field(x, own, steps, at, v)
    if kind == BRACE:
        return _brace(x, own, steps, at, v)
    return _paren(x, own, steps, at, v)


def _delete_through(x: Value, own: bool, steps: Steps, at: int, v: Value) -> Value:
    """An object without elements, of its own or of what it holds; its class is told of ``[]``."""
    text = v is _DELETE_TEXT
    if at == len(steps) - 1:
        return delete(x, steps[at][1], text)

    def go_on(inner: Value, mine: bool, steps: Steps, at: int, _nothing: Value) -> Value:
        return _assign(inner, mine, steps, at, v)

    return Hooks.context.objects.assign(x, own, steps, at, "" if text else EMPTY, go_on)


def _last(x: Value, own: bool, kind: int, arg: Any, v: Value) -> Value:
    if v is _DELETE or v is _DELETE_TEXT:
        return delete(x, arg, v is _DELETE_TEXT)
    if kind == FIELD:
        return set_field_general(x, arg, v, own)
    if kind == BRACE:
        return set_brace_general(x, arg, v, own)
    return set_general(x, arg, v, own)


def _is_nothing(x: Value) -> bool:
    return x is None or (type(x) is np.ndarray and x.size == 0)


def _field(x: Value, own: bool, steps: Steps, at: int, v: Value) -> Value:
    name = steps[at][1]
    if becomes_struct(x) or (type(x) is StructArray and 0 in x.shape):
        names = x.fields if type(x) is StructArray else ()
        x, own = Struct(dict.fromkeys(names, EMPTY)), True
    if type(x) is not Struct:
        return _field_of_array(x, steps, at, v)
    held = x.fields if own else dict(x.fields)
    inner = held.get(name)
    if inner is None:
        held[name] = _assign(None, True, steps, at + 1, v)
    else:
        held[name] = None
        try:
            mine = getrefcount(inner) <= LOCAL
            changed = _assign(inner, mine, steps, at + 1, v)
        except BaseException:
            held[name] = inner
            raise
        held[name] = changed
    return x if own else Struct(held)


def _field_of_array(x: Value, steps: Steps, at: int, v: Value) -> Value:
    if type(x) is StructArray:
        text = "Scalar structure required for this assignment."
        raise MatlabError("MATLAB:index:assignmentToTemporary", text)
    text = "Unable to perform assignment because dot indexing is not supported for variables of "
    raise MatlabError("MATLAB:structAssToNonStruct", f"{text}this type.")


def _brace(x: Value, own: bool, steps: Steps, at: int, v: Value) -> Value:
    args = steps[at][1]
    if _is_nothing(x):
        x, own = Cell.empty(), True
    if type(x) is StringArray:
        return _text_of_element(x, steps, at, v)
    if type(x) is not Cell:
        text = "Unable to perform assignment because brace indexing is not supported for variables "
        raise MatlabError("MATLAB:cellAssToNonCell", f"{text}of this type.")
    data = x.data
    own = own and getrefcount(data) <= LOCAL + 1 and owns_data(data)
    where = position_of(data.shape, args)
    if where is None:
        changed = _assign(None, True, steps, at + 1, v)
        return set_brace_general(x, args, changed, own)
    if not own:
        data = data.copy(order="F")
    inner = data[where]
    data[where] = None
    try:
        mine = getrefcount(inner) <= LOCAL
        changed = _assign(inner, mine, steps, at + 1, v)
    except BaseException:
        data[where] = inner
        raise
    data[where] = changed
    return x if own else Cell(data)


def _text_of_element(x: StringArray, steps: Steps, at: int, v: Value) -> Value:
    """``s{k}(i) = c``: characters of one string."""
    where = position_of(x.data.shape, steps[at][1])
    changed = _assign("" if where is None else x.data[where], True, steps, at + 1, v)
    return set_brace_general(x, steps[at][1], changed, False)


def position_of(shape: tuple[int, ...], args: tuple[Value, ...]) -> tuple[int, ...] | None:
    """The element that ``args`` select; None when it does not exist yet."""
    place = element_place(shape, args)
    if place is None and len(args) == 1 and type(args[0]) is float and len(shape) == 2:
        whole(args[0])
        return None
    return _position(shape, args) if place is None else place


def _position(shape: tuple[int, ...], args: tuple[Value, ...]) -> tuple[int, ...] | None:
    total = math.prod(shape)
    if not args:  # all of them, of which there has to be one
        return (_single(slice(0, total), total, total),) * len(shape)
    if len(args) == 1:
        index, count = resolve(args[0], total, grow=True)
        k = _single(index, count, total)
        if k >= total:
            return None
        return tuple(int(n) for n in np.unravel_index(k, shape, order="F"))
    wide = shape + (1,) * (len(args) - len(shape))
    if len(args) < len(wide):
        wide = (*wide[: len(args) - 1], math.prod(wide[len(args) - 1 :]))
    found = []
    for p, sub in enumerate(args):
        index, count = resolve(sub, wide[p], p, len(args), grow=True)
        k = _single(index, count, wide[p])
        if k >= wide[p]:
            return None
        found.append(k)
    flat = int(np.ravel_multi_index(found, wide, order="F"))
    return tuple(int(n) for n in np.unravel_index(flat, shape, order="F"))


def _single(index: Any, count: int, extent: int) -> int:
    if count != 1:
        text = "Expected one output from a curly brace or dot indexing expression, but there were "
        raise MatlabError(
            "MATLAB:index:expected_one_output_from_intermediate_expression",
            f"{text}{count} results.",
        )
    if isinstance(index, slice):
        return index.start or 0
    return int(index[0])


def _paren(x: Value, own: bool, steps: Steps, at: int, v: Value) -> Value:
    """``x(i).f… = v``; also ``x(i){j} = v`` and functions of objects' elements."""
    args = steps[at][1]
    if becomes_struct(x) and steps[at + 1][0] == FIELD:
        x, own = StructArray({}, (0, 0)), True
    if isinstance(x, Struct | StructArray) and steps[at + 1][0] == FIELD:
        return _struct_element(x, own, steps, at, v)
    if steps[at + 1][0] == PAREN:
        text = "Invalid array indexing: '()' indexing must appear last in an index expression."
        raise MatlabError("MATLAB:index:nestedParen", text)
    if _is_nothing(x) and steps[at + 1][0] == BRACE:
        x = Cell.empty()
    inner = paren(x, *args)
    changed = _assign(inner, False, steps, at + 1, v)
    return set_general(x, args, changed, False)


def _struct_element(x: Struct | StructArray, own: bool, steps: Steps, at: int, v: Value) -> Value:
    args, name = steps[at][1], steps[at + 1][1]
    if type(x) is Struct:
        if all(a == 1.0 if type(a) is float else is_colon(a) for a in args):
            return _assign(x, own, steps, at + 1, v)
        own = False
    array = as_struct_array(x)
    where = position_of(array.shape, args) if array.shape != (0, 0) else None
    new = where is None
    if new:  # what it is given may be wrong: known before there is room for all that lies before
        if at + 2 < len(steps):
            v = _assign(EMPTY, False, steps, at + 2, v)
        array, where = _grow(array, args, own)
        own = True
    if name not in array.fields:
        array = _with_field(array, name)
    column = array.fields[name]
    mine = own and getrefcount(column) <= LOCAL + 1 and owns_data(column)
    if not mine:
        column = column.copy(order="F")
    inner: Value = column[where]
    column[where] = None
    if new or at + 2 == len(steps):
        column[where] = v
    else:
        try:
            alone = getrefcount(inner) <= LOCAL
            column[where] = _assign(inner, alone, steps, at + 2, v)
        except BaseException:
            column[where] = inner
            raise
    if array.shape == (1, 1):
        return Struct({k: column[where] if k == name else c[0, 0] for k, c in array.fields.items()})
    return array if mine else StructArray({**array.fields, name: column}, array.shape)


def _with_field(x: StructArray, name: str) -> StructArray:
    memory.require_array(x.shape, 8)
    return StructArray({**x.fields, name: filled_objects(x.shape, EMPTY)}, x.shape)


def _grow(
    x: StructArray, args: tuple[Value, ...], own: bool
) -> tuple[StructArray, tuple[int, ...]]:
    """``x`` enlarged so that ``args`` exist, with ``[]`` in all new elements."""
    shape = _grown_shape(x.shape, args)
    if own:
        for name in x.fields:
            x.fields[name] = _enlarged_column(x.fields[name], shape)
        x.shape = shape
    else:
        x = StructArray({k: enlarged_copy(c, shape, EMPTY) for k, c in x.fields.items()}, shape)
    where = position_of(shape, args)
    assert where is not None
    return x, where


def _enlarged_column(column: Array, shape: tuple[int, ...]) -> Array:
    """The values of a field for more elements."""
    if shape[0] != 1 or len(shape) != 2 or column.shape[0] > 1:
        return enlarged_copy(column, shape, EMPTY)
    return longer_row(column, shape[1])


def _grown_shape(shape: tuple[int, ...], args: tuple[Value, ...]) -> tuple[int, ...]:
    if len(args) == 1:
        total = math.prod(shape)
        index, count = resolve(args[0], total, grow=True)
        last = _single(index, count, total) + 1
        if len(shape) == 2 and shape[1] == 1 and shape[0] > 1:
            return (last, 1)
        return (1, last)
    wide = shape + (1,) * (len(args) - len(shape))
    made = []
    for p, sub in enumerate(args):
        index, count = resolve(sub, wide[p], p, len(args), grow=True)
        made.append(max(wide[p], _single(index, count, wide[p]) + 1))
    return tuple(made)


def _native(x: NativeObject, steps: Steps, at: int, v: Value) -> Value:
    """A map or table in the middle of a chain: read, change, write back."""
    unshared_object(x)
    kind, arg = steps[at]
    ctx = Hooks.context
    if kind == FIELD:
        inner = x.new_member(arg, Cell.empty() if steps[at + 1][0] == BRACE else v)
        if inner is None:
            inner = x.get_member(ctx, arg, None, 1)
        if type(inner) is CommaList:
            inner = only_one(inner)
        changed = _assign(inner, False, steps, at + 1, v)
        longer = x.lengthened(arg, changed)
        if longer is None:
            return x.set_member(ctx, arg, changed)
        ctx.warning("MATLAB:table:RowsAddedExistingVars", _ROWS_ADDED)
        return longer
    subs = native_subscripts(x, arg)
    if kind == BRACE:
        inner = as_list(x.brace_get(ctx, subs, 1))
        if type(inner) is CommaList:
            inner = only_one(inner)
        return x.brace_set(ctx, subs, _assign(inner, False, steps, at + 1, v))
    inner = x.paren_get(ctx, subs)
    return x.paren_set(ctx, subs, _assign(inner, False, steps, at + 1, v))


_ROWS_ADDED = (
    "The assignment added rows to the table, but did not assign values to all of the table's "
    "existing variables. Those variables are extended with rows containing default values."
)


# --- reading along the way, lists of places ---


def peek(x: Value, steps: Steps) -> Value:
    """What ``x<steps>`` holds, or None when it does not exist: for ``end`` in assignments."""
    try:
        for kind, arg in steps:
            if x is None:
                return None
            if kind == FIELD:
                x = fields(x, arg)
            else:
                x = paren(x, *arg) if kind == PAREN else braces(x, *arg)
            if type(x) is CommaList:
                return None
    except MatlabError:
        return None
    return x


def places(x: Value, steps: Steps) -> int:
    """How many values the target ``x<steps>`` takes."""
    kind, arg = steps[-1]
    holder = peek(x, steps[:-1]) if len(steps) > 1 else x
    if kind == FIELD:
        if len(steps) > 1 and steps[-2][0] == PAREN:
            outer = peek(x, steps[:-2]) if len(steps) > 2 else x
            return _count(_shape_of(outer), steps[-2][1])
        listed = isinstance(holder, StructArray | ObjectArray) or (
            isinstance(holder, NativeObject) and holder.lists_members
        )
        return math.prod(_shape_of(holder)) if listed else 1
    return _count(_shape_of(holder), arg)


def _shape_of(x: Value) -> tuple[int, ...]:
    return (0, 0) if x is None else tuple(getattr(x, "shape", (1, 1)))


def _count(shape: tuple[int, ...], args: tuple[Value, ...]) -> int:
    if len(args) == 1:
        return resolve(args[0], math.prod(shape), grow=True)[1]
    total = 1
    wide = shape + (1,) * (len(args) - len(shape))
    for p, sub in enumerate(args):
        total *= resolve(sub, wide[p], p, len(args), grow=True)[1]
    return total


def assign_list(x: Value, steps: Steps, values: tuple[Value, ...]) -> Value:
    """``[x<steps>] = values``: one value for every place."""
    if len(values) == 1:
        return _assign(x, False, steps, 0, values[0])
    kind, arg = steps[-1]
    if kind == BRACE:
        for flat, value in zip(_selected_subscripts(x, steps[:-1], arg), values, strict=True):
            x = _assign(x, False, (*steps[:-1], (BRACE, flat)), 0, value)
        return x
    prefix, args = (
        (steps[:-2], steps[-2][1])
        if len(steps) > 1 and steps[-2][0] == PAREN
        else (steps[:-1], (":",))
    )
    for flat, value in zip(_selected_subscripts(x, prefix, args), values, strict=True):
        x = _assign(x, False, (*prefix, (PAREN, flat), (FIELD, arg)), 0, value)
    return x


def _selected_subscripts(
    x: Value, prefix: Steps, args: tuple[Value, ...]
) -> list[tuple[float, ...]]:
    """Every single subscript tuple that ``args`` select, in column-major order."""
    shape = _shape_of(peek(x, prefix) if prefix else x)
    wide = [*shape, *([1] * (len(args) - len(shape)))]
    extents = [math.prod(shape)] if len(args) == 1 else wide
    axes = []
    for p, sub in enumerate(args):
        index, _ = resolve(sub, extents[p], grow=True)
        found = (
            range(*index.indices(extents[p]))
            if isinstance(index, slice) and (index.start is None)
            else index
        )
        if isinstance(found, slice):
            found = range(found.start, found.stop)
        axes.append([float(k + 1) for k in found])
    made: list[tuple[float, ...]] = [()]
    for axis in reversed(axes):
        made = [(k, *rest) for rest in made for k in axis]
    return made
