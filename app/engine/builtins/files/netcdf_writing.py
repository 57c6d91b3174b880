"""Writing NetCDF files of the classic format: nccreate, ncwrite, ncwriteatt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.arguments.checks import option_pairs, real_number
from app.engine.declarations.registry import builtin
from app.engine.values import (
    DTYPE_OF_CLASS,
    Cell,
    Value,
    as_array,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "files"
_NEW = (
    "a = [1 2 3; 4 5 6]; nccreate('t.nc', 'a', 'Dimensions', {'r', 2, 'c', 3}); "
    "ncwrite('t.nc', 'a', a); "
)


@contextmanager
def _writing(file: Value) -> Iterator[Any]:
    """A classic file to add to."""
    from scipy.io import netcdf_file

    path = Path(text_of(file)).expanduser()
    if path.is_file() and path.read_bytes()[:3] != b"CDF":
        text = "Only NetCDF files of the classic format can be written; this one is HDF5."
        raise MatlabError("MATLAB:imagesci:netcdf:unsupportedFormat", text)
    handle = netcdf_file(str(path), "a" if path.is_file() else "w", mmap=False)
    try:
        yield handle
    finally:
        handle.close()


def _checked_text(function: str, *values: Value) -> None:
    if not all(is_text_scalar(v) for v in values):
        raise MatlabError(f"MATLAB:imagesci:{function}:invalidType", "Names must be text.")


@builtin(
    "nccreate",
    category=_FAMILY,
    least=2,
    signatures=(
        "nccreate(file, name)",
        "nccreate(file, name, 'Dimensions', {n1, s1, ...}, 'Datatype', class)",
    ),
    cases=("nccreate('t.nc', 'x'); ncwrite('t.nc', 'x', 7); ncread('t.nc', 'x') == 7",),
    see=("ncwrite", "ncinfo"),
)
def nccreate(file: Value, name: Value, *rest: Value) -> Value:
    """Make a variable in a NetCDF file of the classic format."""
    _checked_text("nccreate", file, name)
    options = option_pairs("nccreate", rest, "Datatype Dimensions FillValue")
    given = options.get("dimensions")
    items = list(given.items()) if isinstance(given, Cell) else []
    kind = text_of(options.get("datatype", "double"))
    codes = {
        "double": "d",
        "single": "f",
        "int32": "i",
        "int16": "h",
        "int8": "b",
        "uint8": "B",
        "char": "c",
    }
    if kind not in codes:
        text = f"The classic format has no class '{kind}'. It has {', '.join(codes)}."
        raise MatlabError("MATLAB:imagesci:nccreate:unsupportedDatatype", text)
    names: list[str] = []
    with _writing(file) as handle:
        for k, item in enumerate(items):
            if not is_text_scalar(item):
                continue
            names.append(text_of(item))
            follows = items[k + 1] if k + 1 < len(items) else None
            if names[-1] not in handle.dimensions:
                if follows is None or is_text_scalar(follows):
                    text = f"The dimension '{names[-1]}' needs a length."
                    raise MatlabError("MATLAB:imagesci:nccreate:dimensionLength", text)
                size = real_number(follows)
                handle.createDimension(names[-1], None if np.isinf(size) else int(size))
        made = handle.createVariable(text_of(name), codes[kind], tuple(names[::-1]))
        if "fillvalue" in options and not is_text_scalar(options["fillvalue"]):
            fill = DTYPE_OF_CLASS[kind].type(real_number(options["fillvalue"]))
            setattr(made, "_FillValue", fill)  # noqa: B010
    return ()


@builtin(
    "ncwrite",
    category=_FAMILY,
    signatures=("ncwrite(file, name, data)", "ncwrite(file, name, data, start)"),
    cases=(_NEW + "ncwrite('t.nc', 'a', 9, [2 1]); isequal(ncread('t.nc', 'a'), [1 2 3; 9 5 6])",),
    see=("nccreate", "ncread"),
)
def ncwrite(file: Value, name: Value, data: Value, start: Value | None = None) -> Value:
    """Write values of a variable that exists in a NetCDF file of the classic format."""
    _checked_text("ncwrite", file, name)
    new = (
        np.array([c.encode() for c in data])
        if isinstance(data, str)
        else np.asarray(as_array(data))
    )
    with _writing(file) as handle:
        found = handle.variables.get(text_of(name))
        if found is None:
            text = f"The variable '{text_of(name)}' was not found in the file."
            raise MatlabError("MATLAB:imagesci:ncwrite:unknownLocation", text)
        turned = new.T
        if not found.dimensions:
            found.data = np.asarray(turned.ravel()[0], dtype=found.data.dtype)
            return ()
        count = len(found.dimensions)
        turned = (
            turned.reshape(-1)
            if count == 1
            else turned.reshape((1,) * (count - turned.ndim) + turned.shape)
        )
        first = (
            np.zeros(count, dtype=int)
            if start is None
            else (np.asarray(as_array(start), dtype=int).ravel()[::-1] - 1)
        )
        found[tuple(slice(f, f + n) for f, n in zip(first, turned.shape, strict=True))] = turned
    return ()


@builtin(
    "ncwriteatt",
    category=_FAMILY,
    signatures=("ncwriteatt(file, location, name, value)",),
    cases=(_NEW + "ncwriteatt('t.nc', '/', 'made', 3); ncreadatt('t.nc', '/', 'made') == 3",),
    see=("ncreadatt",),
)
def ncwriteatt(file: Value, location: Value, name: Value, value: Value) -> Value:
    """Write an attribute of a variable, or of the whole file with ``'/'``."""
    _checked_text("ncwriteatt", file, location, name)
    with _writing(file) as handle:
        where = text_of(location)
        target = handle if where == "/" else handle.variables.get(where)
        if target is None:
            text = f"The variable '{where}' was not found in the file."
            raise MatlabError("MATLAB:imagesci:ncwriteatt:unknownLocation", text)
        a = None if is_text_scalar(value) else np.asarray(as_array(value)).ravel()
        plain = text_of(value) if a is None else a if a.size > 1 else a[0]
        setattr(target, text_of(name), plain)
    return ()
