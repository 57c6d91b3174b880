"""``Class.empty``: arrays of a class with no elements."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.size_arguments import shape_of
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.declarations.registry import builtin
from app.engine.values import (
    DTYPE_OF_CLASS,
    Cell,
    NoObjects,
    StringArray,
    StructArray,
    Value,
    canonical,
    char_value,
)
from app.errors import MatlabError

_OF_ELEMENTS = ("cell", "string", "datetime", "duration", "calendarDuration", "categorical")
"""Classes with arrays of their own, besides numbers, texts and structs."""


def _empty_of_class(ctx: CallContext, kind: str, shape: tuple[int, ...]) -> Value:
    if kind in DTYPE_OF_CLASS:
        return canonical(np.zeros(shape, dtype=DTYPE_OF_CLASS[kind]))
    if kind == "char":
        return char_value(np.zeros(shape, dtype=np.uint32))
    if kind == "struct":
        return StructArray({}, shape)
    if kind == "table":
        return ctx.call("array2table", (np.zeros(shape),), 1)[0]
    if kind == "timetable":
        times = ctx.call("NaT", (float(shape[0]), 1.0), 1)[0]
        return ctx.call("array2timetable", (np.zeros(shape), "RowTimes", times), 1)[0]
    if kind not in _OF_ELEMENTS:
        return NoObjects(kind, shape)
    nothing = np.empty(shape, dtype=object)
    if kind in ("cell", "string"):
        return Cell(nothing) if kind == "cell" else StringArray(nothing)
    given = {"categorical": Cell(np.empty((0, 0), dtype=object))}.get(kind, np.zeros((0, 0)))
    args = (0.0, 0.0, 0.0) if kind in ("datetime", "duration", "calendarDuration") else (given,)
    made = ctx.call(kind, args, 1)[0]
    assert isinstance(made, NativeArray)
    return made.like(np.zeros(shape))


def declare_empty(name: str) -> None:
    """Declare ``Class.empty`` of one class."""
    kind = name.rpartition(".")[0]

    def call(ctx: CallContext, *size: Value) -> Value:
        shape = shape_of(size) if size else (0, 0)
        shape = (*shape[:1], 0) if len(size) == 1 and shape[-1] == shape[0] else shape
        if all(shape):
            text = "At least one dimension must be zero."
            raise MatlabError("MATLAB:class:emptyMustBeZero", text)
        return _empty_of_class(ctx, kind, shape)

    builtin(
        name,
        category="arrays",
        signatures=(f"x = {name}", f"x = {name}(m, n, ...)"),
        cases=(
            f"isempty({name}) && isa({name}(0, 3), '{kind}')",
            f"isequal(size({name}(0, 3)), [0 3])",
        ),
        text=f"An array of class {kind} without elements.",
        see=("isempty", "zeros"),
    )(call)


declare_empty("double.empty")
declare_empty("single.empty")
declare_empty("logical.empty")
declare_empty("char.empty")
declare_empty("string.empty")
declare_empty("cell.empty")
declare_empty("struct.empty")
declare_empty("datetime.empty")
declare_empty("duration.empty")
declare_empty("calendarDuration.empty")
declare_empty("categorical.empty")
declare_empty("table.empty")
declare_empty("timetable.empty")
declare_empty("int8.empty")
declare_empty("int16.empty")
declare_empty("int32.empty")
declare_empty("int64.empty")
declare_empty("uint8.empty")
declare_empty("uint16.empty")
declare_empty("uint32.empty")
declare_empty("uint64.empty")
declare_empty("function_handle.empty")
declare_empty("MException.empty")
declare_empty("timer.empty")
declare_empty("inputParser.empty")
declare_empty("containers.Map.empty")
declare_empty("event.listener.empty")
declare_empty("digraph.empty")
declare_empty("graph.empty")
declare_empty("matlab.graphics.animation.AnimatedLine.empty")
declare_empty("matlab.graphics.axis.Axes.empty")
declare_empty("matlab.graphics.axis.PolarAxes.empty")
declare_empty("matlab.graphics.chart.HeatmapChart.empty")
declare_empty("matlab.graphics.chart.decoration.ConstantLine.empty")
declare_empty("matlab.graphics.chart.primitive.Area.empty")
declare_empty("matlab.graphics.chart.primitive.Bar.empty")
declare_empty("matlab.graphics.chart.primitive.Binscatter.empty")
declare_empty("matlab.graphics.chart.primitive.BoxChart.empty")
declare_empty("matlab.graphics.chart.primitive.Contour.empty")
declare_empty("matlab.graphics.chart.primitive.ErrorBar.empty")
declare_empty("matlab.graphics.chart.primitive.Histogram.empty")
declare_empty("matlab.graphics.chart.primitive.Histogram2.empty")
declare_empty("matlab.graphics.chart.primitive.Line.empty")
declare_empty("matlab.graphics.chart.primitive.Quiver.empty")
declare_empty("matlab.graphics.chart.primitive.Scatter.empty")
declare_empty("matlab.graphics.chart.primitive.Stair.empty")
declare_empty("matlab.graphics.chart.primitive.Stem.empty")
declare_empty("matlab.graphics.chart.primitive.Surface.empty")
declare_empty("matlab.graphics.illustration.ColorBar.empty")
declare_empty("matlab.graphics.illustration.Legend.empty")
declare_empty("matlab.graphics.layout.TiledChartLayout.empty")
declare_empty("matlab.graphics.primitive.Group.empty")
declare_empty("matlab.graphics.primitive.Image.empty")
declare_empty("matlab.graphics.primitive.Light.empty")
declare_empty("matlab.graphics.primitive.Patch.empty")
declare_empty("matlab.graphics.primitive.Rectangle.empty")
declare_empty("matlab.graphics.primitive.Text.empty")
declare_empty("matlab.graphics.primitive.Transform.empty")
declare_empty("matlab.graphics.shape.Annotation.empty")
declare_empty("matlab.ui.Figure.empty")
declare_empty("matlab.ui.container.ContextMenu.empty")
declare_empty("matlab.ui.container.Menu.empty")
declare_empty("matlab.ui.container.Panel.empty")
declare_empty("matlab.ui.control.Table.empty")
declare_empty("matlab.ui.control.UIControl.empty")
