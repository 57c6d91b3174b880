"""HDF5's references, ``H5R.create`` and kin: bytes that lead to an object of a file or a region.

h5py has them as objects whose bytes it does not tell: they are got, and made of bytes, by a file in
memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.files.hdf_identifiers import Identifier, refusal
from app.engine.builtins.files.hdf_interfaces import (
    chosen_space,
    declare_interface,
    held_by,
    library_function,
    name_of,
    number_of,
)
from app.engine.values import Array, Value, as_array

if TYPE_CHECKING:
    from h5py.h5d import DatasetID
    from h5py.h5r import Reference


def _in_memory(kind: int) -> tuple[DatasetID, Array]:
    """A data set for one reference in a file that is never written, and an array for it."""
    import h5py
    from h5py import h5d, h5f, h5p, h5r, h5s, h5t

    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fapl_core(1024, backing_store=False)
    file = h5f.create(b"references", h5f.ACC_TRUNC, fapl=access)
    is_object = kind == h5r.OBJECT
    stored = h5t.STD_REF_OBJ if is_object else h5t.STD_REF_DSETREG
    held = np.empty(1, h5py.ref_dtype if is_object else h5py.regionref_dtype)
    return h5d.create(file, b"one", stored, h5s.create_simple((1,))), held


def _bytes_of(reference: Reference, kind: int) -> Value:
    from h5py import h5s

    data, held = _in_memory(kind)
    held[0] = reference
    data.write(h5s.ALL, h5s.ALL, held)
    found = np.zeros(1, f"V{data.get_type().get_size()}")
    data.read(h5s.ALL, h5s.ALL, found, data.get_type())
    return np.frombuffer(found.tobytes(), np.uint8).reshape(-1, 1).copy()


def _reference(kind: int, value: Value) -> Reference:
    from h5py import h5s

    data, held = _in_memory(kind)
    given, size = np.asarray(as_array(value)), data.get_type().get_size()
    if given.dtype != np.uint8 or given.size != size:
        raise refusal(f"A reference of this kind is {size} numbers of the class uint8.")
    content = np.frombuffer(given.tobytes(order="F"), f"V{size}").copy()
    data.write(h5s.ALL, h5s.ALL, content, data.get_type())
    data.read(h5s.ALL, h5s.ALL, held)
    return held[0]


@library_function("H5R.create")
def _create(place: Value, name: Value, kind: Value, space: Value = -1.0) -> Value:
    from h5py import h5r

    number = number_of(kind)
    made = h5r.create(held_by(place), name_of(name), number, chosen_space(space))
    return _bytes_of(made, number)


@library_function("H5R.dereference")
def _dereference(place: Value, kind: Value, reference: Value) -> Value:
    from h5py import h5r

    found = h5r.dereference(_reference(number_of(kind), reference), held_by(place))
    if found is None:
        raise refusal("The reference leads nowhere.")
    return Identifier(found)


@library_function("H5R.get_name")
def _get_name(place: Value, kind: Value, reference: Value) -> Value:
    from h5py import h5r

    found = h5r.get_name(_reference(number_of(kind), reference), held_by(place))
    return (found or b"").decode("utf-8", "replace")


@library_function("H5R.get_obj_type")
def _get_obj_type(place: Value, kind: Value, reference: Value) -> Value:
    from h5py import h5r

    return float(h5r.get_obj_type(_reference(number_of(kind), reference), held_by(place)))


@library_function("H5R.get_region")
def _get_region(place: Value, kind: Value, reference: Value) -> Value:
    from h5py import h5r

    return Identifier(h5r.get_region(_reference(number_of(kind), reference), held_by(place)))


_NEW = "f = H5F.create('r.h5'); g = H5G.create(f, 'g', 0); "
declare_interface(
    "H5R",
    "references",
    _NEW + "r = H5R.create(f, '/g', 'H5R_OBJECT', -1); numel(r) == 8 && "
    "strcmp(H5R.get_name(f, 'H5R_OBJECT', r), '/g')",
)
