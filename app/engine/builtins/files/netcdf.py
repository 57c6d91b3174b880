"""NetCDF files: ncread, ncinfo, ncdisp, ncreadatt, nccreate, ncwrite, ncwriteatt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.files.hdf_checks import check_node, is_scale, opened_to_read
from app.engine.builtins.files.netcdf_hdf import OWN_FACTS, is_variable
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    object_array,
    text_of,
    unwrap,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    import h5py

_FAMILY = "files"
_NEW = (
    "a = [1 2 3; 4 5 6]; nccreate('t.nc', 'a', 'Dimensions', {'r', 2, 'c', 3}); "
    "ncwrite('t.nc', 'a', a); "
)


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

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths in MATLAB's order of dimensions."""
        return tuple(int(n) for n in self.data.shape[::-1])

    @property
    def class_name(self) -> str:
        """The class of the values; nothing is read for it."""
        dtype = np.dtype(getattr(self.data, "dtype", None) or self.data.data.dtype)
        found = {"S": "char", "U": "char", "O": "string"}.get(dtype.kind)
        return found or class_of(unwrap(np.zeros((1, 1), dtype.newbyteorder("="))))

    @property
    def storage(self) -> dict[str, Value]:
        """How a file keeps the values, as ncinfo says it: sizes of chunks, filling, compression."""
        chunks, filling = getattr(self.data, "chunks", None), self.facts.get("_FillValue")
        if filling is None and self.class_name != "string":
            filling = getattr(self.data, "fillvalue", None)
        return {
            "ChunkSize": np.array([chunks[::-1]], float) if chunks else np.zeros((0, 0)),
            "FillValue": np.zeros((0, 0)) if filling is None else attribute_value(filling),
            "DeflateLevel": np.zeros((0, 0))
            if getattr(self.data, "compression", None) is None
            else float(self.data.compression_opts),
            "Shuffle": bool(getattr(self.data, "shuffle", False)),
        }

    def values(self, *parts: slice) -> Array:
        """The values, or some of them, in MATLAB's order of dimensions."""
        made = np.asarray(self.data[parts[::-1]] if self.data.shape else self.data[...])
        if made.dtype.kind == "O":
            texts = [t.decode("utf-8", "replace") if isinstance(t, bytes) else t for t in made.flat]
            return np.array(texts, object).reshape(made.shape).T
        return made.astype(made.dtype.newbyteorder("=")).T


class Classic:
    """A file of the classic format."""

    def __init__(self, file: Any) -> None:
        self.variables = {
            n: Variable(n, list(v.dimensions), v, dict(v._attributes))  # noqa: SLF001 - SciPy has no other list of them
            for n, v in file.variables.items()
        }
        self.facts = dict(file._attributes)  # noqa: SLF001 - SciPy has no other list of them
        records = max((len(v.data) for v in file.variables.values() if v.isrec), default=0)
        self.sizes = {n: records if s is None else int(s) for n, s in file.dimensions.items()}
        self.unlimited = {n for n, s in file.dimensions.items() if s is None}
        self.name, self.format = "/", "64bit" if file.version_byte > 1 else "classic"
        self.groups: dict[str, Modern] = {}


class Modern:
    """A file of the HDF5 format, or a group of it."""

    def __init__(self, file: h5py.Group) -> None:
        import h5py

        self.name = file.name
        self.variables, self.sizes = {}, {}
        self.groups: dict[str, Modern] = {}
        self.unlimited: set[str] = set()
        check_node(file)
        for name, item in file.items():
            check_node(item)
            if isinstance(item, h5py.Group):
                self.groups[name] = Modern(item)
            if not isinstance(item, h5py.Dataset):
                continue
            if is_scale(item):
                self.sizes[name] = int(item.shape[0]) if item.shape else 1
                if item.maxshape and item.maxshape[0] is None:
                    self.unlimited.add(name)
            if is_variable(item):
                self.variables[name] = Variable(name, _dimensions(item), item, _facts(item))
        order = {n: int(file[n].attrs.get("_Netcdf4Dimid", 1 << 30)) for n in self.sizes}
        self.sizes = {n: self.sizes[n] for n in sorted(order, key=order.__getitem__)}
        self.facts = _facts(file)
        self.format = "netcdf4_classic" if "_nc3_strict" in file.attrs else "netcdf4"


def _facts(item: h5py.HLObject) -> dict[str, Any]:
    return {k: v for k, v in item.attrs.items() if k not in OWN_FACTS}


def _dimensions(item: h5py.Dataset) -> list[str]:
    if is_scale(item):
        return [item.name.rpartition("/")[2]]
    return [d[0].name.rpartition("/")[2] if len(d) else f"dim{k}" for k, d in enumerate(item.dims)]


def first_bytes(path: Path) -> bytes:
    """How a file begins: with ``CDF`` and a number where it has the classic format."""
    paths.check_file(path)
    with path.open("rb") as file:
        return file.read(4)


