"""Adding, removing, ordering and turning nodes and edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_rows import with_rows
from app.engine.builtins.graph_theory.building import (
    edge_facts,
    is_names,
    named_nodes,
    node_numbers,
    pairs,
)
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    object_array,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "networks"


def _extended_table(table: Table, extra: Table) -> Table:
    """A table with rows below it; what one of them lacks becomes the class's empty value."""
    height = table.height + extra.height
    columns = {}
    for name in dict.fromkeys([*table.names, *extra.names]):
        old, new = table.columns.get(name), extra.columns.get(name)
        below = np.arange(table.height, height if new is not None else table.height)
        if old is None and name == "Weight" and table.height:
            raise MatlabError(
                "MATLAB:graphfun:addedge:NoWeights", "The graph has no weights to add to."
            )
        columns[name] = with_rows(old, below, new, height)
        if new is None and name == "Weight":
            ones = canonical(np.ones((extra.height, 1)))
            columns[name] = with_rows(old, np.arange(table.height, height), ones, height)
    return Table(columns, height)


def _with_nodes(g: Graph, extra: Table) -> Graph:
    if g.names and "Name" not in extra.columns:
        texts = [f"Node{g.count + k + 1}" for k in range(extra.height)]
        column_ = Cell(object_array(texts, (extra.height, 1)))
        extra = Table({"Name": column_, **extra.columns}, extra.height)
    if "Name" in extra.columns and g.count and not g.names:
        texts = [f"Node{k + 1}" for k in range(g.count)]
        g = Graph(g.directed, g.ends, named_nodes(texts), g.facts)
    nodes = _extended_table(g.nodes, extra)
    if "Name" in nodes.columns:
        named_nodes(texts_of(nodes.columns["Name"]))
    return Graph(g.directed, g.ends, nodes, g.facts)


@builtin(
    "addnode",
    category=_FAMILY,
    signatures=("H = addnode(G, count)", "H = addnode(G, names)", "H = addnode(G, NodeProps)"),
    cases=(
        "numnodes(addnode(graph(1, 2), 3)) == 5",
        "isequal(addnode(graph({'a'}, {'b'}), 'c').Nodes.Name, {'a'; 'b'; 'c'})",
    ),
    see=("rmnode", "addedge"),
)
def addnode(g: Value, nodes: Value) -> Value:
    """The graph with more nodes: a number of them, names, or rows of a table."""
    h = graph_argument("addnode", g)
    if isinstance(nodes, Table):
        return _with_nodes(h, nodes)
    if is_names(nodes):
        return _with_nodes(h, named_nodes(texts_of(nodes)))
    count = (
        node_numbers(nodes) + 1 if numel(nodes) == 1 and np.any(as_array(nodes)) else np.zeros(1)
    )
    return _with_nodes(h, Table({}, int(count[0])))


def _induced_subgraph(g: Graph, keep: Array) -> Graph:
    """Some nodes in a new order, and the edges between them."""
    place = np.full(g.count, -1)
    place[keep] = np.arange(keep.size)
    ends = place[g.ends]
    inside = np.flatnonzero(np.all(ends >= 0, axis=1))
    return Graph(g.directed, ends[inside], g.nodes.rows(keep), g.facts.rows(inside))


@builtin(
    "rmnode",
    category=_FAMILY,
    signatures=("H = rmnode(G, nodes)",),
    cases=("isequal(rmnode(graph([1 2], [2 3]), 1).Edges.EndNodes, [1 2])",),
    see=("addnode", "subgraph"),
)
def rmnode(g: Value, nodes: Value) -> Value:
    """The graph without some nodes and their edges."""
    h = graph_argument("rmnode", g)
    return _induced_subgraph(h, np.setdiff1d(np.arange(h.count), h.ids(nodes)))


@builtin(
    "subgraph",
    category=_FAMILY,
    signatures=("H = subgraph(G, nodes)", "H = subgraph(G, flags)"),
    cases=("numedges(subgraph(graph([1 1 2], [2 3 3]), [1 3])) == 1",),
    see=("rmnode",),
)
def subgraph(g: Value, nodes: Value) -> Value:
    """Some nodes, in the order given, and the edges between them."""
    h = graph_argument("subgraph", g)
    flags = None if is_names(nodes) else np.asarray(as_array(nodes))
    if flags is not None and flags.dtype == bool:
        return _induced_subgraph(h, np.flatnonzero(flags.ravel()))
    keep = h.ids(nodes)
    if np.unique(keep).size != keep.size:
        raise MatlabError("MATLAB:graphfun:subgraph:RepeatedNodes", "Nodes must not repeat.")
    return _induced_subgraph(h, keep)


@builtin(
    "reordernodes",
    category=_FAMILY,
    signatures=("[H, idx] = reordernodes(G, order)",),
    cases=("isequal(reordernodes(digraph(1, 2), [2 1]).Edges.EndNodes, [2 1])",),
    see=("subgraph",),
)
def reordernodes(g: Value, order: Value) -> tuple[Graph, Value]:
    """The graph with its nodes in another order, and where each edge came from."""
    h = graph_argument("reordernodes", g)
    keep = h.ids(order)
    if not np.array_equal(np.sort(keep), np.arange(h.count)):
        text = "The order must contain every node once."
        raise MatlabError("MATLAB:graphfun:reordernodes:InvalidOrder", text)
    numbers = canonical(np.arange(1.0, len(h.ends) + 1).reshape(-1, 1))
    facts = Table({**h.facts.columns, "#": numbers}, len(h.ends))
    made = _induced_subgraph(Graph(h.directed, h.ends, h.nodes, facts), keep)
    columns = dict(made.facts.columns)
    index = columns.pop("#")
    return made.with_edges(made.ends, Table(columns, len(made.ends))), index


