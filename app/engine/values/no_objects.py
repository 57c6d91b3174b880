"""Arrays without elements of the classes that have no arrays of their own."""

from __future__ import annotations

import numpy as np

from app.engine.values.containers import Array, NativeObject, Value, unsupported_index
from app.engine.values.types import as_array, class_of
from app.errors import MatlabError


class NoObjects(NativeObject):
    """``Class.empty`` of a class written in Python: ``timer.empty``, ``matlab.ui.Figure.empty``.

    Brackets leave it out; what is stored into it takes its place.

    Args:
        class_name: the class.
        shape: the MATLAB size, of which one is 0.
    """

    def __init__(self, class_name: str, shape: tuple[int, ...]) -> None:
        self.class_name, self.data = class_name, np.empty(shape, dtype=object)

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    def single_elements(self) -> Array:
        """What `arrayfun` and loops go over: nothing."""
        return self.data

    def paren_get(self, ctx: object, args: tuple[Value, ...]) -> Value:
        """``none([])``, ``none(:)``; every other element is outside."""
        if all(isinstance(a, str) or not as_array(a).any() for a in args):
            return self
        text = "Index exceeds the number of array elements. Index must not exceed 0."
        raise MatlabError("MATLAB:badsubscript", text)

    def paren_set(self, ctx: object, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``none(1) = object``, ``none(end + 1) = object``."""
        if value is None:
            return self
        made: NativeObject
        if (maker := getattr(value, "array_with", None)) is not None:
            made = maker(ctx, args)
            return made
        first = all(np.array_equal(as_array(a), [[1]]) for a in args if not isinstance(a, str))
        if first and class_of(value) == self.class_name:
            made = value  # type: ignore[assignment]  # a handle of a function is stored like objects
            return made
        raise unsupported_index(self.class_name, "()=")

    def show(self, name: str, style: object) -> str:
        """Size and class."""
        size = "×".join(map(str, self.shape))
        return f"  {size} empty {self.class_name.rpartition('.')[2]} array.\n"

    def equals(self, other: Value) -> bool:
        """Equal to what is as empty."""
        return getattr(other, "shape", None) == self.shape
