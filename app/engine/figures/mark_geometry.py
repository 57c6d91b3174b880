"""Geometry of marks, made by the operations that scripts use: where the data is, it is made.

A chart that draws more than its numbers as they are (strokes with gaps, curtains, towers) works
them out with a ``Geometry``. Of resident arrays nothing comes down for that: what the operations
give is resident, and drawn from its buffer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.call_context import CallContext
from app.engine.capture import capture_session
from app.engine.figures.figure_data import SeriesData
from app.engine.figures.series_data import columns_of, data_of, together, value_shape
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import EMPTY, Array, DeviceArray, Value, as_array
from app.errors import MatlabError


class Geometry:
    """Calls builtins, and gives what they make to a series.

    Attributes:
        ctx: who calls.
    """

    def __init__(self, ctx: CallContext) -> None:
        self.ctx = ctx

    def __call__(self, name: str, *args: Value) -> Value:
        """The first result of a builtin."""
        return self.ctx.call(name, args)[0]

    def column(self, value: Value) -> Value:
        """All elements as a column of doubles."""
        return self("double", self("reshape", value, EMPTY, 1.0))

    def columns(self, matrix: Value) -> list[Value]:
        """The columns of a matrix, left where they are."""
        return [data.value() for data in columns_of(self.ctx, matrix)]

    def grid(self, shape: tuple[int, ...]) -> list[Value]:
        """The matrices of column and row numbers."""
        across, down = (self("colon", 1.0, float(n)) for n in (shape[1], shape[0]))
        return list(self.ctx.call("meshgrid", (across, down), 2))

    def matrices(self, values: list[Value]) -> list[Value]:
        """X, Y and Z of a surface as three matrices, from them, from vectors, or from Z alone."""
        z = self("double", values[-1])
        shape = value_shape(z)
        if len(values) == 1:
            return [*self.grid(shape), z]
        if value_shape(values[0]) == value_shape(values[1]) == shape:
            return [*(self("double", value) for value in values[:2]), z]
        vectors = tuple(self.column(value) for value in values[:2])
        return [*self.ctx.call("meshgrid", vectors, 2), z]

    def strokes(self, *points: Value) -> Value:
        """One stroke per row of these columns, with a gap behind each (or where a None is)."""
        first = next(point for point in points if point is not None)
        gap = self("times", first, math.nan)
        columns = [gap if point is None else point for point in (*points, None)]
        return self("reshape", self("transpose", self("horzcat", *columns)), EMPTY, 1.0)

    def between(self, *layers: Value) -> Value:
        """Matrices of one size, their rows taken in turn."""
        rows, columns = value_shape(layers[0])[:2]
        turned = self("permute", self("cat", 3.0, *layers), np.array([[3.0, 1.0, 2.0]]))
        return self("reshape", turned, float(rows * len(layers)), float(columns))

    def chosen(self, value: Value, index: Value) -> Value:
        """Elements at places counted from 0, in the shape of the places."""
        if not any(type(part) is DeviceArray for part in (value, index)):
            return _taken(as_array(value).reshape(-1, order="F"), as_array(index))
        runtime = self.ctx.runtime
        data, places = capture_session.operand(value), capture_session.operand(index)
        node = runtime.apply(
            "gather", (data, capture_session.cast(places, DType.I64)), (places.shape,)
        )
        return DeviceArray(node, runtime)

    def distinct(self, value: Value) -> Array:
        """The different values, in order: only they come down."""
        ordered = self("sort", self.column(value))
        new = self("vertcat", True, self("gt", self("diff", ordered), 0.0))
        return as_array(paren(ordered, new)).reshape(-1)

    def number(self, name: str, value: Value) -> float:
        """A reduction of everything, such as ``min``: one number comes down."""
        found = self(name, self.column(value))
        return float(as_array(found).reshape(-1)[0])

    def elements(self, value: Value, places: Array) -> Array:
        """A few elements at places counted from 0: only they come down."""
        return as_array(self.chosen(value, places.reshape(-1, 1))).reshape(-1)

    def data(self, *values: Value) -> list[SeriesData]:
        """Values as the data of one series, all where the device can draw them or none."""
        return together(self.ctx, *(data_of(self.ctx, value) for value in values))

    def named(self, **values: Value) -> dict[str, Any]:
        """``data`` by the names of properties."""
        return dict(zip(values, self.data(*values.values()), strict=True))


def _taken(values: Array, places: Array) -> Array:
    """Values at places counted from 0; MATLAB's error where there is none."""
    if not bool(((places >= 0) & (places < max(values.size, 1))).all()):
        text = f"Places must be whole numbers between 1 and the number of points, {values.size}."
        raise MatlabError("MATLAB:badsubscript", text)
    return np.asarray(values[places.astype(np.int64)])
