"""NetCDF files: ncread, ncinfo, ncdisp, ncreadatt, nccreate, ncwrite, ncwriteatt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.builtins.checks import option_pairs, real_number
from app.engine.builtins.registry import builtin
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_text_scalar,
    object_array,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "files"
_NEW = ("a = [1 2 3; 4 5 6]; nccreate('t.nc', 'a', 'Dimensions', {'r', 2, 'c', 3}); "
        "ncwrite('t.nc', 'a', a); ")


class Variable:
    """One variable of a file, classic or HDF5.

    Attributes:
        name: what it is called.
        dimensions: names of its dimensions in the file's order.
        data: what gives its values, in the file's order.
        facts: its attributes.
    """

    def __init__(self, name: str, dimensions: list[str], data: Any, facts: dict[str, Any]) -> None:
        self.name, self.dimensions, self.data, self.facts = name, dimensions, data, facts

    def values(self) -> Array:
        """The values in MATLAB's order of dimensions."""
        made = np.asarray(self.data[()] if self.data.shape else self.data[...])
        return made.astype(made.dtype.newbyteorder("=")).T


class Classic:
    """A file of the classic format."""

    def __init__(self, file: Any) -> None:
        self.variables = {
            n: Variable(n, list(v.dimensions), v, dict(v._attributes))  # noqa: SLF001
            for n, v in file.variables.items()}  # fmt: skip
        self.facts = dict(file._attributes)  # noqa: SLF001
        self.sizes = {n: int(s or 0) for n, s in file.dimensions.items()}
        self.format = "classic"


class Modern:
    """A file of the HDF5 format."""

    def __init__(self, file: Any) -> None:
        import h5py

        self.variables, self.sizes = {}, {}
        for name, item in file.items():
            if not isinstance(item, h5py.Dataset):
                continue
            if item.is_scale:
                self.sizes[name] = int(item.shape[0]) if item.shape else 1
                if str(item.attrs.get("NAME", b"")).find("not a netCDF variable") >= 0:
                    continue
            names = [d[0].name.strip("/") if len(d) else f"dim{k}"
                     for k, d in enumerate(item.dims)]  # fmt: skip
            names = [name] if item.is_scale else names
            hidden = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid",
                      "_Netcdf4Coordinates"}  # fmt: skip
            facts = {k: v for k, v in item.attrs.items() if k not in hidden}
            self.variables[name] = Variable(name, names, item, facts)
        self.facts = {k: v for k, v in file.attrs.items() if k != "_NCProperties"}
        self.format = "netcdf4"


@contextmanager
def opened(name: str, file: Value) -> Iterator[Any]:
    """A file of either format."""
    path = Path(text_of(file)).expanduser()
    if not path.is_file():
        text = f"Unable to find or open the file '{path}'."
        raise MatlabError(f"MATLAB:imagesci:{name}:unableToOpen", text)
    if path.read_bytes()[:3] == b"CDF":
        from scipy.io import netcdf_file

        handle = netcdf_file(str(path), "r", mmap=False)
        try:
            yield Classic(handle)
        finally:
            handle.close()
        return
    import h5py

    try:
        with h5py.File(path, "r") as hdf:
            yield Modern(hdf)
    except OSError as problem:
        text = f"The file '{path}' is not a NetCDF file."
        raise MatlabError(f"MATLAB:imagesci:{name}:notNetCDF", text) from problem


def _variable(name: str, file: Any, wanted: Value) -> Variable:
    found = file.variables.get(text_of(wanted).lstrip("/"))
    if found is None:
        text = f"The variable '{text_of(wanted)}' was not found in the file."
        raise MatlabError(f"MATLAB:imagesci:{name}:unknownLocation", text)
    return found  # type: ignore[no-any-return]


def _plain(v: Any) -> Value:
    """An attribute as a value."""
    if isinstance(v, bytes):
        return v.decode("utf-8", "replace")
    if isinstance(v, str):
        return v
    a = np.atleast_1d(np.asarray(v))
    if a.dtype.kind in "SUO":
        return _plain(a.flat[0])
    return unwrap(a.astype(a.dtype.newbyteorder("=")).reshape(1, -1))


@builtin("ncread", category=_FAMILY,
         signatures=("v = ncread(file, name)", "v = ncread(file, name, start, count)",
                     "v = ncread(file, name, start, count, stride)"),
         cases=(_NEW + "isequal(ncread('t.nc', 'a'), a) && isequal(ncread('t.nc', 'a', [1 2], [2 "
                       "2]), a(:, 2:3))",),
         see=("ncinfo", "ncwrite", "h5read"))  # fmt: skip
