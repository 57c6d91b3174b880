"""What containers look like: which parts they have, however deep, without the numbers in them.

Loops are compiled for the shapes of their containers at entry. A shape can be compared and hashed:
it says all that a compiled loop takes for granted, and None stands for a value that has no parts.
"""

from __future__ import annotations

import re
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from app.engine.interpreter.objects.class_model import ClassInfo
from app.engine.jit import listed_cells
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    DeviceArray,
    FunctionHandle,
    HandleObject,
    NativeObject,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    numel,
)
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.engine.interpreter.unit import Unit
    from app.engine.language import ast

MOST_PARTS, DEEPEST, MOST_ELEMENTS, MOST_IN_LINES = 200, 6, 1 << 16, 1 << 13
"""Of a container, of containers in one another, of one whose elements are an array, of the lines
of a cell: they are put one behind the other whenever machine code is entered."""

STRUCT, CELL, STRUCTS, OBJECT, MAP = "struct", "cell", "structs", "object", "map"

Key: TypeAlias = str | int
Step: TypeAlias = tuple[str, Key]
"""A way into a container: ``field``, ``element``, ``item`` (of a struct array), ``property``,
``entry`` (of a map) or ``captured`` with its name or number, ``column`` with the field of a struct
array (no name: of a cell)."""
STEPS = {STRUCT: "field", CELL: "element", STRUCTS: "item", OBJECT: "property", MAP: "entry"}
"""The steps into containers."""
_UNFIT = re.compile("[^A-Za-z0-9_]")


def part_name(flat: str, key: Key) -> str:
    """The name of a part; the column of a cell has no key."""
    return f"{flat}.{_UNFIT.sub(lambda m: f'-{ord(m[0])}-', str(key)) or '$'}"


Path: TypeAlias = tuple[Step, ...]
Function: TypeAlias = "ast.FunctionDef | ast.AnonymousFunction"
Shape: TypeAlias = "Members | Columns | Lines | Written | Called | Text | Shared | None"


class Members(NamedTuple):
    """A struct, a cell, an object or a map.

    Attributes:
        kind: which of them.
        owner: the identity of the class of an object; 1 for a map that takes texts and strings.
        size: the size of a cell.
        keys: fields, properties, texts of a map, or numbers from 1.
        parts: their shapes.
    """

    kind: str
    owner: int
    size: tuple[int, ...]
    keys: tuple[Key, ...]
    parts: tuple[Shape, ...]


class Columns(NamedTuple):
    """A cell whose elements are numbers of one class, or a struct array with fields of such.

    Attributes:
        keys: the fields; one empty name for a cell.
        whole: whether these are all fields of a struct array.
    """

    keys: tuple[str, ...]
    whole: bool = False


class Lines(NamedTuple):
    """A cell whose elements are texts, or rows of doubles, none of them empty.

    Attributes:
        kind: the class of what they hold.
    """

    kind: str


DATA, ENDS = "data", "ends"
"""What a cell of lines is to compiled code: its elements one behind the other, where each ends."""


class Written(NamedTuple):
    """A cell whose elements are assigned and not read (see `listed_cells`).

    Attributes:
        grows: whether some may be added behind the last.
    """

    grows: bool


LIST, COUNT = "list", "count"
"""What such a cell is to compiled code: what was assigned, and its number of elements."""


class Called(NamedTuple):
    """A function handle.

    Attributes:
        name: what it names; empty for an anonymous function.
        node: the identity of the function's tree, 0 where only the name is known.
        keys: what it captured.
        parts: their shapes.
    """

    name: str
    node: int
    keys: tuple[str, ...]
    parts: tuple[Shape, ...]


class Text(NamedTuple):
    """A string."""

    text: str


class Shared(NamedTuple):
    """What may be met several times and is the same: an object of a handle class, a handle, a
    value that compiled code does not look into.

    Attributes:
        number: counts them.
        inside: its shape, None where it was met before or has none.
    """

    number: int
    inside: Shape


class TooLarge(Exception):
    """A container has more elements than it takes time to do the passes of the loop."""


@record
class Looks:
    """What is looked at in the values of a loop.

    Attributes:
        columns: whether cells of numbers are to be arrays.
        varying: whether fields of struct arrays are to be.
        texts: whether the text of strings matters.
        coarse: whether cells that are no arrays are not looked into: they differ too often.
    """

    columns: bool
    varying: bool
    texts: bool
    coarse: bool = False


