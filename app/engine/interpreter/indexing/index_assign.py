"""``x(i) = v``, ``c{i} = v``, ``s.f = v``: class rules, growth, in place for sole owners.

Class rules: the left side keeps its class and the right side is converted to it, except that an
empty
``[]`` takes the class of what is assigned. Containers accept their own kind only.
"""

from __future__ import annotations

import math
from sys import getrefcount

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.indexing import of_sparse
from app.engine.interpreter.indexing.assignment_class import common_data, wrap_like
from app.engine.interpreter.indexing.index_read import (
    Hooks,
    as_struct_array,
    native_subscripts,
    ndarray,
)
from app.engine.interpreter.indexing.ownership import IN_HELPER, LOCAL, owns_data
from app.engine.interpreter.indexing.store_elements import enlarged_copy, put
from app.engine.interpreter.indexing.store_numbers import (
    NOTHING,
    appended,
    begun_vector,
    number_in,
    roomy,
    stored_in_place,
    stored_lines,
    takes_truth,
    with_number,
)
from app.engine.interpreter.indexing.subscripts import (
    COLON,
    DOUBLE,
    LOGICAL,
    element_place,
    flat_indices_below,
    index_array,
    is_colon,
    merged_shape,
    no_subscript,
    resolve,
    whole,
)
from app.engine.interpreter.tracing import Tracing
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
    class_of,
    host,
    numel,
    object_array,
)
from app.engine.values.containers import blank_objects
from app.errors import MatlabError, Unsupported, conversion_error, handles_in_array

_EXACT = 9e15


