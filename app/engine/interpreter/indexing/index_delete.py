"""``x(i) = []``."""

from __future__ import annotations

from sys import getrefcount

import numpy as np

from app.engine.capture.capture_session import lazy_of, operand
from app.engine.interpreter.indexing import of_sparse
from app.engine.interpreter.indexing.index_assign import set_general
from app.engine.interpreter.indexing.index_read import Hooks, as_struct_array, native_subscripts
from app.engine.interpreter.indexing.ownership import IN_HELPER, LOCAL, owns_data
from app.engine.interpreter.indexing.store_elements import remove
from app.engine.interpreter.indexing.subscripts import no_subscript
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    DeviceArray,
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
    host,
)
from app.errors import MatlabError


def delete(x: Value, args: tuple[Value, ...], text: bool = False) -> Value:
    """The value after ``x(args) = []``, or after ``x(args) = ''``, which strings can hold."""
    if text and type(x) is StringArray:
        return set_general(x, args, "", False)
    if isinstance(x, NativeObject) and x.keeps_empties:
        return set_general(x, args, "" if text else EMPTY, False)
    own = getrefcount(x) <= IN_HELPER
    if len(args) == 1 and type(args[0]) is float:
        quick = _without_one(x, args[0], own)
        if quick is not None:
            return quick
    try:
        return _with_deleted(x, args)
    except MatlabError as problem:
        if problem.identifier != "MATLAB:badsubscript" or "must not exceed" not in problem.message:
            raise
        text_of_it = "Matrix index is out of range for deletion."
        raise MatlabError("MATLAB:subsdeldimmismatch", text_of_it) from None


def _without_one(x: Value, place: float, own: bool) -> Value | None:
    """A number, plain row, column or text, or a longer row of others, without one; else None.

    The elements of what is solely held may be changed.
    """
    k = int(place) - 1 if 1.0 <= place < _LARGEST else -1
    if k < 0 or k + 1.0 != place:
        return None
    if type(x) is float:
        return np.zeros((1, 0)) if k == 0 else None
    if type(x) is str:
        return x[:k] + x[k + 1 :] if k < len(x) > 1 else None
    if type(x) is Cell:
        return Cell(_shorter_row(x.data, k, own)) if _is_row_beyond(x.data.shape, k) else None
    if type(x) is StructArray and x.shape == (1, 2) and k < 2:
        return Struct({name: data[0, 1 - k] for name, data in x.fields.items()})
    if type(x) is StructArray and _is_row_beyond(x.shape, k):
        fields = {n: _shorter_row(x.fields[n], k, own) for n in x.fields}
        return StructArray(fields, (1, x.shape[1] - 1))
    if type(x) is np.ndarray and x.ndim == 2 and 1 in x.shape and k < x.size > 1:
        if k == x.size - 1 and _fills_its_memory(x):
            left = x[:, :k] if x.shape[0] == 1 else x[:k]
        else:
            flat = x.ravel()
            kept = np.concatenate((flat[:k], flat[k + 1 :]))
            left = kept.reshape((1, -1) if x.shape[0] == 1 else (-1, 1))
        return canonical(left) if x.size == 2 or x.dtype.kind == "c" else left
    return None


_LARGEST = 2.0**31
MOST_UNUSED = 4
"""How many times larger its memory may be than an array that gets shorter at its end."""


def _is_row_beyond(shape: tuple[int, ...], k: int) -> bool:
    """Whether a row has an element at a place, from 0, and at least two others."""
    return len(shape) == 2 and shape[0] == 1 and k < shape[1] > 2


def _shorter_row(data: Array, k: int, own: bool) -> Array:
    """A row of any values without the one at a place, from 0.

    The last one goes out of the same memory where nobody else holds that.
    """
    alone = own and getrefcount(data) <= LOCAL + 1 and (data.base is None or owns_data(data))
    if alone and k == data.size - 1 and _fills_its_memory(data):
        data[0, k] = None
        return data[:, :k]
    flat = data[0]
    return np.concatenate((flat[:k], flat[k + 1 :])).reshape(1, -1)


def _fills_its_memory(x: Array) -> bool:
    """Whether the memory of an array is not much larger than what is left without one element."""
    held = x if x.base is None else x.base
    return type(held) is np.ndarray and held.size < MOST_UNUSED * x.size


def _with_deleted(x: Value, args: tuple[Value, ...]) -> Value:
    if x is None:
        raise MatlabError("MATLAB:UndefinedFunction", "Deletion requires an existing variable.")
    if not args:
        raise no_subscript()
    if isinstance(x, NativeObject):
        return x.paren_set(Hooks.context, native_subscripts(x, args), None)
    if isinstance(x, ObjectValue | ObjectArray):
        return Hooks.context.objects.delete_elements(x, args)
    if type(x) is Cell:
        return Cell(remove(x.data, args))
    if type(x) is StringArray:
        return StringArray(remove(x.data, args))
    if type(x) is str or type(x) is CharArray:
        return char_value(remove(char_codes(x), args))
    if isinstance(x, Struct | StructArray):
        return _delete_struct(as_struct_array(x), args)
    if type(x) is SparseMatrix:
        return of_sparse.remove_from(x, args)
    if type(x) is DeviceArray:
        return _of_device(x, args)
    if type(x) is np.ndarray and any(type(sub) is DeviceArray for sub in args):
        node = operand(x)
        return (
            canonical(remove(x, args))
            if node is NotImplemented
            else _of_device(lazy_of(node), args)
        )
    return canonical(remove(as_array(x), args))


def _of_device(x: DeviceArray, args: tuple[Value, ...]) -> Value:
    from app.engine.interpreter.indexing import few_elements, index_capture  # these are heavy

    left = index_capture.without_selected(x, args)
    if left is None and few_elements.stays(x):
        left = few_elements.without(x, args)
    if left is not None:
        return left
    args = tuple(host(a, "indexed-assignment") for a in args)
    return canonical(remove(as_array(host(x, "indexed-assignment")), args))


def _delete_struct(x: StructArray, args: tuple[Value, ...]) -> Value:
    kept = remove(np.zeros(x.shape), args)
    made = {k: remove(v, args) for k, v in x.fields.items()}
    if kept.shape == (1, 1):
        return Struct({k: v[0, 0] for k, v in made.items()})
    return StructArray(made, kept.shape)