@record
class Use:
    """What a loop does with a variable.

    Attributes:
        keys: the fields that alone matter; None for all.
        lines: whether a cell may be told by its lines: no element is assigned.
        resized: whether its number of elements changes.
        written: whether elements of a cell are assigned and not read.
    """

    keys: frozenset[str] | None
    lines: bool
    resized: bool
    written: bool


class Looker:
    """Looks at the values of one loop.

    Attributes:
        looks: at what.
        most: elements of a container that are worth to be made an array.
        classes: classes of objects by identity.
        lines: whether cells of texts and rows are to be told by their lines.
        resized: whether the loop changes how many elements the variable has that is looked at.
        functions: trees of functions that handles call, with their units, by identity.
    """

    def __init__(self, looks: Looks, most: int) -> None:
        self.looks = looks
        self.most = min(most, MOST_ELEMENTS)
        self.classes: dict[int, ClassInfo] = {}
        self.functions: dict[int, tuple[Function, Unit]] = {}
        self.lines = self.resized = False
        self._numbers: dict[int, int] = {}

    def shape(self, v: Value, depth: int = 0) -> Shape:
        """The shape of a value."""
        kind = type(v)
        if kind in PLAIN:
            return None
        look = _LOOKS.get(kind)
        if look is not None and depth < DEEPEST:
            return look(self, v, depth)
        if isinstance(v, ObjectValue) and depth < DEEPEST:
            return self.of_object(v, depth)
        if isinstance(v, NativeObject) and depth < DEEPEST and not self.looks.coarse:
            return self.of_map(v, depth)
        return self._shared_object(v, lambda: None)

    def of_struct(self, v: Struct, depth: int) -> Shape:
        """The shape of a struct."""
        if len(v.fields) > MOST_PARTS:
            return self._shared_object(v, lambda: None)
        return self._members(STRUCT, 0, (), v.fields, depth)

    def of_cell(self, v: Cell, depth: int) -> Shape:
        """The shape of a cell."""
        if self.looks.columns and v.data.ndim == 2 and self._uniform(v.data):
            return Columns(("",))
        if self.lines and self.looks.columns and v.data.ndim == 2 and v.data.size:
            kind = self._kind_of_lines(v.items())
            if kind:
                return Lines(kind)
        varies = self.looks.coarse or (self.resized and not depth)
        if varies or not 0 < v.data.size <= MOST_PARTS:
            return self._shared_object(v, lambda: None)
        return self._members(CELL, 0, v.shape, dict(enumerate(v.items(), 1)), depth)

    def of_struct_array(self, v: StructArray, depth: int) -> Shape:
        """The shape of a struct array: its fields of single numbers are columns."""
        if len(v.shape) != 2:
            return self._shared_object(v, lambda: None)
        if self.looks.varying:
            columns = tuple(k for k, a in v.fields.items() if self._uniform(a))
            return Columns(columns, len(columns) == len(v.fields))
        count = v.shape[0] * v.shape[1]
        if self.looks.coarse or not 0 < count * len(v.fields) <= MOST_PARTS:
            return self._shared_object(v, lambda: None)
        return self._members(STRUCTS, 0, v.shape, dict(enumerate(v.elements(), 1)), depth)

    def of_object(self, v: ObjectValue, depth: int) -> Shape:
        """The shape of an object whose properties may be looked at directly."""
        info = v.class_info
        if isinstance(v, HandleObject):
            return self._shared_object(v, lambda: self._of_class(info, v, depth))
        return self._of_class(info, v, depth)

    def _of_class(self, info: ClassInfo, v: ObjectValue, depth: int) -> Shape:
        plain = not (info.native_base or info.of_fields or info.enumeration)
        if isinstance(v, HandleObject) and (v.listeners or not v.valid):
            plain = False
        if not plain or len(v.properties) > MOST_PARTS:
            return None
        self.classes[id(info)] = info
        return self._members(OBJECT, id(info), (), v.properties, depth)

    def of_map(self, v: NativeObject, depth: int) -> Shape:
        """The shape of a map from texts."""
        held = v.keyed_values()
        if held is None or not 0 < len(held) <= MOST_PARTS:
            return self._shared_object(v, lambda: None)
        if v.is_handle:
            return self._shared_object(v, lambda: self._members(MAP, 1, (), held, depth))
        return self._members(MAP, 0, (), held, depth)

    def of_handle(self, v: FunctionHandle, depth: int) -> Shape:
        """The shape of a function handle."""
        return self._shared_object(v, lambda: self._shape_of_handle(v, depth))

    def _shape_of_handle(self, v: FunctionHandle, depth: int) -> Shape:
        node: Function | None = None
        if isinstance(v.target, FunctionType) and "#unit" in v.target.__globals__:
            unit: Unit = v.target.__globals__["#unit"]
            node = unit.nodes.get(v.name) if v.name else unit.anonymous.get(v.target.__code__)
            if node is not None:
                self.functions[id(node)] = node, unit
        if node is None and not v.name:
            return None
        parts = tuple(self.shape(x, depth + 1) for x in v.captured.values())
        return Called(v.name, 0 if node is None else id(node), tuple(v.captured), parts)

    def of_string(self, v: StringArray, depth: int) -> Shape:
        """The shape of a string: its text."""
        text = v.data.flat[0] if self.looks.texts and v.data.size == 1 else None
        return self._shared_object(v, lambda: Text(text) if text is not None else None)

    def variable(self, v: Value, use: Use) -> Shape:
        """The shape of a variable's value, for what is done with it."""
        if use.written and type(v) is Cell and v.data.ndim == 2:
            return Written(listed_cells.grows(v))
        self.lines, self.resized = use.lines, use.resized
        return self.shape(v) if use.keys is None else self.chosen(v, use.keys)

    def chosen(self, v: Value, keys: frozenset[str]) -> Shape:
        """The shape of a value of which only some fields or properties matter."""
        if type(v) is Struct:
            held = {k: x for k, x in v.fields.items() if k in keys}
            if PLAIN.issuperset(map(type, held.values())):
                return Members(STRUCT, 0, (), tuple(held), (None,) * len(held))
            v = Struct(held)
        return self.shape(v)

    def _uniform(self, data: Array) -> bool:
        """Whether all elements are real doubles, or all of them truth values."""
        if data.size > self.most:
            if self.most < MOST_ELEMENTS:
                raise TooLarge
            return False
        kinds = set(map(type, data.flat))
        return kinds in ({float}, {bool})

    def _kind_of_lines(self, items: list[Value]) -> str:
        """The class of the elements of a cell that are texts, or rows of doubles; else empty."""
        types = set(map(type, items))
        if types == {str}:
            kind, total = "char", sum(map(numel, items)) if all(map(bool, items)) else 0
        elif types <= {float, np.ndarray} and all(map(_is_line, items)):
            kind, total = "double", sum(map(numel, items))
        else:
            return ""
        return kind if 0 < total <= min(self.most, MOST_IN_LINES) else ""

    def _members(
        self,
        kind: str,
        owner: int,
        size: tuple[int, ...],
        held: Mapping[Key, Value] | Mapping[str, Value] | Mapping[int, Value],
        depth: int,
    ) -> Members:
        parts = tuple([self.shape(x, depth + 1) for x in held.values()])
        return Members(kind, owner, size, tuple(held), parts)

    def _shared_object(self, v: Value, inside: Callable[[], Shape]) -> Shared:
        number = self._numbers.get(id(v))
        if number is not None:
            return Shared(number, None)
        number = self._numbers[id(v)] = len(self._numbers)
        return Shared(number, inside())


