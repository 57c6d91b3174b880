"""``plot`` of a graph: lines for edges, arrows, marks for nodes, and texts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.graph_theory.graph_class import Graph
from app.engine.builtins.graph_theory.layouts import LAYOUTS, node_coordinates
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
_TEXT = {"nodefontsize": "FontSize", "nodelabelcolor": "Color"}


@native_type
class GraphPlot(NativeObject):
    """A drawn graph; a handle.

    Attributes:
        graph: what is drawn.
        xy: positions of the nodes.
        marks: the drawn objects: ``edges``, ``arrows``, ``nodes``, and texts of nodes and edges.
        options: the options by name in lower case.
    """

    class_name = "matlab.graphics.chart.primitive.GraphPlot"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, graph: Graph, xy: Array, options: dict[str, Value]) -> None:
        self.graph, self.xy, self.options = graph, xy, options
        self.marks: dict[str, Any] = {}

    def draw(self, ctx: Any, axes: tuple[Value, ...]) -> None:
        """Make all marks in the current axes."""
        held = bool(true_value(ctx.call("ishold", axes, 1)[0]))
        ends = self.xy[self.graph.ends]
        gaps = np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1).reshape(-1, 2)
        gaps = gaps if len(gaps) else np.full((1, 2), np.nan)
        blue = canonical(np.array([BLUE]))
        self.marks["edges"] = self.lines(ctx, axes, gaps, _LINE, {"Color": blue, "LineWidth": 0.5})
        ctx.call("hold", (*axes, "on"), 0)
        if self.graph.directed and len(ends) and true_value(self.options.get("showarrows", True)):
            self._arrows(ctx, axes, ends, blue)
        self.marks["nodes"] = self.lines(
            ctx,
            axes,
            self.xy,
            _MARK,
            {"LineStyle": "none", "Marker": "o", "MarkerSize": 4.0, "Color": blue},
        )
        colour = self.marks["nodes"].get_member(ctx, "Color", None, 1)
        self.marks["nodes"].set_member(ctx, "MarkerFaceColor", colour)
        self._texts(ctx, axes)
        if not held:
            ctx.call("hold", (*axes, "off"), 0)
            self._framed(ctx, axes)

    def _framed(self, ctx: Any, axes: tuple[Value, ...]) -> None:
        """Room around the nodes, and no ticks."""
        for k, (limits, ticks) in enumerate((("xlim", "xticks"), ("ylim", "yticks"))):
            low, high = self.xy[:, k].min(initial=np.inf), self.xy[:, k].max(initial=-np.inf)
            if low <= high:
                gap = 0.08 * (high - low) or 1.0
                ctx.call(limits, (*axes, canonical(np.array([[low - gap, high + gap]]))), 0)
            ctx.call(ticks, (*axes, canonical(np.zeros((0, 0)))), 0)

    def lines(
        self,
        ctx: Any,
        axes: tuple[Value, ...],
        xy: Array,
        names: dict[str, str],
        style: dict[str, Value],
    ) -> Any:
        """A line through points with the options that ``names`` knows."""
        style = {**style, **{p: self.options[o] for o, p in names.items() if o in self.options}}
        pairs = [v for pair in style.items() for v in pair]
        x, y = (canonical(xy[:, k : k + 1]) for k in (0, 1))
        return ctx.call("plot", (*axes, x, y, *pairs), 1)[0]

    def _arrows(self, ctx: Any, axes: tuple[Value, ...], ends: Array, colour: Value) -> None:
        """A small triangle on each edge, past its middle."""
        way = ends[:, 1] - ends[:, 0]
        length = np.linalg.norm(way, axis=1, keepdims=True)
        unit = way / np.where(length > 0, length, 1)
        size = 0.02 * np.ptp(self.xy, axis=0).max(initial=1e-9)
        tip = ends[:, 0] + 0.6 * way
        side = unit[:, ::-1] * [-1, 1]
        corners = [tip, tip - size * (2 * unit - 0.6 * side), tip - size * (2 * unit + 0.6 * side)]
        x, y = (canonical(np.array([c[:, k] for c in corners])) for k in (0, 1))
        colour = self.options.get("edgecolor", colour)
        self.marks["arrows"] = ctx.call("patch", (*axes, x, y, colour, "EdgeColor", "none"), 1)[0]

    def _texts(self, ctx: Any, axes: tuple[Value, ...]) -> None:
        names = self.labels("node")
        style = [v for o, p in _TEXT.items() if o in self.options for v in (p, self.options[o])]
        if names:
            gap = 0.015 * np.ptp(self.xy, axis=0).max(initial=1e-9)
            self.marks["node texts"] = self._written(ctx, axes, self.xy + gap, names, style)
        names = self.labels("edge")
        if names:
            middle = self.xy[self.graph.ends].mean(axis=1)
            self.marks["edge texts"] = self._written(ctx, axes, middle, names, [])

    def _written(
        self, ctx: Any, axes: tuple[Value, ...], xy: Array, names: list[str], style: list[Value]
    ) -> Any:
        cell = Cell(object_array(names, (len(names), 1)))
        x, y = (canonical(xy[:, k : k + 1]) for k in (0, 1))
        return ctx.call("text", (*axes, x, y, cell, "Interpreter", "none", *style), 1)[0]

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
        return self.options.get(name.lower())

    def get_member(
        self, ctx: Any, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``p.XData``, ``p.NodeLabel``, and ``p.highlight(…)``."""
        found = self.property(name)
        if found is not None:
            return found
        if name in self.methods():
            return self.methods()[name](ctx, (self, *(args or ())), nargout)
        raise no_member(self.class_name, name)

    def set_member(self, ctx: Any, name: str, value: Value) -> NativeObject:
        """``p.NodeColor = …``: the drawing is made again."""
        axis = {"XData": 0, "YData": 1}.get(name)
        if axis is None:
            self.options[name.lower()] = value
        else:
            self.xy[:, axis] = np.asarray(as_array(value)).ravel()
        self.redraw(ctx)
        return self

    def redraw(self, ctx: Any) -> None:
        """Take all marks away and draw them as they are now."""
        for mark in self.marks.values():
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