@builtin(
    "addedge",
    category=_FAMILY,
    signatures=("H = addedge(G, s, t)", "H = addedge(G, s, t, w)", "H = addedge(G, EdgeTable)"),
    cases=(
        "numedges(addedge(graph(1, 2), 2, 3)) == 2",
        "isequal(addedge(graph(1, 2, 4), 2, 3, 5).Edges.Weight, [4; 5])",
    ),
    see=("rmedge", "addnode"),
)
def addedge(g: Value, s: Value, t: Value | None = None, w: Value | None = None) -> Value:
    """The graph with more edges; nodes that they name are added."""
    h = graph_argument("addedge", g)
    if isinstance(s, Table):
        from app.engine.builtins.graph_theory.building import digraph

        more = digraph(s, *([h.nodes] if h.names else []))
        ends, facts = more.ends, more.facts
    elif t is None:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    else:
        if is_names(s):
            known = set(h.names)
            new = [n for n in dict.fromkeys(texts_of(s) + texts_of(t)) if n not in known]
            h = _with_nodes(h, named_nodes(new)) if new else h
            ends = pairs(h.ids(s), h.ids(t))
        else:
            ends = pairs(node_numbers(s), node_numbers(t))
        facts = edge_facts(w, len(ends))
    extra = int(ends.max(initial=-1)) + 1 - h.count
    h = _with_nodes(h, Table({}, extra)) if extra > 0 else h
    return h.with_edges(np.vstack([h.ends, ends]), _extended_table(h.facts, facts))


@builtin(
    "rmedge",
    category=_FAMILY,
    signatures=("H = rmedge(G, s, t)", "H = rmedge(G, idx)"),
    cases=(
        "numedges(rmedge(graph([1 1], [2 3]), 1, 2)) == 1",
        "isequal(rmedge(graph([1 1], [2 3]), 1).Edges.EndNodes, [1 3])",
    ),
    see=("addedge",),
)
def rmedge(g: Value, s: Value, t: Value | None = None) -> Value:
    """The graph without some edges, by their ends or numbers."""
    h = graph_argument("rmedge", g)
    if t is None:
        gone = node_numbers(s)
        if np.any(gone >= len(h.ends)):
            text = "Edge numbers must be between 1 and the number of edges."
            raise MatlabError("MATLAB:graphfun:rmedge:InvalidEdges", text)
        return h.kept(np.setdiff1d(np.arange(len(h.ends)), gone))
    wanted = pairs(h.ids(s), h.ids(t))
    wanted = wanted if h.directed else np.sort(wanted, axis=1)
    out = {tuple(w) for w in wanted.tolist()}
    have = [tuple(e) for e in h.ends.tolist()]
    if out - set(have):
        text = "An edge to remove does not exist."
        raise MatlabError("MATLAB:graphfun:rmedge:InvalidEdges", text)
    return h.kept(np.array([e not in out for e in have], dtype=bool))


@builtin(
    "flipedge",
    category=_FAMILY,
    signatures=("H = flipedge(G)", "H = flipedge(G, s, t)", "H = flipedge(G, idx)"),
    cases=("isequal(flipedge(digraph(1, 2)).Edges.EndNodes, [2 1])",),
    see=("rmedge",),
)
def flipedge(g: Value, s: Value | None = None, t: Value | None = None) -> Value:
    """The directed graph with edges turned around."""
    from app.engine.builtins.graph_theory.graph_facts import findedge

    h = graph_argument("flipedge", g, directed=True)
    if s is None:
        turned = np.arange(len(h.ends))
    else:
        turned = node_numbers(s if t is None else findedge(h, s, t))
    if np.any(turned >= len(h.ends)):
        raise MatlabError("MATLAB:graphfun:flipedge:InvalidIndex", "There is no such edge.")
    ends = h.ends.copy()
    ends[turned] = ends[turned][:, ::-1]
    return h.with_edges(ends, h.facts)


@builtin(
    "simplify",
    category=_FAMILY,
    signatures=(
        "H = simplify(G)",
        "H = simplify(G, method)",
        "H = simplify(..., 'keepselfloops')",
        "[H, eind, ecount] = simplify(G)",
    ),
    cases=(
        "numedges(simplify(graph([1 1 2], [2 2 2]))) == 1",
        "simplify(graph([1 1], [2 2], [3 4]), 'sum').Edges.Weight == 7",
    ),
    see=("ismultigraph",),
)
def simplify(g: Value, *options: Value) -> Value:
    """One edge where there were several, and no loops: first, last, sum, mean, min or max."""
    h = graph_argument("simplify", g)
    words = [text_of(o).lower() for o in options if is_text_scalar(o)]
    method = next((w for w in words if w in _COMBINED), "first")
    loops = "keepselfloops" in words
    unique, place, count = np.unique(h.ends, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    order = np.argsort(place, kind="stable")
    start = np.cumsum(count) - count
    pick = order[start + (count - 1 if method == "last" else 0)]
    facts = h.facts.rows(pick)
    if h.weights is not None and method not in ("first", "last") and len(pick):
        w = [_COMBINED[method](h.weights[place == k]) for k in range(len(unique))]
        facts = Table({**facts.columns, "Weight": column(np.array(w))}, len(pick))
    made = h.with_edges(unique, facts)
    keep = np.ones(len(unique), dtype=bool) if loops else unique[:, 0] != unique[:, 1]
    number = np.where(keep, np.cumsum(keep), 0)[place]
    return made.kept(keep), column(number.astype(float)), column(count[keep].astype(float))


_COMBINED: dict[str, Any] = {
    "first": None,
    "last": None,
    "sum": np.sum,
    "mean": np.mean,
    "min": np.min,
    "max": np.max,
}
