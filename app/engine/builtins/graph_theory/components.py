"""Connected parts, cut nodes, and what can be reached."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.graph_theory.searching import finishing_order, has_cycle, parts_of, steps
from app.engine.builtins.vectors import row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Cell, Value, object_array

_FAMILY = "networks"


def bins_of(g: Graph, *, weak: bool) -> Array:
    """The 0-based part of each node: by first node, or in the order that edges lead."""
    if not g.count:
        return np.zeros(0, dtype=int)
    strong = g.directed and not weak
    count, found = parts_of(g, strong=strong)
    if not strong:
        by_first_node = partial(_numbered_by_first_node, count, found)
        many = g.count >= stoppable.LARGE_ARRAY
        return stoppable.beside(by_first_node) if many else by_first_node()
    order = list(dict.fromkeys(int(found[n]) for n in reversed(finishing_order(g))))
    place = np.empty(len(order), dtype=int)
    place[order] = np.arange(len(order))
    return np.asarray(place[found])


def _numbered_by_first_node(count: int, found: Array) -> Array:
    """The parts of nodes, in the order of the first node of each."""
    first = np.empty(count, dtype=int)
    first[found[::-1]] = np.arange(len(found) - 1, -1, -1)  # the last one written is the lowest
    place = np.empty(count, dtype=int)
    place[np.argsort(first)] = np.arange(count)
    return np.asarray(place[found])


def _form(name: str, options: dict[str, Value]) -> str:
    return one_of(name, "OutputForm", options.get("outputform", "vector"), "vector cell")


@builtin(
    "conncomp",
    category=_FAMILY,
    signatures=(
        "bins = conncomp(G)",
        "bins = conncomp(G, 'Type', type)",
        "bins = conncomp(G, 'OutputForm', form)",
        "[bins, sizes] = conncomp(G)",
    ),
    cases=(
        "isequal(conncomp(graph([1 3], [2 4])), [1 1 2 2])",
        "isequal(conncomp(digraph([1 2 2 3 3 3 4 5 5 5 8 8], [2 3 4 1 4 5 5 3 6 7 9 10])), "
        "[4 4 4 4 4 6 5 1 3 2])",
    ),
    see=("biconncomp", "condensation"),
)
def conncomp(g: Value, *options: Value) -> Value:
    """The connected part that each node is in, and the sizes of the parts."""
    h = graph_argument("conncomp", g)
    chosen = option_pairs("conncomp", options, "OutputForm Type")
    form = _form("conncomp", chosen)
    kind = one_of("conncomp", "Type", chosen.get("type", "strong"), "strong weak")
    bins = bins_of(h, weak=kind == "weak")
    sizes = np.bincount(bins) if bins.size else np.zeros(0)
    if form == "cell":
        like = "" if h.names else 1.0
        items = [h.labels(np.flatnonzero(bins == k), like, across=True) for k in range(sizes.size)]
        return Cell(object_array(items, (1, len(items)))), row(sizes.astype(float))
    return row(bins + 1.0), row(sizes.astype(float))


@builtin(
    "biconncomp",
    category=_FAMILY,
    signatures=(
        "bins = biconncomp(G)",
        "[bins, cut] = biconncomp(G)",
        "bins = biconncomp(G, 'OutputForm', 'cell')",
    ),
    cases=("[b, c] = biconncomp(graph([1 1 2 3], [2 3 3 4])); max(b) == 2 && c == 3",),
    see=("conncomp",),
)
def biconncomp(g: Value, *options: Value) -> Value:
    """The part of each edge that no single node cuts, and the nodes that cut parts off."""
    h = graph_argument("biconncomp", g, directed=False)
    form = _form("biconncomp", option_pairs("biconncomp", options, "OutputForm"))
    parts, cuts = _blocks(h)
    bins = np.full(len(h.ends), np.nan)
    for k, edges in enumerate(parts):
        bins[edges] = k + 1.0
    cut = row(np.array(sorted(cuts), dtype=float) + 1)
    if form == "cell":
        like = "" if h.names else 1.0
        items = [h.labels(np.unique(h.ends[e]), like, across=True) for e in parts]
        return Cell(object_array(items, (1, len(items)))), cut
    return row(bins), cut


def _blocks(g: Graph) -> tuple[list[list[int]], set[int]]:
    """Hopcroft and Tarjan's search: edges of each block, and the cut nodes."""
    ahead, found, low = steps(g), [-1] * g.count, [0] * g.count
    parts: list[list[int]] = []
    cuts: set[int] = set()
    time = 0
    for root in range(g.count):
        if found[root] >= 0:
            continue
        found[root] = low[root] = time = time + 1
        kept: list[int] = []
        stack = [(root, -1, iter(ahead[root]))]
        children = 0
        while stack:
            node, came, rest = stack[-1]
            other, edge = next(rest, (-1, -1))
            if other >= 0:
                if edge == came or other == node:
                    continue
                if found[other] < 0:
                    kept.append(edge)
                    found[other] = low[other] = time = time + 1
                    stack.append((other, edge, iter(ahead[other])))
                elif found[other] < found[node]:
                    kept.append(edge)
                    low[node] = min(low[node], found[other])
                continue
            stack.pop()
            if not stack:
                continue
            above = stack[-1][0]
            low[above] = min(low[above], low[node])
            if low[node] >= found[above]:
                at = kept.index(came)
                parts.append(kept[at:])
                del kept[at:]
                children += above == root
                if above != root or children > 1:
                    cuts.add(above)
    return parts, cuts


