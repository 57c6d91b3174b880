"""The functions of netCDF's own library, ``netcdf.open(…)``, over files that are read and written
as by ncread, nccreate and ncwrite.

Identifiers are numbers, as in the library: of a file or a group, and of the dimensions and
variables in it, from 0. Nothing stays open between two calls, and what is defined is in the file at
once; places begin at 0, dimensions are in MATLAB's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.files import netcdf_hdf, netcdf_writing
from app.engine.builtins.files.hdf_interfaces import Interface, functions, library_function
from app.engine.builtins.files.netcdf import Classic, Modern, Variable, attribute_value, group_at
from app.engine.builtins.files.netcdf import opened as opened_file
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import cast
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    char_value,
    class_of,
    is_text_scalar,
    size_of,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_KEY = "netcdf.open"
_GLOBAL = -1
_CLASSES = {
    "int8": 1,
    "char": 2,
    "int16": 3,
    "int32": 4,
    "single": 5,
    "double": 6,
    "uint8": 7,
    "uint16": 8,
    "uint32": 9,
    "int64": 10,
    "uint64": 11,
    "string": 12,
}
"""The library's numbers of the classes of MATLAB."""
_TYPES = "BYTE CHAR SHORT INT FLOAT DOUBLE UBYTE USHORT UINT INT64 UINT64 STRING"
CONSTANTS: dict[str, float] = {
    **{f"NC_{name}": float(k) for k, name in enumerate(_TYPES.split(), 1)},
    "NC_GLOBAL": float(_GLOBAL),
    "NC_UNLIMITED": 0.0,
    "NC_NOWRITE": 0.0,
    "NC_CLOBBER": 0.0,
    "NC_WRITE": 1.0,
    "NC_NOCLOBBER": 4.0,
    "NC_CLASSIC_MODEL": 256.0,
    "NC_64BIT_OFFSET": 512.0,
    "NC_SHARE": 2048.0,
    "NC_NETCDF4": 4096.0,
    "NC_FILL_BYTE": -127.0,
    "NC_FILL_CHAR": 0.0,
    "NC_FILL_SHORT": -32767.0,
    "NC_FILL_INT": -2147483647.0,
    "NC_FILL_FLOAT": 9.969209968386869e36,
    "NC_FILL_DOUBLE": 9.969209968386869e36,
    "NC_MAX_NAME": 256.0,
    "NC_MAX_VAR_DIMS": 1024.0,
}
_FORMATS = {
    "classic": "FORMAT_CLASSIC",
    "64bit": "FORMAT_64BIT",
    "netcdf4": "FORMAT_NETCDF4",
    "netcdf4_classic": "FORMAT_NETCDF4_CLASSIC",
}


@dataclass
class _Place:
    """What an identifier of a file or of a group stands for.

    Attributes:
        path: the file.
        writable: whether it was opened to be changed.
        group: the full name of the group.
        dimensions: the names by their numbers; those of groups above come first.
        variables: the names by their numbers.
    """

    path: Path
    writable: bool
    group: str = "/"
    dimensions: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)

    def full(self, name: str) -> str:
        """The name of a variable, or of the group itself, as nccreate takes it."""
        return f"{self.group.rstrip('/')}/{name}" if name else self.group


def _refusal(function: str, text: str, code: str) -> MatlabError:
    message = "The NetCDF library encountered an error during execution of "
    message += f"'{function}' function - '{text} ({code})'."
    return MatlabError("MATLAB:imagesci:netcdf:libraryFailure", message)


def _places(ctx: CallContext) -> dict[int, _Place]:
    found: dict[int, _Place] = ctx.state.setdefault(_KEY, {})
    return found


def _place(ctx: CallContext, function: str, number: Value, *, writing: bool = False) -> _Place:
    found = _places(ctx).get(int(real_number(number)))
    if found is None:
        raise _refusal(function, "NetCDF: Not a valid ID", "NC_EBADID")
    if writing and not found.writable:
        raise _refusal(function, "NetCDF: Write to read only", "NC_EPERM")
    return found


