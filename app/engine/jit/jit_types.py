"""The types of compiled code: a class of elements, and whether the value is a scalar or an array.

Values of other classes are *opaque*: compiled code carries them along untouched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
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
_BY_DTYPE = {k.dtype: k for k in (*KINDS.values(), C128) if k is not CHAR}


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """The type of a value; there is one object of each, in ``SCALARS`` and the tables of arrays.

    Attributes:
        kind: the class of its elements; None for opaque values.
        form: of an array ``row`` (one row), ``column`` (one column), ``matrix`` (any size) or
            ``pages`` (any size, of three or more dimensions); empty for a scalar.
        inner: of more than three dimensions the extents between the second and the last.
    """

    kind: Kind | None
    form: str = ""
    inner: tuple[int, ...] = ()

    @property
    def array(self) -> bool:
        """Whether it may have another number of elements than one."""
        return bool(self.form)

    def __str__(self) -> str:
        if self.kind is None:
            return "another class"
        inner = "".join(f" of {extent}" for extent in self.inner)
        return f"{self.kind.name} {self.form or 'scalar'}{inner}"


OPAQUE = Type(None)
SCALARS = {name: Type(kind) for name, kind in {**KINDS, "complex": C128}.items()}
_ALL = {**KINDS, "complex": C128}
ROWS = {name: Type(kind, "row") for name, kind in _ALL.items()}
COLUMNS = {name: Type(kind, "column") for name, kind in _ALL.items()}
MATRICES = {name: Type(kind, "matrix") for name, kind in _ALL.items()}
PAGES = {name: Type(kind, "pages") for name, kind in _ALL.items()}
_TABLES = {"row": ROWS, "column": COLUMNS, "matrix": MATRICES, "pages": PAGES}
MOST_COUNTED = 1 << 31
"""Elements of an array of which every place and product of two places is an ``i64``."""
DOUBLE, LOGICAL, TEXT = SCALARS["double"], SCALARS["logical"], SCALARS["char"]

_PLAIN: dict[type, Type] = {float: DOUBLE, bool: LOGICAL, complex: SCALARS["complex"]}


def array_type(kind: Kind, rows: str, columns: str, pages: str = "1") -> Type:
    """The type of an array with so many rows, columns and pages, where ``1`` is certain."""
    if pages != "1":
        return PAGES[kind.name]
    table = ROWS if rows == "1" else COLUMNS if columns == "1" else MATRICES
    return table[kind.name]


def as_array_type(found: Type) -> Type:
    """The type of a variable that is an array even where it has one element."""
    if found.array or found.kind is None:
        return found
    return ROWS.get(found.kind.name, OPAQUE)


def common_type(old: Type, new: Type) -> Type | None:
    """The type of what may be ``old`` or ``new``; None where their classes differ.

    What may be complex holds real numbers, too, with zeros beside them.
    """
    if old is new:
        return old
    if {old.kind, new.kind} == {F64, C128}:
        old, new = (complex_array_type(t) if t.array else SCALARS["complex"] for t in (old, new))
    if old.kind is not new.kind or old.kind is None:
        return None
    if not old.form or not new.form:
        return new if new.form else old
    if old.inner or new.inner:  # of another number of dimensions, or of other extents
        return None
    return (PAGES if "pages" in {old.form, new.form} else MATRICES)[old.kind.name]


def complex_array_type(found: Type) -> Type:
    """The type of an array that takes complex numbers from now on."""
    if found.inner:
        return _pages_of(C128, found.inner)
    return _TABLES.get(found.form, MATRICES)["complex"]


def type_of(v: Value) -> Type | None:
    """The type of a value; None for an unset variable."""
    found = _PLAIN.get(type(v))
    if found is not None:
        return OPAQUE if type(v) is complex and v.imag == 0.0 else found
    if v is None:
        return None
    if type(v) is np.ndarray:
        return _array_type(v.dtype, v.shape)
    if type(v) is str:
        return TEXT if len(v) == 1 else (ROWS if v else MATRICES)["char"]
    if type(v) is CharArray and v.data.ndim == 2:
        return MATRICES["char"]
    if type(v) is DeviceArray and not v.guarded:
        found = _array_type(v.dtype, v.shape)
        return as_array_type(found) if found.kind is not CHAR else OPAQUE
    return OPAQUE


def _array_type(dtype: Any, shape: tuple[int, ...]) -> Type:
    kind = _BY_DTYPE.get(dtype)
    if kind is None or prod(shape) > MOST_COUNTED:
        return OPAQUE
    if shape == (1, 1):
        return SCALARS[kind.name]
    if len(shape) > 3:
        return _pages_of(kind, shape[2:-1]) if prod(shape) else OPAQUE
    return array_type(kind, *map(str, shape))


@cache
def _pages_of(kind: Kind, inner: tuple[int, ...]) -> Type:
    """The type of arrays of more than three dimensions; there is one for each ``inner``."""
    return Type(kind, "pages", inner)
