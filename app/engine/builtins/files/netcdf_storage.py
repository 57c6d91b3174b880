"""How variables of NetCDF files are kept: ``netcdf.defVarDeflate(…)`` and what asks for it.

The library takes these between a variable's definition and its first values. Here a variable is in
the file at once; one that is to be kept otherwise is made anew, with the values it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.files import netcdf_hdf
from app.engine.builtins.files.netcdf import opened as opened_file
from app.engine.builtins.files.netcdf_places import (
    CONSTANTS,
    Place,
    constant,
    contents,
    named,
    netcdf_function,
    place_of,
    refusal,
    variable_of,
)
from app.engine.operators.arithmetic import cast
from app.engine.values import Value, as_array, text_of, true_value, unwrap
from app.errors import MatlabError

if TYPE_CHECKING:
    import h5py

_CHUNKED, _CONTIGUOUS = "CHUNKED", "CONTIGUOUS"


@contextmanager
def _kept_variable(
    ctx: CallContext, function: str, ncid: Value, varid: Value
) -> Iterator[h5py.Dataset]:
    """A variable of a netCDF-4 file, to be kept otherwise."""
    place = place_of(ctx, function, ncid, writing=True)
    with contents(place):
        name = named(function, place.variables, varid, "NC_ENOTVAR")
    _check_modern(function, place)
    with netcdf_hdf.opened_to_write("netcdf", place.path) as file:
        yield file[place.full(name)]


def _check_modern(function: str, place: Place) -> None:
    with opened_file("netcdf", str(place.path)) as data:
        if not data.format.startswith("netcdf4"):
            text = "NetCDF: Attempting netcdf-4 operation on netcdf-3 file"
            raise refusal(function, text, "NC_ENOTNC4")


@contextmanager
def _asked_variable(
    ctx: CallContext, function: str, ncid: Value, varid: Value
) -> Iterator[h5py.Dataset]:
    """A variable of a netCDF-4 file, to be asked how it is kept."""
    place = place_of(ctx, function, ncid)
    _check_modern(function, place)
    with contents(place) as data:
        yield variable_of(function, place, data, varid).data


def _invalid(function: str, text: str) -> MatlabError:
    return refusal(function, f"NetCDF: Invalid argument: {text}", "NC_EINVAL")


@netcdf_function("defVarDeflate")
def def_var_deflate(
    ctx: CallContext, ncid: Value, varid: Value, shuffle: Value, deflate: Value, level: Value
) -> Value:
    """``netcdf.defVarDeflate(ncid, varid, shuffle, deflate, level)``, a level from 0 to 9."""
    strength = real_number(level)
    if strength not in range(10):
        raise _invalid("defVarDeflate", "the level is a whole number from 0 to 9")
    pressed = true_value(deflate)
    with _kept_variable(ctx, "defVarDeflate", ncid, varid) as found:
        if not found.shape:
            raise _invalid("defVarDeflate", "a variable without dimensions is not compressed")
        changes: dict[str, object] = {
            "shuffle": true_value(shuffle),
            "compression": "gzip" if pressed else None,
            "compression_opts": int(strength) if pressed else None,
        }
        netcdf_hdf.kept_otherwise(found, changes)
    return ()


@netcdf_function("inqVarDeflate")
def inq_var_deflate(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``[shuffle, deflate, level] = netcdf.inqVarDeflate(ncid, varid)``."""
    with _asked_variable(ctx, "inqVarDeflate", ncid, varid) as found:
        pressed = found.compression == "gzip"
        return bool(found.shuffle), pressed, float(found.compression_opts if pressed else 0)


