"""The bytes that MATLAB's ``whos`` counts for a value, however deep and entangled it is.

What is shared is looked into once and counted as often as it occurs, as MATLAB does.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.engine.values.containers import (
    Array,
    Cell,
    CharArray,
    HandleObject,
    NativeObject,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
)
from app.engine.values.lazy import DeviceArray
from app.engine.values.types import numel

MOST = 1 << 62
"""No value counts more: copies of copies reach any number without taking memory."""
_SAMPLED = 1 << 21
"""Containers with more elements are judged by about so many of them."""
_IN_CELL, _IN_STRUCT, _POINTER = 104, 168, 8
_CONTAINERS = (Cell, StringArray, Struct, StructArray, SparseMatrix, NativeObject, ObjectValue)


def n_bytes(v: Value) -> int:
    """The bytes MATLAB's ``whos`` would count for ``v``."""
    return _container_bytes(v) if isinstance(v, _CONTAINERS) else _leaf_bytes(v)


def _leaf_bytes(v: Value) -> int:
    kind = type(v)
    if type(v) is np.ndarray:
        return v.nbytes
    if kind is float:
        return 8
    if kind is bool:
        return 1
    if kind is complex:
        return 16
    if kind is str or kind is CharArray:
        return 2 * numel(v)
    if type(v) is DeviceArray:
        return numel(v) * v.dtype.itemsize
    return _POINTER


def _container_bytes(top: Value) -> int:
    """Containers in the order in which they are complete, without recursion: none is too deep."""
    totals: dict[int, int] = {}
    opened: dict[int, tuple[float, float, list[Value]]] = {}
    waiting = [top]
    while waiting:
        key = id(waiting[-1])
        if key not in totals and key not in opened:
            opened[key] = _bytes_and_contents(waiting[-1])
            inner = [x for x in opened[key][2] if id(x) not in opened]
            waiting.extend(inner)
            if inner:
                continue
        if key not in totals:  # what holds itself counts as a pointer there
            own, share, nested = opened[key]
            found = own + share * sum(totals.get(id(x), _POINTER) for x in nested)
            totals[key] = min(int(found), MOST)
        waiting.pop()
    return totals[id(top)]


def _bytes_and_contents(v: Value) -> tuple[float, float, list[Value]]:
    """Bytes of a container and of the leaves in it, what the containers in it count, and these."""
    if isinstance(v, StringArray):
        texts, weight = _sample(v.data)
        lengths = (len(x) if isinstance(x, str) else 0 for x in texts)
        return weight * sum(54 + 2 * n for n in lengths), 1, []
    if isinstance(v, SparseMatrix):
        return int(v.data.nbytes + 8 * v.indices.size + 8 * v.indptr.size), 1, []
    share: float = 1  # exact, unlike 1.0, for large numbers
    each = 0
    parts: Iterable[Value] = ()
    if isinstance(v, Cell):
        each, (parts, share) = _IN_CELL, _sample(v.data)
    elif isinstance(v, Struct):
        each, parts = _IN_STRUCT, v.fields.values()
    elif isinstance(v, StructArray):
        each, parts = _IN_STRUCT, (x for column in v.fields.values() for x in column.flat)
    elif isinstance(v, NativeObject):
        parts = v.contents()
    elif isinstance(v, ObjectValue) and not isinstance(v, HandleObject):
        parts = v.properties.values()
    own = 0
    nested: list[Value] = []
    for part in parts:
        own += each
        if isinstance(part, _CONTAINERS):
            nested.append(part)
        else:
            own += _leaf_bytes(part)
    if not nested and isinstance(v, NativeObject | ObjectValue):
        own = own or _POINTER
    return share * own, share, nested


def _sample(data: Array) -> tuple[Iterable[Value], float]:
    """Elements of an array, and how many of it each stands for."""
    step = -(-data.size // _SAMPLED) or 1
    if step == 1:
        return data.ravel().tolist(), 1
    taken = data.ravel(order="K")[::step].tolist()
    return taken, data.size / len(taken)
