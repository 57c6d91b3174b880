"""ESRI shapefiles: shaperead, shapeinfo, shapewrite.

After the ESRI Shapefile Technical Description (1998) and the format of dBASE III: NAME.shp holds
points, lines and polygons, NAME.dbf one row of attributes for each.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.vectors import flat_doubles, row
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.stoppable import heeding
from app.engine.values import (
    Array,
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    bool_of,
    canonical,
    is_cell,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "files"
_KINDS = {1: "Point", 3: "Line", 5: "Polygon", 8: "MultiPoint"}
_TYPES = {0: "Null", 1: "Point", 3: "PolyLine", 5: "Polygon", 8: "MultiPoint"}
_POINT, _LINE, _POLYGON, _MULTIPOINT = 1, 3, 5, 8


class _Shape(NamedTuple):
    """One record: its kind (0: null), corners and parts, NaN after each part of lines."""

    kind: int
    box: Array
    points: Array


class _Field(NamedTuple):
    """A column of attributes: its name, dBASE's letter of its type, its width and decimals."""

    name: str
    letter: str
    width: int
    decimals: int


def _place(name: str, file: Value, ending: str) -> Path:
    path = Path(text_of(file)).expanduser()
    base = path.with_suffix("") if path.suffix.lower() in (".shp", ".dbf", ".shx") else path
    for found in (Path(f"{base}{ending}"), Path(f"{base}{ending.upper()}")):
        if found.is_file():
            return found
    raise MatlabError(f"map:{name}:failedToOpen", f"There is no file '{base}{ending}'.")


def _shapes(name: str, path: Path) -> tuple[int, Array, list[_Shape]]:
    """The kind of a file, its box (a row of lowest, a row of highest) and its records."""
    with reading(name, path):
        return _records(name, paths.content(path))


def _records(name: str, data: bytes) -> tuple[int, Array, list[_Shape]]:
    if len(data) < 100 or struct.unpack(">i", data[:4])[0] != 9994:
        raise ValueError("it is no shapefile")
    kind = struct.unpack("<i", data[32:36])[0]
    box = np.frombuffer(data, "<f8", 4, 36).reshape(2, 2)
    made, at = [], 100
    while at + 12 <= len(data):
        size = 2 * struct.unpack(">i", data[at + 4 : at + 8])[0]
        content = data[at + 8 : at + 8 + size]
        if size < 4 or len(content) < size:
            raise ValueError("it is cut off")
        made.append(_shape(name, content))
        at += 8 + size
    return kind, box, made


def _shape(name: str, content: bytes) -> _Shape:
    kind = struct.unpack("<i", content[:4])[0]
    flat = kind % 10 if kind in (11, 13, 15, 18, 21, 23, 25, 28) else kind
    if flat == 0:
        return _Shape(0, np.zeros((2, 2)), np.zeros((0, 2)))
    if flat == _POINT:
        point = np.frombuffer(content, "<f8", 2, 4).reshape(1, 2)
        return _Shape(flat, np.repeat(point, 2, axis=0), point)
    box = np.frombuffer(content, "<f8", 4, 4).reshape(2, 2)
    if flat == _MULTIPOINT:
        count = struct.unpack("<i", content[36:40])[0]
        return _Shape(flat, box, np.frombuffer(content, "<f8", 2 * count, 40).reshape(-1, 2))
    if flat in (_LINE, _POLYGON):
        parts, count = struct.unpack("<ii", content[36:44])
        first = np.frombuffer(content, "<i4", parts, 44)
        points = np.frombuffer(content, "<f8", 2 * count, 44 + 4 * parts).reshape(-1, 2)
        gap = np.full((1, 2), np.nan)
        pieces = [p for part in np.split(points, first[1:]) for p in (part, gap)]
        return _Shape(flat, box, np.concatenate(pieces))
    text = f"Shapes of the type {kind} are not read; points, lines and polygons are."
    raise MatlabError(f"map:{name}:unsupportedShapeType", text)


def _fields(data: bytes) -> tuple[int, int, int, list[_Field]]:
    """How many rows a dBASE file has, where they begin, how long each is, and its columns."""
    count, begin, size = struct.unpack("<IHH", data[4:12])
    made, at = [], 32
    while at + 32 <= begin and data[at] != 0x0D:
        name = data[at : at + 11].split(b"\0")[0].decode("latin-1").strip()
        made.append(_Field(name, chr(data[at + 11]), data[at + 16], data[at + 17]))
        at += 32
    return count, begin, size, made


