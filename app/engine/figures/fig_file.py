"""Figures as nested structs and back: what ``.fig`` files hold.

A ``.fig`` file is a MAT file with one struct, ``hgS_070000``: ``type``, ``handle``, ``properties``,
``children`` and ``special`` (places of title and labels among the children). MATLAB writes the same
struct; what it calls differently is in ``_TYPES``. Ours adds ``parts`` (named texts, legend, colour
bar by name) and ``state`` (what is no property).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.schema import KINDS
from app.engine.figures.units import USUAL_PLACE
from app.engine.values import (
    EMPTY,
    Cell,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    object_array,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.figures.model import Figures

NAME = "hgS_070000"
_RIGHT = "OnRight"
_TYPES = {
    "graph2d.lineseries": "line",
    "specgraph.barseries": "bar",
    "specgraph.areaseries": "area",
    "specgraph.stemseries": "stem",
    "specgraph.stairseries": "stair",
    "specgraph.errorbarseries": "errorbar",
    "specgraph.scattergroup": "scatter",
    "specgraph.contourgroup": "contour",
    "specgraph.quivergroup": "quiver",
    "graph3d.surfaceplot": "surface",
    "scribe.legend": "legend",
    "scribe.colorbar": "colorbar",
}
"""What MATLAB calls kinds of objects in these files."""
_LABELS = ("Title", "XLabel", "YLabel", "ZLabel")
_STATE = ("Tile", "Beside", "OwnColor")


def _storable_value(value: Value) -> Value:
    """A property's value without what a file cannot hold."""
    if isinstance(value, DeviceArray):
        return canonical(as_array(value.gather("save")))
    if isinstance(value, FunctionHandle):
        return str(value) if value.captured else value
    if isinstance(value, Cell):
        return Cell(object_array([_storable_value(x) for x in value.items()], value.shape))
    return EMPTY if value is None or isinstance(value, NativeObject) else value


def struct_of_object(item: GraphicsObject) -> Struct:
    """An object and everything in it as a struct."""
    properties = {}
    for name, kept in item.values.items():
        full, _, right = name.partition("@")
        if full in item.kind.properties and kept is not None:
            shown = item.kind.properties[full][0].show(kept)
            properties[full + (_RIGHT if right else "")] = _storable_value(shown)
    state: dict[str, Value] = {
        "side": item.side,
        "two_sided": item.two_sided,
        "number": float(item.number),
        "serial": float(item.serial),
        **{f"linked{k}": float(v) for k, v in item.linked.items()},
    }
    for name in _STATE:
        if name in item.values:
            state[name] = _kept_state(item.values[name])
    parts: dict[str, Value] = {
        name.replace("@right", _RIGHT): struct_of_object(part) for name, part in item.parts.items()
    }
    return Struct(
        {
            "type": item.kind.name,
            "handle": item.to_double(),
            "properties": Struct(properties),
            "children": _column([struct_of_object(child) for child in item.children]),
            "special": EMPTY,
            "parts": Struct(parts),
            "state": Struct(state),
        }
    )


def _kept_state(kept: Any) -> Value:
    if isinstance(kept, str):
        return kept
    flat = [kept[0], *kept[1]] if isinstance(kept[1], tuple) else list(kept)
    return canonical(np.array([flat], dtype=float))


def _column(structs: list[Struct]) -> Value:
    """Structs with the same fields as one array."""
    if not structs:
        return EMPTY
    fields = {
        name: object_array([s.fields[name] for s in structs], (len(structs), 1))
        for name in structs[0].fields
    }
    return StructArray(fields, (len(structs), 1))


def nodes_of(value: Value) -> list[Struct]:
    """The structs of a field that holds any number of them."""
    if isinstance(value, Struct):
        return [value]
    if not isinstance(value, StructArray):
        return []
    names = list(value.fields)
    flat = [value.fields[name].reshape(-1, order="F") for name in names]
    return [Struct(dict(zip(names, row, strict=True))) for row in zip(*flat, strict=True)]


