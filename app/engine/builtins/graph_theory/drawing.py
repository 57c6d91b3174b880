"""``plot`` of a graph: lines for edges, arrows, marks for nodes, and texts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough, flag, receiver
from app.engine.builtins.graph_theory.graph_class import Graph
from app.engine.builtins.graph_theory.layouts import LAYOUTS, node_coordinates
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_string,
    is_text_scalar,
    object_array,
    text_of,
    texts_of,
    true_value,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

BLUE = (0.0, 0.447, 0.741)
_LINE = {"edgecolor": "Color", "linewidth": "LineWidth", "linestyle": "LineStyle"}
_MARK = {"nodecolor": "Color", "marker": "Marker", "markersize": "MarkerSize"}
_FONT = {
    "fontsize": "FontSize",
    "fontname": "FontName",
    "fontweight": "FontWeight",
    "fontangle": "FontAngle",
    "labelcolor": "Color",
}
_OPTIONS = {
    *_LINE,
    *_MARK,
    *(kind + option for kind in ("node", "edge") for option in (*_FONT, "label", "cdata")),
    *("showarrows", "arrowsize", "interpreter"),
}
_DEFAULTS: dict[str, Value] = {
    "linewidth": 0.5,
    "linestyle": "-",
    "marker": "o",
    "markersize": 4.0,
    "arrowsize": 7.0,
    "nodefontsize": 8.0,
    "edgefontsize": 8.0,
}


@native_type
class GraphPlot(NativeObject):
    """A drawn graph; a handle.

    Attributes:
        graph: what is drawn.
        xy: positions of the nodes.
        marks: the drawn objects: of ``edges`` and ``nodes`` a line for each look, ``arrows``, and
            texts of nodes and edges.
        options: the options by name in lower case.
        flat: colours by ``nodecolor`` and ``edgecolor``, found from NodeCData and EdgeCData.
    """

    class_name = "matlab.graphics.chart.primitive.GraphPlot"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, graph: Graph, xy: Array, options: dict[str, Value]) -> None:
        self.graph, self.xy, self.options = graph, xy, options
        self.flat: dict[str, Value] = {}
        self.marks: dict[str, Any] = {}

    def draw(self, ctx: CallContext, axes: tuple[Value, ...]) -> None:
        """Make all marks in the current axes."""
        held = bool(true_value(ctx.call("ishold", axes, 1)[0]))
        ends = self.xy[self.graph.ends]
        blue = canonical(np.array([BLUE]))
        style = {"Color": blue, "LineWidth": 0.5}
        limits = self._set_colours(ctx, axes)
        self.marks["edges"] = self.lines(ctx, axes, with_gaps(ends), _LINE, style)
        ctx.call("hold", (*axes, "on"), 0)
        if limits is not None:
            ctx.call("clim", (*axes, limits), 0)
        if self.graph.directed and len(ends) and flag(self.options, "showarrows", True):
            self._arrows(ctx, axes, ends, blue)
        style = {"LineStyle": "none", "Marker": "o", "MarkerSize": 4.0, "Color": blue}
        self.marks["nodes"] = self.lines(ctx, axes, self.xy[:, None], _MARK, style)
        for line in self.marks["nodes"]:
            line.set_member(ctx, "MarkerFaceColor", line.get_member(ctx, "Color", None, 1))
        self._texts(ctx, axes)
        if not held:
            ctx.call("hold", (*axes, "off"), 0)
            self._set_limits(ctx, axes)

    def _set_limits(self, ctx: CallContext, axes: tuple[Value, ...]) -> None:
        """Room around the nodes, and no ticks."""
        for k, (limits, ticks) in enumerate((("xlim", "xticks"), ("ylim", "yticks"))):
            low, high = self.xy[:, k].min(initial=np.inf), self.xy[:, k].max(initial=-np.inf)
            if low <= high:
                gap = 0.08 * (high - low) or 1.0
                ctx.call(limits, (*axes, canonical(np.array([[low - gap, high + gap]]))), 0)
            ctx.call(ticks, (*axes, canonical(np.zeros((0, 0)))), 0)

    def _set_colours(self, ctx: CallContext, axes: tuple[Value, ...]) -> Value | None:
        """Take colours of the map for NodeCData and EdgeCData; the limits of both together, where
        there is more than one number."""
        given = {
            k: self.options[k + "cdata"] for k in ("node", "edge") if k + "cdata" in self.options
        }
        data = {k: np.asarray(as_array(v), dtype=float).ravel() for k, v in given.items()}
        if not data:
            return None
        low, high = (f([f(v) for v in data.values()]) for f in (np.min, np.max))
        palette = np.asarray(as_array(ctx.call("colormap", axes)[0]))
        for kind, values in data.items():
            place = (values - low) / ((high - low) or 1.0) * len(palette)
            rows = palette[np.clip(place.astype(int), 0, len(palette) - 1)]
            if _is_flat(self.options.get(kind + "color", "flat")):
                self.flat[kind + "color"] = canonical(rows)
        return canonical(np.array([[low, high]])) if low < high else None

    def lines(
        self,
        ctx: CallContext,
        axes: tuple[Value, ...],
        pieces: Array,
        names: dict[str, str],
        style: dict[str, Value],
    ) -> list[Any]:
        """Lines through ``pieces`` (elements × points × 2), one for all that look the same, with
        the options that ``names`` knows: one value, or one for each element."""
        given = {p: (self.options | self.flat)[o] for o, p in names.items() if self._has(o)}
        looks = {p: element_values(p, v, len(pieces)) for p, v in given.items()}
        groups: dict[str, list[int]] = {}
        for k in range(len(pieces)):
            groups.setdefault(repr([v[k % len(v)] for v in looks.values()]), []).append(k)
        drawn = []
        for places in groups.values() or [[]]:
            look = {p: v[places[0] % len(v)] for p, v in looks.items()} if places else {}
            pairs = [v for pair in {**style, **look}.items() for v in pair]
            xy = pieces[places].reshape(-1, 2) if places else np.full((1, 2), np.nan)
            x, y = (canonical(xy[:, k : k + 1]) for k in (0, 1))
            drawn.append(ctx.call("plot", (*axes, x, y, *pairs), 1)[0])
            if len(groups) > 1:
                ctx.call("hold", (*axes, "on"), 0)
        return drawn

    def _has(self, option: str) -> bool:
        return option in self.flat or (
            option in self.options and not _is_flat(self.options[option])
        )

    def _arrows(
        self, ctx: CallContext, axes: tuple[Value, ...], ends: Array, colour: Value
    ) -> None:
        """A small triangle on each edge, past its middle."""
        way = ends[:, 1] - ends[:, 0]
        length = np.linalg.norm(way, axis=1, keepdims=True)
        unit = way / np.where(length > 0, length, 1)
        points = float(as_array(self.options.get("arrowsize", 7.0)).item())
        size = 0.02 * points / 7.0 * np.ptp(self.xy, axis=0).max(initial=1e-9)
        tip = ends[:, 0] + 0.6 * way
        side = unit[:, ::-1] * [-1, 1]
        corners = [tip, tip - size * (2 * unit - 0.6 * side), tip - size * (2 * unit + 0.6 * side)]
        x, y = (canonical(np.array([c[:, k] for c in corners])) for k in (0, 1))
        given = element_values("Color", self.options.get("edgecolor", colour), len(ends))
        colour = given[0] if len(given) == 1 and not _is_flat(given[0]) else colour
        self.marks["arrows"] = ctx.call("patch", (*axes, x, y, colour, "EdgeColor", "none"), 1)[0]

    def _texts(self, ctx: CallContext, axes: tuple[Value, ...]) -> None:
        names = self.labels("node")
        if names:
            gap = 0.015 * np.ptp(self.xy, axis=0).max(initial=1e-9)
            self.marks["node texts"] = self._drawn_labels(ctx, axes, self.xy + gap, names, "node")
        names = self.labels("edge")
        if names:
            middle = self.xy[self.graph.ends].mean(axis=1)
            self.marks["edge texts"] = self._drawn_labels(ctx, axes, middle, names, "edge")

    def _drawn_labels(
        self, ctx: CallContext, axes: tuple[Value, ...], xy: Array, names: list[str], kind: str
    ) -> Any:
        fonts = {p: self.options[kind + o] for o, p in _FONT.items() if kind + o in self.options}
        fonts["Interpreter"] = self.options.get("interpreter", "none")
        style = [v for pair in fonts.items() for v in pair]
        cell = Cell(object_array(names, (len(names), 1)))
        x, y = (canonical(xy[:, k : k + 1]) for k in (0, 1))
        return ctx.call("text", (*axes, x, y, cell, *style), 1)[0]

    def labels(self, kind: str) -> list[str]:
        """Texts of nodes or edges; none where they are not wanted."""
        given = self.options.get(f"{kind}label")
        if given is None:
            few = self.graph.count <= 100
            names = self.graph.names or [str(k + 1) for k in range(self.graph.count)]
            return names if kind == "node" and few else []
        if is_cell(given) or is_string(given) or is_char(given):
            found = texts_of(given) if not is_char(given) or text_of(given) else []
            return [] if not any(found) else found
        return [f"{v:.5g}" for v in np.asarray(as_array(given)).ravel(order="F")]

    def property(self, name: str) -> Value:
        """A property's value; None where there is none of that name."""
        axis = {"XData": 0, "YData": 1}.get(name)
        if axis is not None:
            return canonical(self.xy[:, axis].reshape(1, -1))
        if name in ("NodeLabel", "EdgeLabel"):
            names = self.labels(name[:4].lower())
            return Cell(object_array(names, (1, len(names))))
        default = canonical(np.array([BLUE])) if name in ("NodeColor", "EdgeColor") else None
        return self.options.get(name.lower(), _DEFAULTS.get(name.lower(), default))

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``p.XData``, ``p.NodeLabel``, and ``p.highlight(…)``."""
        found = self.property(name)
        if found is not None:
            return found
        if name in self.methods():
            return self.methods()[name](ctx, (self, *(args or ())), nargout)
        raise no_member(self.class_name, name)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``p.NodeColor = …``: the drawing is made again."""
        axis = {"XData": 0, "YData": 1}.get(name)
        if axis is None:
            self.options |= known_options([name, value])
        else:
            self.xy[:, axis] = np.asarray(as_array(value)).ravel()
        self.redraw(ctx)
        return self

    def redraw(self, ctx: CallContext) -> None:
        """Take all marks away and draw them as they are now."""
        for drawn in self.marks.values():
            for mark in drawn if isinstance(drawn, list) else [drawn]:
                ctx.call("delete", (mark,), 0)
        self.marks = {}
        self.draw(ctx, ())

    def methods(self) -> dict[str, Callable[..., Value]]:
        """highlight, layout, labelnode and labeledge."""
        return {
            "highlight": _highlight,
            "layout": _layout,
            "labelnode": _label_nodes,
            "labeledge": _label_edges,
            "set": _set,
        }


