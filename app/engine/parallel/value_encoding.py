"""MATLAB values as bytes for another process, and back.

A value becomes a tree of plain numbers, text and tuples that begin with a letter for the kind; the
tree is written by `marshal`, which makes nothing but such trees. Large arrays lie in a shared
segment and only their place is in the tree. Functions travel as text: the source of the file that
they were written in, and the variables they took along.

======  ================================  ======  ================================
a       array: type, shape, bytes          o       object: class, properties
m       array in shared memory             O       object array
c, s    char array, string array           n       object of a class of ours
l       cell                               r       the handle object seen before
t, u    struct, struct array               f       function handle
p       sparse matrix                      d D L T S   dict, list, tuple, set of Python
e       error
======  ================================  ======  ================================
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar

import numpy as np

from app.engine.interpreter.objects.mexception import MException
from app.engine.interpreter.unit import Unit
from app.engine.parallel.shared_segment import SEGMENT_FROM, Segment
from app.engine.parallel.travelled_code import surround, unit_of_text
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    DeviceArray,
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
    class_of,
)
from app.engine.values.containers import ObjectArrayData
from app.errors import MatlabError, StackFrame

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

Tree: TypeAlias = "bool | int | float | complex | str | bytes | tuple[Tree, ...] | None"
"""Plain numbers, text, bytes and tuples of such."""
Named: TypeAlias = tuple[tuple[str, Tree], ...]
"""Trees of values by their names."""
Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names and texts of what functions were written in."""
_PLAIN = frozenset((float, bool, str, int, complex, bytes, type(None)))
_OURS = ("app.engine.", "app.toolboxes.")
"""Where the classes are whose objects travel."""
_Answer = TypeVar("_Answer")


def _is_plain(v: Value) -> TypeGuard[bool | float | complex | str | bytes | None]:
    return type(v) in _PLAIN


def _state_of(value: NativeObject) -> dict[str, Value]:
    """The attributes of an object, or what it says instead in ``__getstate__``."""
    state = value.__getstate__()  # a dict, of classes with slots a pair
    held, slots = state if isinstance(state, tuple) else (state, None)
    return {**(held or {}), **(slots or {})}


class Encoder:
    """Makes trees of values.

    Attributes:
        sources: names and texts of what functions of the values were written in.
        large: arrays that go to a shared segment, in order.
    """

    def __init__(self, *, share: bool = True) -> None:
        self.sources: list[tuple[str, str]] = []
        self.large: list[Array] = []
        self._share = share
        self._seen: dict[int, int] = {}

    def tree(self, value: Value) -> Tree:
        """The tree of a value. Raises MatlabError for what cannot leave the process."""
        if _is_plain(value):
            return value
        for encode in (self._data, self._container, self._python):
            made = encode(value)
            if made is not None:
                return made
        raise unsendable(type(value).__name__)

    def _data(self, value: Value) -> Tree:
        """Arrays of numbers and texts; None for all else."""
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, DeviceArray):
            return self.tree(value.gather("a worker"))
        if isinstance(value, CharArray):
            return ("c", value.data.shape, value.data.tobytes(order="F"))
        if isinstance(value, StringArray):
            return ("s", value.data.shape, tuple(value.data.ravel(order="F").tolist()))
        if isinstance(value, SparseMatrix):
            parts = (value.data, value.indices, value.indptr)
            return ("p", value.shape, *(self.tree(np.asarray(x)) for x in parts))
        return self._array(np.asarray(value)) if isinstance(value, np.generic) else None

    def _container(self, value: Value) -> Tree:
        """Cells, structs, functions and objects; None for all else."""
        if isinstance(value, Cell):
            return ("l", *self._items(value.data))
        if isinstance(value, Struct):
            return ("t", self._named(value.fields))
        if isinstance(value, StructArray):
            return (
                "u",
                value.shape,
                tuple((k, self._items(v)[1]) for k, v in value.fields.items()),
            )
        if isinstance(value, FunctionHandle):
            return self._handle(value)
        if isinstance(value, ObjectArray):
            return ("O", value.class_info.name, *self._items(value.data))
        if isinstance(value, ObjectValue):
            return self._object(value)
        return self._native(value) if isinstance(value, NativeObject) else None

    def _python(self, value: Value) -> Tree:
        """Records and collections of Python, as values of ours hold them; None for all else."""
        if is_dataclass(value) and type(value).__module__.startswith(_OURS):
            kind = type(value)
            state = {f.name: getattr(value, f.name) for f in fields(value)}
            return ("n", kind.__module__, kind.__qualname__, self._named(state))
        if isinstance(value, dict):
            return ("d", tuple((self.tree(k), self.tree(x)) for k, x in value.items()))
        letter = _COLLECTIONS.get(type(value))
        if letter is None or not isinstance(value, list | tuple | set | frozenset):
            return None
        return ("D", letter, tuple(map(self.tree, value)))

    def _named(self, values: Mapping[str, Value]) -> Named:
        return tuple((k, self.tree(v)) for k, v in values.items())

    def _array(self, value: Array) -> Tree:
        if value.dtype == object:
            return ("A", value.shape, tuple(map(self.tree, value.ravel(order="F").tolist())))
        if value.nbytes >= SEGMENT_FROM and self._share and not value.dtype.hasobject:
            self.large.append(value)
            return ("m", value.dtype.str, value.shape, len(self.large) - 1)
        return ("a", value.dtype.str, value.shape, value.tobytes(order="F"))

    def _items(self, data: Array) -> tuple[tuple[int, ...], tuple[Tree, ...]]:
        return data.shape, tuple(map(self.tree, data.ravel(order="F").tolist()))

    def _handle(self, value: FunctionHandle) -> Tree:
        unit = unit_of_function(value.target)
        source = None
        if unit is not None and (not value.name or value.name in unit.local):
            source = self.note(unit)
        return ("f", value.name, value.text, self._named(value.captured), source)

    def note(self, unit: Unit) -> int:
        """The number under which the text of a unit travels."""
        source = unit.source.name, unit.source.text
        if source not in self.sources:
            self.sources.append(source)
        return self.sources.index(source)

    def _object(self, value: ObjectValue) -> Tree:
        known = self._seen.get(id(value))
        if known is not None:
            return ("r", known)
        shared = isinstance(value, HandleObject)
        if shared:
            self._seen[id(value)] = len(self._seen)
        return ("o", value.class_info.name, shared, self._named(value.properties))

    def _native(self, value: NativeObject) -> Tree:
        kind = type(value)
        if isinstance(value, MException):
            return ("e", *told_of(value.error, causes=value.causes))
        if not value.travels:
            raise unsendable(class_of(value))
        state = _state_of(value)
        try:
            held = self._named(state)
        except MatlabError:
            raise unsendable(class_of(value)) from None
        return ("n", kind.__module__, kind.__qualname__, held)


