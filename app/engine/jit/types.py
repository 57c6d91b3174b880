"""The types of compiled code: a class of elements, and whether the value is a scalar or an array.

Values of other classes are *opaque*: compiled code carries them along untouched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.values import CharArray, DeviceArray, Value


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A class of elements; there is one object of each.

    Attributes:
        name: MATLAB's class.
        llvm: the type of a scalar in a register.
        memory: the type of an element in memory.
        size: bytes of an element in memory.
        word: how a scalar travels in a state: ``d``, ``q`` or ``Q`` of ``struct``; ``c`` for two.
        dtype: the element type of arrays.
    """

    name: str
    llvm: str
    memory: str
    size: int
    word: str
    dtype: Any

    @property
    def words(self) -> int:
        """How many words of a state a scalar takes."""
        return 2 if self.word == "c" else 1

    @property
    def is_float(self) -> bool:
        """Single or double."""
        return self.word == "d"

    @property
    def is_integer(self) -> bool:
        """One of the eight integer classes."""
        return self.name.startswith(("int", "uint"))

    @property
    def signed(self) -> bool:
        """A signed integer class."""
        return self.name.startswith("int")

    @property
    def bits(self) -> int:
        """The width of an element."""
        return self.size * 8


F64 = Kind("double", "double", "double", 8, "d", np.dtype(np.float64))
F32 = Kind("single", "float", "float", 4, "d", np.dtype(np.float32))
BOOL = Kind("logical", "i1", "i8", 1, "q", np.dtype(np.bool_))
CHAR = Kind("char", "i32", "i32", 4, "q", np.dtype(np.uint32))
INTEGERS = {
    name: Kind(
        name, f"i{bits}", f"i{bits}", bits // 8, "Q" if name == "uint64" else "q", np.dtype(name)
    )
    for bits in (8, 16, 32, 64)
    for name in (f"int{bits}", f"uint{bits}")
}
C128 = Kind("complex", "{ double, double }", "{ double, double }", 16, "c", np.dtype(complex))
KINDS = {k.name: k for k in (F64, F32, BOOL, CHAR, *INTEGERS.values())}
_BY_DTYPE = {k.dtype: k for k in KINDS.values() if k is not CHAR}


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """The type of a value; there is one object of each, in ``SCALARS`` and ``ARRAYS``.

    Attributes:
        kind: the class of its elements; None for opaque values.
        array: True when it may have any number of elements.
    """

    kind: Kind | None
    array: bool = False

    def __str__(self) -> str:
        if self.kind is None:
            return "another class"
        return f"{self.kind.name} {'array' if self.array else 'scalar'}"


OPAQUE = Type(None)
SCALARS = {name: Type(kind) for name, kind in {**KINDS, "complex": C128}.items()}
ARRAYS = {name: Type(kind, True) for name, kind in KINDS.items()}
DOUBLE, LOGICAL, TEXT = SCALARS["double"], SCALARS["logical"], SCALARS["char"]

_PLAIN: dict[type, Type] = {float: DOUBLE, bool: LOGICAL, complex: SCALARS["complex"]}


def type_of(v: Value) -> Type | None:
    """The type of a value; None for an unset variable."""
    found = _PLAIN.get(type(v))
    if found is not None:
        return found
    if v is None:
        return None
    kind = type(v)
    if kind is np.ndarray:
        return _array_type(v.dtype, v.ndim, v.size)
    if kind is str:
        return TEXT if len(v) == 1 else ARRAYS["char"]
    if kind is CharArray and v.data.ndim == 2:
        return ARRAYS["char"]
    if kind is DeviceArray:
        return _array_type(v.dtype, len(v.shape), 2) if not v.guarded else OPAQUE
    return OPAQUE


def _array_type(dtype: Any, dimensions: int, size: int) -> Type:
    kind = _BY_DTYPE.get(dtype)
    if kind is None or dimensions != 2:
        return OPAQUE
    return (SCALARS if size == 1 else ARRAYS)[kind.name]