def _set(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    for name, value in zip(args[1::2], args[2::2], strict=True):
        args[0].set_member(ctx, text_of(name), value)
    return ()


def _layout(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    drawn = args[0]
    drawn.xy = node_coordinates(drawn.graph, layout_of(args[1] if len(args) > 1 else "auto"))
    drawn.redraw(ctx)
    return ()


def _label_nodes(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    count = args[0].graph.count
    return _labelled(ctx, args[0], "node", args[0].graph.ids(args[1]), args[2], count)


def _label_edges(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    """By numbers of edges, or by their ends."""
    from app.engine.builtins.graph_theory.graph_facts import findedge

    drawn = args[0]
    numbers = args[1] if len(args) == 3 else findedge(drawn.graph, args[1], args[2])
    at = np.asarray(as_array(numbers)).ravel().astype(int) - 1
    return _labelled(ctx, drawn, "edge", at, args[-1], len(drawn.graph.ends))


def _labelled(ctx: Any, drawn: GraphPlot, kind: str, at: Array, new: Value, count: int) -> Value:
    names = drawn.labels(kind) or [""] * count
    plain = not (is_cell(new) or is_string(new) or is_char(new))
    texts = [f"{v:.5g}" for v in as_array(new).ravel(order="F")] if plain else texts_of(new)
    for k, place in enumerate(at.tolist()):
        names[place] = texts[k % len(texts)]
    drawn.options[f"{kind}label"] = Cell(object_array(names, (1, len(names))))
    drawn.redraw(ctx)
    return ()


def _highlight(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    """Nodes, a path of nodes, or the edges of a graph drawn thicker, or in a colour."""
    drawn, rest = args[0], list(args[1:])
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
    over.options = {**drawn.options, **base, **options}
    ctx.call("hold", ("on",), 0)
    if len(edges):
        ends = drawn.xy[edges]
        gaps = np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1).reshape(-1, 2)
        over.lines(ctx, (), gaps, _LINE, {"LineWidth": 2.0, "Color": canonical(np.array([BLUE]))})
    if nodes.size:
        over.lines(
            ctx,
            (),
            drawn.xy[nodes],
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


def layout_of(v: Value) -> str:
    """A layout by its name."""
    word = text_of(v).lower() if is_text_scalar(v) else ""
    if word not in LAYOUTS:
        text = f"The layout must be one of: {', '.join(LAYOUTS)}."
        raise MatlabError("MATLAB:graphfun:plot:InvalidLayout", text)
    return word


def plot(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    """``plot(G)``, ``plot(G, spec)`` and ``plot(G, name, value, …)``; axes may come first."""
    first = next(k for k, a in enumerate(args) if isinstance(a, Graph))
    graph, rest = args[first], list(args[first + 1 :])
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
    options |= {text_of(k).lower(): v for k, v in zip(rest[::2], rest[1::2], strict=True)}
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
