"""What HDF5's library has open, as MATLAB values, and the data that pass through it.

The library counts dimensions the other way round: a 2-by-3 matrix is a data set of 3 by 2. Its
functions keep that order in MATLAB, and so does what is here; only the arrays are turned.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.files.hdf_checks import check_type
from app.engine.builtins.files.hdf_lengths import check_lengths
from app.engine.builtins.files.hdf_places import check_places
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    is_char,
    object_array,
    texts_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from h5py._objects import ObjectID
    from h5py.h5a import AttrID
    from h5py.h5d import DatasetID
    from h5py.h5s import SpaceID
    from h5py.h5t import TypeID

LIBRARY_ERROR = "MATLAB:imagesci:hdf5lib:libraryError"


class Identifier(NativeObject):
    """Something that the library has open: a file, a group, a data set, a type and so on.

    Attributes:
        held: it, as h5py keeps it.
    """

    class_name = "H5ML.id"
    is_handle = True
    travels = False

    def __init__(self, held: ObjectID) -> None:
        self.held = held

    def members(self) -> list[str]:
        """Its number in the library."""
        return ["identifier"]

    def get_member(
        self, ctx: object, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``id.identifier``."""
        return (
            float(self.held.id)
            if name == "identifier"
            else super().get_member(ctx, name, args, nargout)
        )

    def equals(self, other: Value) -> bool:
        """Whether both are one thing."""
        return isinstance(other, Identifier) and bool(self.held == other.held)


def refusal(text: str) -> MatlabError:
    """The error for what the library does not take."""
    return MatlabError(LIBRARY_ERROR, text)


# --- reading ------------------------------------------------------------------------------------


def data_read(source: DatasetID | AttrID, memory: SpaceID | None, chosen: SpaceID | None) -> Value:
    """The elements of a data set or an attribute, or the chosen ones of a data set.

    Args:
        source: the data set or attribute.
        memory: the space the elements are put into; None for one like theirs.
        chosen: the space of the data set with a choice of elements; None for all.
    """
    from h5py import h5d, h5s

    check_type(source.get_type())
    check_lengths(source)
    space = memory or chosen or source.get_space()
    shape = space.get_simple_extent_dims() if space.get_simple_extent_ndims() else ()
    kind = _kept_type(source)
    data = np.zeros(shape, _kept_dtype(source))
    if isinstance(source, h5d.DatasetID):
        check_places(source)
        whole = memory is None and chosen is None
        places = h5s.ALL if whole else space, h5s.ALL if chosen is None else chosen
        source.read(*places, data, kind)
    else:
        source.read(data, kind)
    return _value_of(data.view(np.int8) if data.dtype == bool else data)  # an enumeration's numbers


def _kept_type(target: DatasetID | AttrID) -> TypeID | None:
    """The type of texts of one length, which the library would end with a null, and of references,
    which are bytes; None for others, which it converts."""
    return target.get_type() if target.dtype.kind == "S" or _is_reference(target) else None


def _kept_dtype(target: DatasetID | AttrID) -> np.dtype:
    """How the elements are held in memory."""
    size = target.get_type().get_size()
    return np.dtype(f"V{size}") if _is_reference(target) else target.dtype


def _is_reference(target: DatasetID | AttrID) -> bool:
    from h5py import h5t

    return isinstance(target.get_type(), h5t.TypeReferenceID)


def _value_of(data: Array) -> Value:
    """An array of the library as MATLAB has it, its dimensions turned round."""
    if data.dtype.names in {("real", "imag"), ("r", "i")}:
        real, imaginary = data.dtype.names
        return _value_of(data[real] + 1j * data[imaginary])
    if data.dtype.names:
        return Struct({name: _value_of(data[name]) for name in data.dtype.names})
    shape = data.shape[::-1] if data.ndim > 1 else (data.size, 1)
    flat = data.reshape(-1)
    if data.dtype.kind == "V":  # references: the bytes of each are a column
        made = np.frombuffer(flat.tobytes(), np.uint8).reshape(-1, *shape, order="F")
        return canonical(np.asfortranarray(made[..., 0] if data.ndim < 2 else made))
    if data.dtype.kind == "O":
        return Cell(object_array([_element(item) for item in flat.tolist()], shape))
    if data.dtype.kind == "S":
        letters = np.frombuffer(flat.tobytes(), np.uint8).reshape(flat.size, data.dtype.itemsize)
        return char_value(letters.T.astype(np.uint32))
    return canonical(np.asfortranarray(flat.reshape(shape, order="F")))


def _element(item: object) -> Value:
    """One element of variable length: a text, or a column of numbers."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    return item if isinstance(item, str) else _value_of(np.atleast_1d(np.asarray(item)))


# --- writing ------------------------------------------------------------------------------------


def write_data(
    target: DatasetID | AttrID, memory: SpaceID | None, chosen: SpaceID | None, value: Value
) -> None:
    """Write a value into a data set or an attribute; see `data_read`."""
    from h5py import h5d, h5s

    check_type(target.get_type())
    space = memory or chosen or target.get_space()
    shape = space.get_simple_extent_dims() if space.get_simple_extent_ndims() else ()
    data = _data_of(value, _kept_dtype(target), shape)
    kind = _kept_type(target)
    if not isinstance(target, h5d.DatasetID):
        target.write(data, kind)
        return
    whole = memory is None and chosen is None
    places = h5s.ALL if whole else space, h5s.ALL if chosen is None else chosen
    target.write(*places, data, kind)


def _data_of(value: Value, dtype: np.dtype, shape: tuple[int, ...]) -> Array:
    """A value as an array of the library; an error where it has not as many elements."""
    from h5py import check_enum_dtype

    if dtype.names and isinstance(value, Struct):
        made = np.zeros(shape, dtype)
        for name in dtype.names:
            made[name] = _data_of(value.fields[name], dtype[name], shape)
        return made
    if dtype.kind == "V" and not dtype.names:
        given = np.asarray(as_array(value), np.uint8)
        if given.size != dtype.itemsize * math.prod(shape):
            raise refusal(f"A reference is {dtype.itemsize} numbers of the class uint8.")
        return np.frombuffer(given.tobytes(order="F"), dtype).reshape(shape).copy()
    if dtype.kind == "S":
        return _of_size(np.array(_fixed_texts(value, dtype.itemsize), dtype), shape)
    if dtype.kind == "O":
        return _of_size(np.array([t.encode() for t in texts_of(value)], object), shape, dtype)
    data = char_codes(value) if is_char(value) else as_array(value)
    if "b" in (data.dtype.kind, dtype.kind):
        data = data.astype(np.int8)
    elif check_enum_dtype(dtype):
        data = data.astype(dtype)
    if data.dtype.kind == "c" and dtype.names and len(dtype.names) == 2:
        parts = np.zeros(data.shape, dtype)
        parts[dtype.names[0]], parts[dtype.names[1]] = data.real, data.imag
        data = parts
    return _of_size(data.ravel(order="F"), shape)


def _fixed_texts(value: Value, length: int) -> list[bytes]:
    """Texts of one length: each column of a char matrix that is as high, else each text."""
    if isinstance(value, CharArray) and value.shape[0] == length:
        columns = char_codes(value).reshape(length, -1, order="F").T
        return ["".join(map(chr, column)).encode() for column in columns]
    return [text.encode() for text in texts_of(value)]


def _of_size(data: Array, shape: tuple[int, ...], dtype: np.dtype | None = None) -> Array:
    if data.size != math.prod(shape):
        raise refusal(f"The data have {data.size} elements; {math.prod(shape)} are to be written.")
    return np.ascontiguousarray(data.reshape(shape), dtype)
