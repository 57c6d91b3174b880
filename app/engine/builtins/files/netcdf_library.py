"""The functions of netCDF's own library, ``netcdf.open(…)``, over files that are read and written
as by ncread, nccreate and ncwrite.

Identifiers are numbers, as in the library: of a file or a group, and of the dimensions and
variables in it, from 0. Nothing stays open between two calls, and what is defined is in the file at
once; places begin at 0, dimensions are in MATLAB's order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.files import netcdf_hdf, netcdf_writing
from app.engine.builtins.files.netcdf import Classic, Modern, attribute_value, group_at
from app.engine.builtins.files.netcdf import opened as opened_file
from app.engine.builtins.files.netcdf_places import (
    CLASSES,
    CONSTANTS,
    GLOBAL,
    Place,
    constant,
    contents,
    named,
    netcdf_function,
    number_of,
    open_places,
    place_of,
    refusal,
    variable_of,
)
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

_FORMATS = {
    "classic": "FORMAT_CLASSIC",
    "64bit": "FORMAT_64BIT",
    "netcdf4": "FORMAT_NETCDF4",
    "netcdf4_classic": "FORMAT_NETCDF4_CLASSIC",
}


def _facts(function: str, place: Place, data: Classic | Modern, number: Value) -> dict[str, Any]:
    if int(real_number(number)) == GLOBAL:
        return data.facts
    return variable_of(function, place, data, number).facts


def _size(place: Place, data: Classic | Modern, name: str) -> tuple[float, bool]:
    """The length of a dimension and whether it has no limit."""
    if name in data.sizes:
        return float(data.sizes[name]), name in data.unlimited
    with opened_file("netcdf", str(place.path)) as whole:
        found = group_at(whole, place.group.rpartition("/")[0])
        while found is not None and name not in found.sizes:
            found = group_at(whole, found.name.rpartition("/")[0])
        if found is None:
            raise refusal("inqDim", "NetCDF: Invalid dimension ID or name", "NC_EBADDIM")
        return float(found.sizes[name]), name in found.unlimited


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


# --- constants ----------------------------------------------------------------------------------


@netcdf_function("getConstant")
def get_constant(ctx: CallContext, name: Value) -> Value:
    """``netcdf.getConstant(name)``."""
    constant(name)
    word = text_of(name).upper()
    return CONSTANTS.get(word, CONSTANTS.get(f"NC_{word}", 0.0))


@netcdf_function("getConstantNames")
def get_constant_names(ctx: CallContext) -> Value:
    """``netcdf.getConstantNames()``."""
    return Cell.of(sorted(CONSTANTS))


# --- files and groups ---------------------------------------------------------------------------


@netcdf_function("open")
def open_(ctx: CallContext, file: Value, mode: Value = "NC_NOWRITE") -> Value:
    """``ncid = netcdf.open(file, mode)``."""
    place = Place(Path(text_of(file)).expanduser().absolute(), bool(constant(mode) & 1))
    with contents(place):
        return number_of(ctx, place)


@netcdf_function("create")
def create(ctx: CallContext, file: Value, mode: Value) -> Value:
    """``ncid = netcdf.create(file, mode)``."""
    bits, path = constant(mode), Path(text_of(file)).expanduser().absolute()
    if bits & 4 and path.exists():
        raise refusal("create", "NetCDF: File exists && NC_NOCLOBBER", "NC_EEXIST")
    form = "64bit" if bits & 512 else "classic"
    if bits & 4096:
        form = "netcdf4_classic" if bits & 256 else "netcdf4"
    netcdf_writing.make_empty(path, form)
    return number_of(ctx, Place(path, writable=True))


@netcdf_function("close")
def close(ctx: CallContext, ncid: Value) -> Value:
    """``netcdf.close(ncid)``: its groups are closed, too."""
    path = place_of(ctx, "close", ncid).path
    known = open_places(ctx)
    for number in [n for n, held in known.items() if held.path == path]:
        del known[number]
    return ()


def _stay(name: str) -> None:
    @netcdf_function(name)
    def call(ctx: CallContext, ncid: Value, *sizes: Value) -> Value:
        place_of(ctx, name, ncid)
        return ()


for _name in ("endDef", "reDef", "sync"):  # what is defined is in the file at once
    _stay(_name)


@netcdf_function("inq")
def inq(ctx: CallContext, ncid: Value) -> Value:
    """``[ndims, nvars, natts, unlimdimid] = netcdf.inq(ncid)``."""
    place = place_of(ctx, "inq", ncid)
    with contents(place) as data:
        endless = [place.dimensions.index(n) for n in data.sizes if n in data.unlimited]
        counts = map(len, (data.sizes, data.variables, data.facts))
        return (*map(float, counts), float(endless[0]) if endless else -1.0)


@netcdf_function("inqFormat")
def inq_format(ctx: CallContext, ncid: Value) -> Value:
    """``format = netcdf.inqFormat(ncid)``."""
    with opened_file("netcdf", str(place_of(ctx, "inqFormat", ncid).path)) as data:
        return _FORMATS[data.format]


@netcdf_function("inqGrps")
def inq_grps(ctx: CallContext, ncid: Value) -> Value:
    """``ids = netcdf.inqGrps(ncid)``."""
    place = place_of(ctx, "inqGrps", ncid)
    with contents(place) as data:
        inside = [Place(place.path, place.writable, place.full(name)) for name in data.groups]
    return _row([number_of(ctx, held) for held in inside])


@netcdf_function("inqNcid")
def inq_ncid(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``id = netcdf.inqNcid(ncid, name)``."""
    place = place_of(ctx, "inqNcid", ncid)
    inside = Place(place.path, place.writable, place.full(text_of(name)))
    with contents(inside):
        return number_of(ctx, inside)