def _number_of(ctx: CallContext, place: _Place) -> float:
    """The identifier of a file or a group, which may have one already."""
    known = _places(ctx)
    for number, held in known.items():
        if (held.path, held.group, held.writable) == (place.path, place.group, place.writable):
            return float(number)
    number = max(known, default=65535) + 1
    known[number] = place
    return float(number)


@contextmanager
def _contents(place: _Place) -> Iterator[Classic | Modern]:
    """The group of the file as it is now; its names have their numbers from here on."""
    with opened_file("netcdf", str(place.path)) as data:
        above = list[str]()
        found: Classic | Modern | None = data
        for part in filter(None, place.group.split("/")):
            if found is not None:
                above += found.sizes
                found = found.groups.get(part)
        if found is None:
            raise _refusal("inqNcid", "NetCDF: No group found", "NC_ENOGRP")
        for known, names in (
            (place.dimensions, (*above, *found.sizes)),
            (place.variables, found.variables),
        ):
            known += [name for name in names if name not in known]
        yield found


def _named(function: str, names: list[str], number: Value, code: str) -> str:
    at = int(real_number(number))
    if not 0 <= at < len(names):
        text = "Invalid dimension ID or name" if code == "NC_EBADDIM" else "Variable not found"
        raise _refusal(function, f"NetCDF: {text}", code)
    return names[at]


def _variable(function: str, place: _Place, data: Classic | Modern, number: Value) -> Variable:
    return data.variables[_named(function, place.variables, number, "NC_ENOTVAR")]


def _facts(function: str, place: _Place, data: Classic | Modern, number: Value) -> dict[str, Any]:
    if int(real_number(number)) == _GLOBAL:
        return data.facts
    return _variable(function, place, data, number).facts


def _size(place: _Place, data: Classic | Modern, name: str) -> tuple[float, bool]:
    """The length of a dimension and whether it has no limit."""
    if name in data.sizes:
        return float(data.sizes[name]), name in data.unlimited
    with opened_file("netcdf", str(place.path)) as whole:
        found = group_at(whole, place.group.rpartition("/")[0])
        while found is not None and name not in found.sizes:
            found = group_at(whole, found.name.rpartition("/")[0])
        if found is None:
            raise _refusal("inqDim", "NetCDF: Invalid dimension ID or name", "NC_EBADDIM")
        return float(found.sizes[name]), name in found.unlimited


def _type_number(values: Array) -> float:
    kind = {"S": "char", "U": "char", "O": "string"}.get(values.dtype.kind)
    return float(_CLASSES[kind or class_of(unwrap(values.reshape(-1, 1)))])


def _row(numbers: list[int] | list[float]) -> Value:
    return unwrap(np.array([numbers], float)) if numbers else np.zeros((1, 0))


def _raw(values: Array) -> Value:
    """Values as they are in the file: neither scaled nor missing."""
    made = values.reshape(-1, 1) if values.ndim < 2 else values
    if made.dtype.kind == "O":
        return StringArray(made)
    if made.dtype.kind in "SU":
        codes = [ord(v.decode("latin-1") if isinstance(v, bytes) else v or "\0") for v in made.flat]
        return char_value(np.array(codes, np.uint32).reshape(made.shape))
    return canonical(made)


