"""The numbers in variables and containers, each at its own place, and containers built anew.

The variables of a loop hold numbers, or structs, cells and objects with numbers in them. A *root*
is a variable, a cell that nested functions share, or an object of a handle class; a *place* is a
root and the way from there through fields, elements and properties.
"""

from __future__ import annotations

from dataclasses import field
from types import FunctionType
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from app.engine.values import (
    Array,
    Cell,
    DeviceArray,
    FunctionHandle,
    Struct,
    StructArray,
    Value,
    object_array,
)
from app.engine.values.containers import HandleObject, ObjectValue
from app.errors import Unsupported
from app.records import mutable_record

MOST_ELEMENTS = 256
"""Larger cells and struct arrays are values as a whole."""

NUMBERS = (float, bool, complex)
"""Classes of single numbers."""

Root: TypeAlias = tuple[str, object]
Way: TypeAlias = tuple[object, ...]
Place: TypeAlias = tuple[Root, Way]
State: TypeAlias = dict[Root, Value]


@mutable_record
class Places:
    """What is at every place of some roots.

    Attributes:
        leaves: values that are no containers.
        form: what the containers are like: equal forms have the same places.
    """

    leaves: dict[Place, Value] = field(default_factory=dict)
    form: dict[Place, object] = field(default_factory=dict)


def places_of(state: State) -> Places:
    """All places of these roots."""
    found = Places()
    for root, value in state.items():
        _find_places(value, (root, ()), found)
    return found


def _find_places(value: Value, at: Place, found: Places) -> None:
    parts = _parts(value)
    if parts is None:
        found.leaves[at] = value
        return
    found.form[at] = parts[0]
    root, way = at
    for name, part in parts[1]:
        _find_places(part, (root, (*way, name)), found)


def _parts(value: Value) -> tuple[object, list[tuple[object, Value]]] | None:
    """What a container is like, and its parts; None for all else."""
    if type(value) is Struct:
        return ("struct", tuple(value.fields)), list(value.fields.items())
    if type(value) is Cell and value.data.size <= MOST_ELEMENTS:
        return ("cell", value.data.shape), list(enumerate(value.data.ravel(order="F")))
    if type(value) is StructArray and value.fields:
        columns = {n: c.ravel(order="F") for n, c in value.fields.items()}
        if sum(c.size for c in columns.values()) <= MOST_ELEMENTS:
            elements: list[tuple[object, Value]] = [
                ((n, k), v) for n, c in columns.items() for k, v in enumerate(c)
            ]
            return ("structs", value.shape, tuple(columns)), elements
    if type(value) is ObjectValue:
        names = tuple(value.properties)
        return ("object", value.class_info, names), list(value.properties.items())
    return None


def rebuilt(value: Value, at: Place, changes: dict[Place, Value]) -> Value:
    """`value` with other leaves; what does not change is the same object."""
    if at in changes:
        return changes[at]
    parts = _parts(value)
    if parts is None:
        return value
    root, way = at
    made = {name: rebuilt(part, (root, (*way, name)), changes) for name, part in parts[1]}
    if all(made[name] is part for name, part in parts[1]):
        return value
    return _container(value, made)


def _container(like: Value, parts: dict[Any, Value]) -> Value:
    if type(like) is Struct:
        return Struct(parts)
    if type(like) is ObjectValue:
        return ObjectValue(like.class_info, parts)
    if type(like) is Cell:
        return Cell.of(parts.values(), like.data.shape)
    assert type(like) is StructArray
    columns = {
        name: object_array((parts[name, k] for k in range(values.size)), like.shape)
        for name, values in like.fields.items()
    }
    return StructArray(columns, like.shape)


