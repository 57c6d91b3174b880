"""HDF5's library itself, as MATLAB names its functions: H5F.open, H5D.read and others.

Each interface (H5F, H5D …) is a builtin that gives an object with the functions as methods. A
function takes what the library's own function of that name takes; names of constants are texts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app import restricted
from app.engine.builtins.files.hdf_checks import check_content, check_to_write
from app.engine.builtins.files.hdf_identifiers import Identifier, data_read, write_data
from app.engine.builtins.files.hdf_interfaces import (
    ENDLESS,
    chosen_space,
    close,
    constant_of,
    declare_interface,
    dimensions_row,
    forward_method,
    held_by,
    lengths_of,
    library_function,
    name_of,
    number_of,
    properties_of,
)
from app.engine.values import Value, as_array, int_of, numel, text_of
from app.errors import MatlabError, reason_of

# --- the library, files -------------------------------------------------------------------------


@library_function("H5.get_libversion")
def _version() -> Value:
    from h5py import h5

    return tuple(map(float, h5.get_libversion()))


@library_function("H5.open", "H5.close", "H5.garbage_collect")
def _nothing() -> Value:
    return ()


@library_function("H5F.open")
def _open_file(name: Value, flags: Value = "H5F_ACC_RDONLY", access: Value = "") -> Value:
    import h5py
    from h5py import h5f

    path, mode = Path(text_of(name)).expanduser(), number_of(flags)
    if not path.is_file():
        raise FileNotFoundError(f"The file '{path}' does not exist.")
    place, listed = str(path).encode(), properties_of(access)
    try:
        check_content(path)
        if mode != h5f.ACC_RDONLY:
            restricted.check_writing(path)
            with h5py.File(h5f.open(place, h5f.ACC_RDONLY, listed)) as file:
                check_to_write(file)
        return Identifier(h5f.open(place, mode, listed))
    except OSError as problem:
        text = f"Unable to open the HDF5 file '{path}': {reason_of(problem)}."
        raise MatlabError("MATLAB:imagesci:hdf5lib:fileOpenErr", text) from problem


@library_function("H5F.create")
def _create_file(
    name: Value, flags: Value = "H5F_ACC_EXCL", creation: Value = "", access: Value = ""
) -> Value:
    from h5py import h5f

    path = Path(text_of(name)).expanduser()
    restricted.check_writing(path)
    lists = properties_of(creation), properties_of(access)
    return Identifier(h5f.create(str(path).encode(), number_of(flags), *lists))


@library_function("H5F.is_hdf5")
def _is_hdf(name: Value) -> Value:
    from h5py import h5f

    path = Path(text_of(name)).expanduser()
    return float(h5f.is_hdf5(str(path).encode())) if path.is_file() else -1.0


@library_function("H5F.flush")
def _flush(file: Value, scope: Value = "H5F_SCOPE_LOCAL") -> Value:
    from h5py import h5f

    h5f.flush(held_by(file), number_of(scope))
    return ()


@library_function("H5F.get_name")
def _file_name(held: Value) -> Value:
    from h5py import h5f

    return h5f.get_name(held_by(held)).decode()


forward_method("H5F.get_filesize", lambda found: float(str(found)))


@library_function("H5F.close")
def _close_file(file: Value) -> Value:
    held_by(file).close()
    return ()


for _interface in ("H5G", "H5D", "H5S", "H5A", "H5P"):
    library_function(f"{_interface}.close")(close)


# --- groups, identifiers -------------------------------------------------------------------------


@library_function("H5G.open")
def _open_group(place: Value, name: Value, access: Value = "") -> Value:
    from h5py import h5g

    return Identifier(h5g.open(held_by(place), name_of(name)))


@library_function("H5G.create")
def _create_group(
    place: Value, name: Value, links: Value = "", creation: Value = "", access: Value = ""
) -> Value:
    from h5py import h5g

    lists = properties_of(links), properties_of(creation)
    return Identifier(h5g.create(held_by(place), name_of(name), *lists))


forward_method("H5G.get_num_objs", lambda found: float(str(found)))


@library_function("H5G.get_objname_by_idx")
def _name_of_part(place: Value, at: Value) -> Value:
    return held_by(place).get_objname_by_idx(int_of(at)).decode()


@library_function("H5I.get_name")
def _object_name(held: Value) -> Value:
    from h5py import h5i

    return (h5i.get_name(held_by(held)) or b"").decode()


@library_function("H5I.get_type")
def _object_kind(held: Value) -> Value:
    from h5py import h5i

    return float(h5i.get_type(held_by(held)))


@library_function("H5I.is_valid")
def _is_open(held: Value) -> Value:
    return bool(held_by(held).valid)


@library_function("H5ML.get_constant_value")
def _constant_value(name: Value) -> Value:
    found = constant_of(text_of(name))
    value = getattr(found, "id", found)
    return -1.0 if value == ENDLESS else float(value)


# --- data sets, attributes ----------------------------------------------------------------------


@library_function("H5D.open")
def _open_data(place: Value, name: Value, access: Value = "") -> Value:
    from h5py import h5d

    return Identifier(h5d.open(held_by(place), name_of(name), properties_of(access)))


@library_function("H5D.create")
def _create_data(place: Value, name: Value, kind: Value, space: Value, *lists: Value) -> Value:
    from h5py import h5d

    links, creation, access = (None, None, None)
    given = tuple(map(properties_of, lists))
    if len(given) == 1:  # the older form has the properties of the data set alone
        (creation,) = given
    elif given:
        links, creation, access = (*given, None, None)[:3]
    made = h5d.create(
        held_by(place), name_of(name), held_by(kind), held_by(space), creation, links, access
    )
    return Identifier(made)


@library_function("H5D.read")
def _read_data(
    source: Value, kind: Value = "", memory: Value = "", chosen: Value = "", transfer: Value = ""
) -> Value:
    return data_read(held_by(source), chosen_space(memory), chosen_space(chosen))


@library_function("H5D.write")
def _write_data(
    target: Value, kind: Value, memory: Value, chosen: Value, transfer: Value, data: Value
) -> Value:
    write_data(held_by(target), chosen_space(memory), chosen_space(chosen), data)
    return ()


@library_function("H5D.set_extent")
def _set_extent(target: Value, lengths: Value) -> Value:
    held_by(target).set_extent(lengths_of(lengths))
    return ()


@library_function("H5D.get_space", "H5A.get_space")
def _space_of(source: Value) -> Value:
    return Identifier(held_by(source).get_space())


@library_function("H5D.get_type", "H5A.get_type")
def _type_of(source: Value) -> Value:
    return Identifier(held_by(source).get_type())


@library_function("H5D.get_create_plist")
def _properties_of(source: Value) -> Value:
    return Identifier(held_by(source).get_create_plist())


forward_method("H5D.get_storage_size", lambda found: float(str(found)))


@library_function("H5A.open", "H5A.open_name")
def _open_attribute(place: Value, name: Value, access: Value = "") -> Value:
    from h5py import h5a

    return Identifier(h5a.open(held_by(place), name_of(name)))


@library_function("H5A.open_by_name")
def _open_attribute_of(place: Value, target: Value, name: Value, *lists: Value) -> Value:
    from h5py import h5a

    return Identifier(h5a.open(held_by(place), name_of(name), obj_name=name_of(target)))


@library_function("H5A.open_idx", "H5A.open_by_idx")
def _open_attribute_at(place: Value, *rest: Value) -> Value:
    from h5py import h5a

    if len(rest) == 1:
        return Identifier(h5a.open(held_by(place), index=int_of(rest[0])))
    target, _, _, at, *_ = rest
    return Identifier(h5a.open(held_by(place), index=int_of(at), obj_name=name_of(target)))


@library_function("H5A.create")
def _create_attribute(place: Value, name: Value, kind: Value, space: Value, *lists: Value) -> Value:
    from h5py import h5a

    return Identifier(h5a.create(held_by(place), name_of(name), held_by(kind), held_by(space)))


@library_function("H5A.read")
def _read_attribute(source: Value, kind: Value = "") -> Value:
    return data_read(held_by(source), None, None)


@library_function("H5A.write")
def _write_attribute(target: Value, kind: Value, data: Value) -> Value:
    write_data(held_by(target), None, None, data)
    return ()


@library_function("H5A.delete")
def _delete_attribute(place: Value, name: Value) -> Value:
    from h5py import h5a

    h5a.delete(held_by(place), name_of(name))
    return ()


@library_function("H5A.get_num_attrs")
def _attribute_count(place: Value) -> Value:
    from h5py import h5a

    return float(h5a.get_num_attrs(held_by(place)))


@library_function("H5A.get_name")
def _attribute_name(held: Value) -> Value:
    return held_by(held).get_name().decode()


# --- spaces -------------------------------------------------------------------------------------


@library_function("H5S.create")
def _create_space(kind: Value) -> Value:
    from h5py import h5s

    return Identifier(h5s.create(number_of(kind)))


@library_function("H5S.create_simple")
def _create_simple_space(rank: Value, lengths: Value, most: Value | None = None) -> Value:
    from h5py import h5s

    sizes = lengths_of(lengths)
    if most is None or not numel(most):
        return Identifier(h5s.create_simple(sizes))
    limits = lengths_of(most)
    return Identifier(h5s.create_simple(sizes, limits * len(sizes) if len(limits) == 1 else limits))


@library_function("H5S.get_simple_extent_dims")
def _extent(space: Value) -> Value:
    held = held_by(space)
    sizes, most = held.get_simple_extent_dims(), held.get_simple_extent_dims(maxdims=1)
    return float(len(sizes)), dimensions_row(sizes), dimensions_row(most)


@library_function("H5S.select_hyperslab")
def _choose_block(
    space: Value,
    operation: Value,
    start: Value,
    stride: Value,
    count: Value,
    block: Value | None = None,
) -> Value:
    given = (lengths_of(v) if v is not None and numel(v) else None for v in (stride, block))
    steps, blocks = given
    held_by(space).select_hyperslab(
        lengths_of(start), lengths_of(count), steps, blocks, number_of(operation)
    )
    return ()


@library_function("H5S.copy", "H5P.copy")
def _copy(held: Value) -> Value:
    return Identifier(held_by(held).copy())


for _full in ("H5S.select_all", "H5S.select_none"):
    forward_method(_full)
for _full in (
    "H5S.get_simple_extent_ndims",
    "H5S.get_simple_extent_npoints",
    "H5S.get_simple_extent_type",
    "H5S.get_select_npoints",
    "H5P.get_layout",
):
    forward_method(_full, lambda found: float(str(found)))
forward_method("H5S.is_simple", bool)


# --- properties -------------------------------------------------------------------------


@library_function("H5P.create")
def _create_properties(kind: Value) -> Value:
    from h5py import h5p

    return Identifier(h5p.create(held_by(kind)))


@library_function("H5P.set_chunk")
def _set_chunk(properties: Value, *rest: Value) -> Value:
    held_by(properties).set_chunk(lengths_of(rest[-1]))
    return ()


@library_function("H5P.get_chunk")
def _chunk(properties: Value) -> Value:
    found = held_by(properties).get_chunk()
    return float(len(found)), dimensions_row(found)


@library_function("H5P.set_fill_value")
def _set_fill_value(properties: Value, kind: Value, filling: Value) -> Value:
    held_by(properties).set_fill_value(np.asarray(as_array(filling)).ravel()[0])
    return ()


for _full in (
    "H5P.set_deflate",
    "H5P.set_shuffle",
    "H5P.set_fletcher32",
    "H5P.set_layout",
    "H5P.set_create_intermediate_group",
):
    forward_method(_full)


# --- the names ----------------------------------------------------------------------------------

_OPEN = (
    "h5create('x.h5', '/a', [2 3]); h5write('x.h5', '/a', [1 2 3; 4 5 6]); "
    "f = H5F.open('x.h5'); d = H5D.open(f, '/a'); "
)
_NEW = "f = H5F.create('n.h5'); "


declare_interface("H5", "the library", "[a, b, c] = H5.get_libversion(); a == 1 || a == 2")
declare_interface(
    "H5A",
    "attributes",
    "h5create('x.h5', '/a', 1); h5writeatt('x.h5', '/a', 'n', 3); "
    "f = H5F.open('x.h5'); H5A.read(H5A.open_by_name(f, '/a', 'n')) == 3",
)
declare_interface("H5D", "data sets", _OPEN + "isequal(H5D.read(d), [1 2 3; 4 5 6])")
declare_interface("H5F", "files", _OPEN + "H5F.is_hdf5('x.h5') == 1")
declare_interface("H5G", "groups", _NEW + "g = H5G.create(f, '/g', 0); H5G.get_num_objs(f) == 1")
declare_interface("H5I", "identifiers", _OPEN + "strcmp(H5I.get_name(d), '/a')")
declare_interface("H5ML", "constants", "H5ML.get_constant_value('H5S_UNLIMITED') == -1")
declare_interface(
    "H5P",
    "lists of properties",
    "p = H5P.create('H5P_DATASET_CREATE'); H5P.set_chunk(p, [4 2]); "
    "[n, c] = H5P.get_chunk(p); isequal(c, [4 2])",
)
declare_interface(
    "H5S",
    "data spaces",
    _OPEN + "[n, s] = H5S.get_simple_extent_dims(H5D.get_space(d)); isequal(s, [3 2])",
)