def _is_line(v: Value) -> bool:
    """Whether it is a double or a row of some."""
    if type(v) is np.ndarray:
        return v.dtype.char == "d" and v.ndim == 2 and v.shape[0] == 1 and bool(v.size)
    return type(v) is float


PLAIN = frozenset((float, bool, complex, str, np.ndarray, CharArray, DeviceArray, type(None)))
"""Python types of values that have no parts, and of no value."""
_LOOKS: dict[type, Callable[..., Shape]] = {
    Struct: Looker.of_struct,
    Cell: Looker.of_cell,
    StructArray: Looker.of_struct_array,
    FunctionHandle: Looker.of_handle,
    StringArray: Looker.of_string,
}


# --- parts of values ---


def value_at(root: Value, steps: Path) -> Value:
    """The part of a value at the end of some steps, which were taken from one of its form."""
    for kind, key in steps:
        if isinstance(root, Struct):
            root = root.fields[str(key)]
        elif isinstance(root, Cell):
            root = _part_of_cell(root, kind, key)
        elif isinstance(root, StructArray):
            item = root.elements()[int(key) - 1] if kind == "item" else None
            root = _column(root.fields[str(key)]) if item is None else item
        elif isinstance(root, ObjectValue):
            root = root.properties[str(key)]
        elif isinstance(root, FunctionHandle):
            root = root.captured[str(key)]
        elif isinstance(root, StringArray):
            root = root.data.item(_place(root.data, int(key)))
        else:
            root = _entries(root)[str(key)]
    return root


