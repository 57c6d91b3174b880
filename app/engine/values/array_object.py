"""Objects that are arrays of one kind of element: datetime, duration, categorical."""

from __future__ import annotations

from typing import Any

from app.engine.values.containers import Array, Cell, NativeObject, Value
from app.engine.values.types import as_array, trim_shape


class ArrayObject(NativeObject):
    """An array of elements kept in a NumPy array; subclasses give the elements their meaning.

    Functions that only move elements (reshape, repmat, flips, indexing, concatenation) work on
    ``data`` and rebuild the object with ``with_data``.

    Attributes:
        data: the elements, at least two dimensions.
    """

    def __init__(self, data: Array) -> None:
        shape = trim_shape(data.shape)
        self.data = data if shape == data.shape else data.reshape(shape, order="F")

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    def with_data(self, data: Array) -> ArrayObject:
        """The same kind of object with other elements."""
        raise NotImplementedError

    def element_from(self, value: Value) -> Array:
        """The elements of a value that is assigned or concatenated."""
        raise NotImplementedError

    def paren_get(self, ctx: Any, args: tuple[Value, ...]) -> Value:
        """``obj(args)``."""
        from app.engine.interp.indexing import paren

        return self.with_data(as_elements(paren(self.indexable(), *args)))

    def paren_set(self, ctx: Any, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``obj(args) = value``, and deletion for None."""
        if value is None:
            from app.engine.interp.deleting import delete_elements

            return self.with_data(as_elements(delete_elements(self.indexable(), args)))
        from app.engine.interp.assigning import set_args

        new = self.element_from(value)
        source: Value = Cell(new) if self.data.dtype == object else new
        return self.with_data(as_elements(set_args(self.indexable(), args, source)))

    def indexable(self) -> Value:
        """The elements as a plain value."""
        return Cell(self.data) if self.data.dtype == object else self.data


def as_elements(v: Value) -> Array:
    """The array behind a plain value."""
    return v.data if isinstance(v, Cell) else as_array(v)