@netcdf_function("inqGrpName")
def inq_grp_name(ctx: CallContext, ncid: Value) -> Value:
    """``name = netcdf.inqGrpName(ncid)``."""
    return place_of(ctx, "inqGrpName", ncid).group.rpartition("/")[2] or "/"


@netcdf_function("inqGrpNameFull")
def inq_grp_name_full(ctx: CallContext, ncid: Value) -> Value:
    """``name = netcdf.inqGrpNameFull(ncid)``."""
    return place_of(ctx, "inqGrpNameFull", ncid).group


@netcdf_function("defGrp")
def def_grp(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``id = netcdf.defGrp(ncid, name)``."""
    place = place_of(ctx, "defGrp", ncid, writing=True)
    with opened_file("netcdf", str(place.path)) as data:
        if data.format != "netcdf4":
            text = "NetCDF: Attempting netcdf-4 operation on netcdf-3 file"
            raise refusal("defGrp", text, "NC_ENOTNC4")
    made = Place(place.path, place.writable, place.full(text_of(name)))
    with netcdf_hdf.opened_to_write("netcdf", place.path) as file:
        netcdf_hdf.group_of(file, f"{made.group}/any")
    return number_of(ctx, made)


# --- dimensions ---------------------------------------------------------------------------------


@netcdf_function("defDim")
def def_dim(ctx: CallContext, ncid: Value, name: Value, length: Value) -> Value:
    """``dimid = netcdf.defDim(ncid, name, length)``; a length of NC_UNLIMITED grows."""
    place = place_of(ctx, "defDim", ncid, writing=True)
    with contents(place) as data:
        if text_of(name) in data.sizes:
            text = "NetCDF: String match to name in use"
            raise refusal("defDim", text, "NC_ENAMEINUSE")
    netcdf_writing.make_dimension(
        place.path, place.full(text_of(name)), float(constant(length)) or np.inf
    )
    with contents(place):
        return float(place.dimensions.index(text_of(name)))


@netcdf_function("inqDim")
def inq_dim(ctx: CallContext, ncid: Value, dimid: Value) -> Value:
    """``[name, length] = netcdf.inqDim(ncid, dimid)``."""
    place = place_of(ctx, "inqDim", ncid)
    with contents(place) as data:
        name = named("inqDim", place.dimensions, dimid, "NC_EBADDIM")
        return name, _size(place, data, name)[0]


@netcdf_function("inqDimID")
def inq_dim_id(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``dimid = netcdf.inqDimID(ncid, name)``."""
    place = place_of(ctx, "inqDimID", ncid)
    with contents(place):
        if text_of(name) not in place.dimensions:
            raise refusal("inqDimID", "NetCDF: Invalid dimension ID or name", "NC_EBADDIM")
        return float(place.dimensions.index(text_of(name)))


@netcdf_function("inqDimIDs")
def inq_dim_ids(ctx: CallContext, ncid: Value) -> Value:
    """``dimids = netcdf.inqDimIDs(ncid)``."""
    place = place_of(ctx, "inqDimIDs", ncid)
    with contents(place) as data:
        return _row([place.dimensions.index(n) for n in data.sizes])


@netcdf_function("inqUnlimDims")
def inq_unlim_dims(ctx: CallContext, ncid: Value) -> Value:
    """``dimids = netcdf.inqUnlimDims(ncid)``."""
    place = place_of(ctx, "inqUnlimDims", ncid)
    with contents(place) as data:
        return _row([place.dimensions.index(n) for n in data.sizes if n in data.unlimited])


# --- variables ----------------------------------------------------------------------------------


@netcdf_function("defVar")
def def_var(ctx: CallContext, ncid: Value, name: Value, kind: Value, dimids: Value) -> Value:
    """``varid = netcdf.defVar(ncid, name, xtype, dimids)``."""
    place = place_of(ctx, "defVar", ncid, writing=True)
    word = text_of(kind).lower() if is_text_scalar(kind) else ""
    number = CLASSES[word] if word in CLASSES else constant(kind)
    found = [c for c, n in CLASSES.items() if n == number]
    if not found:
        raise refusal("defVar", "NetCDF: Not a valid data type or _FillValue type", "NC_EBADTYPE")
    with contents(place) as data:
        if text_of(name) in data.variables:
            text = "NetCDF: String match to name in use"
            raise refusal("defVar", text, "NC_ENAMEINUSE")
        lengths = list[Value]()
        for dimid in as_array(dimids).ravel():
            dimension = named("defVar", place.dimensions, float(dimid), "NC_EBADDIM")
            length, endless = _size(place, data, dimension)
            lengths += [dimension, np.inf if endless else length]
    given = Cell.of(lengths) if lengths else Cell.empty()
    options = ("Dimensions", given, "Datatype", found[0])
    netcdf_writing.nccreate(str(place.path), place.full(text_of(name)), *options)
    with contents(place):
        return float(place.variables.index(text_of(name)))


@netcdf_function("inqVar")
def inq_var(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``[name, xtype, dimids, natts] = netcdf.inqVar(ncid, varid)``."""
    place = place_of(ctx, "inqVar", ncid)
    with contents(place) as data:
        found = variable_of("inqVar", place, data, varid)
        dimids = [place.dimensions.index(n) for n in found.dimensions[::-1]]
        kind = float(CLASSES[found.class_name])
        return found.name, kind, _row(dimids), float(len(found.facts))


@netcdf_function("inqVarID")
def inq_var_id(ctx: CallContext, ncid: Value, name: Value) -> Value:
    """``varid = netcdf.inqVarID(ncid, name)``."""
    place = place_of(ctx, "inqVarID", ncid)
    with contents(place):
        if text_of(name) not in place.variables:
            raise refusal("inqVarID", "NetCDF: Variable not found", "NC_ENOTVAR")
        return float(place.variables.index(text_of(name)))


@netcdf_function("inqVarIDs")
def inq_var_ids(ctx: CallContext, ncid: Value) -> Value:
    """``varids = netcdf.inqVarIDs(ncid)``."""
    place = place_of(ctx, "inqVarIDs", ncid)
    with contents(place) as data:
        return _row([place.variables.index(n) for n in data.variables])


def _lengths(value: Value) -> list[int]:
    return [int(n) for n in as_array(value).ravel()]


def _as_class(value: Value, word: str) -> Value:
    if word not in DTYPE_OF_CLASS:
        text = f"'{word}' is not a numeric class."
        raise MatlabError("MATLAB:imagesci:netcdf:unrecognizedType", text)
    return unwrap(cast(as_array(value), DTYPE_OF_CLASS[word]))


@netcdf_function("getVar")
def get_var(ctx: CallContext, ncid: Value, varid: Value, *more: Value) -> Value:
    """``data = netcdf.getVar(ncid, varid, start, count, stride, class)``, neither scaled nor with
    NaN for what is missing."""
    place, rest = place_of(ctx, "getVar", ncid), list(more)
    word = text_of(rest.pop()) if rest and is_text_scalar(rest[-1]) else ""
    with contents(place) as data:
        found = variable_of("getVar", place, data, varid)
        values = found.values(*_parts(found.shape, rest))
    made = _raw(values)
    return _as_class(made, word) if word else made


def _parts(lengths: tuple[int, ...], rest: list[Value]) -> list[slice]:
    """What is asked for along each dimension, places from 0; a count is 1 unless given."""
    if not rest:
        return []
    start = _lengths(rest[0])
    count = _lengths(rest[1]) if len(rest) > 1 else [1] * len(start)
    stride = _lengths(rest[2]) if len(rest) > 2 else [1] * len(start)
    if not len(start) == len(count) == len(stride) == len(lengths):
        text = "NetCDF: A start, a count and a stride are needed for each dimension"
        raise refusal("getVar", text, "NC_EINVALCOORDS")
    parts = [slice(s, s + (n - 1) * k + 1, k) for s, n, k in zip(start, count, stride, strict=True)]
    bounds = zip(parts, lengths, strict=True)
    if any(p.start < 0 or p.stop > n or p.step < 1 for p, n in bounds):
        raise refusal("getVar", "NetCDF: Start+count exceeds dimension bound", "NC_EEDGE")
    return parts


@netcdf_function("putVar")
def put_var(ctx: CallContext, ncid: Value, varid: Value, *more: Value) -> Value:
    """``netcdf.putVar(ncid, varid, start, count, stride, data)``; counts are those of the data."""
    place, (*where, values) = place_of(ctx, "putVar", ncid, writing=True), more
    with contents(place):
        name = named("putVar", place.variables, varid, "NC_ENOTVAR")
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
        raise refusal(function, "NetCDF: Attribute not found", "NC_ENOTATT")
    return attribute_value(facts[name])


@netcdf_function("getAtt")
def get_att(ctx: CallContext, ncid: Value, varid: Value, name: Value, kind: Value = "") -> Value:
    """``value = netcdf.getAtt(ncid, varid, name, class)``."""
    place = place_of(ctx, "getAtt", ncid)
    with contents(place) as data:
        found = _attribute("getAtt", _facts("getAtt", place, data, varid), text_of(name))
    return _as_class(found, text_of(kind)) if text_of(kind) else found


@netcdf_function("putAtt")
def put_att(ctx: CallContext, ncid: Value, varid: Value, name: Value, value: Value) -> Value:
    """``netcdf.putAtt(ncid, varid, name, value)``."""
    place = place_of(ctx, "putAtt", ncid, writing=True)
    with contents(place):
        held = ""
        if int(real_number(varid)) != GLOBAL:
            held = named("putAtt", place.variables, varid, "NC_ENOTVAR")
    return netcdf_writing.ncwriteatt(str(place.path), place.full(held), name, value)


@netcdf_function("inqAtt")
def inq_att(ctx: CallContext, ncid: Value, varid: Value, name: Value) -> Value:
    """``[xtype, length] = netcdf.inqAtt(ncid, varid, name)``."""
    place = place_of(ctx, "inqAtt", ncid)
    with contents(place) as data:
        found = _attribute("inqAtt", _facts("inqAtt", place, data, varid), text_of(name))
    return float(CLASSES[class_of(found)]), float(np.prod(size_of(found)))


@netcdf_function("inqAttName")
def inq_att_name(ctx: CallContext, ncid: Value, varid: Value, number: Value) -> Value:
    """``name = netcdf.inqAttName(ncid, varid, attnum)``."""
    place, at = place_of(ctx, "inqAttName", ncid), int(real_number(number))
    with contents(place) as data:
        names = list(_facts("inqAttName", place, data, varid))
    if not 0 <= at < len(names):
        raise refusal("inqAttName", "NetCDF: Attribute not found", "NC_ENOTATT")
    return names[at]


@netcdf_function("inqAttID")
def inq_att_id(ctx: CallContext, ncid: Value, varid: Value, name: Value) -> Value:
    """``attnum = netcdf.inqAttID(ncid, varid, name)``."""
    place = place_of(ctx, "inqAttID", ncid)
    with contents(place) as data:
        facts = _facts("inqAttID", place, data, varid)
    _attribute("inqAttID", facts, text_of(name))
    return float(list(facts).index(text_of(name)))
