"""Objects of MATLAB's own classes in MAT-files: strings, dates, durations, categories, tables.

A variable of a class holds numbers of objects; what the objects consist of lies in a part at the
end of the file that has no name: a table of names, classes, objects and their properties, and a
cell of the properties' values. MathWorks does not document the layout; these facts were read from
files with known content.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.builtins.files.portable import marked_form
from app.engine.values import (
    Array,
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    object_array,
    text_of,
    true_value,
)

REFERENCE = 0xDD000000
"""The first of the numbers that stand for an object."""
_HEAD = 40
_FIRST_VALUE = 2
Properties = dict[str, Value]
Block = list[tuple[int, int, int]]


@dataclass(frozen=True)
class StoredObjects:
    """The objects of one file.

    Attributes:
        names: of classes and properties.
        classes: places of their names, by number of class.
        owners: class, and places of properties in either list, by number of object.
        blocks: the two lists of properties: name, kind, value.
        values: the values of properties.
    """

    names: list[str]
    classes: list[int]
    owners: list[tuple[int, int, int]]
    blocks: tuple[list[Block], list[Block]]
    values: list[Value]

    def form_of(self, reference: Array) -> Value | None:
        """The portable form of what a reference means; None where its class is another."""
        numbers = [int(n) for n in reference.ravel(order="F")]
        count = int(np.prod(numbers[2 : 2 + numbers[1]]))
        number, *more = numbers[2 + numbers[1] : 2 + numbers[1] + count]
        owner, first, second = self.owners[number]
        make = _FORMS.get(self.names[self.classes[owner] - 1])
        if make is None or more:
            return None
        block = self.blocks[0][first] if first else self.blocks[1][second]
        kept = {self.names[name - 1]: self._value(kind, place) for name, kind, place in block}
        try:
            return make(kept)
        except KeyError:  # what equals the default of a class is not in the file
            return None

    def _value(self, kind: int, place: int) -> Value:
        if kind == 0:
            return self.names[place - 1]
        return self.resolved(self.values[_FIRST_VALUE + place]) if kind == 1 else bool(place)

    def resolved(self, v: Value) -> Value:
        """A value with the forms of objects in place of references; what is none of them stays."""
        if isinstance(v, Cell):
            return Cell(object_array([self.resolved(x) for x in v.items()], v.shape))
        if isinstance(v, Struct):
            return Struct({name: self.resolved(x) for name, x in v.fields.items()})
        if isinstance(v, StructArray) or not is_reference(v):
            return v
        made = self.form_of(as_array(v))
        return v if made is None else made


def is_reference(v: Value) -> bool:
    """Whether numbers stand for an object."""
    if not isinstance(v, np.ndarray) or v.dtype != np.uint32 or v.size < 5:
        return False
    return int(v.ravel(order="F")[0]) == REFERENCE


def stored_objects(content: Cell, order: str) -> StoredObjects | None:
    """The objects that a file's nameless part tells of; None where it tells of none."""
    values = list(content.items())
    if not values:
        return None
    table = values[0]
    data = as_array(table).astype(np.uint8).tobytes()
    _version, count, *places = struct.unpack_from(f"{order}II8I", data)
    names = [part.decode("utf-8") for part in data[_HEAD:].split(b"\0", count)[:count]]
    classes = [row[1] for row in _rows(data, places[0], places[1], 4, order)]
    owners = [(row[0], row[3], row[4]) for row in _rows(data, places[2], places[3], 6, order)]
    blocks = (
        _blocks(data, places[1], places[2], order),
        _blocks(data, places[3], places[4], order),
    )
    return StoredObjects(names, classes, owners, blocks, values)


def _rows(data: bytes, start: int, end: int, width: int, order: str) -> list[tuple[int, ...]]:
    return list(struct.iter_unpack(f"{order}{width}I", data[start:end]))