def set1(x: Value, i: Value, v: Value) -> Value:
    """``x(i) = v``."""
    if (
        type(i) is float
        and type(x) is ndarray
        and ((type(v) is float and x.dtype is DOUBLE) or (type(v) is bool and takes_truth(x)))
        and (i >= 1.0 and x.ndim == 2 and getrefcount(x) <= IN_HELPER)
    ):
        k = int(i) if i < _EXACT else 0
        if k == i:
            if k <= x.size:
                if x.base is None or owns_data(x):
                    rows = len(x)
                    if rows == 1:
                        x[0, k - 1] = v
                    else:
                        x[(k - 1) % rows, (k - 1) // rows] = v
                    return x
            elif k == x.size + 1 > 1 and 1 in x.shape:
                return appended(x, v)
    own = getrefcount(x) <= IN_HELPER
    if (
        (type(i) is type(x) is ndarray and type(v) is float)
        and i.dtype is LOGICAL
        and (x.dtype is DOUBLE and i.shape == x.shape)
    ):
        made = x if own and (x.base is None or owns_data(x)) else x.copy(order="F")
        made[i] = v
        return made
    if own and type(i) is float and type(x) is ndarray and x.ndim == 2 and 1.0 <= i <= x.size:
        k, number = int(i) - 1, number_in(x, v)
        if number is not None and k + 1.0 == i and (x.base is None or owns_data(x)):
            rows = len(x)
            x[(0, k) if rows == 1 else (k % rows, k // rows)] = number
            return x
    return set_general(x, (i,), v, own)


def set2(x: Value, i: Value, j: Value, v: Value) -> Value:
    """``x(i, j) = v``."""
    if (
        type(x) is ndarray
        and type(i) is float
        and type(j) is float
        and ((type(v) is float and x.dtype is DOUBLE) or (type(v) is bool and takes_truth(x)))
        and (
            1.0 <= i < _EXACT and 1.0 <= j < _EXACT and x.ndim == 2 and getrefcount(x) <= IN_HELPER
        )
    ):
        r, c = int(i), int(j)
        if r == i and c == j and (x.base is None or owns_data(x)):
            try:
                x[r - 1, c - 1] = v
            except IndexError:
                pass
            else:
                return x
    own = getrefcount(x) <= IN_HELPER
    if type(i) is type(j) is float and type(x) is ndarray and x.ndim == 2:
        number = number_in(x, v)
        if number is not None and 1.0 <= i < _EXACT and 1.0 <= j < _EXACT:
            stored = with_number(x, i, j, number, own)
            if stored is not None:
                return stored
    if own and type(x) is ndarray and type(v) is ndarray and stored_lines(x, i, j, v):
        return x
    return set_general(x, (i, j), v, own)


def _with_line(x: Array, args: tuple[Value, ...], v: Array, own: bool) -> Array | None:
    """A small matrix with another row or column, maybe behind its last; None for other places."""
    axis = 0 if args[1] is COLON else 1
    count, place = x.shape[axis], args[axis]
    if type(place) is not float or args[1 - axis] is not COLON or not 1.0 <= place <= count + 1:
        return None
    k = int(place) - 1
    if k + 1.0 != place or v.shape[axis] != 1 or v.shape[1 - axis] != x.shape[1 - axis]:
        return None
    if k == count:
        shape = (count + 1, x.shape[1]) if axis == 0 else (x.shape[0], count + 1)
        made: Array = np.empty(shape, order="F")
        made[: x.shape[0], : x.shape[1]] = x
    else:
        made = x if own and owns_data(x) else x.copy(order="F")
    if axis:
        made[:, k : k + 1] = v
    else:
        made[k] = v[0]
    return made


def _are_small_doubles(x: Array, v: Array) -> bool:
    """Whether both are matrices of class double, the first with elements, and few."""
    if x.ndim != 2 or v.ndim != 2:
        return False
    return x.dtype is v.dtype is DOUBLE and 0 < x.size < Limits.capture


def _no_value() -> MatlabError:
    return MatlabError("MATLAB:noValue", "The right hand side of the assignment has no value.")


def unshared_object(x: NativeObject) -> NativeObject:
    """An object that is about to be changed; while a loop is traced, none that others may see."""
    if Limits.pure and x.is_handle:
        raise Unsupported(f"an object of class {x.class_name} is changed in every pass")
    return x


def set_args(x: Value, args: tuple[Value, ...], v: Value) -> Value:
    """``x(args) = v``."""
    own = getrefcount(x) <= IN_HELPER
    if own and type(v) is float and type(x) is ndarray and x.ndim > 2:
        place = element_place(x.shape, args)
        if place is not None and x.dtype is DOUBLE and (x.base is None or owns_data(x)):
            x[place] = v
            return x
    return set_general(x, args, v, own)


_COPIED = 1 << 12
"""Elements up to which a shared array is copied before it is known whether it has the places."""


def set_general(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    """``x(args) = v`` with all of MATLAB's class rules."""
    stored: Value | None = None
    if len(args) == 1 and type(args[0]) is type(v) is float:
        stored = begun_vector(x, args[0], v)
    if type(x) is type(v) is str and len(args) == 1:
        stored = _text_with(x, args[0], v)
    elif type(x) is ndarray and type(v) is float and _is_nowhere(x, args):
        return x
    if stored is None and type(x) is ndarray and (own or x.size <= _COPIED):
        stored = stored_in_place(x if own else x.copy(order="F"), args, v)
    return _stored(x, args, v, own) if stored is None else stored


def _is_nowhere(x: Array, args: tuple[Value, ...]) -> bool:
    """Whether one subscript, such as an empty range, selects none of some doubles."""
    sub = args[0] if len(args) == 1 else None
    return type(sub) is ndarray and not sub.size and x.dtype is DOUBLE is sub.dtype and x.size > 0


def _text_with(x: str, places: Value, v: str) -> str | None:
    """A text with other characters in neighbouring places, or one more; None for other places."""
    if type(places) is float:
        k = int(places) if 1.0 <= places <= len(x) + 1.0 else 0
        return x[: k - 1] + v + x[k:] if 0 < k == places and len(v) == 1 else None
    if type(places) is not ndarray or places.dtype is not DOUBLE:
        return None
    if not places.size and len(v) == 1:
        return x
    found = flat_indices_below(places, len(x) + (places.size == len(v) == 1))
    if found is None or not x:
        return None
    first, count = int(found[0]), found.size
    if len(v) not in (1, count) or (found != np.arange(first, first + count)).any():
        return None
    return x[:first] + (v if len(v) == count else v * count) + x[first + count :]


def _stored(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    if not args:
        raise no_subscript()
    if x is None and len(args) == 1 and is_colon(args[0]):  # a new variable: all of the right side
        args = (np.arange(1.0, numel(v) + 1).reshape(1, -1),)
    if isinstance(x, NativeObject):
        return unshared_object(x).paren_set(Hooks.context, native_subscripts(x, args), v)
    if isinstance(x, ObjectValue | ObjectArray) or isinstance(v, ObjectValue | ObjectArray):
        return _set_object(x, args, v)
    if isinstance(v, NativeObject):
        return _set_native(x, args, v)
    if type(x) is DeviceArray or type(v) is DeviceArray or type(args[0]) is DeviceArray:
        return _set_device(x, args, v, own)
    if v is None:
        raise _no_value()
    if type(x) is Struct or type(x) is StructArray or isinstance(v, Struct | StructArray):
        return x if own and _put_struct(x, args, v) else _set_struct(x, args, v)
    if type(x) is SparseMatrix:
        return of_sparse.write(x, args, v)
    if type(x) is Cell or type(v) is Cell:
        return _set_cell(x, args, v, own)
    if type(v) is FunctionHandle:
        return _set_handle(x, args, v)
    return _set_elements(x, args, v, own)


def _set_handle(x: Value, args: tuple[Value, ...], v: FunctionHandle) -> Value:
    """``x(args) = v`` for a function handle, which is alone or in no array at all."""
    if not (x is None or type(x) is FunctionHandle or numel(x) == 0):
        raise conversion_error(class_of(x), class_of(v))
    count = len(args)
    places = [() if is_colon(a) else index_array(a, 1, p, count) for p, a in enumerate(args)]
    if any(np.any(place) for place in places):
        raise handles_in_array()
    none = any(not is_colon(a) and not len(place) for a, place in zip(args, places, strict=True))
    return (EMPTY if x is None else x) if none else v


def _set_elements(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    """``x(args) = v`` of numbers, texts and strings."""
    if len(args) == 2 and type(x) is ndarray is type(v) and _are_small_doubles(x, v):
        lines = _with_line(x, args, v, own)
        if lines is not None:
            return lines
    data, rhs, fill = common_data(x, v)
    held = x if type(x) is ndarray else getattr(x, "data", x)
    kept = own and data is held and type(data) is ndarray and owns_data(data)
    return wrap_like(x, v, put(data, args, rhs, fill, kept))


def _set_device(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    from app.engine.interpreter.indexing import assign_capture, few_elements, late_numbers

    captured = assign_capture.write(x, args, v)
    if captured is not None:
        return captured
    if x is None and Tracing.trace is not None:
        from app.engine.interpreter.indexing.outgrowth import (
            begin_array,  # the graph's part is heavy
        )

        begin_array()
    if type(x) is DeviceArray and few_elements.stays(x):
        written = few_elements.write(x, args, v)
        if written is not None:
            return written
    written = late_numbers.write(x, args, v)
    if written is not None:
        return written
    cause = "indexed-assignment"
    args = tuple(host(a, cause) if type(a) is DeviceArray else a for a in args)
    own = own and type(x) is not DeviceArray
    return set_general(host(x, cause), args, host(v, cause), own)


def _set_object(x: Value, args: tuple[Value, ...], v: Value) -> Value:
    return Hooks.context.objects.set_paren(x, args, v)


def _set_native(x: Value, args: tuple[Value, ...], v: NativeObject) -> Value:
    """``x(args) = object`` where x is not an object: only an unset x can take it.

    Numbers take the number of a graphics handle, as old code expects. What has elements takes its
    own missing value for values that are missing and of no class yet.
    """
    in_class_of = getattr(v, "in_class_of", None)
    if in_class_of is not None and x is not None:
        return set_general(x, args, in_class_of(x), False)
    if x is None or (type(x) is ndarray and x.size == 0):
        if all(a == 1.0 if type(a) is float else is_colon(a) for a in args):
            return v
        maker = getattr(v, "array_with", None)
        if maker is not None:
            return maker(Hooks.context, args)
        if x is None and hasattr(v, "like"):  # what lies before is filled as the class does it
            return v.like(np.zeros((0, 0))).paren_set(Hooks.context, args, v)
    number = getattr(v, "to_double", None) if v.is_handle else None
    if number is not None and isinstance(x, float | ndarray):
        return set_general(x, args, number(), False)
    raise conversion_error("double" if x is None else class_of(x), v.class_name)


# --- cells ---


def _set_cell(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    if type(x) is not Cell:
        nothing = type(x) is ndarray and x.shape == (0, 0) and x.dtype == DOUBLE
        if x is not None and not nothing:
            raise conversion_error(class_of(x), "cell")
        x, own = Cell.empty(), True
    if type(v) is not Cell:
        if not Hooks.context.settings.octave:
            raise conversion_error("cell", class_of(v))
        v = Cell.of([v])
    if own and v.data.size == 1 and v is not x and _put_in_cell(x, args, v.data.item()):
        return x
    kept = own and owns_data(x.data) and v is not x
    if kept and len(args) == 2 and stored_lines(x.data, args[0], args[1], v.data):
        return x
    data = put(x.data, args, v.data, EMPTY, kept)
    if data is x.data:
        return x
    return Cell(data)


def set_brace1(x: Value, i: Value, v: Value) -> Value:
    """``c{i} = v``."""
    own = getrefcount(x) <= IN_HELPER
    if type(x) is Cell and type(i) is float and v is not None and (own or x.data.size <= _COPIED):
        stored = x if own else Cell(x.data.copy(order="F"))
        if _put_in_cell(stored, (i,), v):
            return stored
    return set_brace_general(x, (i,), v, own)


def _put_in_cell(x: Cell, args: tuple[Value, ...], v: Value) -> bool:
    """Store in a solely held cell, or append to a vector of them; False for other places."""
    data = x.data
    if getrefcount(data) > IN_HELPER:
        return False
    place = element_place(data.shape, args)
    if place is not None:
        if data.base is not None and not owns_data(data):
            return False
        data[place] = v
        return True
    i = args[0] if len(args) == 1 else None
    if type(i) is not float or i != data.size + 1 or data.ndim != 2:
        return False
    if not (data.shape[0] == 1 or i == 1.0 or data.shape[1] == 1):
        return False
    x.data = EMPTY
    x.data = append_object(data, int(i), v)
    return True


def append_object(data: Array, k: int, v: Value) -> Array:
    """``c{end+1} = v`` for an object array held by the caller alone."""
    row = data.shape[0] == 1 or k == 1
    base = data.base
    if base is None or base.ndim != 2 or base.size < k or getrefcount(base) > IN_HELPER:
        base = roomy(data, k, row)
    if row:
        base[0, k - 1] = v
        return base[:, :k]
    base[k - 1, 0] = v
    return base[:k]


def set_brace(x: Value, args: tuple[Value, ...], v: Value) -> Value:
    """``c{args} = v``."""
    own = getrefcount(x) <= IN_HELPER
    return set_brace_general(x, args, v, own)


def set_brace_general(x: Value, args: tuple[Value, ...], v: Value, own: bool) -> Value:
    """``c{args} = v`` for one value ``v``."""
    if v is None:
        raise _no_value()
    if isinstance(x, NativeObject):
        return unshared_object(x).brace_set(Hooks.context, native_subscripts(x, args), v)
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.context.objects.set_brace(x, args, v)
    if type(x) is StringArray:
        return set_general(x, args, v, own)
    if type(x) is not Cell:
        if x is not None and not (type(x) is ndarray and x.size == 0):
            text = "Unable to perform assignment because brace indexing is not supported for "
            raise MatlabError("MATLAB:cellAssToNonCell", f"{text}variables of this type.")
        x, own = Cell.empty(), True
    if own and _put_in_cell(x, args, v):
        return x
    if not any(x.data.shape):  # a colon is as long as what is stored: one cell
        args = tuple(1.0 if is_colon(a) else a for a in args)
    if not all(type(a) is float for a in args):
        _require_one(x.data.shape, args)
    rhs = object_array([v])
    kept = own and owns_data(x.data)
    data = put(x.data, args, rhs, EMPTY, kept)
    return x if data is x.data else Cell(data)


def _require_one(shape: tuple[int, ...], args: tuple[Value, ...]) -> None:
    """Refuse to store one value in several cells."""
    extents = merged_shape(shape, len(args))
    count = 1
    for p, sub in enumerate(args):
        count *= resolve(sub, extents[p], p, len(args), grow=True)[1]
    if count != 1:
        text = (
            "Expected one output from a curly brace or dot indexing expression, but there "
            f"were {count} results."
        )
        raise MatlabError("MATLAB:index:expected_one_output_from_indexing", text)


# --- structs ---


def becomes_struct(x: Value) -> bool:
    """Whether ``x.name = v`` makes a struct of a variable: there is none, or it is empty."""
    if type(x) is str:
        return not x
    return x is None or (isinstance(x, ndarray | Cell | CharArray) and 0 in x.shape)


def set_field(x: Value, name: str, v: Value) -> Value:
    """``s.name = v``."""
    if type(x) is Struct and getrefcount(x) <= IN_HELPER and v is not None:
        x.fields[name] = v
        return x
    return set_field_general(x, name, v, False)


def set_field_general(x: Value, name: str, v: Value, own: bool) -> Value:
    """``s.name = v`` for whatever ``s`` is."""
    if v is None:
        raise _no_value()
    if type(x) is Struct:
        if own:
            x.fields[name] = v
            return x
        return Struct({**x.fields, name: v})
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.context.objects.set_member(x, name, v)
    if isinstance(x, NativeObject):
        return unshared_object(x).set_member(Hooks.context, name, v)
    if becomes_struct(x):
        return Struct({name: v})
    if type(x) is StructArray:
        if (not x.fields and x.shape == (0, 0)) or 0 in x.shape:
            return _grown_struct(x, name, v)
        text = "Scalar structure required for this assignment."
        raise MatlabError("MATLAB:index:assignmentToTemporary", text)
    text = "Unable to perform assignment because dot indexing is not supported for variables of "
    raise MatlabError("MATLAB:structAssToNonStruct", f"{text}this type.")


def _grown_struct(x: StructArray, name: str, v: Value) -> Value:
    """``s.name = v`` on an empty struct array makes its first element."""
    made = Struct(dict.fromkeys(x.fields, EMPTY))
    made.fields[name] = v
    return made


def _set_struct(x: Value, args: tuple[Value, ...], v: Value) -> Value:
    """``s(args) = struct``."""
    if not isinstance(v, Struct | StructArray):
        raise conversion_error("struct", class_of(v))
    appended = _with_struct(x, args, v)
    if appended is not None:
        return appended
    if x is None or (type(x) is ndarray and x.size == 0):
        x = StructArray({k: _array_of_nothing(()) for k in v.fields}, (0, 0))
    if not isinstance(x, Struct | StructArray):
        raise conversion_error(class_of(x), "struct")
    left, right = as_struct_array(x), as_struct_array(v)
    if 0 in left.shape and not left.fields:
        left = StructArray({k: _array_of_nothing(left.shape) for k in right.fields}, left.shape)
    if set(left.fields) != set(right.fields):
        text = "Subscripted assignment between dissimilar structures."
        raise MatlabError("MATLAB:heterogeneousStrucAssignment", text)
    if not left.fields:
        positions = put(np.zeros(left.shape), args, np.zeros(right.shape), 0.0, False)
        return _struct_of({}, positions.shape)
    made = {k: put(d, args, right.fields[k], EMPTY, False) for k, d in left.fields.items()}
    return _struct_of(made, next(iter(made.values())).shape)


def _with_struct(x: Value, args: tuple[Value, ...], v: Struct | StructArray) -> Value | None:
    """A row of few structs with one more behind it, or the first one; None for all else."""
    if type(v) is not Struct or len(args) != 1 or type(args[0]) is not float:
        return None
    if args[0] == 1.0 and type(x) is StructArray and x.shape in NOTHING:
        same = x.fields.keys() == v.fields.keys()
        return Struct({name: v.fields[name] for name in x.fields}) if same else None
    if not isinstance(x, Struct | StructArray):
        return None
    count = math.prod(x.shape)
    is_row = len(x.shape) == 2 and x.shape[0] == 1 <= count <= _COPIED
    if not is_row or args[0] != count + 1.0 or x.fields.keys() != v.fields.keys():
        return None
    rows = {name: np.empty((1, count + 1), object) for name in x.fields}
    for name, row in rows.items():
        if type(x) is StructArray:
            row[:, :count] = x.fields[name]
        else:
            row[0, 0] = x.fields[name]
        row[0, count] = v.fields[name]
    return StructArray(rows, (1, count + 1)) if rows else None


def _put_struct(x: Value, args: tuple[Value, ...], v: Value) -> bool:
    """Store a struct in a solely held struct array, or append it to a row; False for all else."""
    if type(x) is not StructArray or type(v) is not Struct or len(args) != 1:
        return False
    sub = args[0]
    if type(sub) is not float or len(x.shape) != 2 or x.fields.keys() != v.fields.keys():
        return False
    rows, columns = x.shape
    k, count = whole(sub), rows * columns
    if k > count + 1 or (k > count and (rows != 1 or k == 1)):
        return False
    row, column = (k - 1) % rows, (k - 1) // rows
    for name, value in v.fields.items():
        data = x.fields[name]
        if k > count:
            data = x.fields[name] = longer_row(data, k)
        elif getrefcount(data) > LOCAL + 1 or not owns_data(data):
            data = x.fields[name] = data.copy(order="F")
        data[row, column] = value
    if k > count:
        x.shape = (1, k)
    return True


def longer_row(data: Array, count: int) -> Array:
    """A row of values lengthened by ``[]``, in a buffer with room for more."""
    base = data.base
    if base is None or base.ndim != 1 or base.size < count or getrefcount(base) > IN_HELPER:
        if count > 2 * data.size + _COPIED:
            return enlarged_copy(data, (1, count), EMPTY)
        base = blank_objects(2 * count + 16)
        base[: data.size] = data.reshape(-1)
    base[data.size : count].fill(EMPTY)
    return base[:count].reshape(1, count)


def _array_of_nothing(shape: tuple[int, ...]) -> Array:
    return np.empty(shape or (0, 0), dtype=object)


def _struct_of(fields: dict[str, Array], shape: tuple[int, ...]) -> Value:
    if shape == (1, 1):
        return Struct({k: d[0, 0] for k, d in fields.items()})
    return StructArray(fields, shape)