def ncread(file: Value, name: Value, start: Value | None = None, count: Value | None = None,
           stride: Value | None = None) -> Value:  # fmt: skip
    """A variable of a NetCDF file, scaled and with NaN for missing values as its attributes say."""
    with opened("ncread", file) as data:
        variable = _variable("ncread", data, name)
        values = variable.values()
        facts = {k: np.asarray(v).ravel() for k, v in variable.facts.items()}
    if start is not None and count is not None:
        first, many = (np.asarray(as_array(v)).ravel() for v in (start, count))
        steps = np.ones(first.size) if stride is None else np.asarray(as_array(stride)).ravel()
        ends = [slice(int(s) - 1, None if np.isinf(c) else int(s) - 1 + int(c) * int(k), int(k))
                for s, c, k in zip(first, many, steps, strict=True)]  # fmt: skip
        values = values[tuple(ends)]
    return _cooked(values, facts)


def _cooked(values: Array, facts: dict[str, Any]) -> Value:
    """Missing values, scale and offset applied."""
    if values.dtype.kind in "SU":
        return "".join(v.decode() if isinstance(v, bytes) else v for v in values.ravel(order="F"))
    changed = {"_FillValue", "missing_value", "scale_factor", "add_offset"} & set(facts)
    made = values.astype(np.float64) if changed - {"_FillValue", "missing_value"} or (
        changed and values.dtype.kind == "f") else values  # fmt: skip
    if made.dtype.kind == "f":
        for k in changed & {"_FillValue", "missing_value"}:
            made = np.where(values == facts[k][0], np.nan, made)
        made = made * float(facts["scale_factor"][0]) if "scale_factor" in facts else made
        made = made + float(facts["add_offset"][0]) if "add_offset" in facts else made
    made = np.asarray(made).reshape(-1, 1) if made.ndim < 2 else made
    return unwrap(made)


def _rows(items: list[dict[str, Value]]) -> Value:
    """Structs of equal fields as one array."""
    if not items:
        return canonical(np.zeros((0, 0)))
    if len(items) == 1:
        return Struct(items[0])
    shape = (1, len(items))
    return StructArray({k: object_array([i[k] for i in items], shape) for k in items[0]}, shape)


def _told(facts: dict[str, Any]) -> Value:
    return _rows([{"Name": k, "Value": _plain(v)} for k, v in facts.items()])


@builtin("ncinfo", category=_FAMILY, signatures=("info = ncinfo(file)",
                                                 "info = ncinfo(file, name)"),
         cases=(_NEW + "i = ncinfo('t.nc'); strcmp(i.Variables.Name, 'a') && "
                       "i.Dimensions(2).Length == 3",),
         see=("ncdisp", "ncread"))  # fmt: skip
def ncinfo(file: Value, name: Value | None = None) -> Value:
    """What a NetCDF file, or a variable of it, holds."""
    with opened("ncinfo", file) as data:
        if name is not None:
            return Struct(_about(data, _variable("ncinfo", data, name)))
        return Struct({
            "Filename": str(Path(text_of(file)).resolve()), "Name": "/",
            "Dimensions": _rows([{"Name": n, "Length": float(s), "Unlimited": False}
                                 for n, s in data.sizes.items()]),
            "Variables": _rows([_about(data, v) for v in data.variables.values()]),
            "Attributes": _told(data.facts), "Groups": canonical(np.zeros((0, 0))),
            "Format": data.format,
        })  # fmt: skip


def _about(data: Any, v: Variable) -> dict[str, Value]:
    dims = v.dimensions[::-1]
    values = v.values()
    return {
        "Name": v.name, "Size": canonical(np.array([values.shape or (1,)], dtype=float)),
        "Dimensions": _rows([{"Name": n, "Length": float(data.sizes.get(n, s)), "Unlimited": False}
                             for n, s in zip(dims, values.shape, strict=False)]),
        "Datatype": "char" if values.dtype.kind in "SU" else class_of(unwrap(values.reshape(-1,
                                                                                            1))),
        "Attributes": _told(v.facts),
    }  # fmt: skip


@builtin("ncdisp", category=_FAMILY, signatures=("ncdisp(file)", "ncdisp(file, name)"),
         cases=(_NEW + "contains(evalc('ncdisp(''t.nc'')'), 'Dimensions: r,c')",), see=("ncinfo",))
