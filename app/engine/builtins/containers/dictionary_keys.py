"""What makes two keys of a dictionary the same: class, size, contents; ``keyHash``, ``keyMatch``.

Missing values match each other, handle objects only themselves. Classes may say it in their own
methods ``keyHash`` and ``keyMatch``.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from app.digests import blake2b
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    FunctionHandle,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    class_of,
    host,
    is_numeric_like,
    size_of,
    true_value,
)

_SEE = ("dictionary", "isKey", "isequaln")


def identity_of(v: Value) -> Hashable:
    """What two values have in common exactly when they are the same as keys."""
    v = host(v)
    if isinstance(v, StringArray):
        return "string", v.shape, tuple(v.data.ravel(order="F"))
    if isinstance(v, SparseMatrix):
        return "sparse", *identity_of_array(v.matrix.toarray(), class_of(v))
    if is_numeric_like(v):
        return identity_of_array(as_array(v), class_of(v))
    if isinstance(v, HandleObject):
        return class_of(v), id(v)
    if isinstance(v, ObjectValue):
        return class_of(v), *((name, identity_of(x)) for name, x in sorted(v.properties.items()))
    if isinstance(v, Cell | ObjectArray):
        return class_of(v), v.shape, tuple(map(identity_of, v.data.ravel(order="F")))
    if isinstance(v, Struct):
        return "struct", (1, 1), *((name, identity_of(x)) for name, x in sorted(v.fields.items()))
    if isinstance(v, StructArray):
        fields = sorted(v.fields.items())
        parts = ((name, tuple(map(identity_of, x.ravel(order="F")))) for name, x in fields)
        return "struct", v.shape, *parts
    if isinstance(v, FunctionHandle):
        captured = ((name, identity_of(x)) for name, x in sorted(v.captured.items()))
        return "function_handle", v.text, *captured
    return class_of(v), size_of(v), *_of_native(v)


def identity_of_array(a: np.ndarray, kind: str) -> tuple[Hashable, ...]:
    """Class, size and elements; there is one NaN, and one zero."""
    if a.dtype.kind in "fc":
        a = np.where(np.isnan(a), np.nan, a + 0.0)
    return kind, a.shape, a.tobytes(order="F")


def _of_native(v: Value) -> tuple[Hashable, ...]:
    """The contents of a value of a class of ours."""
    texts = getattr(v, "to_strings", None)
    if texts is not None and hasattr(v, "data"):
        if hasattr(v, "names"):  # categories: their codes differ from array to array
            return (tuple(texts().data.ravel(order="F")),)
        return identity_of_array(np.asarray(v.data, dtype=float), "")
    portable = getattr(v, "to_portable", None)
    if isinstance(v, NativeObject) and portable is not None:
        return tuple((name, identity_of(x)) for name, x in sorted(portable().items()))
    return (id(v),)


class _OwnKey:
    """A key whose class has methods ``keyHash`` or ``keyMatch`` of its own."""

    def __init__(self, value: ObjectValue) -> None:
        self.value = value

    def __hash__(self) -> int:
        own = self.value.class_info.find_method("keyHash")
        if own is None or own.function is None:
            return hash(identity_of(self.value))
        return int(as_array(own.function(self.value, nargout=1)).item())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _OwnKey):
            return NotImplemented
        own = self.value.class_info.find_method("keyMatch")
        if own is None or own.function is None:
            return identity_of(self.value) == identity_of(other.value)
        return true_value(own.function(self.value, other.value, nargout=1))


def key_of(v: Value) -> Hashable:
    """What identifies one key of a dictionary, all of whose keys are of one class."""
    one: Hashable
    if isinstance(v, StringArray):
        one = v.data.flat[0]
        return one
    if is_numeric_like(v):
        one = as_array(v).flat[0].item()
        if one == one:  # else it is NaN
            return one
    if isinstance(v, ObjectValue) and any(map(v.class_info.find_method, ("keyHash", "keyMatch"))):
        return _OwnKey(v)
    return identity_of(v)


@builtin(
    "keyHash",
    category="containers",
    signatures=("h = keyHash(A)",),
    cases=(
        'keyHash("a") == keyHash("a")',
        "isa(keyHash(magic(3)), 'uint64')",
        "keyHash(1) ~= keyHash(single(1))",
    ),
    see=("keyMatch", *_SEE),
)
def key_hash(a: Value) -> Value:
    """A number that is the same for values that are the same as keys of a dictionary.

    Returns:
        A scalar uint64; of handle objects it is good for this session only.
    """
    seen = blake2b(repr(identity_of(a)).encode(), digest_size=8)
    return np.array([[int.from_bytes(seen.digest(), "little")]], dtype=np.uint64)


@builtin(
    "keyMatch",
    category="containers",
    signatures=("tf = keyMatch(A, B)",),
    cases=(
        "keyMatch(struct('a', NaN), struct('a', NaN))",
        "~keyMatch(1, int8(1)) && ~keyMatch([1 2], [1 3])",
        "keyMatch({1, 'a'}, {1, 'a'})",
    ),
    see=("keyHash", *_SEE),
)
def key_match(a: Value, b: Value) -> Value:
    """True for values of one class, size and contents; missing ones match, too."""
    return identity_of(a) == identity_of(b)
