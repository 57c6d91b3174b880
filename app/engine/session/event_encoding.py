"""Requests and events as bytes for the engine in a process of its own, and back.

The process runs code that nobody trusts, so what it sends is read as if written by an attacker:
numbers, texts, containers and arrays of numbers, put into records of `protocol` after their fields
were checked. Nothing else can come out, unlike with pickle and marshal.

A frame is two lengths, a tree in JSON, and the bytes of its arrays one after the other.
"""

from __future__ import annotations

import json
import math
import re
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import BinaryIO, get_args

import numpy as np

from app.accel.planner.crossover import Crossover
from app.engine import protocol
from app.engine.run_state import RunState

MOST_TEXT = 256 << 20
"""Bytes of a frame's tree."""
MOST_ARRAYS = 2 << 30
"""Bytes of the arrays of a frame."""
_LENGTHS = struct.Struct(">QQ")
_TYPE = re.compile(r"[<>|=]?([biufc]\d{1,2}|[SU]\d{1,9}|[mM]8(\[\w{1,4}\])?)")


def _records_below(roots: Iterable[type]) -> dict[str, type]:
    """Records by name: these, and those that their fields are declared to hold."""
    found: dict[str, type] = {}
    waiting = list(roots)
    while waiting:
        kind = waiting.pop()
        found[kind.__name__] = kind
        names = re.findall(r"\w+", " ".join(str(f.type) for f in fields(kind)))
        held = [vars(sys.modules[kind.__module__]).get(name) for name in names]
        waiting += [one for one in held if is_dataclass(one) and one.__name__ not in found]  # type: ignore[union-attr, misc]
    return found


# `protocol` names the last one for type checkers only.
_RECORDS = _records_below((*get_args(protocol.Request), *get_args(protocol.Event), Crossover))
_FIELD_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "bytes": (bytes,),
    "RunState": (str,),
    "tuple": (tuple,),
    "dict": (dict,),
}


class MalformedError(ValueError):
    """What was received is none of our frames."""


def write(stream: BinaryIO, item: object) -> None:
    """Send a request, an event or a tuple of plain values.

    Raises:
        TypeError: something in it is not a plain value.
        OSError: nobody reads any more.
    """
    arrays: list[np.ndarray] = []
    text = json.dumps(_tree(item, arrays), separators=(",", ":")).encode("ascii")
    blobs = [array.tobytes(order="F") for array in arrays]
    stream.write(_LENGTHS.pack(len(text), sum(map(len, blobs))) + text)
    stream.writelines(blobs)
    stream.flush()


def read(stream: BinaryIO) -> object:
    """The next item; None at the end of the stream.

    Raises:
        MalformedError: the other end does not keep to the format.
    """
    head = stream.read(_LENGTHS.size)
    if len(head) < _LENGTHS.size:
        return None
    length, size = _LENGTHS.unpack(head)
    if length > MOST_TEXT or size > MOST_ARRAYS:
        raise MalformedError(f"a frame of {length + size} bytes")
    text, blob = stream.read(length), stream.read(size)
    if len(text) < length or len(blob) < size:
        return None
    try:
        return _Reader(blob).item(json.loads(text))
    except MalformedError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as problem:
        raise MalformedError(f"a frame that cannot be read: {problem}") from problem


# --- writing ----------------------------------------------------------------------------------


def _tree(item: object, arrays: list[np.ndarray]) -> object:
    """An item as JSON knows it; what it lacks is an object with one key, the kind."""
    if item is None or isinstance(item, bool | int | float | str):
        return item
    if isinstance(item, np.generic):
        item = item.item() if item.dtype.kind in "biufcSU" else np.asarray(item)
        return _tree(item, arrays)
    if isinstance(item, np.ndarray):
        return _array_tree(item, arrays)
    if isinstance(item, dict):
        return {"d": [[_tree(k, arrays), _tree(v, arrays)] for k, v in item.items()]}
    if isinstance(item, list):
        return [_tree(part, arrays) for part in item]
    if isinstance(item, tuple):
        return {"t": [_tree(part, arrays) for part in item]}
    if isinstance(item, bytes):
        arrays.append(np.frombuffer(item, np.uint8))
        return {"b": len(item)}
    if isinstance(item, complex):
        return {"c": [item.real, item.imag]}
    if _RECORDS.get(type(item).__name__) is type(item):
        held = [_tree(getattr(item, f.name), arrays) for f in fields(item)]  # type: ignore[arg-type]
        return {"r": [type(item).__name__, *held]}
    raise TypeError(f"a {type(item).__name__} cannot leave the process")