class Holders:
    """Objects of handle classes and cells that can be reached from some values.

    Attributes:
        objects: the objects by root.
        cells: the cells by root.
    """

    def __init__(self) -> None:
        self.objects: dict[Root, HandleObject] = {}
        self.cells: dict[Root, Any] = {}
        self._seen: set[int] = set()

    def reach(self, value: Value) -> None:
        """Find what can be reached from a value."""
        pending = [value]
        while pending:
            pending += self._held_values(pending.pop())

    def add_cell(self, cell: Any) -> None:
        """Take in a cell, and what can be reached from it."""
        root = ("cell", id(cell))
        if root not in self.cells:
            self.cells[root] = cell
            self.reach(contents(cell))

    def _held_values(self, value: Value) -> list[Value]:
        if type(value) is FunctionHandle:
            return [value.target]
        if type(value) is FunctionType:
            return self._captured_values(value)
        if isinstance(value, HandleObject):
            root = ("object", id(value))
            if root in self.objects:
                return []
            self.objects[root] = value
            return list(value.properties.values())
        parts = _parts(value)
        return [] if parts is None else [part for _, part in parts[1]]

    def _captured_values(self, function: FunctionType) -> list[Value]:
        if id(function) in self._seen:
            return []
        self._seen.add(id(function))
        used = set(function.__code__.co_names)
        if not used.isdisjoint(_of_parents(function)) and not used & _DECLARING:
            raise Unsupported("a nested function uses a global or persistent variable")
        for cell in function.__closure__ or ():
            self.add_cell(cell)
        return []

    def state(self) -> State:
        """What all of them hold; the properties of an object as a struct."""
        held: State = {root: contents(cell) for root, cell in self.cells.items()}
        for root, made in self.objects.items():
            held[root] = Struct(dict(made.properties))
        return held

    def put(self, state: State) -> None:
        """Give them other contents."""
        for root, cell in self.cells.items():
            if state[root] is not contents(cell):
                cell.cell_contents = state[root]
        for root, made in self.objects.items():
            held = state[root]
            assert type(held) is Struct
            made.properties = dict(held.fields)


_DECLARING = {"@declare_global", "@declare_persistent"}


def _of_parents(function: FunctionType) -> set[str]:
    """The names by which code uses variables that it, or the function around it, declared."""
    return {"@globals", *function.__globals__.get("#persistent", ())}


def contents(cell: Any) -> Value:
    """What a cell holds; None for nothing."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def holds_handles(value: Value) -> bool:
    """Whether objects of handle classes, or functions that may hold some, are in a value."""
    if isinstance(value, HandleObject | FunctionHandle):
        return True
    parts = _parts(value)
    return parts is not None and any(holds_handles(part) for _, part in parts[1])


def holds_large(value: Value, least: int, depth: int = 4) -> bool:
    """Whether an array of `least` elements, or a lazy one, is in a value or a few steps below."""
    if isinstance(value, np.ndarray):
        return value.size >= least
    if type(value) is DeviceArray:
        return value.size > 1
    if type(value) in _HOLD_NOTHING or not depth:
        return False
    held = (part for part in _values_held_by(value) if type(part) not in _HOLD_NOTHING)
    return any(holds_large(part, least, depth - 1) for part in held)


def most_elements(value: Value, depth: int = 4) -> int:
    """Elements of the largest array in a value or a few steps below."""
    if isinstance(value, np.ndarray | DeviceArray):
        return int(value.size)
    return (
        max((most_elements(part, depth - 1) for part in _values_held_by(value)), default=0)
        if depth
        else 0
    )


def _values_held_by(value: Value) -> list[Value]:
    """What a value holds."""
    if type(value) is FunctionHandle:
        value = value.target
    if type(value) is FunctionType:
        return [contents(cell) for cell in value.__closure__ or ()]
    if isinstance(value, HandleObject):
        return list(value.properties.values())
    if type(value) is Cell:
        return value.data.ravel(order="K").tolist() if value.data.size <= MOST_ELEMENTS else []
    parts = _parts(value)
    return [] if parts is None else [part for _, part in parts[1]]


_HOLD_NOTHING = frozenset((float, str, bool, complex))
"""Types of values that are no arrays and hold none."""


def is_number(value: Value) -> TypeGuard[complex | DeviceArray | Array]:
    """Whether a value is a number or an array of numbers."""
    if type(value) is np.ndarray:
        return value.dtype.kind in "fbiuc"
    return type(value) in (*NUMBERS, DeviceArray)


def is_counted(value: Value) -> bool:
    """Whether a value is numbers, and how many they are is known.

    What a mask selects in a pass is as good as no numbers: a pass only reads what it selected.
    """
    return is_number(value) and (type(value) is not DeviceArray or value.pending is None)


def shown(place: Place) -> str:
    """A place as the script writes it, about."""
    (_, name), way = place
    return ".".join(str(part) for part in ((name, *way) if isinstance(name, str) else way))