def _columns(data: bytes) -> tuple[list[_Field], list[list[Value]]]:
    """Columns of attributes and the rows that are not deleted."""
    count, begin, size, fields = _fields(data)
    if size < 1 or len(data) < begin + count * size:
        raise ValueError("it is cut off")
    rows = []
    for k in heeding(range(count)):
        line = data[begin + k * size : begin + (k + 1) * size]
        at, values = 1, []
        for field in fields:
            values.append(_attribute(field, line[at : at + field.width].decode("latin-1")))
            at += field.width
        rows.append(values)
    return fields, rows


def _attribute(field: _Field, text: str) -> Value:
    """Numbers as doubles, NaN where there is none; all else as text without blanks around."""
    bare = text.strip(" \0")
    if field.letter not in "NF":
        return bare
    try:
        return float(bare)
    except ValueError:
        return float("nan")


def _valid_names(fields: list[_Field], taken: list[str]) -> list[str]:
    made: list[str] = []
    for field in fields:
        name = "".join(c if c.isalnum() or c == "_" else "_" for c in field.name)
        name = name if name[:1].isalpha() else f"x{name}"
        base, k = name, 1
        while name in made or name in taken:
            name, k = f"{base}_{k}", k + 1
        made.append(name)
    return made


@builtin(
    "shaperead",
    category=_FAMILY,
    signatures=(
        "S = shaperead(file)",
        "[S, A] = shaperead(file)",
        "S = shaperead(..., 'UseGeoCoords', true, 'Attributes', names, 'RecordNumbers', k)",
        "S = shaperead(..., 'BoundingBox', [xmin ymin; xmax ymax], 'Selector', {f, name, ...})",
    ),
    cases=(
        "s = struct('Geometry', 'Line', 'X', {[0 1 NaN], [2 3 3]}, 'Y', {[0 1 NaN], [5 5 6]}, "
        "'name', {'a', 'bc'}, 'n', {1, 2.5}); shapewrite(s, 'a.shp'); r = shaperead('a'); "
        "isequaln(r(2).X, [2 3 3 NaN]) && strcmp(r(2).name, 'bc') && r(2).n == 2.5 && "
        "isequal(r(2).BoundingBox, [2 5; 3 6])",
        "shapewrite(struct('Geometry', 'Point', 'X', {1, 2}, 'Y', {3, 4}, 'v', {7, 8}), 'p'); "
        "r = shaperead('p', 'Selector', {@(v) v > 7, 'v'}, 'UseGeoCoords', true); "
        "r.Lon == 2 && r.Lat == 4",
    ),
    see=("shapewrite", "shapeinfo"),
)
def shaperead(ctx: CallContext, file: Value, *rest: Value, nargout: int = 1) -> Value:
    """Points, lines and polygons of a shapefile with their attributes: a column of structs.

    Fields are Geometry, BoundingBox (not of points), X and Y (Lon and Lat with UseGeoCoords), then
    the attributes: numbers as doubles, else texts. Coordinates are rows, with NaN after each part.
    A second output takes the attributes alone. Heights and measures are left out.
    """
    options = option_pairs(
        "shaperead", rest, "RecordNumbers BoundingBox Selector Attributes UseGeoCoords"
    )
    _, _, shapes = _shapes("shaperead", _place("shaperead", file, ".shp"))
    axes = ("Lon", "Lat") if flag(options, "usegeocoords") else ("X", "Y")
    table = _place("shaperead", file, ".dbf")
    with reading("shaperead", table):
        fields, rows = _columns(paths.content(table))
    taken = ["Geometry", "BoundingBox", *axes] if nargout < 2 else []
    names = _valid_names(fields, taken)
    if len(rows) != len(shapes):
        text = "The files .shp and .dbf have different numbers of records."
        raise MatlabError("map:shaperead:recordMismatch", text)
    wanted = _chosen_names(options, names)
    kept = _chosen_records(ctx, options, shapes, names, rows)
    bare = all(shapes[k].kind in (_POINT, 0) for k in kept)
    made, attributes = [], []
    for k in kept:
        facts: dict[str, Value] = dict(zip(names, rows[k], strict=True))
        extra = {name: facts[name] for name in wanted}
        made.append(
            Struct({**_coordinates(shapes[k], axes, bare), **(extra if nargout < 2 else {})})
        )
        attributes.append(Struct(extra))
    if not made:
        return np.zeros((0, 0)), np.zeros((0, 0))
    both = (StructArray.of(part, (len(part), 1)) for part in (made, attributes))
    return tuple(both)


def _coordinates(shape: _Shape, axes: tuple[str, str], bare: bool) -> dict[str, Value]:
    box: dict[str, Value] = {} if bare else {"BoundingBox": canonical(shape.box.copy())}
    x, y = (row(shape.points[:, k].copy()) for k in range(2))
    return {"Geometry": _KINDS.get(shape.kind, "Null"), **box, axes[0]: x, axes[1]: y}


