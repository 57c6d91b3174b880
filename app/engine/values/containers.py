"""The MATLAB values that are not plain numbers: text, cells, structs, handles, sparse, objects.

Numbers are not here: a real double scalar is a Python ``float``, a logical scalar a ``bool``, a
complex double scalar a ``complex`` and every other numeric or logical array an ``np.ndarray`` with
at least two dimensions. A char row vector is a Python ``str``. All values are immutable unless
their holder knows it is the only one.
"""

from __future__ import annotations

from codecs import utf_32_le_decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app import memory
from app.engine.stoppable import LOOK_EVERY, Stop
from app.engine.values.scipy_columns import full, scipys_matrix

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Value: TypeAlias = object
"""Any MATLAB value; see the module docstring. What is done with one narrows its type first."""

Array: TypeAlias = NDArray[Any]
"""A NumPy array of any element type."""

ObjectArrayData: TypeAlias = NDArray[Any]
ClassInfo: TypeAlias = Any
"""The interpreter's description of a class, which this layer does not look into."""


_CODE = np.dtype(np.uint32)


class CharArray:
    """A char array that is not a row vector (nor 0x0): code points with at least two dimensions."""

    __slots__ = ("data",)

    def __init__(self, data: Array) -> None:
        self.data: Array = data.astype(_CODE, copy=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    def rows(self) -> list[str]:
        """Every row (of all pages, one after the other) as text."""
        if not self.data.size:
            return [""] * self.data.shape[0]
        flat = self.data.reshape(self.data.shape[0], -1, order="F").astype("<u4", copy=False)
        text, _ = utf_32_le_decode(flat.tobytes(), "surrogatepass", True)
        width = flat.shape[1]
        return [text[k : k + width] for k in range(0, len(text), width)]


class StringArray:
    """A string array: an object array of ``str``, where ``None`` is a missing string."""

    __slots__ = ("data",)

    def __init__(self, data: ObjectArrayData) -> None:
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    @classmethod
    def scalar(cls, text: str | None) -> StringArray:
        """A 1x1 string."""
        data = np.empty((1, 1), dtype=object)
        data[0, 0] = text
        return cls(data)

    @classmethod
    def of(cls, texts: Iterable[str | None], shape: tuple[int, ...] | None = None) -> StringArray:
        """A string array of ``texts`` in column-major order; a row when no shape is given."""
        return cls(object_array(texts, shape))


_argument_names: dict[str, StringArray] = {}


def argument_name(name: str) -> StringArray:
    """The one string that stands for ``name`` in ``f(name=value)``."""
    return _argument_names.setdefault(name, StringArray.scalar(name))


def is_argument_name(v: Value) -> bool:
    """Whether a value came from ``name=value`` itself, and not from a text of that name."""
    return type(v) is StringArray and v.data.size == 1 and _argument_names.get(v.data.flat[0]) is v


PIECE = 1 << 22
"""Elements that are filled at once: nobody else's turn comes meanwhile, nor a stop's."""


class Cell:
    """A cell array: an object array of values."""

    __slots__ = ("data",)

    def __init__(self, data: ObjectArrayData) -> None:
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    @classmethod
    def of(cls, items: Iterable[Value], shape: tuple[int, ...] | None = None) -> Cell:
        """A cell of ``items`` in column-major order; a row when no shape is given."""
        return cls(object_array(items, shape))

    @classmethod
    def empty(cls, shape: tuple[int, ...] = (0, 0)) -> Cell:
        """A cell of that shape whose elements are all ``[]``."""
        return cls(filled_objects(shape, EMPTY))

    def items(self) -> list[Value]:
        """The elements in column-major order."""
        return self.data.ravel(order="F").tolist()


class Struct:
    """A 1x1 struct: field names to values, in order."""

    __slots__ = ("fields",)

    def __init__(self, fields: dict[str, Value] | None = None) -> None:
        self.fields: dict[str, Value] = {} if fields is None else fields

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size, always 1x1."""
        return (1, 1)


class StructArray:
    """A struct array that is not 1x1: every field has an object array of the array's shape."""

    __slots__ = ("fields", "shape")

    def __init__(self, fields: dict[str, ObjectArrayData], shape: tuple[int, ...]) -> None:
        self.fields = fields
        self.shape = shape

    @classmethod
    def of(
        cls, structs: list[Struct], shape: tuple[int, ...] | None = None, names: Iterable[str] = ()
    ) -> Struct | StructArray:
        """Structs with equal fields, in column-major order, as one value (1x1 gives a Struct)."""
        shape = shape or (1, len(structs))
        if shape == (1, 1) and len(structs) == 1:
            return structs[0]
        keys = list(structs[0].fields) if structs else list(names)
        fields = {k: object_array([s.fields[k] for s in structs], shape) for k in keys}
        return cls(fields, shape)

    def elements(self) -> list[Struct]:
        """Every element as a 1x1 struct, in column-major order."""
        if not self.fields:
            return [Struct() for _ in range(prod(self.shape))]
        columns = (v.ravel(order="F").tolist() for v in self.fields.values())
        names = tuple(self.fields)
        return [
            Struct(dict(zip(names, values, strict=True))) for values in zip(*columns, strict=True)
        ]


class FunctionHandle:
    """A function handle.

    Attributes:
        name: name of the function for ``@name``; empty for an anonymous function.
        target: what the interpreter calls; None until it has resolved the name.
        text: text as ``func2str`` gives it: ``name`` or ``@(x)x+1``.
        captured: variables an anonymous function took along.
    """

    __slots__ = ("__weakref__", "captured", "name", "target", "text")

    def __init__(
        self,
        name: str,
        target: object = None,
        text: str = "",
        captured: Mapping[str, Value] | None = None,
    ) -> None:
        self.name = name
        self.target = target
        self.text = text or name
        self.captured: Mapping[str, Value] = captured or {}

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size, always 1x1."""
        return (1, 1)


class SparseMatrix:
    """A sparse double or logical matrix by compressed columns, which is never changed in place.

    The rows of a column are in order, and each is there once.

    Attributes:
        data: the numbers that are stored.
        indices: the row of each, from 0.
        indptr: where every column begins in them, and where the last one ends.
        shape: the MATLAB size.
    """

    __slots__ = ("__weakref__", "_matrix", "data", "indices", "indptr", "shape")

    def __init__(
        self,
        data: Array,
        indices: Array,
        indptr: Array,
        shape: tuple[int, int],
        matrix: csc_matrix | None = None,
    ) -> None:
        self.data, self.indices, self.indptr = data, indices, indptr
        self.shape = shape
        self._matrix = matrix

    @classmethod
    def of(cls, matrix: csc_matrix) -> SparseMatrix:
        """A matrix of SciPy's as a value."""
        made = matrix.tocsc()
        made.sum_duplicates()
        rows, columns = made.shape
        return cls(made.data, made.indices, made.indptr, (int(rows), int(columns)), made)

    @classmethod
    def of_file(
        cls, data: Array, rows: Array, starts: Array, shape: tuple[int, ...]
    ) -> SparseMatrix:
        """Columns as a file has them: ``starts`` of each in ``data`` and its ``rows``.

        Raises:
            ValueError: they contradict each other, which SciPy's own code would not survive.
        """
        from scipy.sparse import csc_matrix

        made = csc_matrix((data, rows, starts), shape=shape)
        made.check_format(full_check=True)
        return cls.of(made)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The element type."""
        return self.data.dtype

    @property
    def matrix(self) -> csc_matrix:
        """The same as SciPy's ``csc_matrix``, made when somebody asks for it."""
        if self._matrix is None:
            self._matrix = scipys_matrix((self.data, self.indices, self.indptr), self.shape)
        return self._matrix

    def dense(self) -> Array:
        """The matrix as a full array."""
        return full((self.data, self.indices, self.indptr), self.shape)


class ObjectValue:
    """An object of a value class written with ``classdef``.

    Attributes:
        class_info: the interpreter's description of the class (has ``name`` and ``superclasses``).
        properties: property values.
    """

    __slots__ = ("class_info", "properties")

    def __init__(self, class_info: ClassInfo, properties: dict[str, Value]) -> None:
        self.class_info = class_info
        self.properties = properties

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size: 1x1, except that objects derived from numbers have their size."""
        held = self.properties.get("#value")
        return held.shape if isinstance(held, np.ndarray) else (1, 1)

    @property
    def to_double(self) -> Callable[[], Value] | None:
        """How to get the numbers of an object derived from numbers; None for others."""
        held = self.properties.get("#value")
        return None if held is None else lambda: held


class HandleObject(ObjectValue):
    """An object of a handle class: shared, never copied; ``valid`` is False after ``delete``."""

    __slots__ = ("__weakref__", "listeners", "valid")

    def __init__(self, class_info: ClassInfo, properties: dict[str, Value]) -> None:
        super().__init__(class_info, properties)
        self.valid = True
        self.listeners: list[Any] = []


class ObjectArray:
    """An array of ``classdef`` objects that is not 1x1."""

    __slots__ = ("class_info", "data")

    def __init__(self, class_info: ClassInfo, data: ObjectArrayData) -> None:
        self.class_info = class_info
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    @property
    def to_double(self) -> Callable[[], Value] | None:
        """How to get the numbers of members of an enumeration that have some; None for others."""
        held = [element.to_double for element in self.data.ravel(order="F")]
        numbers = [number for number in held if number is not None]
        if not numbers or len(numbers) < len(held):
            return None
        return lambda: np.array([np.asarray(n()).flat[0] for n in numbers]).reshape(
            self.shape, order="F"
        )


def object_array_of(data: ObjectArrayData, info: ClassInfo) -> ObjectArray:
    """An array of objects, of the nearest class that all of them share; of ``info`` if they share
    none."""
    infos = list({id(x.class_info): x.class_info for x in data.flat}.values())
    shared = infos[0] if infos else info
    for other in infos[1:]:
        shared = None if shared is None else shared.shared_with(other)
    return ObjectArray(info if shared is None else shared, data)


class VariableNumber(str):
    """The number in ``t.(2)``, for tables; anything that looks it up as a name fails."""

    __slots__ = ()

    def __hash__(self) -> int:
        """Raise: a number names no field."""
        raise bad_field_name()


def bad_field_name() -> Exception:
    """The error for what stands in ``s.(name)`` and is no name."""
    from app.errors import MatlabError

    text = "Argument to dynamic structure reference must evaluate to a valid field name."
    return MatlabError("MATLAB:mustBeFieldName", text)


class NativeObject:
    """Base of object classes written in Python: containers.Map, MException, datetime, table ….

    The interpreter calls these methods for the syntax named in each; a class overrides what it
    supports. ``ctx`` is the CallContext; ``travels`` is whether workers may have a copy;
    ``lists_members`` whether ``obj.name`` is a list with a value of every element;
    ``shown_inline`` whether cells and fields show a single element by its text; ``keeps_empties``
    whether ``obj(i) = []`` stores an empty value instead of deleting. Setters return the changed
    object (``self`` for handles).
    """

    class_name: str = "object"
    superclasses: tuple[str, ...] = ()
    is_handle: bool = False
    keeps_empties: bool = False
    travels: bool = True
    lists_members: bool = False
    shown_inline: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return (1, 1)

    def contents(self) -> Iterable[Value]:
        """The values it holds, whose bytes ``whos`` counts."""
        return ()

    def texts(self) -> list[str | None]:
        """Every element as text, in column-major order; nothing where it has no elements."""
        return []

    def get_member(
        self, ctx: Any, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``obj.name`` (args None) or ``obj.name(args)``; a tuple for several outputs."""
        raise no_member(self.class_name, name)

    def new_member(self, name: str, like: Value) -> Value:
        """What ``obj.name(…) = like`` begins with where it makes the member; else None."""
        return None

    def lengthened(self, name: str, value: Value) -> NativeObject | None:
        """The object after a store that made a member longer than the object holds; else None."""
        return None

    def set_member(self, ctx: Any, name: str, value: Value) -> NativeObject:
        """``obj.name = value``."""
        raise no_member(self.class_name, name)

    def keyed_values(self) -> dict[str, Value] | None:
        """What ``obj(text)`` gives and ``obj(text) = value`` replaces as it is, for all texts that
        it has; None for objects that have no such."""
        return None

    def with_value(self, key: str, value: Value) -> NativeObject:
        """The object with another value of such a text: itself for handles."""
        raise unsupported_index(self.class_name, "()")

    def paren_get(self, ctx: Any, args: tuple[Value, ...]) -> Value:
        """``obj(args)``."""
        raise unsupported_index(self.class_name, "()")

    def paren_set(self, ctx: Any, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``obj(args) = value``; ``value`` is None for ``obj(args) = []``."""
        raise unsupported_index(self.class_name, "()")

    def brace_get(self, ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
        """``obj{args}``."""
        raise unsupported_index(self.class_name, "{}")

    def brace_set(self, ctx: Any, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``obj{args} = value``."""
        raise unsupported_index(self.class_name, "{}")

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """An operator such as ``plus`` with this object among ``args``; else NotImplemented."""
        return NotImplemented

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return []

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions callable as ``name(obj, …)``: name to ``function(ctx, args, nargout)``."""
        return {}

    def show(self, name: str, style: Any) -> str:
        """The text after ``name =`` in a display."""
        return f"  {self.class_name} object\n"

    def equals(self, other: Value) -> bool:
        """What ``isequal`` answers."""
        return self is other

    def equals_missing(self, other: Value) -> bool:
        """What ``isequaln`` answers."""
        return self.equals(other)


def no_member(class_name: str, name: str) -> Exception:
    """The error for an unknown property or method."""
    from app.errors import MatlabError

    text = f"Unrecognized method, property, or field '{name}' for class '{class_name}'."
    return MatlabError("MATLAB:noSuchMethodOrField", text)


def unsupported_index(class_name: str, form: str) -> Exception:
    """The error for an index form that a class does not have."""
    from app.errors import MatlabError

    text = f"'{form}' indexing is not supported for variables of type '{class_name}'."
    return MatlabError("MATLAB:index:unsupported", text)


def filled_objects(shape: tuple[int, ...], item: Value) -> ObjectArrayData:
    """An object array of one item, in pieces: others and a stop have their turn between them."""
    if (size := prod(shape)) <= PIECE:
        data = np.empty(shape, dtype=object, order="F")
        data.fill(item)
        return data
    data = blank_objects(size)
    for start in range(0, size, PIECE):
        data[start : start + PIECE].fill(item)
        Stop.poll()
    return data.reshape(shape, order="F")


def blank_objects(size: int) -> ObjectArrayData:
    """A list of so many objects to be put in their places, made in pieces.

    ``np.empty`` writes to all of its memory at once, which takes seconds where that is new. Raises
    MatlabError (MATLAB:nomem) where they do not fit into the limit.
    """
    memory.require(float(size) * np.dtype(object).itemsize, f"a list of {size} elements")
    data = np.empty(min(size, PIECE), dtype=object)
    while data.size < size:
        data.resize(min(data.size + PIECE, size), refcheck=False)
        Stop.poll()
    return data


def object_array(items: Iterable[Value], shape: tuple[int, ...] | None = None) -> ObjectArrayData:
    """An object array of ``items`` in column-major order; one row when no shape is given."""
    values = items if type(items) is list else _listed(items)
    size = len(values)
    if size <= PIECE:
        data = np.fromiter(values, object, size)
    else:
        data = blank_objects(size)
        for start in range(0, size, PIECE):
            part = values[start : start + PIECE]
            data[start : start + PIECE] = np.fromiter(part, object, len(part))
            Stop.poll()
    return data.reshape(shape or (1, size), order="F")


def _listed(items: Iterable[Value]) -> list[Value]:
    """The items in a list; a stop is heeded while they are made."""
    if not isinstance(items, Iterator):
        return list(items)
    values: list[Value] = []
    while part := list(islice(items, LOOK_EVERY)):
        values += part
        Stop.poll()
    return values


EMPTY: Array = np.zeros((0, 0))
"""The value of ``[]``."""
EMPTY.flags.writeable = False