@netcdf_function("defVarChunking")
def def_var_chunking(
    ctx: CallContext, ncid: Value, varid: Value, storage: Value, sizes: Value | None = None
) -> Value:
    """``netcdf.defVarChunking(ncid, varid, storage, sizes)``: 'CHUNKED' or 'CONTIGUOUS'."""
    whole = constant(storage) == CONSTANTS["NC_CONTIGUOUS"]
    with _kept_variable(ctx, "defVarChunking", ncid, varid) as found:
        if whole:
            if None in found.maxshape or found.compression or found.shuffle or found.fletcher32:
                text = "what grows, is compressed or has check sums is kept in chunks"
                raise _invalid("defVarChunking", text)
            netcdf_hdf.kept_otherwise(found, {"chunks": None})
            return ()
        given = () if sizes is None else tuple(int(n) for n in as_array(sizes).ravel()[::-1])
        bounds = zip(given, found.shape, found.maxshape, strict=False)
        if len(given) != len(found.shape) or any(
            n < 1 or (most is not None and n > length) for n, length, most in bounds
        ):
            text = "a size from 1 to its length is needed for each dimension"
            raise refusal("defVarChunking", f"NetCDF: Bad chunk sizes: {text}", "NC_EBADCHUNK")
        netcdf_hdf.kept_otherwise(found, {"chunks": given})
    return ()


@netcdf_function("inqVarChunking")
def inq_var_chunking(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``[storage, sizes] = netcdf.inqVarChunking(ncid, varid)``."""
    with _asked_variable(ctx, "inqVarChunking", ncid, varid) as found:
        if found.chunks is None:
            return _CONTIGUOUS, np.zeros((0, 0))
        return _CHUNKED, np.array([found.chunks[::-1]], float)


@netcdf_function("defVarFletcher32")
def def_var_fletcher32(ctx: CallContext, ncid: Value, varid: Value, setting: Value) -> Value:
    """``netcdf.defVarFletcher32(ncid, varid, setting)``: 'CHECKSUM' or 'NOCHECKSUM'."""
    wanted = constant(setting) == CONSTANTS["NC_FLETCHER32"]
    with _kept_variable(ctx, "defVarFletcher32", ncid, varid) as found:
        netcdf_hdf.kept_otherwise(found, {"fletcher32": wanted})
    return ()


@netcdf_function("inqVarFletcher32")
def inq_var_fletcher32(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``setting = netcdf.inqVarFletcher32(ncid, varid)``."""
    with _asked_variable(ctx, "inqVarFletcher32", ncid, varid) as found:
        return "CHECKSUM" if found.fletcher32 else "NOCHECKSUM"


@netcdf_function("defVarFill")
def def_var_fill(
    ctx: CallContext, ncid: Value, varid: Value, no_filling: Value, value: Value
) -> Value:
    """``netcdf.defVarFill(ncid, varid, noFillMode, value)``: what a variable has where nothing was
    written, and its attribute _FillValue. Without filling that may be anything: it stays."""
    if true_value(no_filling):
        return ()
    with _kept_variable(ctx, "defVarFill", ncid, varid) as found:
        if found.dtype.kind == "O":
            raise _invalid("defVarFill", "strings have no value for what is missing")
        filling = _in_file(found.dtype, value)
        made = netcdf_hdf.kept_otherwise(found, {"fillvalue": filling})
        made.attrs["_FillValue"] = np.array([filling])
    return ()


def _in_file(dtype: np.dtype, value: Value) -> np.generic:
    """A number or a character as a file holds it."""
    if dtype.kind == "S":
        return np.bytes_(text_of(value).encode("latin-1")[:1])
    kept: np.generic = cast(as_array(value), dtype.newbyteorder("=")).ravel()[0]
    return kept


@netcdf_function("inqVarFill")
def inq_var_fill(ctx: CallContext, ncid: Value, varid: Value) -> Value:
    """``[noFillMode, value] = netcdf.inqVarFill(ncid, varid)``: everything is filled here."""
    with _asked_variable(ctx, "inqVarFill", ncid, varid) as found:
        if found.dtype.kind == "O":
            return False, ""
        filling = np.asarray(found.fillvalue)
        if filling.dtype.kind == "S":
            return False, bytes(filling[()]).decode("latin-1") or "\0"
        return False, unwrap(filling.astype(filling.dtype.newbyteorder("=")).reshape(1, 1))


@netcdf_function("setFill")
def set_fill(ctx: CallContext, ncid: Value, mode: Value) -> Value:
    """``old = netcdf.setFill(ncid, mode)``: NC_FILL or NC_NOFILL. With NC_NOFILL what was never
    written may be anything; here it is filled all the same."""
    place = place_of(ctx, "setFill", ncid, writing=True)
    old, place.filling = place.filling, constant(mode)
    return float(old)
