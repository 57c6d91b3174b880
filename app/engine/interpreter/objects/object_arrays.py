"""Arrays of objects: ``objs(2)``, ``objs(3) = obj``, ``[a b]``, ``objs(2) = []``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.interpreter.indexing.gather_elements import select
from app.engine.interpreter.indexing.index_assign import set_general
from app.engine.interpreter.indexing.index_delete import delete
from app.engine.interpreter.indexing.index_read import paren
from app.engine.interpreter.indexing.store_elements import put, remove
from app.engine.interpreter.objects.class_model import ClassInfo
from app.engine.interpreter.objects.derived import is_derived, number, with_number
from app.engine.values import (
    HandleObject,
    ObjectArray,
    ObjectValue,
    Value,
    as_array,
    class_of,
    object_array_of,
)
from app.errors import MatlabError, conversion_error

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects


def data_of(x: Any) -> Any:
    """The elements as an object array."""
    if isinstance(x, ObjectArray):
        return x.data
    data = np.empty((1, 1), dtype=object)
    data[0, 0] = x
    return data


def wrap(info: ClassInfo, data: Any) -> Value:
    """Elements as a value: one element is the object itself."""
    return data.reshape(-1)[0] if data.size == 1 else object_array_of(data, info)


def elements(x: Any) -> list[ObjectValue]:
    """The elements in column-major order."""
    return list(data_of(x).ravel(order="F"))


def select_elements(x: Any, args: tuple[Value, ...]) -> Value:
    """``objs(args)``."""
    if is_derived(x):
        return with_number(x, paren(number(x), *args))
    return wrap(x.class_info, select(data_of(x), args))


def delete_elements(x: Any, args: tuple[Value, ...]) -> Value:
    """``objs(args) = []``."""
    if is_derived(x):
        return with_number(x, delete(number(x), args))
    return wrap(x.class_info, remove(data_of(x), args))


def empty(info: ClassInfo, args: tuple[Value, ...]) -> Value:
    """``Class.empty``."""
    shape = tuple(int(n) for a in args for n in as_array(a).ravel()) if args else (0, 0)
    if len(shape) == 1:
        shape = (shape[0], 0)
    return ObjectArray(info, np.empty(shape, dtype=object))


def store_elements(objects: Objects, x: Value, args: tuple[Value, ...], value: Value) -> Value:
    """``x(args) = value``: gaps are filled with objects made without arguments."""
    if is_derived(x) or (is_derived(value) and type(x) is np.ndarray and x.size):
        made = set_general(number(x), args, number(value), False)
        return with_number(x, made) if is_derived(x) else made
    is_nothing = x is None or (type(x) is np.ndarray and x.size == 0)
    if is_nothing and isinstance(value, ObjectValue | ObjectArray):
        x = ObjectArray(value.class_info, np.empty((0, 0), dtype=object))
    if not isinstance(x, ObjectValue | ObjectArray):
        raise conversion_error(class_of(x), class_of(value))
    info = x.class_info
    if not isinstance(value, ObjectValue | ObjectArray) or not _may_join(info, value.class_info):
        value = objects.construct(info, (value,))
    data = put(data_of(x), args, data_of(value), None, False)
    for where in np.argwhere(np.equal(data, None)):  # type: ignore[call-overload]
        data[tuple(where)] = objects.construct(info, ())
    return wrap(info, data)


def _may_join(info: ClassInfo, other: ClassInfo) -> bool:
    """Whether objects of two classes may stand in one array."""
    mixed = "matlab.mixin.Heterogeneous"
    return (
        info.is_a(other.name) or other.is_a(info.name) or (info.is_a(mixed) and other.is_a(mixed))
    )


def set_all(objects: Objects, x: ObjectArray, name: str, value: Value) -> Value:
    """``objs.name = value`` needs one object, except that none takes a first one."""
    text = "Scalar object required for this assignment."
    raise MatlabError("MATLAB:index:assignmentToTemporary", text)


def same_handles(a: Any, b: Any) -> Any:
    """``a == b`` for handles: the same objects?"""
    left, right = np.broadcast_arrays(data_of(a), data_of(b))
    found = np.array([p is q for p, q in zip(left.ravel(), right.ravel(), strict=True)], dtype=bool)
    return found.reshape(left.shape)


def is_handle(x: Any) -> bool:
    """True for handles and arrays of them."""
    return isinstance(x, HandleObject) or (isinstance(x, ObjectArray) and x.class_info.is_handle)
