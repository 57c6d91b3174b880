"""What an HDF5 file consists of, as the structs that h5info gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.files.hdf_checks import check_node
from app.engine.builtins.files.hdf_places import DamagedError
from app.engine.builtins.files.mat_hdf_read import plain_value
from app.engine.values import EMPTY, Cell, Struct, StructArray, Value, canonical

if TYPE_CHECKING:
    import h5py
    from h5py.h5s import SpaceID
    from h5py.h5t import TypeID

_GROUP = ("Name", "Groups", "Datasets", "Datatypes", "Links", "Attributes")
_DATASET = (
    "Name",
    "Datatype",
    "Dataspace",
    "ChunkSize",
    "FillValue",
    "Filters",
    "Attributes",
)
_ATTRIBUTE = ("Name", "Datatype", "Dataspace", "Value")
_LINK = ("Name", "Type", "Value")
_DATATYPE = ("Name", "Class", "Type", "Size", "Attributes")
_CLASSES = (
    *("INTEGER", "FLOAT", "STRING", "ENUM", "COMPOUND", "VLEN", "ARRAY", "REFERENCE"),
    *("BITFIELD", "OPAQUE", "TIME"),
)
_PADDINGS = ("H5T_STR_NULLTERM", "H5T_STR_NULLPAD", "H5T_STR_SPACEPAD")
_OF_GROUP = 32
"""Bytes of a group in a file, at least."""
_LETTERS = ("H5T_CSET_ASCII", "H5T_CSET_UTF8")


def object_description(node: h5py.HLObject, left: Iterator[int] | None = None) -> Struct:
    """A group with all that is below it, or a data set.

    ``left`` counts down how many groups there may be: links may lead to one on so many ways that no
    program could go them all.
    """
    import h5py

    if isinstance(node, h5py.Dataset):
        return _dataset(node)
    if isinstance(node, h5py.Datatype):
        return _named_type(node)
    left = left or iter(range(node.file.id.get_filesize() // _OF_GROUP + 1))
    if next(left, None) is None:
        raise DamagedError
    parts = [node[name] for name in _own_parts(node)]
    for part in parts:
        check_node(part)
    groups = [object_description(p, left) for p in parts if isinstance(p, h5py.Group)]
    sets = [_dataset(p) for p in parts if isinstance(p, h5py.Dataset)]
    types = [_named_type(p) for p in parts if isinstance(p, h5py.Datatype)]
    return Struct(
        {
            "Name": node.name,
            "Groups": _column(groups, _GROUP),
            "Datasets": _column(sets, _DATASET),
            "Datatypes": _column(types, _DATATYPE),
            "Links": _column(list(_links(node)), _LINK),
            "Attributes": _attributes(node),
        }
    )


def _own_parts(node: h5py.Group) -> Iterator[str]:
    import h5py

    for name in node:
        if isinstance(node.get(name, getlink=True), h5py.HardLink):
            yield name


def _links(node: h5py.Group) -> Iterator[Struct]:
    """Links that only name what they lead to, which need not be there."""
    import h5py

    for name in node:
        match node.get(name, getlink=True):
            case h5py.SoftLink(path=path):
                yield _link(name, "soft link", [path])
            case h5py.ExternalLink(filename=file, path=path):
                yield _link(name, "external link", [file, path])


def _link(name: str, kind: str, leads: list[str]) -> Struct:
    return Struct({"Name": name, "Type": kind, "Value": Cell.of(leads, (len(leads), 1))})


def _dataset(node: h5py.Dataset) -> Struct:
    filling = None if node.dtype.names else node.fillvalue
    return Struct(
        {
            "Name": (node.name or "").rpartition("/")[2],
            "Datatype": type_description(node.id.get_type()),
            "Dataspace": _space(node.id.get_space()),
            "ChunkSize": EMPTY if node.chunks is None else _sizes(node.chunks),
            "FillValue": EMPTY if filling is None else plain_value(filling),
            "Filters": _filters(node),
            "Attributes": _attributes(node),
        }
    )


def _filters(node: h5py.Dataset) -> Value:
    listed = node.id.get_create_plist()
    found = (listed.get_filter(k) for k in range(listed.get_nfilters()))
    rows = [
        Struct({"Name": name.decode(), "Data": canonical(np.array([values], np.float64))})
        for _, _, values, name in found
    ]
    return _column(rows, ("Name", "Data"))


def _named_type(node: h5py.Datatype) -> Struct:
    found = type_description(node.id)
    found.fields["Name"] = (node.name or "").rpartition("/")[2]
    return found


def _attributes(node: h5py.HLObject) -> Value:
    rows = []
    for name, value in node.attrs.items():
        held = node.attrs.get_id(name)
        facts = {
            "Name": name,
            "Datatype": type_description(held.get_type()),
            "Dataspace": _space(held.get_space()),
            "Value": plain_value(value),
        }
        rows.append(Struct(facts))
    return _column(rows, _ATTRIBUTE)


# --- types and spaces ---------------------------------------------------------------------------


def type_description(kind: TypeID) -> Struct:
    """The type of elements: its class, and its name in the library or what it is made of."""
    from h5py import h5t

    names = {getattr(h5t, name): name for name in _CLASSES}
    name = names.get(kind.get_class(), "UNKNOWN")
    facts: dict[str, Value] = {
        "Name": "",
        "Class": f"H5T_{name}",
        "Type": _made_of(kind, name),
        "Size": float(kind.get_size()),
        "Attributes": EMPTY,
    }
    return Struct(facts)


def _made_of(kind: TypeID, family: str) -> Value:
    match family:
        case "INTEGER" | "FLOAT":
            return _number_name(kind, family)
        case "STRING":
            variable = kind.is_variable_str()
            text: dict[str, Value] = {
                "Length": "H5T_VARIABLE" if variable else float(kind.get_size()),
                "Padding": _PADDINGS[kind.get_strpad()],
                "CharacterSet": _LETTERS[kind.get_cset()],
                "CharacterType": "H5T_C_S1",
            }
            return Struct(text)
        case "ENUM":
            base = type_description(kind.get_super()).fields["Type"]
            return Struct({"Type": base, "Member": _members(kind, enumeration=True)})
        case "COMPOUND":
            return Struct({"Member": _members(kind, enumeration=False)})
        case "VLEN":
            return type_description(kind.get_super())
        case "ARRAY":
            lengths = _sizes(kind.get_array_dims())
            return Struct({"Dims": lengths, "Datatype": type_description(kind.get_super())})
        case "REFERENCE":
            return "H5T_STD_REF_OBJ" if kind.get_size() == 8 else "H5T_STD_REF_DSETREG"
        case _:
            return ""


def _number_name(kind: TypeID, family: str) -> str:
    from h5py import h5t

    signed = "I" if family == "FLOAT" or kind.get_sign() == h5t.SGN_2 else "U"
    standard = "H5T_IEEE_F" if family == "FLOAT" else f"H5T_STD_{signed}"
    order = "BE" if kind.get_order() == h5t.ORDER_BE else "LE"
    return f"{standard}{8 * kind.get_size()}{order}"


def _members(kind: TypeID, *, enumeration: bool) -> Value:
    second = "Value" if enumeration else "Datatype"
    rows = []
    for k in range(kind.get_nmembers()):
        value: Value = (
            float(kind.get_member_value(k))
            if enumeration
            else type_description(kind.get_member_type(k))
        )
        rows.append(Struct({"Name": kind.get_member_name(k).decode(), second: value}))
    return _column(rows, ("Name", second))


def _space(space: SpaceID) -> Struct:
    from h5py import h5s

    kind = space.get_simple_extent_type()
    if kind != h5s.SIMPLE:
        length = EMPTY if kind == h5s.NULL else 1.0
        name = "null" if kind == h5s.NULL else "scalar"
        return Struct({"Size": length, "MaxSize": length, "Type": name})
    most = space.get_simple_extent_dims(maxdims=1)
    limits = [np.inf if n == h5s.UNLIMITED else n for n in most]
    lengths = space.get_simple_extent_dims()
    return Struct({"Size": _sizes(lengths), "MaxSize": _sizes(limits), "Type": "simple"})


def _sizes(lengths: Sequence[float]) -> Value:
    """Lengths of the file's dimensions, in MATLAB's order."""
    return canonical(np.array([lengths[::-1]], dtype=np.float64))


def _column(rows: list[Struct], names: tuple[str, ...]) -> Value:
    """Structs as a column, empty where there is none."""
    return StructArray.of(rows, (len(rows), 1), names) if rows else EMPTY
