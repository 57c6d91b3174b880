"""What the plotting families share: whose figures, which axes, whose data, which options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, TypeGuard

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import native_type
from app.engine.figures.figure_data import HostData
from app.engine.figures.linespec import parse_linespec
from app.engine.figures.listeners import Listener
from app.engine.figures.model import Figures, figures_of
from app.engine.figures.objects import GraphicsArray, GraphicsObject, items_of
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.ruler_values import is_table, take_kinds, take_table
from app.engine.figures.series_index import style_order
from app.engine.values import Struct, Value, as_array
from app.errors import MatlabError

native_type(GraphicsObject)
native_type(GraphicsArray)
native_type(Listener)

PLOT = "graphics"
"""The category of every plotting function."""
Options = list[tuple[str, Value]]


def figures(ctx: CallContext) -> Figures:
    """The session's figures."""
    found = figures_of(ctx.state)
    found.inputs.context = ctx
    return found


def is_handle(value: Value, *kinds: str) -> TypeGuard[GraphicsObject]:
    """Whether a value is a live handle (of one of some kinds)."""
    return (
        isinstance(value, GraphicsObject)
        and value.alive
        and (not kinds or value.kind.name in kinds or value.kind.base in kinds)
    )


def taken_handle(rest: list[Value], *kinds: str) -> GraphicsObject | None:
    """The live handle of one of some kinds that arguments begin with, taken off them; else None."""
    if rest and is_handle(first := rest[0], *kinds):
        del rest[0]
        return first
    return None


def split_axes(ctx: CallContext, args: Sequence[Value]) -> tuple[GraphicsObject, list[Value]]:
    """The axes to draw into, and the other arguments: a leading handle, or the current axes."""
    rest = spread(args)
    axes = taken_handle(rest, "axes")
    if axes is not None:  # the current axes stay what they are
        return axes, rest
    for place in range(len(rest) - 1):
        if is_text(rest[place]) and plain_text(rest[place]).lower() == "parent":
            (parent,) = items_of(rest[place + 1])
            axes = parent.ancestor("axes")
            if axes is None:
                del rest[place : place + 2]
                return figures(ctx).gca(), rest
            if axes is parent:
                del rest[place : place + 2]
            return axes, rest  # a group takes the series when its properties are set
    return figures(ctx).gca(), rest


def plotting_axes(
    ctx: CallContext, args: Sequence[Value], letters: str = ""
) -> tuple[GraphicsObject, list[Value]]:
    """Like ``split_axes``, with the axes made ready for a new plot; ``letters`` are the rulers
    that the data belongs to, by default x and y in turn (y for a single array)."""
    axes, rest = split_axes(ctx, args)
    if not any(is_text(v) and plain_text(v).lower() == "parent" for v in rest[:-1]):
        figures(ctx).newplot(axes)  # what is put into a group leaves everything as it is
    if rest and is_table(rest[0]):
        take_table(ctx, axes, rest)
        if not rest:
            text = "Name the variables to draw after the table, such as 'Var1'."
            raise MatlabError("MATLAB:hg:TableWithoutVariables", text)
    take_kinds(ctx, axes, rest, letters or ("Y" if first_text(rest) == 1 else "XY"))
    return axes, rest


def spread(args: Sequence[Value]) -> list[Value]:
    """The arguments, with a struct of properties as the name-value pairs that it stands for.

    Behind the name of ``UserData``, the one property that can hold a struct, it is the value.
    """
    found: list[Value] = []
    for value in args:
        if isinstance(value, Struct) and not (found and _names_user_data(found[-1])):
            found += chain(*value.fields.items())
        else:
            found.append(value)
    return found


def _names_user_data(value: Value) -> bool:
    word = plain_text(value).lower() if is_text(value) else ""
    return len(word) > 3 and "userdata".startswith(word)


def options_of(args: Sequence[Value]) -> Options:
    """Name-value pairs, or structs of them; MATLAB's error when they do not pair up."""
    args = spread(args)
    if len(args) % 2 or not all(is_text(name) for name in args[::2]):
        raise MatlabError(
            "MATLAB:hg:InvalidArguments",
            "Name-value arguments must come in pairs, each with a name that is text.",
        )
    return [(plain_text(args[i]), args[i + 1]) for i in range(0, len(args), 2)]