def _chosen_names(options: dict[str, Value], names: list[str]) -> list[str]:
    if "attributes" not in options:
        return names
    given = options["attributes"]
    wanted = [text_of(v) for v in given.items()] if isinstance(given, Cell) else [text_of(given)]
    return [name for name in names if name in wanted]


def _chosen_records(
    ctx: CallContext,
    options: dict[str, Value],
    shapes: list[_Shape],
    names: list[str],
    rows: list[list[Value]],
) -> list[int]:
    """Places of the records that all options let through."""
    kept = list(range(len(shapes)))
    if "recordnumbers" in options:
        kept = [int(k) - 1 for k in flat_doubles(options["recordnumbers"])]
        if any(not 0 <= k < len(shapes) for k in kept):
            text = f"Record numbers lie between 1 and {len(shapes)}."
            raise MatlabError("map:shaperead:recordNumber", text)
    if "boundingbox" in options:
        box = np.asarray(as_array(options["boundingbox"]), dtype=float)
        if box.shape != (2, 2):
            raise MatlabError("map:shaperead:boundingBox", "A bounding box is [x y; x y].")
        kept = [k for k in kept if _meet(shapes[k].box, box)]
    if "selector" in options:
        test = options["selector"]
        parts = test.items() if isinstance(test, Cell) else []
        if len(parts) < 2 or any(text_of(n) not in names for n in parts[1:]):
            text = "A selector is a cell of a function and the names of attributes it takes."
            raise MatlabError("map:shaperead:selector", text)
        target = given_function(ctx, parts[0])
        columns = [names.index(text_of(n)) for n in parts[1:]]

        def passes(k: int) -> bool:
            inputs = tuple(rows[k][c] for c in columns)
            return bool(bool_of(ctx.call(target, inputs, 1)[0]))

        kept = [k for k in kept if passes(k)]
    return kept


def _meet(one: Array, other: Array) -> bool:
    return bool(np.all(one[0] <= other[1]) and np.all(other[0] <= one[1]))


@builtin(
    "shapeinfo",
    category=_FAMILY,
    signatures=("info = shapeinfo(file)",),
    cases=(
        "shapewrite(struct('Geometry', 'Point', 'X', {1, 2}, 'Y', {3, 4}, 'v', {7, 8}), 'p'); "
        "i = shapeinfo('p'); i.NumFeatures == 2 && strcmp(i.ShapeType, 'Point') && "
        "isequal(i.BoundingBox, [1 3; 2 4]) && strcmp(i.Attributes.Name, 'v')",
    ),
    see=("shaperead",),
)
def shapeinfo(file: Value) -> Value:
    """What a shapefile holds: its files, type, box, number of shapes, and attributes."""
    place = _place("shapeinfo", file, ".shp")
    kind, box, shapes = _shapes("shapeinfo", place)
    table = _place("shapeinfo", file, ".dbf")
    with reading("shapeinfo", table):
        fields = _fields(paths.content(table))[3]
    attributes = [
        Struct({"Name": f.name, "Type": "double" if f.letter in "NF" else "char"}) for f in fields
    ]
    files: list[Value] = [str(place), str(place.with_suffix(".shx")), str(table)]
    return Struct(
        {
            "Filename": Cell(object_array(files, (3, 1))),
            "ShapeType": _TYPES.get(
                kind, _TYPES.get(kind % 10, "Null") + ("M" if kind > 20 else "Z")
            ),
            "BoundingBox": canonical(box.copy()),
            "NumFeatures": float(len(shapes)),
            "Attributes": StructArray.of(attributes, (len(attributes), 1), ("Name", "Type")),
        }
    )


