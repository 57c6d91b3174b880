"""Spanning trees and flows."""

from __future__ import annotations

from collections import deque

import numpy as np

from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "networks"


@builtin(
    "minspantree",
    category=_FAMILY,
    signatures=(
        "T = minspantree(G)",
        "[T, pred] = minspantree(G)",
        "T = minspantree(..., 'Root', r, 'Type', 'forest', 'Method', method)",
    ),
    cases=(
        "sum(minspantree(graph([1 1 2], [2 3 3], [1 5 2])).Edges.Weight) == 3",
        "[t, p] = minspantree(graph([1 2], [2 3])); isequal(p, [0 1 2])",
    ),
    see=("shortestpathtree",),
)
def minspantree(g: Value, *options: Value) -> Value:
    """The lightest tree that connects the nodes of a graph, and the node before each.

    The methods 'dense' and 'sparse' find trees of the same weight; both are Kruskal's here.
    """
    h = graph_argument("minspantree", g, directed=False)
    chosen = option_pairs("minspantree", options, "Root Type Method")
    forest = one_of("minspantree", "Type", chosen.get("type", "tree"), "tree forest") == "forest"
    one_of("minspantree", "Method", chosen.get("method", "dense"), "dense sparse")
    root = h.one(chosen["root"]) if "root" in chosen else 0
    keep = _kruskal(h)
    tree = h.kept(keep)
    before = _parents(tree, root, forest=forest)
    if not forest:
        tree = tree.kept(~np.isnan(before)[tree.ends[:, 0]])
    return tree, row(before)


def _kruskal(g: Graph) -> Array:
    """Numbers of the edges of a lightest forest."""
    boss = list(range(g.count))

    def top(k: int) -> int:
        while boss[k] != k:
            boss[k] = boss[boss[k]]
            k = boss[k]
        return k

    kept = []
    for e in np.argsort(g.lengths(), kind="stable").tolist():
        a, b = (top(int(n)) for n in g.ends[e])
        if a != b:
            boss[a] = b
            kept.append(e)
    return np.array(sorted(kept), dtype=np.int64)


def _parents(tree: Graph, root: int, *, forest: bool) -> Array:
    from scipy.sparse.csgraph import breadth_first_order

    before = np.full(tree.count, np.nan)
    matrix = tree.matrix()
    starts = [root, *range(tree.count)] if forest else [root]
    for start in starts if tree.count else []:
        if np.isnan(before[start]):
            order, above = breadth_first_order(matrix, start, directed=False)
            before[order] = above[order] + 1.0
            before[start] = 0.0
    return before


@builtin(
    "maxflow",
    category=_FAMILY,
    signatures=(
        "mf = maxflow(G, s, t)",
        "mf = maxflow(G, s, t, algorithm)",
        "[mf, GF, cs, ct] = maxflow(G, s, t)",
    ),
    cases=(
        "maxflow(digraph([1 1 2 3], [2 3 4 4], [3 2 2 4]), 1, 4) == 4",
        "[m, f, cs] = maxflow(digraph([1 2], [2 3], [5 1]), 1, 3); isequal(cs, [1; 2])",
    ),
    see=("shortestpath",),
)
def maxflow(g: Value, s: Value, t: Value, algorithm: Value = "searchtrees") -> Value:
    """The largest flow between two nodes, the flow in each edge, and the cut that limits it."""
    h = graph_argument("maxflow", g)
    start, end = h.one(s), h.one(t)
    known = ("searchtrees", "augmentpath", "pushrelabel")
    if not is_text_scalar(algorithm) or text_of(algorithm).lower() not in known:
        text = f"The algorithm must be one of: {', '.join(known)}."
        raise MatlabError("MATLAB:graphfun:maxflow:InvalidAlgorithm", text)
    if start == end or np.any(h.lengths() < 0):
        text = "The two nodes must differ, and weights must be nonnegative."
        raise MatlabError("MATLAB:graphfun:maxflow:InvalidFlow", text)
    room = h.matrix(h.lengths()).toarray()
    left, total = _augmented_flow(room.copy(), start, end)
    flow = np.maximum(room - left, 0.0) if h.directed else room - left
    source = _predecessors(left, start) >= 0
    away = np.argwhere(flow > 0)
    made = Graph(
        h.directed,
        away,
        h.nodes,
        Table({"Weight": column(flow[away[:, 0], away[:, 1]])}, len(away)),
    )
    return (total, made, h.labels(np.flatnonzero(source), s), h.labels(np.flatnonzero(~source), s))


def _augmented_flow(left: Array, start: int, end: int) -> tuple[Array, float]:
    """Edmonds and Karp's paths until none is left: the room that remains, and the flow."""
    total = 0.0
    while True:
        before = _predecessors(left, start, end)
        if before[end] < 0:
            return left, total
        path = [end]
        while path[-1] != start:
            path.append(int(before[path[-1]]))
        tail, head = path[1:], path[:-1]
        amount = float(left[tail, head].min())
        left[tail, head] -= amount
        left[head, tail] += amount
        total += amount


def _predecessors(left: Array, start: int, end: int = -1) -> Array:
    before = np.full(left.shape[0], -1)
    before[start] = start
    line = deque([start])
    while line and (end < 0 or before[end] < 0):
        node = line.popleft()
        fresh = np.flatnonzero((left[node] > 1e-12) & (before < 0))
        before[fresh] = node
        line.extend(fresh.tolist())
    return before