def _array_tree(array: np.ndarray, arrays: list[np.ndarray]) -> object:
    if array.dtype.hasobject:
        return {"o": [list(array.shape), [_tree(x, arrays) for x in array.ravel("F").tolist()]]}
    arrays.append(array)
    return {"a": [array.dtype.str, list(array.shape)]}


# --- reading ----------------------------------------------------------------------------------


class _Reader:
    """Makes the item of a tree; its arrays come from ``blob``, in order."""

    def __init__(self, blob: bytes) -> None:
        self._blob, self._place = blob, 0

    def item(self, tree: object) -> object:
        if isinstance(tree, list):
            return [self.item(part) for part in tree]
        if not isinstance(tree, dict):
            return tree
        ((kind, content),) = tree.items()
        return _MAKERS[kind](self, content)

    def items(self, trees: Sequence[object]) -> list[object]:
        return [self.item(part) for part in trees]

    def bytes_of(self, count: int) -> bytes:
        found = self.array(["|u1", [count]])
        assert isinstance(found, np.ndarray)
        return found.tobytes()

    def array(self, content: Sequence[object]) -> object:
        name, shape = content
        if _TYPE.fullmatch(str(name)) is None:
            raise MalformedError(f"an array of {name!r}")
        dtype, sizes = np.dtype(str(name)), _shape(shape)
        count = math.prod(sizes)
        if count * dtype.itemsize > len(self._blob) - self._place:
            raise MalformedError(f"an array of {count} elements without its bytes")
        found = (
            np.frombuffer(self._blob, dtype, count, self._place) if count else np.empty(0, dtype)
        )
        self._place += count * dtype.itemsize
        return found.reshape(sizes, order="F")

    def objects(self, content: Sequence[object]) -> object:
        shape, parts = content
        if not isinstance(parts, list):
            raise MalformedError("an array of no list")
        found = np.empty(len(parts), object)
        for place, part in enumerate(self.items(parts)):
            found[place] = part
        return found.reshape(_shape(shape), order="F")

    def table(self, content: Sequence[Sequence[object]]) -> object:
        return {self.item(key): self.item(value) for key, value in content}

    def record(self, content: Sequence[object]) -> object:
        name, *given = content
        kind = _RECORDS[str(name)]
        held = self.items(given)
        declared = fields(kind)
        if len(held) != len(declared):
            raise MalformedError(f"{name} with {len(held)} fields")
        for f, value in zip(declared, held, strict=True):
            if not _fits(value, str(f.type)):
                raise MalformedError(f"{name}.{f.name} is a {type(value).__name__}")
        made = [
            RunState(str(v)) if f.type == "RunState" else v
            for f, v in zip(declared, held, strict=True)
        ]
        return kind(*made)


def _fits(value: object, declared: str) -> bool:
    """Whether a field of this type may hold the value; of containers, tuples of records are
    looked into."""
    if value is None and declared.endswith("| None"):
        return True
    declared = declared.removesuffix(" | None")
    of_record = _RECORDS.get(declared)
    if of_record is not None:
        return type(value) is of_record
    of_items = _RECORDS.get(declared.removeprefix("tuple[").removesuffix(", ...]"))
    if of_items is not None:
        return isinstance(value, tuple) and all(type(item) is of_items for item in value)
    allowed = _FIELD_TYPES.get(declared.split("[", 1)[0])
    if isinstance(value, bool):
        return allowed is None or bool in allowed
    return allowed is None or isinstance(value, allowed)


def _shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise MalformedError(f"an array of size {shape!r}")
    return tuple(shape)


_MAKERS: dict[str, Callable[[_Reader, list[object]], object]] = {
    "d": _Reader.table,  # type: ignore[dict-item]
    "t": lambda reader, content: tuple(reader.items(content)),
    "r": _Reader.record,
    "a": _Reader.array,
    "o": _Reader.objects,
    "b": lambda reader, content: reader.bytes_of(content),  # type: ignore[arg-type]
    "c": lambda _, content: complex(*content),  # type: ignore[call-overload]
}