@builtin(
    "shapewrite",
    category=_FAMILY,
    signatures=("shapewrite(S, file)",),
    cases=(
        "s = struct('Geometry', 'Polygon', 'Lon', [0 0 1 0 NaN 5 5 6 5], 'Lat', "
        "[0 1 1 0 NaN 0 1 1 0], 'k', 3); shapewrite(s, 'q'); r = shaperead('q'); "
        "isequaln(r.X, [0 0 1 0 NaN 5 5 6 5 NaN]) && r.k == 3",
    ),
    see=("shaperead",),
)
def shapewrite(shapes: Value, file: Value) -> Value:
    """Write structs with Geometry, X and Y (or Lon and Lat) and attributes as NAME.shp, .shx, .dbf.

    Parts of lines and polygons are divided by NaN. Attributes are numbers or texts; all shapes
    have the same geometry.
    """
    items = shapes.elements() if isinstance(shapes, StructArray) else [shapes]
    if not items or not all(isinstance(s, Struct) for s in items):
        raise MatlabError("map:shapewrite:invalidInput", "S must be structs with X and Y.")
    facts = [s.fields for s in items if isinstance(s, Struct)]
    axes = ("Lon", "Lat") if "Lon" in facts[0] else ("X", "Y")
    kinds = {name: number for number, name in _KINDS.items()}
    words = {text_of(f.get("Geometry", "")) for f in facts}
    if len(words) != 1 or not words <= set(kinds) or not set(axes) <= set(facts[0]):
        text = "Each shape needs Geometry (the same Point, Line, Polygon or MultiPoint), X and Y."
        raise MatlabError("map:shapewrite:invalidGeometry", text)
    kind = kinds[words.pop()]
    contents = [_content(kind, np.column_stack([flat_doubles(f[a]) for a in axes])) for f in facts]
    base = Path(text_of(file)).expanduser()
    base = base.with_suffix("") if base.suffix.lower() == ".shp" else base
    corners = np.concatenate([c.box for c in contents])
    box = struct.pack("<8d", *corners.min(axis=0), *corners.max(axis=0), 0, 0, 0, 0)
    at, index, records = 50, b"", b""
    for k, (_, data) in enumerate(contents, 1):
        records += struct.pack(">ii", k, len(data) // 2) + data
        index += struct.pack(">ii", at, len(data) // 2)
        at += 4 + len(data) // 2
    for ending, body in ((".shp", records), (".shx", index)):
        head = struct.pack(">7i", 9994, 0, 0, 0, 0, 0, 50 + len(body) // 2)
        whole = head + struct.pack("<ii", 1000, kind) + box + body
        paths.put_whole(Path(f"{base}{ending}"), whole)
    skipped = ("Geometry", "BoundingBox", *axes)
    table = {n: [f[n] for f in facts] for n in facts[0] if n not in skipped}
    paths.put_whole(Path(f"{base}.dbf"), _dbase(table, len(facts)))
    return ()


class _Content(NamedTuple):
    """The box and the bytes of one record."""

    box: Array
    data: bytes


def _content(kind: int, points: Array) -> _Content:
    known = points[~np.isnan(points).any(axis=1)]
    if not len(known):
        raise MatlabError("map:shapewrite:emptyShape", "A shape has no points.")
    box = np.array([known.min(axis=0), known.max(axis=0)])
    head, body = struct.pack("<i", kind), known.astype("<f8").tobytes()
    if kind == _POINT:
        return _Content(box, head + body[:16])
    head += struct.pack("<4d", *box.ravel())
    if kind == _MULTIPOINT:
        return _Content(box, head + struct.pack("<i", len(known)) + body)
    gaps = np.atleast_1d(np.isnan(points).any(axis=1))
    starts = [
        k - int(gaps[:k].sum())
        for k in range(len(points))
        if not gaps[k] and (k == 0 or gaps[k - 1])
    ]
    counts = struct.pack("<ii", len(starts), len(known))
    return _Content(box, head + counts + struct.pack(f"<{len(starts)}i", *starts) + body)


def _dbase(table: dict[str, list[Value]], count: int) -> bytes:
    """Columns as the bytes of a dBASE III file; without columns the numbers of the records."""
    columns = table or {"ID": [float(k) for k in range(1, count + 1)]}
    head, texts = b"", []
    for name, values in columns.items():
        letter, write = _written(name, values)
        made = [write(v) for v in values]
        width = min(max(len(t) for t in [*made, " "]), 254)
        digits = [len(t.partition(".")[2].partition("e")[0]) for t in made]
        decimals = max(digits) if letter == "N" else 0
        head += struct.pack("<11sc4xBB14x", name[:10].encode(), letter.encode(), width, decimals)
        texts.append(
            [t[:width].rjust(width) if letter == "N" else t[:width].ljust(width) for t in made]
        )
    size = 1 + sum(len(column[0]) for column in texts)
    top = struct.pack("<4BIHH20x", 3, 95, 7, 26, count, 33 + len(head), size)
    rows = "".join(" " + "".join(parts) for parts in zip(*texts, strict=True))
    return top + head + b"\r" + rows.encode("latin-1", "replace") + b"\x1a"


def _written(name: str, values: list[Value]) -> tuple[str, Callable[[Value], str]]:
    if all(is_text_scalar(v) for v in values):
        return "C", text_of
    if any(is_cell(v) or is_text_scalar(v) or as_array(v).size != 1 for v in values):
        text = f"The attribute {name} must be a text or a number of every shape."
        raise MatlabError("map:shapewrite:invalidAttribute", text)
    return "N", lambda v: f"{float(as_array(v).flat[0]):.15g}"