def _blocks(data: bytes, start: int, end: int, order: str) -> list[Block]:
    """Lists of properties, each filled up to whole words of eight bytes."""
    made: list[Block] = []
    while start < end:
        (count,) = struct.unpack_from(f"{order}I", data, start)
        numbers = struct.unpack_from(f"{order}{3 * count}I", data, start + 4)
        made.append(list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)))
        size = 4 + 12 * count
        start += size + -size % 8
    return made


# --- classes --------------------------------------------------------------------------------------


def _string(kept: Properties) -> Value:
    """Version, size, lengths, and the letters two bytes each, in numbers of eight bytes."""
    numbers = as_array(kept["any"]).astype(np.uint64).ravel(order="F")
    rank = int(numbers[1])
    shape = tuple(int(n) for n in numbers[2 : 2 + rank])
    count = int(np.prod(shape))
    lengths = numbers[2 + rank : 2 + rank + count].view(np.int64)
    letters = numbers[2 + rank + count :].tobytes()
    texts: list[str] = []
    at = 0
    for length in lengths.tolist():
        size = 2 * max(length, 0)
        texts.append(letters[at : at + size].decode("utf-16-le", "replace"))
        at += size
    gone = [length < 0 for length in lengths.tolist()]
    return marked_form("string", text=Cell.of(texts, shape), missing=Cell.of(gone, shape))


def _datetime(kept: Properties) -> Value:
    time = as_array(kept["data"])
    return marked_form(
        "datetime",
        milliseconds=canonical(np.asarray(time.real + time.imag, dtype=np.float64)),
        format=_text(kept, "fmt"),
        zone=_text(kept, "tz"),
    )


def _duration(kept: Properties) -> Value:
    form = _text(kept, "fmt") or "hh:mm:ss"
    return marked_form("duration", milliseconds=kept.get("millis", 0.0), format=form)


def _categorical(kept: Properties) -> Value:
    codes = as_array(kept["codes"]).astype(np.float64)
    return marked_form(
        "categorical",
        codes=canonical(np.where(codes == 0, np.nan, codes)),
        categories=kept["categoryNames"],
        ordinal=true_value(kept.get("isOrdinal", False)),
        protected=true_value(kept.get("isProtected", False)),
    )


def _table(kept: Properties) -> Value:
    rows = kept.get("rownames")
    return marked_form(
        "table",
        names=kept["varnames"],
        columns=kept["data"],
        height=kept["nrows"],
        rows=rows if isinstance(rows, Cell) else Cell.empty(),
        properties=_facts(kept.get("props")),
    )


def _timetable(kept: Properties) -> Value | None:
    told = kept["any"]
    if not isinstance(told, Struct):
        return None
    times = told.fields["rowTimes"]
    if isinstance(times, Struct) and "origin" in times.fields:
        return None  # times by their rate
    return marked_form(
        "timetable",
        names=told.fields["varNames"],
        columns=told.fields["data"],
        height=told.fields["numRows"],
        rows=Cell.empty(),
        times=times,
        properties=_facts(told),
    )


def _facts(told: Any) -> Struct:
    """What a table says of its variables and dimensions."""
    found = told.fields if isinstance(told, Struct) else {}
    names = {
        "VariableUnits": ("VariableUnits", "varUnits"),
        "VariableDescriptions": ("VariableDescriptions", "varDescriptions"),
        "DimensionNames": ("DimensionNames", "dimNames"),
    }
    return Struct(
        {
            name: kept
            for name, keys in names.items()
            for key in keys
            if isinstance(kept := found.get(key), Cell) and kept.items()
        }
    )


def _text(kept: Properties, name: str) -> str:
    v = kept.get(name, "")
    return text_of(v) if not isinstance(v, np.ndarray) or v.size else ""


_FORMS: dict[str, Callable[[Properties], Value | None]] = {
    "string": _string,
    "datetime": _datetime,
    "duration": _duration,
    "categorical": _categorical,
    "table": _table,
    "timetable": _timetable,
}