def object_of_struct(owner: Figures, node: Struct, parent: GraphicsObject) -> GraphicsObject | None:
    """The object that a struct describes, made inside ``parent``; None for unknown kinds."""
    kind = str(node.fields.get("type", ""))
    kind = _TYPES.get(kind, kind)
    if kind not in KINDS:
        return None
    made = owner.figure() if kind == "figure" else GraphicsObject(kind, owner, parent)
    _fill(made, node)
    labels = _special(node) if "parts" not in node.fields else {}
    for place, child in enumerate(nodes_of(node.fields.get("children", EMPTY)), 1):
        if place in labels:
            _fill(owner.part(made, labels[place]), child)
        else:
            object_of_struct(owner, child, made)
    parts = node.fields.get("parts")
    if isinstance(parts, Struct):
        for name, part in parts.fields.items():
            _restore_part(owner, made, name.replace(_RIGHT, "@right"), part)
    made.touch()
    return made


def _special(node: Struct) -> dict[int, str]:
    """Which children are title and labels."""
    places = as_array(node.fields.get("special", EMPTY)).reshape(-1)
    if node.fields.get("type") != "axes":
        return {}
    return {int(place): name for place, name in zip(places, _LABELS, strict=False)}


def _restore_part(owner: Figures, holder: GraphicsObject, name: str, node: Value) -> None:
    if not isinstance(node, Struct):
        return
    part = GraphicsObject(str(node.fields["type"]), owner)
    part.parent = holder
    holder.parts[name] = part
    _fill(part, node)
    parts = node.fields["parts"]
    assert isinstance(parts, Struct)
    for inner, child in parts.fields.items():
        _restore_part(owner, part, inner, child)


def _fill(item: GraphicsObject, node: Struct) -> None:
    """Give an object the properties of a struct; those it does not have are left out."""
    kept_there = node.fields.get("properties")
    given = kept_there.fields if isinstance(kept_there, Struct) else {}
    for name, value in given.items():
        full = name.removesuffix(_RIGHT)
        known = full in item.kind.properties
        if not known or (isinstance(value, Cell) and not value.data.size):
            continue
        try:
            kept = item.kind.properties[full][0].parse(value)
        except MatlabError:
            continue  # written by a version that keeps something else there
        item.values[full + ("@right" if name != full else "")] = kept
        if f"{full}Mode" in item.kind.properties and f"{full}Mode" not in given:
            item.values[f"{full}Mode"] = "manual"
    if item.has("PositionMode") and "PositionMode" not in given:
        item.values["PositionMode"] = _place_mode(item, given)
    state = node.fields.get("state")
    if isinstance(state, Struct):
        item.side, item.two_sided = str(state.fields["side"]), bool(state.fields["two_sided"])
        for name in _STATE:
            if name in state.fields:
                item.values[name] = _state_of(name, state.fields[name])


def _place_mode(axes: GraphicsObject, given: Mapping[str, Value]) -> str:
    """Which place of axes a file by MATLAB has fixed: it holds the usual one of any axes, too."""
    if "Position" not in given:
        return "outer" if "OuterPosition" in given else "auto"
    fixed = not np.allclose(axes["Position"], USUAL_PLACE, atol=5e-4)
    return "inner" if fixed else "auto"


def _state_of(name: str, value: Value) -> Any:
    if isinstance(value, str):
        return value
    numbers = as_array(value).reshape(-1)
    if name == "Tile":
        return int(numbers[0]), (int(numbers[1]), int(numbers[2]))
    return tuple(float(number) for number in numbers)


def _number(value: Value) -> float:
    return float(as_array(value).item())


def relink(figure: GraphicsObject, node: Struct) -> None:
    """Link the axes of a restored figure as those of the stored one were."""
    serials: dict[float, int] = {}
    pairs: list[tuple[GraphicsObject, Struct]] = [(figure, node)]
    axes: list[tuple[GraphicsObject, Struct]] = []
    while pairs:
        item, own = pairs.pop()
        state = own.fields.get("state")
        if isinstance(state, Struct):
            serials[_number(state.fields["serial"])] = item.serial
            axes.append((item, state))
        nodes = [
            n
            for n in nodes_of(own.fields.get("children", EMPTY))
            if _TYPES.get(str(n.fields["type"]), str(n.fields["type"])) in KINDS
        ]
        if len(nodes) == len(item.children):
            pairs += zip(item.children, nodes, strict=True)
    for item, state in axes:
        item.linked = {
            name[6:]: serials[_number(value)]
            for name, value in state.fields.items()
            if name.startswith("linked") and _number(value) in serials
        }