def _set(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    drawn = receiver(args, GraphPlot)
    for name, value in zip(args[1::2], args[2::2], strict=True):
        drawn.set_member(ctx, text_of(name), value)
    return ()


def _layout(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    drawn = receiver(args, GraphPlot)
    drawn.xy = node_coordinates(drawn.graph, layout_of(args[1] if len(args) > 1 else "auto"))
    drawn.redraw(ctx)
    return ()


def _label_nodes(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    enough(args, 3)
    drawn = receiver(args, GraphPlot)
    graph = drawn.graph
    return _with_labels(ctx, drawn, "node", graph.ids(args[1]), args[2], graph.count)


def _label_edges(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """By numbers of edges, or by their ends."""
    from app.engine.builtins.graph_theory.graph_facts import findedge

    enough(args, 3)
    drawn = receiver(args, GraphPlot)
    numbers = args[1] if len(args) == 3 else findedge(drawn.graph, args[1], args[2])
    at = np.asarray(as_array(numbers)).ravel().astype(int) - 1
    return _with_labels(ctx, drawn, "edge", at, args[-1], len(drawn.graph.ends))


def _with_labels(
    ctx: CallContext, drawn: GraphPlot, kind: str, at: Array, new: Value, count: int
) -> Value:
    names = drawn.labels(kind) or [""] * count
    plain = not (is_cell(new) or is_string(new) or is_char(new))
    texts = [f"{v:.5g}" for v in as_array(new).ravel(order="F")] if plain else texts_of(new)
    if len(texts) not in (1, len(at)):
        text = f"There must be one label, or as many as there are {kind}s: {len(at)}."
        raise MatlabError(f"MATLAB:graphfun:label{kind}:labelCount", text)
    if at.size and not 0 <= at.min() <= at.max() < count:
        text = f"The graph has no such {kind}: it has {count}."
        raise MatlabError(f"MATLAB:graphfun:label{kind}:Invalid{kind.title()}", text)
    for k, place in enumerate(at.tolist()):
        names[place] = texts[k % len(texts)]
    drawn.options[f"{kind}label"] = Cell(object_array(names, (1, len(names))))
    drawn.redraw(ctx)
    return ()


def _highlight(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Nodes, a path of nodes, or the edges of a graph drawn thicker, or in a colour."""
    drawn, rest = receiver(args, GraphPlot), list(args[1:])
    count = next(
        (
            k
            for k, a in enumerate(rest)
            if is_text_scalar(a) and text_of(a).lower() in (*_LINE, *_MARK)
        ),
        len(rest),
    )
    options = {
        text_of(k).lower(): v for k, v in zip(rest[count::2], rest[count + 1 :: 2], strict=True)
    }
    chosen = rest[:count]
    edges = np.zeros((0, 2), dtype=np.int64)
    if chosen and isinstance(chosen[0], Graph):
        edges, nodes = chosen[0].ends, np.unique(chosen[0].ends)
    elif count > 1:
        edges = np.column_stack([drawn.graph.ids(v) for v in chosen[:2]])
        nodes = np.zeros(0, dtype=np.int64)
    else:
        nodes = drawn.graph.ids(chosen[0])
        if "edgecolor" in options or "linewidth" in options:
            edges = np.column_stack([nodes[:-1], nodes[1:]])
    over = copy.copy(drawn)
    over.graph = Graph(
        drawn.graph.directed,
        edges,
        drawn.graph.nodes,
        drawn.graph.facts.rows(np.zeros(0, dtype=int)),
    )
    base = {} if options else {"markersize": 7.0, "linewidth": 2.0}
    over.options = {**_common(drawn), **base, **options}
    over.flat = {}
    ctx.call("hold", ("on",), 0)
    if len(edges):
        style: dict[str, Value] = {"LineWidth": 2.0, "Color": canonical(np.array([BLUE]))}
        over.lines(ctx, (), with_gaps(drawn.xy[edges]), _LINE, style)
    if nodes.size:
        over.lines(
            ctx,
            (),
            drawn.xy[nodes][:, None],
            _MARK,
            {
                "LineStyle": "none",
                "Marker": "o",
                "MarkerSize": 7.0,
                "Color": canonical(np.array([BLUE])),
            },
        )
    ctx.call("hold", ("off",), 0)
    return ()


def with_gaps(ends: Array) -> Array:
    """Edges (edges × 2 × 2) with a point that is nowhere behind each."""
    return np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1)


def element_values(name: str, value: Value, count: int) -> list[Value]:
    """The values of a property for each element, or one for all of them."""
    if is_cell(value) or (is_string(value) and not is_text_scalar(value)):
        found: list[Value] = list(texts_of(value))
    elif is_char(value) or is_string(value):
        found = [value]
    else:
        rows = np.asarray(as_array(value), dtype=float)
        rows = rows.reshape(-1, 3) if name == "Color" else rows.reshape(-1, 1)
        found = [canonical(row.reshape(1, -1)) for row in rows]
    if len(found) not in (1, count):
        text = f"{name} must have one value, or one for each element: {count} here."
        raise MatlabError("MATLAB:graphfun:plot:InvalidNumValues", text)
    return found


def known_options(rest: list[Value]) -> dict[str, Value]:
    """The options of a graph's plot by name in lower case; others are refused by name."""
    options = {text_of(k).lower(): v for k, v in zip(rest[::2], rest[1::2], strict=True)}
    taken = {*_OPTIONS, "layout", "direction", "xdata", "ydata"}
    wrong = next((text_of(k) for k in rest[::2] if text_of(k).lower() not in taken), None)
    if wrong is not None:
        text = f"{wrong!r} is not an option of a graph's plot here."
        raise MatlabError("MATLAB:graphfun:plot:UnknownOption", text)
    return options


def _is_flat(value: Value) -> bool:
    return is_text_scalar(value) and text_of(value).lower() == "flat"


def _common(drawn: GraphPlot) -> dict[str, Value]:
    """The options that hold for all elements alike."""
    counts = dict.fromkeys(_LINE, len(drawn.graph.ends)) | dict.fromkeys(_MARK, drawn.graph.count)
    properties = _LINE | _MARK
    return {
        o: v
        for o, v in drawn.options.items()
        if o not in counts
        or (not _is_flat(v) and len(element_values(properties[o], v, counts[o])) == 1)
    }


def layout_of(v: Value) -> str:
    """A layout by its name."""
    word = text_of(v).lower() if is_text_scalar(v) else ""
    if word not in LAYOUTS:
        text = f"The layout must be one of: {', '.join(LAYOUTS)}."
        raise MatlabError("MATLAB:graphfun:plot:InvalidLayout", text)
    return word


def plot(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``plot(G)``, ``plot(G, spec)`` and ``plot(G, name, value, …)``; axes may come first."""
    first, graph = next((k, a) for k, a in enumerate(args) if isinstance(a, Graph))
    rest = list(args[first + 1 :])
    options: dict[str, Value] = {}
    if len(rest) % 2:
        from app.engine.figures.linespec import parse_linespec

        spec = parse_linespec(text_of(rest.pop(0)))
        found = spec.properties() if spec is not None else {}
        names = {
            "Color": ("edgecolor", "nodecolor"),
            "LineStyle": ("linestyle",),
            "Marker": ("marker",),
        }
        options = {o: v for p, v in found.items() for o in names.get(p, ())}
    options |= known_options(rest)
    if "xdata" in options and "ydata" in options:
        xy = np.column_stack(
            [np.asarray(as_array(options.pop(n)), dtype=float).ravel() for n in ("xdata", "ydata")]
        )
    else:
        xy = node_coordinates(
            graph,
            layout_of(options.pop("layout", "auto")),
            direction=text_of(options.pop("direction", "down")),
        )
    made = GraphPlot(graph, xy, options)
    made.draw(ctx, args[:first])
    return made if nargout else ()


add_methods("graph", {"plot": plot})