def first_text(args: Sequence[Value]) -> int:
    """The position of the first text argument."""
    return next((i for i, value in enumerate(args) if is_text(value)), len(args))


def take_flag(args: list[Value], *names: str) -> str:
    """Remove the first argument that is one of some words, and give that word; else ''."""
    for i, value in enumerate(args):
        if is_text(value) and plain_text(value).lower() in names:
            return plain_text(args.pop(i)).lower()
    return ""


def take_linespec(args: list[Value], place: int) -> dict[str, object]:
    """Remove a line specification at ``place``, if there is one, and give what it sets."""
    if place < len(args) and is_text(args[place]):
        spec = parse_linespec(plain_text(args[place]))
        if spec is not None:
            args.pop(place)
            return spec.properties()
    return {}


def take_scale(args: list[Value], usual: float) -> dict[str, object]:
    """Remove how long arrows are drawn, if it stands behind their two, four or six arrays, and give
    what it sets: a factor, or ``'off'`` (as 0 does) for lengths as they are."""
    place, factor = first_text(args), 0.0
    if place % 2:
        factor = number_of(args.pop(place - 1))
    elif place < len(args) and plain_text(args[place]).lower() == "off":
        args.pop(place)
    else:
        return {}
    return {"AutoScale": factor != 0, "AutoScaleFactor": factor or usual}


def apply_options(item: GraphicsObject, options: Options) -> None:
    """Assign every option."""
    for name, value in options:
        item.set(name, value)


def new_series(
    ctx: CallContext, axes: GraphicsObject, kind: str, kept: dict[str, Any]
) -> GraphicsObject:
    """A series in ``axes`` with these kept property values, coloured in turn."""
    item = GraphicsObject(kind, figures(ctx), axes)
    item.values["YAxisSide"] = axes.side
    if kind == "line" and "LineStyle" not in kept and "Marker" not in kept:
        item.values.update(_next_style(axes))
    name = "Color" if item.has("Color") else "FaceColor"
    if kind in COLORED and name not in kept:
        item.values[name] = figures(ctx).next_color(axes)
    if kind == "scatter" and kept.get("CData") is None:
        kept["CData"] = HostData(np.array([figures(ctx).next_color(axes)]))
    item.values.update(kept)
    item.touch()
    return item


def _next_style(axes: GraphicsObject) -> dict[str, object]:
    """The style of the order that a line has besides its colour."""
    styles = style_order(axes)
    if styles == ("-",):
        if not axes.two_sided:
            return {}
        styles = ("-", "--", ":", "-.")
        lines = [c for c in axes.children if c.kind.name == "line"]
        place = sum(c["YAxisSide"] == axes.side for c in lines) - 1.0
    else:
        place = axes["LineStyleOrderIndex"] - 1.0
    spec = parse_linespec(styles[int(place) % len(styles)])
    return {} if spec is None else spec.properties()


COLORED = frozenset(
    "line stair stem errorbar area bar histogram histogram2 quiver animatedline".split()
)
"""Kinds whose successive series take successive colours."""


def switch_word(name: str, rest: Sequence[Value], known: str) -> str:
    """The one word that a command like ``hold`` may have; empty for none.

    Errors: more than one input, or a word that is not ``known``.
    """
    if len(rest) > 1:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    word = plain_text(rest[0]).lower() if rest and is_text(rest[0]) else "" if not rest else "?"
    if word not in ("", *known.split()):
        text = f"Unknown command option '{word}'. Use one of: {known}."
        raise MatlabError(f"MATLAB:{name}:UnknownOption", text)
    return word


def plottable(value: Value) -> bool:
    """Whether a value can be data: numbers, or an object that stands for numbers."""
    return not is_text(value) and not isinstance(value, GraphicsObject | GraphicsArray)


def is_same_property(a: Value, b: Value) -> bool:
    """Whether two values of a property are equal."""
    if is_text(a) or is_text(b):
        return is_text(a) and is_text(b) and plain_text(a) == plain_text(b)
    if isinstance(a, GraphicsObject) or isinstance(b, GraphicsObject):
        return a is b
    return bool(np.array_equal(as_array(a), as_array(b)))
