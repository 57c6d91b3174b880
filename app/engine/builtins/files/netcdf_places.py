"""What the functions of netCDF's library share: identifiers, constants and errors.

Identifiers are numbers, as in the library: of a file or a group, and of the dimensions and
variables in it, from 0. Nothing stays open between two calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.files.hdf_interfaces import library_function
from app.engine.builtins.files.netcdf import Classic, Modern, Variable
from app.engine.builtins.files.netcdf import opened as opened_file
from app.engine.values import Value, is_text_scalar, text_of
from app.errors import MatlabError

_KEY = "netcdf.open"
GLOBAL = -1
CLASSES = {
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
    "NC_GLOBAL": float(GLOBAL),
    "NC_UNLIMITED": 0.0,
    "NC_NOWRITE": 0.0,
    "NC_CLOBBER": 0.0,
    "NC_WRITE": 1.0,
    "NC_FILL": 0.0,
    "NC_NOFILL": 256.0,
    "NC_CHUNKED": 0.0,
    "NC_CONTIGUOUS": 1.0,
    "NC_NOCHECKSUM": 0.0,
    "NC_FLETCHER32": 1.0,
    "NC_CHECKSUM": 1.0,
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


@dataclass
class Place:
    """What an identifier of a file or of a group stands for.

    Attributes:
        path: the file.
        writable: whether it was opened to be changed.
        group: the full name of the group.
        dimensions: the names by their numbers; those of groups above come first.
        variables: the names by their numbers.
        filling: whether what is never written is filled, as the library says it.
    """

    path: Path
    writable: bool
    group: str = "/"
    dimensions: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    filling: int = 0

    def full(self, name: str) -> str:
        """The name of a variable, or of the group itself, as nccreate takes it."""
        return f"{self.group.rstrip('/')}/{name}" if name else self.group


def refusal(function: str, text: str, code: str) -> MatlabError:
    """The error by which the library refuses something."""
    message = "The NetCDF library encountered an error during execution of "
    message += f"'{function}' function - '{text} ({code})'."
    return MatlabError("MATLAB:imagesci:netcdf:libraryFailure", message)


def open_places(ctx: CallContext) -> dict[int, Place]:
    """What identifiers stand for in a session."""
    found: dict[int, Place] = ctx.state.setdefault(_KEY, {})
    return found


def place_of(ctx: CallContext, function: str, number: Value, *, writing: bool = False) -> Place:
    """What an identifier stands for; ``writing``: it has to be one to write to."""
    found = open_places(ctx).get(int(real_number(number)))
    if found is None:
        raise refusal(function, "NetCDF: Not a valid ID", "NC_EBADID")
    if writing and not found.writable:
        raise refusal(function, "NetCDF: Write to read only", "NC_EPERM")
    return found


def number_of(ctx: CallContext, place: Place) -> float:
    """The identifier of a file or a group, which may have one already."""
    known = open_places(ctx)
    for number, held in known.items():
        if (held.path, held.group, held.writable) == (place.path, place.group, place.writable):
            return float(number)
    number = max(known, default=65535) + 1
    known[number] = place
    return float(number)


@contextmanager
def contents(place: Place) -> Iterator[Classic | Modern]:
    """The group of the file as it is now; its names have their numbers from here on."""
    with opened_file("netcdf", str(place.path)) as data:
        above = list[str]()
        found: Classic | Modern | None = data
        for part in filter(None, place.group.split("/")):
            if found is not None:
                above += found.sizes
                found = found.groups.get(part)
        if found is None:
            raise refusal("inqNcid", "NetCDF: No group found", "NC_ENOGRP")
        for known, names in (
            (place.dimensions, (*above, *found.sizes)),
            (place.variables, found.variables),
        ):
            known += [name for name in names if name not in known]
        yield found


def named(function: str, names: list[str], number: Value, code: str) -> str:
    """The name that has a number; ``code``: of the error where there is none."""
    at = int(real_number(number))
    if not 0 <= at < len(names):
        text = "Invalid dimension ID or name" if code == "NC_EBADDIM" else "Variable not found"
        raise refusal(function, f"NetCDF: {text}", code)
    return names[at]


def variable_of(function: str, place: Place, data: Classic | Modern, number: Value) -> Variable:
    """The variable that has a number."""
    return data.variables[named(function, place.variables, number, "NC_ENOTVAR")]


def netcdf_function(name: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Declare a function of the library; it gets the session first."""
    return library_function(f"netcdf.{name}", calls=True)


def constant(value: Value) -> int:
    """A number, or several joined, given as such or by the names of constants."""
    if not is_text_scalar(value):
        return int(real_number(value))
    name = text_of(value).upper()
    found = CONSTANTS.get(name, CONSTANTS.get(f"NC_{name}"))
    if found is None:
        text = f"'{text_of(value)}' is not a constant of the netCDF library."
        raise MatlabError("MATLAB:imagesci:netcdf:unrecognizedConstant", text)
    return int(found) if found == int(found) else 0