def unsendable(name: str) -> MatlabError:
    """The error for a value that belongs to this process."""
    text = f"A value of class '{name}' belongs to this process and cannot be sent to a worker."
    return MatlabError("parallel:lang:NotSerializable", text)


def unit_of_function(target: object) -> Unit | None:
    """The unit that the function of a handle was written in; None for builtins."""
    unit = getattr(target, "unit", None)
    if isinstance(unit, Unit):
        return unit
    space = getattr(target, "__globals__", None)
    if not isinstance(space, dict):
        return None
    held = space.get("#unit")
    if held is None:
        builtins = space.get("__builtins__")
        held = builtins.get("#unit") if isinstance(builtins, dict) else None
    return held if isinstance(held, Unit) else None


_COLLECTIONS: dict[type, str] = {list: "L", tuple: "T", set: "S", frozenset: "F"}
_MAKERS: dict[str, type[list[Value] | tuple[Value, ...] | set[Value] | frozenset[Value]]] = {
    "L": list,
    "T": tuple,
    "S": set,
    "F": frozenset,
}


class Decoder:
    """Makes values of trees.

    Args:
        interpreter: whose functions and classes the values refer to.
        sources: names and texts of functions.
        segment: where large arrays lie.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        sources: Sources,
        segment: Segment | None = None,
    ) -> None:
        self.interpreter, self.sources, self.segment = interpreter, sources, segment
        self._handles: list[HandleObject] = []

    def value(self, tree: Tree) -> Value:
        """The value of a tree."""
        if type(tree) is not tuple:
            return tree
        decode: Callable[..., Value] = getattr(self, f"_read_{_NAMES[str(tree[0])]}")
        return decode(*tree[1:])

    def _read_array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> Value:
        return np.frombuffer(bytearray(data), np.dtype(dtype)).reshape(shape, order="F")

    def _read_large(self, dtype: str, shape: tuple[int, ...], number: int) -> Value:
        assert self.segment is not None
        return self.segment.array(number, np.dtype(dtype), shape)

    def _read_objects(self, shape: tuple[int, ...], items: tuple[Tree, ...]) -> ObjectArrayData:
        data = np.empty(len(items), dtype=object)
        for k, item in enumerate(items):
            data[k] = self.value(item)
        return data.reshape(shape, order="F")

    def _read_chars(self, shape: tuple[int, ...], data: bytes) -> Value:
        return CharArray(np.frombuffer(bytearray(data), np.uint32).reshape(shape, order="F"))

    def _read_strings(self, shape: tuple[int, ...], items: tuple[str | None, ...]) -> Value:
        return StringArray.of(items, shape)

    def _read_cell(self, shape: tuple[int, ...], items: tuple[Tree, ...]) -> Value:
        return Cell(self._read_objects(shape, items))

    def values(self, named: Named) -> dict[str, Value]:
        """The values of trees, by their names."""
        return {k: self.value(v) for k, v in named}

    def _read_struct(self, fields: Named) -> Value:
        return Struct(self.values(fields))

    def _read_structs(
        self, shape: tuple[int, ...], fields: tuple[tuple[str, tuple[Tree, ...]], ...]
    ) -> Value:
        return StructArray({k: self._read_objects(shape, v) for k, v in fields}, shape)

    def _read_sparse(self, shape: tuple[int, int], data: Tree, rows: Tree, starts: Tree) -> Value:
        from scipy.sparse import csc_matrix

        parts = tuple(map(self.value, (data, rows, starts)))
        return SparseMatrix.of(csc_matrix(parts, shape=shape))

    def _read_object(self, name: str, shared: bool, properties: Named) -> Value:
        info = self.interpreter.objects.find_class(name)
        if info is None:
            text = f"A worker does not know the class '{name}'."
            raise MatlabError("parallel:lang:UnknownClass", text)
        if not shared:
            return ObjectValue(info, self.values(properties))
        made = HandleObject(info, {})
        self._handles.append(made)
        made.properties.update((k, self.value(v)) for k, v in properties)
        return made

    def _read_again(self, number: int) -> Value:
        return self._handles[number]

    def _read_object_array(
        self, name: str, shape: tuple[int, ...], items: tuple[Tree, ...]
    ) -> Value:
        return ObjectArray(
            self.interpreter.objects.find_class(name), self._read_objects(shape, items)
        )

    def _read_native(self, module: str, name: str, state: Named) -> Value:
        import importlib

        if not module.startswith(_OURS):
            raise unsendable(name)
        kind = getattr(importlib.import_module(module), name)
        if not (issubclass(kind, NativeObject) or is_dataclass(kind)):
            raise unsendable(name)
        made = kind.__new__(kind)
        held = self.values(state)
        set_state = getattr(made, "__setstate__", None)
        if set_state is not None and not is_dataclass(kind):
            set_state(held)
            return made
        for key, value in held.items():
            object.__setattr__(made, key, value)
        return made

    def _read_dict(self, pairs: tuple[tuple[Tree, Tree], ...]) -> Value:
        return {self.value(k): self.value(v) for k, v in pairs}

    def _read_items(self, kind: str, items: tuple[Tree, ...]) -> Value:
        return _MAKERS[kind](map(self.value, items))

    def _read_error(self, *content: Tree) -> Value:
        error = given_to(failure, content)
        return error.payload or MException(error)

    def _read_handle(self, name: str, text: str, captured: Named, source: int | None) -> Value:
        unit = None if source is None else unit_of_text(self.interpreter, *self.sources[source])
        if name:
            target = None if unit is None else unit.local.get(name)
            return FunctionHandle(name, target, text)
        return self.interpreter.context.handle_of(text, self.values(captured), unit)


_NAMES = {
    "a": "array",
    "m": "large",
    "A": "objects",
    "c": "chars",
    "s": "strings",
    "l": "cell",
    "t": "struct",
    "u": "structs",
    "p": "sparse",
    "o": "object",
    "r": "again",
    "O": "object_array",
    "n": "native",
    "f": "handle",
    "d": "dict",
    "e": "error",
    "D": "items",
}


def told_of(
    error: MatlabError, there: Callable[[str], str] = str, causes: Sequence[Value] = ()
) -> tuple[Tree, ...]:
    """What `failure` makes the error of, elsewhere.

    Args:
        error: the error.
        there: the name of a file where the error goes.
        causes: those that its MException names; looked for where none are given.
    """
    frames = tuple((f.name, there(f.file), f.line, f.column) for f in error.stack)
    if not causes and isinstance(error.payload, MException):
        causes = error.payload.causes
    told = tuple(told_of(c.error, there, c.causes) for c in causes if isinstance(c, MException))
    return (error.identifier, error.message, frames, error.caret, told)


def failure(
    identifier: str,
    message: str,
    frames: tuple[tuple[str, str, int, int], ...],
    caret: str,
    causes: tuple[tuple[Tree, ...], ...],
) -> MatlabError:
    """The error that a worker met, with its stack and what it names as causes."""
    made = MatlabError(identifier, message)
    made.stack = tuple(StackFrame(*f) for f in frames)
    made.caret = caret
    if causes:
        carried = made.payload = MException(made)
        carried.causes.extend(MException(given_to(failure, c)) for c in causes)
    return made


def pack(content: Sequence[Tree]) -> bytes:
    """Trees as bytes."""
    return marshal.dumps(tuple(content))


def unpack(data: bytes) -> tuple[Tree, ...]:
    """The trees of bytes that `pack` has made."""
    content: tuple[Tree, ...] = marshal.loads(data)  # noqa: S302 - of our own workers; no objects
    return content


def given_to(function: Callable[..., _Answer], content: Sequence[Tree]) -> _Answer:
    """Call a function, or make a record, with what has travelled, as its parameters say."""
    return function(*content)


def read_head(form: Callable[..., _Answer], interpreter: Interpreter, data: bytes) -> _Answer:
    """What a worker is told of a job; functions are looked for where its owner does."""
    around, *fields = unpack(data)
    assert isinstance(around, tuple)
    given_to(partial(surround, interpreter), around)
    return given_to(form, fields)