@contextmanager
def opened(name: str, file: Value) -> Iterator[Classic | Modern]:
    """A file of either format."""
    path = Path(text_of(file)).expanduser()
    if not path.is_file():
        text = f"Unable to find or open the file '{path}'."
        raise MatlabError(f"MATLAB:imagesci:{name}:unableToOpen", text)
    if first_bytes(path)[:3] == b"CDF":
        from scipy.io import netcdf_file

        with reading(name, path):
            handle = netcdf_file(str(path), "r", mmap=False)
        try:
            yield Classic(handle)
        finally:
            handle.close()
        return
    try:
        with opened_to_read(path) as hdf:
            with reading(name, path):
                found = Modern(hdf)
            yield found
    except OSError as problem:
        text = f"The file '{path}' is not a NetCDF file."
        raise MatlabError(f"MATLAB:imagesci:{name}:notNetCDF", text) from problem


def _variable(file: Classic | Modern, wanted: Value) -> Variable:
    group, _, last = text_of(wanted).strip("/").rpartition("/")
    place = group_at(file, group)
    found = None if place is None else place.variables.get(last)
    if found is None:
        text = f"The variable '{text_of(wanted)}' was not found in the file."
        raise MatlabError("MATLAB:imagesci:netcdf:unknownLocation", text)
    return found


def attribute_value(v: Any) -> Value:
    """An attribute as a value."""
    if isinstance(v, bytes):
        return v.decode("utf-8", "replace")
    if isinstance(v, str):
        return v
    a = np.atleast_1d(np.asarray(v))
    if a.dtype.kind in "SUO":
        return attribute_value(a.flat[0])
    return unwrap(a.astype(a.dtype.newbyteorder("=")).reshape(1, -1))


@builtin(
    "ncread",
    words="",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "v = ncread(file, name)",
        "v = ncread(file, name, start, count)",
        "v = ncread(file, name, start, count, stride)",
    ),
    cases=(
        _NEW + "isequal(ncread('t.nc', 'a'), a) && isequal(ncread('t.nc', 'a', [1 2], [2 "
        "2]), a(:, 2:3))",
    ),
    see=("ncinfo", "ncwrite", "h5read"),
)
def ncread(
    file: Value,
    name: Value,
    start: Value | None = None,
    count: Value | None = None,
    stride: Value | None = None,
) -> Value:
    """A variable of a NetCDF file, scaled and with NaN for missing values as its attributes say."""
    with opened("ncread", file) as data:
        variable = _variable(data, name)
        values = variable.values(*_parts(variable.shape, start, count, stride))
        facts = {k: np.asarray(v).ravel() for k, v in variable.facts.items()}
    return _scaled_values(values, facts)


def _parts(
    lengths: tuple[int, ...], start: Value | None, count: Value | None, stride: Value | None
) -> list[slice]:
    """What is asked for along each dimension, places from 1; Inf is all that is left."""
    if start is None or count is None:
        return []
    first, many = (np.asarray(as_array(v)).ravel() for v in (start, count))
    steps = np.ones(first.size) if stride is None else np.asarray(as_array(stride)).ravel()
    if not first.size == many.size == steps.size == len(lengths):
        text = f"A start, a count and a stride for each of {len(lengths)} dimensions are needed."
        raise MatlabError("MATLAB:imagesci:netcdf:badIndexArguments", text)
    found = list[slice]()
    for length, s, c, k in zip(lengths, first, many, steps, strict=True):
        end = length if np.isinf(c) else int(s) + (int(c) - 1) * int(k)
        if s < 1 or k < 1 or c < 0 or end > length:
            text = "A place that is asked for lies outside the variable, whose length there is "
            raise MatlabError("MATLAB:imagesci:netcdf:badIndexArguments", f"{text}{length}.")
        found.append(slice(int(s) - 1, max(end, int(s) - 1), int(k)))
    return found


NEVER_WRITTEN = 9.969209968386869e36
"""What files hold of floating-point variables where nothing was written."""


def _scaled_values(values: Array, facts: dict[str, Any]) -> Value:
    """Missing values, scale and offset applied."""
    if values.dtype.kind == "O":
        return StringArray(
            values.reshape(values.shape or (1, 1)) if values.ndim != 1 else values[:, None]
        )
    if values.dtype.kind in "SU":
        return "".join(v.decode() if isinstance(v, bytes) else v for v in values.ravel(order="F"))
    changed = {"_FillValue", "missing_value", "scale_factor", "add_offset"} & set(facts)
    made = (
        values.astype(np.float64)
        if changed - {"_FillValue", "missing_value"} or (changed and values.dtype.kind == "f")
        else values
    )
    if made.dtype.kind == "f":
        if "_FillValue" not in facts and values.dtype.kind == "f":
            made = np.where(values == values.dtype.type(NEVER_WRITTEN), np.nan, made)
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