@builtin(
    "condensation",
    category=_FAMILY,
    signatures=("C = condensation(G)",),
    cases=("numnodes(condensation(digraph([1 2 2], [2 1 3]))) == 2",),
    see=("conncomp",),
)
def condensation(g: Value) -> Value:
    """One node for each strongly connected part, and the edges between parts."""
    h = graph_argument("condensation", g, directed=True)
    return _condensation(h, bins_of(h, weak=False))


def _condensation(g: Graph, bins: Array) -> Graph:
    ends = bins[g.ends]
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    count = int(bins.max(initial=-1)) + 1
    return Graph(True, ends, Table({}, count), Table({}, len(ends)))


def reachable(g: Graph) -> Array:
    """Whether a path of one edge or more leads from row to column."""
    closed = g.matrix().toarray() > 0
    for k in range(g.count):
        closed |= np.outer(closed[:, k], closed[k])
    return np.asarray(closed)


@builtin(
    "transclosure",
    category=_FAMILY,
    signatures=("H = transclosure(G)",),
    cases=("isequal(transclosure(digraph([1 2], [2 3])).Edges.EndNodes, [1 2; 1 3; 2 3])",),
    see=("transreduction",),
)
def transclosure(g: Value) -> Value:
    """An edge wherever a path leads."""
    h = graph_argument("transclosure", g, directed=True)
    ends = np.argwhere(reachable(h))
    return Graph(True, ends, h.nodes, Table({}, len(ends)))


@builtin(
    "transreduction",
    category=_FAMILY,
    signatures=("H = transreduction(G)",),
    cases=("isequal(transreduction(digraph([1 1 2], [2 3 3])).Edges.EndNodes, [1 2; 2 3])",),
    see=("transclosure",),
)
def transreduction(g: Value) -> Value:
    """The fewest edges with the same paths."""
    h = graph_argument("transreduction", g, directed=True)
    if not has_cycle(h):
        ends = _reduction_edges(h)
        return Graph(True, ends, h.nodes, Table({}, len(ends)))
    bins = bins_of(h, weak=False)
    first = {int(b): int(np.flatnonzero(bins == b)[0]) for b in np.unique(bins)}
    between = [[first[int(a)], first[int(b)]] for a, b in _reduction_edges(_condensation(h, bins))]
    rings: list[list[int]] = []
    for b in first:
        nodes = np.flatnonzero(bins == b)
        loop = nodes.size > 1 or np.any(np.all(h.ends == nodes[0], axis=1))
        rings += np.column_stack([nodes, np.roll(nodes, -1)]).tolist() if loop else []
    ends = np.array(between + rings, dtype=np.int64).reshape(-1, 2)
    return Graph(True, ends, h.nodes, Table({}, len(ends)))


def _reduction_edges(g: Graph) -> Array:
    closed = reachable(g).astype(np.float64)
    direct = g.matrix().toarray() > 0
    return np.argwhere(direct & ~((direct @ closed) > 0))
