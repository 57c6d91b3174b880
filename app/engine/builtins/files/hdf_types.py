"""HDF5's own functions for types of elements: H5T."""

from __future__ import annotations

from app.engine.builtins.files.hdf_identifiers import Identifier
from app.engine.builtins.files.hdf_interfaces import (
    close,
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
from app.engine.values import Value, int_of, text_of

for _name in (
    "get_class",
    "get_size",
    "get_order",
    "get_cset",
    "get_strpad",
    "get_sign",
    "get_precision",
    "get_offset",
    "get_nmembers",
    "get_member_class",
    "get_member_offset",
    "get_member_value",
    "get_array_ndims",
):
    forward_method(f"H5T.{_name}", lambda found: float(str(found)))
for _name in ("is_variable_str", "committed"):
    forward_method(f"H5T.{_name}", bool)
for _name in (
    "set_size",
    "set_strpad",
    "set_cset",
    "set_order",
    "set_sign",
    "set_precision",
    "set_offset",
    "pack",
    "lock",
):
    forward_method(f"H5T.{_name}")
library_function("H5T.close")(close)


@library_function("H5T.copy")
def _copy_type(kind: Value) -> Value:
    return Identifier(held_by(kind).copy())


@library_function("H5T.equal")
def _are_equal(one: Value, other: Value) -> Value:
    return bool(held_by(one).equal(held_by(other)))


@library_function("H5T.create")
def _create_type(kind: Value, size: Value) -> Value:
    from h5py import h5t

    return Identifier(h5t.create(number_of(kind), number_of(size)))


@library_function("H5T.insert")
def _insert_member(kind: Value, name: Value, offset: Value, member: Value) -> Value:
    held_by(kind).insert(name_of(name), int_of(offset), held_by(member))
    return ()


@library_function("H5T.open")
def _open_type(place: Value, name: Value, access: Value = "") -> Value:
    from h5py import h5t

    return Identifier(h5t.open(held_by(place), name_of(name)))


@library_function("H5T.commit")
def _commit(place: Value, name: Value, kind: Value, *lists: Value) -> Value:
    held_by(kind).commit(held_by(place), name_of(name), *map(properties_of, lists[:1]))
    return ()


@library_function("H5T.get_super")
def _base(kind: Value) -> Value:
    return Identifier(held_by(kind).get_super())


@library_function("H5T.detect_class")
def _has_class(kind: Value, wanted: Value) -> Value:
    return bool(held_by(kind).detect_class(number_of(wanted)))


# --- made of others -----------------------------------------------------------------------------


@library_function("H5T.enum_create")
def _create_enumeration(base: Value) -> Value:
    from h5py import h5t

    return Identifier(h5t.enum_create(held_by(base)))


@library_function("H5T.enum_insert")
def _insert_value(kind: Value, name: Value, value: Value) -> Value:
    held_by(kind).enum_insert(name_of(name), int_of(value))
    return ()


@library_function("H5T.enum_valueof")
def _value_named(kind: Value, name: Value) -> Value:
    return float(held_by(kind).enum_valueof(name_of(name)))


@library_function("H5T.enum_nameof")
def _name_of_value(kind: Value, value: Value) -> Value:
    return held_by(kind).enum_nameof(int_of(value)).decode()


@library_function("H5T.vlen_create")
def _create_variable(base: Value) -> Value:
    from h5py import h5t

    return Identifier(h5t.vlen_create(held_by(base)))


@library_function("H5T.array_create")
def _create_array(base: Value, *rest: Value) -> Value:
    from h5py import h5t

    lengths = rest[0] if len(rest) == 1 else rest[1]  # the older form has the rank before them
    return Identifier(h5t.array_create(held_by(base), lengths_of(lengths)))


@library_function("H5T.get_array_dims")
def _array_lengths(kind: Value) -> Value:
    return dimensions_row(held_by(kind).get_array_dims())


@library_function("H5T.get_member_name")
def _member_name(kind: Value, at: Value) -> Value:
    return held_by(kind).get_member_name(int_of(at)).decode()


@library_function("H5T.get_member_index")
def _member_index(kind: Value, name: Value) -> Value:
    return float(held_by(kind).get_member_index(name_of(name)))


@library_function("H5T.get_member_type")
def _member_type(kind: Value, at: Value) -> Value:
    return Identifier(held_by(kind).get_member_type(int_of(at)))


@library_function("H5T.set_tag")
def _set_tag(kind: Value, tag: Value) -> Value:
    held_by(kind).set_tag(text_of(tag).encode())
    return ()


@library_function("H5T.get_tag")
def _tag(kind: Value) -> Value:
    return held_by(kind).get_tag().decode()


declare_interface(
    "H5T",
    "types",
    "t = H5T.enum_create('H5T_STD_I8LE'); H5T.enum_insert(t, 'ON', 3); "
    "H5T.enum_valueof(t, 'ON') == 3 && strcmp(H5T.enum_nameof(t, 3), 'ON')",
)