def _part_of_cell(cell: Cell, kind: str, key: Key) -> Value:
    """An element, all elements as a column of numbers, or as lines one behind the other."""
    if kind == "element":
        return cell.data.item(_place(cell.data, int(key)))
    if kind == "written":
        return float(cell.data.size) if key == COUNT else np.zeros((1, 0))
    return _of_lines(cell.items(), str(key)) if kind == "lines" else _column(cell.data)


def _entries(value: Value) -> dict[str, Value]:
    """The entries of a map by their names."""
    held = value.keyed_values() if isinstance(value, NativeObject) else None
    assert held is not None
    return held


def _place(data: Array, number: int) -> tuple[int, ...]:
    """The subscripts, from 0, of an element by its number from 1 in column-major order."""
    return tuple(map(int, np.unravel_index(number - 1, data.shape, order="F")))


def _of_lines(items: list[Value], key: str) -> Value:
    """The elements of a cell one behind the other, or where each of them ends."""
    if key == ENDS:
        ends = np.zeros((1, len(items) + 1))
        np.cumsum([numel(v) for v in items], out=ends[0, 1:])
        return ends
    if type(items[0]) is str:
        return "".join(map(str, items))
    return np.concatenate([v if type(v) is np.ndarray else np.array([[v]]) for v in items], axis=1)


def _column(data: Array) -> Array:
    """The elements of a cell or a field as an array of its size."""
    return np.array(data.tolist(), order="F").reshape(data.shape, order="F")


def with_part(value: Value, steps: Path, part: Value) -> Value:
    """A value with another part; objects of handle classes are changed where they are."""
    if not steps:
        return part
    (kind, key), rest = steps[0], steps[1:]
    if isinstance(value, Struct):
        made = with_part(value.fields[str(key)], rest, part)
        return Struct({**value.fields, str(key): made})
    if isinstance(value, ObjectValue):
        made = with_part(value.properties[str(key)], rest, part)
        if isinstance(value, HandleObject):
            value.properties[str(key)] = made
            return value
        return type(value)(value.class_info, {**value.properties, str(key): made})
    if isinstance(value, NativeObject):
        return value.with_value(str(key), with_part(_entries(value)[str(key)], rest, part))
    if isinstance(value, StructArray):
        if kind == "column":
            return StructArray({**value.fields, str(key): _elements(part)}, value.shape)
        elements = value.elements()
        changed = with_part(elements[int(key) - 1], rest, part)
        assert isinstance(changed, Struct)
        elements[int(key) - 1] = changed
        return StructArray.of(elements, value.shape)
    if kind == "element" and isinstance(value, Cell):
        data = value.data.copy(order="F")
        place = _place(data, int(key))
        data[place] = with_part(data[place], rest, part)
        return Cell(data)
    if kind == "written" and isinstance(value, Cell):
        return value if key == COUNT else listed_cells.with_assignments(value, np.asarray(part))
    return Cell(_elements(part))


def _elements(part: Value) -> Array:
    """Numbers as the elements of a cell or a field."""
    a = np.asarray(part)
    a = a if a.ndim == 2 else a.reshape(1, 1)
    made = np.empty(a.shape, dtype=object, order="F")
    made[...] = [[canonical_number(x) for x in row] for row in a.tolist()]
    return made


def canonical_number(x: Value) -> Value:
    """A complex number without an imaginary part is a real one."""
    return x.real if type(x) is complex and not x.imag else x


def built(shape: Members, parts: list[Value], example: ClassInfo | None) -> Value:
    """A container of a shape with these parts."""
    if shape.kind == STRUCT:
        return Struct(dict(zip(map(str, shape.keys), parts, strict=True)))
    if shape.kind == CELL:
        return Cell.of(parts, shape.size)
    return ObjectValue(example, dict(zip(map(str, shape.keys), parts, strict=True)))
