"""Dates, durations and categories on rulers: numbers that know how they are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.figures.dates import DATE
from app.engine.figures.objects import GraphicsArray, GraphicsObject
from app.engine.figures.properties import is_text
from app.engine.values import Cell, NativeObject, Value, as_array, class_of, numel, texts_of

_UNITS = (
    ("days", 172800, "%g days"),
    ("hours", 7200, "%g hr"),
    ("minutes", 120, "%g min"),
    ("seconds", 0, "%g sec"),
)
KINDS = frozenset(("datetime", "duration", "categorical"))


def kind_of(value: Value) -> str:
    """``datetime``, ``duration``, ``categorical``, or nothing for plain numbers."""
    if not isinstance(value, NativeObject) or isinstance(value, GraphicsObject | GraphicsArray):
        return ""
    name = class_of(value)
    return name if name in KINDS else ""


def _unit_of(ctx: CallContext, value: Value) -> tuple[str, str]:
    """The unit that suits durations, and how its numbers are written."""
    seconds = as_array(ctx.call("seconds", (value,))[0])
    longest = float(np.nanmax(np.abs(seconds), initial=0.0))
    return next((unit, form) for unit, size, form in _UNITS if longest >= size)


def numbers_on(ctx: CallContext, axes: GraphicsObject, letter: str, value: Value) -> Value:
    """The numbers that dates, durations or categories have on a ruler that shows such."""
    kind = kind_of(value)
    if kind == "datetime":
        return ctx.call("datenum", (value,))[0]
    if kind == "duration":
        form = axes[f"{letter}TickFormat"]
        unit = next((unit for unit, _size, known in _UNITS if known == form), None)
        return ctx.call(unit or _unit_of(ctx, value)[0], (value,))[0]
    return ctx.call("double", (value,))[0] if kind else value


def values_on_ruler(ctx: CallContext, axes: GraphicsObject, letter: str, numbers: Value) -> Value:
    """Numbers of a ruler as scripts see them: dates where the ruler shows dates."""
    if not axes[f"{letter}TickFormat"].startswith(DATE):
        return numbers
    return ctx.call("datetime", (numbers, "ConvertFrom", "datenum"))[0]


def prepare_ruler(ctx: CallContext, axes: GraphicsObject, letter: str, value: Value) -> None:
    """Have a ruler show values of the kind that is plotted against it."""
    kind, name = kind_of(value), f"{letter}TickFormat"
    if kind == "datetime":
        if not axes[name].startswith(DATE):
            axes[name] = DATE
    elif kind == "duration":
        axes[name] = _unit_of(ctx, value)[1]
    elif kind == "categorical":
        names = ctx.call("categories", (value,))[0]
        count = numel(names)
        axes.set(f"{letter}Tick", np.arange(1.0, count + 1)[None, :])
        axes.set(f"{letter}TickLabel", names)
        axes.set(f"{letter}Lim", np.array([[0.5, count + 0.5]]))


def take_table(ctx: CallContext, axes: GraphicsObject, rest: list[Value]) -> None:
    """``plot(tbl, x, y)``: the columns of a table instead of it and their names, in place."""
    if not rest or not is_table(rest[0]):
        return
    table = rest[0]
    known = texts_of(ctx.call("getfield", (table, "Properties", "VariableNames"))[0])
    names = [texts_of(value) for value in rest[1:3] if is_text(value) or isinstance(value, Cell)]
    if len(names) > 1 and not set(known).issuperset(names[1]):
        del names[1]  # the name of an option
    rest[: 1 + len(names)] = [_columns(ctx, table, several) for several in names]
    parts = ("XLabel", "YLabel") if len(names) > 1 else ("YLabel",)
    for part, several in zip(parts, names, strict=False):
        if len(several) == 1:
            axes.owner.part(axes, part).set("String", several[0])


def is_table(value: Value) -> bool:
    """Whether a value is a table, whose columns are named in what follows."""
    return isinstance(value, NativeObject) and class_of(value) == "table"


def _columns(ctx: CallContext, table: Value, names: list[str]) -> Value:
    """Columns of a table side by side."""
    found = [ctx.call("getfield", (table, name))[0] for name in names]
    return found[0] if len(found) == 1 else ctx.call("horzcat", tuple(found))[0]


def take_kinds(
    ctx: CallContext, axes: GraphicsObject, rest: list[Value], letters: Sequence[str]
) -> None:
    """Turn the dates, durations and categories among data into numbers, in place.

    ``letters`` says against which rulers the arguments are plotted, over and over."""
    for place, value in enumerate(rest):
        if kind_of(value):
            letter = letters[place % len(letters)]
            prepare_ruler(ctx, axes, letter, value)
            rest[place] = numbers_on(ctx, axes, letter, value)