def _function(name: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    return library_function(f"netcdf.{name}", calls=True)


# --- constants ----------------------------------------------------------------------------------


def _constant(value: Value) -> int:
    """A number, or several joined, given as such or by the names of constants."""
    if not is_text_scalar(value):
        return int(real_number(value))
    name = text_of(value).upper()
    found = CONSTANTS.get(name, CONSTANTS.get(f"NC_{name}"))
    if found is None:
        text = f"'{text_of(value)}' is no constant of the netCDF library."
        raise MatlabError("MATLAB:imagesci:netcdf:unrecognizedConstant", text)
    return int(found) if found == int(found) else 0


@_function("getConstant")
def get_constant(ctx: CallContext, name: Value) -> Value:
    """``netcdf.getConstant(name)``."""
    _constant(name)
    word = text_of(name).upper()
    return CONSTANTS.get(word, CONSTANTS.get(f"NC_{word}", 0.0))


@_function("getConstantNames")
def get_constant_names(ctx: CallContext) -> Value:
    """``netcdf.getConstantNames()``."""
    return Cell.of(sorted(CONSTANTS))


# --- files and groups ---------------------------------------------------------------------------


@_function("open")
def open_(ctx: CallContext, file: Value, mode: Value = "NC_NOWRITE") -> Value:
    """``ncid = netcdf.open(file, mode)``."""
    place = _Place(Path(text_of(file)).expanduser().absolute(), bool(_constant(mode) & 1))
    with _contents(place):
        return _number_of(ctx, place)


@_function("create")
def create(ctx: CallContext, file: Value, mode: Value) -> Value:
    """``ncid = netcdf.create(file, mode)``."""
    bits, path = _constant(mode), Path(text_of(file)).expanduser().absolute()
    if bits & 4 and path.exists():
        raise _refusal("create", "NetCDF: File exists && NC_NOCLOBBER", "NC_EEXIST")
    form = "64bit" if bits & 512 else "classic"
    if bits & 4096:
        form = "netcdf4_classic" if bits & 256 else "netcdf4"
    netcdf_writing.make_empty(path, form)
    return _number_of(ctx, _Place(path, writable=True))


@_function("close")
def close(ctx: CallContext, ncid: Value) -> Value:
    """``netcdf.close(ncid)``: its groups are closed, too."""
    path = _place(ctx, "close", ncid).path
    known = _places(ctx)
    for number in [n for n, held in known.items() if held.path == path]:
        del known[number]
    return ()


def _stay(name: str) -> None:
    @_function(name)
    def call(ctx: CallContext, ncid: Value, *sizes: Value) -> Value:
        _place(ctx, name, ncid)
        return ()


for _name in ("endDef", "reDef", "sync"):  # what is defined is in the file at once
    _stay(_name)


@_function("inq")
def inq(ctx: CallContext, ncid: Value) -> Value:
    """``[ndims, nvars, natts, unlimdimid] = netcdf.inq(ncid)``."""
    place = _place(ctx, "inq", ncid)
    with _contents(place) as data:
        endless = [place.dimensions.index(n) for n in data.sizes if n in data.unlimited]
        counts = map(len, (data.sizes, data.variables, data.facts))
        return (*map(float, counts), float(endless[0]) if endless else -1.0)


@_function("inqFormat")
def inq_format(ctx: CallContext, ncid: Value) -> Value:
    """``format = netcdf.inqFormat(ncid)``."""
    with opened_file("netcdf", str(_place(ctx, "inqFormat", ncid).path)) as data:
        return _FORMATS[data.format]


@_function("inqGrps")
def inq_grps(ctx: CallContext, ncid: Value) -> Value:
    """``ids = netcdf.inqGrps(ncid)``."""
    place = _place(ctx, "inqGrps", ncid)
    with _contents(place) as data:
        inside = [_Place(place.path, place.writable, place.full(name)) for name in data.groups]
    return _row([_number_of(ctx, held) for held in inside])


@_function("inqNcid")
def inq_ncid(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``id = netcdf.inqNcid(ncid, name)``."""
    place = _place(ctx, "inqNcid", ncid)
    inside = _Place(place.path, place.writable, place.full(text_of(name)))
    with _contents(inside):
        return _number_of(ctx, inside)


@_function("inqGrpName")
def inq_grp_name(ctx: CallContext, ncid: Value) -> Value:
    """``name = netcdf.inqGrpName(ncid)``."""
    return _place(ctx, "inqGrpName", ncid).group.rpartition("/")[2] or "/"


@_function("inqGrpNameFull")
def inq_grp_name_full(ctx: CallContext, ncid: Value) -> Value:
    """``name = netcdf.inqGrpNameFull(ncid)``."""
    return _place(ctx, "inqGrpNameFull", ncid).group


@_function("defGrp")
def def_grp(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``id = netcdf.defGrp(ncid, name)``."""
    place = _place(ctx, "defGrp", ncid, writing=True)
    with opened_file("netcdf", str(place.path)) as data:
        if data.format != "netcdf4":
            text = "NetCDF: Attempting netcdf-4 operation on netcdf-3 file"
            raise _refusal("defGrp", text, "NC_ENOTNC4")
    made = _Place(place.path, place.writable, place.full(text_of(name)))
    with netcdf_hdf.opened_to_write("netcdf", place.path) as file:
        netcdf_hdf.group_of(file, f"{made.group}/any")
    return _number_of(ctx, made)


# --- dimensions ---------------------------------------------------------------------------------


@_function("defDim")
def def_dim(ctx: CallContext, ncid: Value, name: Value, length: Value) -> Value:
    """``dimid = netcdf.defDim(ncid, name, length)``; a length of NC_UNLIMITED grows."""
    place = _place(ctx, "defDim", ncid, writing=True)
    with _contents(place) as data:
        if text_of(name) in data.sizes:
            text = "NetCDF: String match to name in use"
            raise _refusal("defDim", text, "NC_ENAMEINUSE")
    netcdf_writing.make_dimension(
        place.path, place.full(text_of(name)), float(_constant(length)) or np.inf
    )
    with _contents(place):
        return float(place.dimensions.index(text_of(name)))


@_function("inqDim")
def inq_dim(ctx: CallContext, ncid: Value, dimid: Value) -> Value:
    """``[name, length] = netcdf.inqDim(ncid, dimid)``."""
    place = _place(ctx, "inqDim", ncid)
    with _contents(place) as data:
        name = _named("inqDim", place.dimensions, dimid, "NC_EBADDIM")
        return name, _size(place, data, name)[0]


@_function("inqDimID")
def inq_dim_id(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``dimid = netcdf.inqDimID(ncid, name)``."""
    place = _place(ctx, "inqDimID", ncid)
    with _contents(place):
        if text_of(name) not in place.dimensions:
            raise _refusal("inqDimID", "NetCDF: Invalid dimension ID or name", "NC_EBADDIM")
        return float(place.dimensions.index(text_of(name)))


@_function("inqDimIDs")
def inq_dim_ids(ctx: CallContext, ncid: Value) -> Value:
    """``dimids = netcdf.inqDimIDs(ncid)``."""
    place = _place(ctx, "inqDimIDs", ncid)
    with _contents(place) as data:
        return _row([place.dimensions.index(n) for n in data.sizes])


@_function("inqUnlimDims")
def inq_unlim_dims(ctx: CallContext, ncid: Value) -> Value:
    """``dimids = netcdf.inqUnlimDims(ncid)``."""
    place = _place(ctx, "inqUnlimDims", ncid)
    with _contents(place) as data:
        return _row([place.dimensions.index(n) for n in data.sizes if n in data.unlimited])


# --- variables ----------------------------------------------------------------------------------


@_function("defVar")
def def_var(ctx: CallContext, ncid: Value, name: Value, kind: Value, dimids: Value) -> Value:
    """``varid = netcdf.defVar(ncid, name, xtype, dimids)``."""
    place = _place(ctx, "defVar", ncid, writing=True)
    word = text_of(kind).lower() if is_text_scalar(kind) else ""
    number = _CLASSES[word] if word in _CLASSES else _constant(kind)
    found = [c for c, n in _CLASSES.items() if n == number]
    if not found:
        raise _refusal("defVar", "NetCDF: Not a valid data type or _FillValue type", "NC_EBADTYPE")
    with _contents(place) as data:
        if text_of(name) in data.variables:
            text = "NetCDF: String match to name in use"
            raise _refusal("defVar", text, "NC_ENAMEINUSE")
        lengths = list[Value]()
        for dimid in as_array(dimids).ravel():
            dimension = _named("defVar", place.dimensions, float(dimid), "NC_EBADDIM")
            length, endless = _size(place, data, dimension)
            lengths += [dimension, np.inf if endless else length]
    given = Cell.of(lengths) if lengths else Cell.empty()
    options = ("Dimensions", given, "Datatype", found[0])
    netcdf_writing.nccreate(str(place.path), place.full(text_of(name)), *options)
    with _contents(place):
        return float(place.variables.index(text_of(name)))


@_function("inqVar")
def inq_var(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``[name, xtype, dimids, natts] = netcdf.inqVar(ncid, varid)``."""
    place = _place(ctx, "inqVar", ncid)
    with _contents(place) as data:
        found = _variable("inqVar", place, data, varid)
        dimids = [place.dimensions.index(n) for n in found.dimensions[::-1]]
        kind = _type_number(found.values())
        return found.name, kind, _row(dimids), float(len(found.facts))


@_function("inqVarID")
def inq_var_id(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``varid = netcdf.inqVarID(ncid, name)``."""
    place = _place(ctx, "inqVarID", ncid)
    with _contents(place):
        if text_of(name) not in place.variables:
            raise _refusal("inqVarID", "NetCDF: Variable not found", "NC_ENOTVAR")
        return float(place.variables.index(text_of(name)))


@_function("inqVarIDs")
def inq_var_ids(ctx: CallContext, ncid: Value) -> Value:
    """``varids = netcdf.inqVarIDs(ncid)``."""
    place = _place(ctx, "inqVarIDs", ncid)
    with _contents(place) as data:
        return _row([place.variables.index(n) for n in data.variables])


def _lengths(value: Value) -> list[int]:
    return [int(n) for n in as_array(value).ravel()]


def _as_class(value: Value, word: str) -> Value:
    if word not in DTYPE_OF_CLASS:
        text = f"'{word}' is no class of numbers."
        raise MatlabError("MATLAB:imagesci:netcdf:unrecognizedType", text)
    return unwrap(cast(as_array(value), DTYPE_OF_CLASS[word]))


@_function("getVar")
def get_var(ctx: CallContext, ncid: Value, varid: Value, *more: Value) -> Value:
    """``data = netcdf.getVar(ncid, varid, start, count, stride, class)``, neither scaled nor with
    NaN for what is missing."""
    place, rest = _place(ctx, "getVar", ncid), list(more)
    word = text_of(rest.pop()) if rest and is_text_scalar(rest[-1]) else ""
    with _contents(place) as data:
        values = _variable("getVar", place, data, varid).values()
    if rest:
        start = _lengths(rest[0])
        count = _lengths(rest[1]) if len(rest) > 1 else [1] * len(start)
        stride = _lengths(rest[2]) if len(rest) > 2 else [1] * len(start)
        if not len(start) == len(count) == len(stride) == values.ndim:
            text = "NetCDF: A start, a count and a stride are needed for each dimension"
            raise _refusal("getVar", text, "NC_EINVALCOORDS")
        parts = tuple(
            slice(s, s + (n - 1) * k + 1, k) for s, n, k in zip(start, count, stride, strict=True)
        )
        if any(p.start < 0 or p.stop > n for p, n in zip(parts, values.shape, strict=True)):
            text = "NetCDF: Start+count exceeds dimension bound"
            raise _refusal("getVar", text, "NC_EEDGE")
        values = values[parts]
    made = _raw(values)
    return _as_class(made, word) if word else made


@_function("putVar")
def put_var(ctx: CallContext, ncid: Value, varid: Value, *more: Value) -> Value:
    """``netcdf.putVar(ncid, varid, start, count, stride, data)``; counts are those of the data."""
    place, (*where, values) = _place(ctx, "putVar", ncid, writing=True), more
    with _contents(place):
        name = _named("putVar", place.variables, varid, "NC_ENOTVAR")
    start = np.array([_lengths(where[0])], float) + 1 if where else None
    if len(where) > 1 and np.prod(_lengths(where[1])) != np.prod(size_of(values)):
        text = "The number of values is not that of the counts."
        raise MatlabError("MATLAB:imagesci:netcdf:numelMismatch", text)
    if len(where) > 1 and not is_text_scalar(values):
        shape = _lengths(where[1])
        values = as_array(values).reshape(shape if len(shape) > 1 else (-1, 1), order="F")
    stride = where[2] if len(where) > 2 else None
    netcdf_writing.write(place.path, place.full(name), values, start, stride, scaled=False)
    return ()


# --- attributes ---------------------------------------------------------------------------------


def _attribute(function: str, facts: dict[str, Any], name: str) -> Value:
    if name not in facts:
        raise _refusal(function, "NetCDF: Attribute not found", "NC_ENOTATT")
    return attribute_value(facts[name])


@_function("getAtt")
def get_att(ctx: CallContext, ncid: Value, varid: Value, name: Value, kind: Value = "") -> Value:
    """``value = netcdf.getAtt(ncid, varid, name, class)``."""
    place = _place(ctx, "getAtt", ncid)
    with _contents(place) as data:
        found = _attribute("getAtt", _facts("getAtt", place, data, varid), text_of(name))
    return _as_class(found, text_of(kind)) if text_of(kind) else found


@_function("putAtt")
def put_att(ctx: CallContext, ncid: Value, varid: Value, name: Value, value: Value) -> Value:
    """``netcdf.putAtt(ncid, varid, name, value)``."""
    place = _place(ctx, "putAtt", ncid, writing=True)
    with _contents(place):
        held = ""
        if int(real_number(varid)) != _GLOBAL:
            held = _named("putAtt", place.variables, varid, "NC_ENOTVAR")
    return netcdf_writing.ncwriteatt(str(place.path), place.full(held), name, value)


@_function("inqAtt")
def inq_att(ctx: CallContext, ncid: Value, varid: Value, name: Value) -> Value:
    """``[xtype, length] = netcdf.inqAtt(ncid, varid, name)``."""
    place = _place(ctx, "inqAtt", ncid)
    with _contents(place) as data:
        found = _attribute("inqAtt", _facts("inqAtt", place, data, varid), text_of(name))
    return float(_CLASSES[class_of(found)]), float(np.prod(size_of(found)))


@_function("inqAttName")
def inq_att_name(ctx: CallContext, ncid: Value, varid: Value, number: Value) -> Value:
    """``name = netcdf.inqAttName(ncid, varid, attnum)``."""
    place, at = _place(ctx, "inqAttName", ncid), int(real_number(number))
    with _contents(place) as data:
        names = list(_facts("inqAttName", place, data, varid))
    if not 0 <= at < len(names):
        raise _refusal("inqAttName", "NetCDF: Attribute not found", "NC_ENOTATT")
    return names[at]


@_function("inqAttID")
def inq_att_id(ctx: CallContext, ncid: Value, varid: Value, name: Value) -> Value:
    """``attnum = netcdf.inqAttID(ncid, varid, name)``."""
    place = _place(ctx, "inqAttID", ncid)
    with _contents(place) as data:
        facts = _facts("inqAttID", place, data, varid)
    _attribute("inqAttID", facts, text_of(name))
    return float(list(facts).index(text_of(name)))


builtin(
    "netcdf",
    category="files",
    signatures=("R = netcdf.open(file, mode)",),
    cases=(
        "n = netcdf.create('t.nc', 'NETCDF4'); d = netcdf.defDim(n, 'x', 3); "
        "v = netcdf.defVar(n, 'v', 'NC_INT', d); netcdf.putVar(n, v, int32([4 5 6])); "
        "netcdf.close(n); isequal(ncread('t.nc', 'v'), int32([4; 5; 6]))",
    ),
    see=("ncread", "ncwrite", "nccreate", "ncinfo"),
    text="netCDF's own functions, over identifiers that are numbers from 0: "
    + ", ".join(sorted(functions["netcdf"]))
    + ".",
    most=0,
)(lambda: Interface("netcdf"))