def ncdisp(ctx: Any, file: Value, name: Value | None = None) -> Value:
    """Print what a NetCDF file holds."""
    with opened("ncdisp", file) as data:
        kept = data.variables.values() if name is None else [_variable("ncdisp", data, name)]
        lines = [f"Source:\n           {Path(text_of(file)).resolve()}",
                 f"Format:\n           {data.format}"]  # fmt: skip
        lines += [f"           {k} = {_plain(v)!r}" for k, v in data.facts.items()]
        lines += ["Dimensions:", *(f"           {n} = {s}" for n, s in data.sizes.items())]
        lines.append("Variables:")
        for v in kept:
            shape = "x".join(str(n) for n in v.values().shape)
            lines += [f"    {v.name}", f"           Size:       {shape}",
                      f"           Dimensions: {','.join(v.dimensions[::-1])}",
                      f"           Datatype:   {_about(data, v)['Datatype']}"]  # fmt: skip
            lines += [f"           {k} = {_plain(x)!r}" for k, x in v.facts.items()]
    ctx.write("\n".join(lines) + "\n")
    return ()


@builtin("ncreadatt", category=_FAMILY, signatures=("v = ncreadatt(file, location, name)",),
         cases=(_NEW + "ncwriteatt('t.nc', 'a', 'units', 'm'); strcmp(ncreadatt('t.nc', 'a', "
                       "'units'), 'm')",),
         see=("ncinfo", "ncwriteatt"))  # fmt: skip
def ncreadatt(file: Value, location: Value, name: Value) -> Value:
    """An attribute of a variable, or of the whole file with ``'/'``."""
    with opened("ncreadatt", file) as data:
        where = text_of(location)
        facts = data.facts if where == "/" else _variable("ncreadatt", data, location).facts
        if text_of(name) not in facts:
            text = f"The attribute '{text_of(name)}' was not found."
            raise MatlabError("MATLAB:imagesci:ncreadatt:unknownAttribute", text)
        return _plain(facts[text_of(name)])


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


@builtin("nccreate", category=_FAMILY, least=2,
         signatures=("nccreate(file, name)",
                     "nccreate(file, name, 'Dimensions', {n1, s1, ...}, 'Datatype', class)"),
         cases=("nccreate('t.nc', 'x'); ncwrite('t.nc', 'x', 7); ncread('t.nc', 'x') == 7",),
         see=("ncwrite", "ncinfo"))  # fmt: skip
def nccreate(file: Value, name: Value, *rest: Value) -> Value:
    """Make a variable in a NetCDF file of the classic format."""
    _checked_text("nccreate", file, name)
    options = option_pairs("nccreate", rest)
    given = options.get("dimensions")
    items = list(given.items()) if isinstance(given, Cell) else []
    kind = text_of(options.get("datatype", "double"))
    codes = {"double": "d", "single": "f", "int32": "i", "int16": "h", "int8": "b", "uint8": "B",
             "char": "c"}  # fmt: skip
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


@builtin("ncwrite", category=_FAMILY, signatures=("ncwrite(file, name, data)",
                                                  "ncwrite(file, name, data, start)"),
         cases=(_NEW + "ncwrite('t.nc', 'a', 9, [2 1]); isequal(ncread('t.nc', 'a'), [1 2 3; 9 5 "
                       "6])",),
         see=("nccreate", "ncread"))  # fmt: skip
def ncwrite(file: Value, name: Value, data: Value, start: Value | None = None) -> Value:
    """Write values of a variable that exists in a NetCDF file of the classic format."""
    _checked_text("ncwrite", file, name)
    new = np.array([c.encode() for c in data]) if isinstance(data,
                                                             str) else np.asarray(as_array(data))
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
        turned = turned.reshape(-1) if count == 1 else turned.reshape(
            (1,) * (count - turned.ndim) + turned.shape)  # fmt: skip
        first = np.zeros(count, dtype=int) if start is None else (
            np.asarray(as_array(start), dtype=int).ravel()[::-1] - 1)  # fmt: skip
        found[tuple(slice(f, f + n) for f, n in zip(first, turned.shape, strict=True))] = turned
    return ()


@builtin("ncwriteatt", category=_FAMILY, signatures=("ncwriteatt(file, location, name, value)",),
         cases=(_NEW + "ncwriteatt('t.nc', '/', 'made', 3); ncreadatt('t.nc', '/', 'made') == 3",),
         see=("ncreadatt",))  # fmt: skip
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