def _attribute_rows(facts: dict[str, Any]) -> Value:
    return _rows([{"Name": k, "Value": attribute_value(v)} for k, v in facts.items()])


@builtin(
    "ncinfo",
    reads_file=True,
    category=_FAMILY,
    signatures=("info = ncinfo(file)", "info = ncinfo(file, name)"),
    cases=(
        _NEW + "i = ncinfo('t.nc'); strcmp(i.Variables.Name, 'a') && i.Dimensions(2).Length == 3",
    ),
    see=("ncdisp", "ncread"),
)
def ncinfo(file: Value, name: Value | None = None) -> Value:
    """What a NetCDF file, or a variable of it, holds."""
    with opened("ncinfo", file) as data:
        wanted = group_at(data, "/" if name is None else text_of(name))
        if wanted is None:
            return Struct(_variable_description(data, _variable(data, name)))
        named = {"Filename": str(Path(text_of(file)).resolve())}
        return Struct({**named, **_group_description(wanted, data.format)})


def group_at(data: Classic | Modern, place: str) -> Classic | Modern | None:
    """A group by its name, ``/`` for the file itself; None where there is none."""
    found: Classic | Modern | None = data
    for part in filter(None, place.split("/")):
        found = None if found is None else found.groups.get(part)
    return found


def _group_description(data: Classic | Modern, form: str) -> dict[str, Value]:
    return {
        "Name": data.name.rpartition("/")[2] or "/",
        "Dimensions": _rows(
            [
                {"Name": n, "Length": float(s), "Unlimited": n in data.unlimited}
                for n, s in data.sizes.items()
            ]
        ),
        "Variables": _rows([_variable_description(data, v) for v in data.variables.values()]),
        "Attributes": _attribute_rows(data.facts),
        "Groups": _rows([_group_description(g, form) for g in data.groups.values()]),
        "Format": form,
    }


def _variable_description(data: Classic | Modern, v: Variable) -> dict[str, Value]:
    dims = v.dimensions[::-1]
    return {
        "Name": v.name,
        "Dimensions": _rows(
            [
                {
                    "Name": n,
                    "Length": float(data.sizes.get(n, s)),
                    "Unlimited": n in data.unlimited,
                }
                for n, s in zip(dims, v.shape, strict=False)
            ]
        ),
        "Size": canonical(np.array([v.shape or (1,)], dtype=float)),
        "Datatype": v.class_name,
        "Attributes": _attribute_rows(v.facts),
        **v.storage,
    }


def _length(size: int, unlimited: bool) -> str:
    """How long a dimension is, as ncdisp shows it."""
    return f"{size}     (UNLIMITED)" if unlimited else f"{size}"


@builtin(
    "ncdisp",
    category=_FAMILY,
    signatures=("ncdisp(file)", "ncdisp(file, name)"),
    cases=(_NEW + "contains(evalc('ncdisp(''t.nc'')'), 'Dimensions: r,c')",),
    see=("ncinfo",),
)
def ncdisp(ctx: CallContext, file: Value, name: Value | None = None) -> Value:
    """Print what a NetCDF file holds."""
    with opened("ncdisp", file) as data:
        kept = data.variables.values() if name is None else [_variable(data, name)]
        lines = [
            f"Source:\n           {Path(text_of(file)).resolve()}",
            f"Format:\n           {data.format}",
        ]
        lines += [f"           {k} = {attribute_value(v)!r}" for k, v in data.facts.items()]
        lines += [
            "Dimensions:",
            *(f"           {n} = {_length(s, n in data.unlimited)}" for n, s in data.sizes.items()),
        ]
        lines.append("Variables:")
        for v in kept:
            shape = "x".join(map(str, v.shape))
            lines += [
                f"    {v.name}",
                f"           Size:       {shape}",
                f"           Dimensions: {','.join(v.dimensions[::-1])}",
                f"           Datatype:   {_variable_description(data, v)['Datatype']}",
            ]
            lines += [f"           {k} = {attribute_value(x)!r}" for k, x in v.facts.items()]
    ctx.write("\n".join(lines) + "\n")
    return ()


@builtin(
    "ncreadatt",
    category=_FAMILY,
    signatures=("v = ncreadatt(file, location, name)",),
    cases=(
        _NEW + "ncwriteatt('t.nc', 'a', 'units', 'm'); strcmp(ncreadatt('t.nc', 'a', "
        "'units'), 'm')",
    ),
    see=("ncinfo", "ncwriteatt"),
)
def ncreadatt(file: Value, location: Value, name: Value) -> Value:
    """An attribute of a variable, or of the whole file with ``'/'``."""
    with opened("ncreadatt", file) as data:
        where = text_of(location)
        group = group_at(data, where)
        facts = (_variable(data, location) if group is None else group).facts
        if text_of(name) not in facts:
            text = f"The attribute '{text_of(name)}' was not found."
            raise MatlabError("MATLAB:imagesci:ncreadatt:unknownAttribute", text)
        return attribute_value(facts[text_of(name)])
