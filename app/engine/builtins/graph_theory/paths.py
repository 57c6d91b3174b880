"""Shortest paths and distances."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from app.engine.arguments.checks import option_pairs, unknown_option
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "networks"
_METHODS = ("auto", "unweighted", "positive", "mixed", "acyclic")


def method_of(name: str, options: tuple[Value, ...]) -> str:
    """The method asked for."""
    found = option_pairs(name, options, "Method")
    word = text_of(found.pop("method", "auto")).lower()
    if word not in _METHODS:
        text = "The method must be auto, unweighted, positive, mixed or acyclic."
        raise MatlabError(f"MATLAB:graphfun:{name}:InvalidMethod", text)
    return word


def lightest(g: Graph, weights: Array) -> tuple[Any, dict[tuple[int, int], int]]:
    """A matrix of the lightest edge between each two nodes, and the number of that edge."""
    from scipy.sparse import csr_matrix

    s, t = g.ends.T
    if not g.directed:
        s, t = np.concatenate([s, t]), np.concatenate([t, s])
    w = np.resize(weights, s.size)
    number = np.resize(np.arange(len(g.ends)), s.size)
    order = np.lexsort((w, t, s))
    s, t, w, number = s[order], t[order], w[order], number[order]
    first = np.ones(s.size, dtype=bool)
    first[1:] = (s[1:] != s[:-1]) | (t[1:] != t[:-1])
    made = csr_matrix((w[first], (s[first], t[first])), shape=(g.count, g.count))
    numbers = zip(s[first].tolist(), t[first].tolist(), number[first].tolist(), strict=True)
    return made, {(a, b): k for a, b, k in numbers}


def reached(name: str, g: Graph, sources: Array, method: str) -> tuple[Array, Array]:
    """Distances from sources and the node before each; -1 for none."""
    from scipy.sparse import csgraph

    w = np.ones(len(g.ends)) if method == "unweighted" else g.lengths()
    if not g.count or not sources.size:
        return np.zeros((sources.size, g.count)), np.full((sources.size, g.count), -1)
    matrix, _ = lightest(g, w)
    if np.any(w < 0):
        if not g.directed or method == "positive":
            text = "Edge weights must be nonnegative."
            raise MatlabError(f"MATLAB:graphfun:{name}:NegativeWeights", text)
        try:
            d, before = csgraph.bellman_ford(matrix, indices=sources, return_predecessors=True)
        except csgraph.NegativeCycleError as problem:
            text = "The graph has a cycle of negative length."
            raise MatlabError(f"MATLAB:graphfun:{name}:NegativeCycle", text) from problem
    else:
        d, before = csgraph.dijkstra(matrix, indices=sources, return_predecessors=True)
    return np.asarray(d), np.where(before < 0, -1, before)


def walked(before: Array, start: int, end: int) -> list[int]:
    """The path that the nodes before each lead back on; empty when there is none."""
    path = [end]
    while path[-1] != start:
        previous = int(before[path[-1]])
        if previous < 0:
            return []
        path.append(previous)
    return path[::-1]


@builtin(
    "shortestpath",
    category=_FAMILY,
    signatures=(
        "P = shortestpath(G, s, t)",
        "P = shortestpath(G, s, t, 'Method', algorithm)",
        "[P, d, edgepath] = shortestpath(G, s, t)",
    ),
    cases=(
        "isequal(shortestpath(graph([1 2 3 1], [2 3 4 4], [1 1 1 9]), 1, 4), 1:4)",
        "[p, d] = shortestpath(digraph([1 2], [2 3], [2 3]), 1, 3); d == 5",
    ),
    see=("distances", "shortestpathtree"),
)
def shortestpath(g: Value, s: Value, t: Value, *options: Value) -> Value:
    """The shortest path between two nodes, its length, and the edges it takes."""
    h = graph_argument("shortestpath", g)
    method = method_of("shortestpath", options)
    start, end = h.one(s), h.one(t)
    d, before = reached("shortestpath", h, np.array([start]), method)
    path = walked(before[0], start, end)
    w = np.ones(len(h.ends)) if method == "unweighted" else h.lengths()
    numbers = lightest(h, w)[1]
    edges = [numbers[a, b] + 1.0 for a, b in pairwise(path)]
    shown = h.labels(path, s, across=True)
    return shown if path else canonical(np.zeros((1, 0))), float(d[0, end]), row(np.array(edges))


@builtin(
    "distances",
    category=_FAMILY,
    signatures=(
        "d = distances(G)",
        "d = distances(G, s)",
        "d = distances(G, s, t)",
        "d = distances(..., 'Method', algorithm)",
    ),
    cases=(
        "isequal(distances(digraph([1 2], [2 3])), [0 1 2; Inf 0 1; Inf Inf 0])",
        "distances(graph([1 2], [2 3], [2 3]), 1, 3) == 5",
    ),
    see=("shortestpath", "nearest"),
)
def distances(g: Value, *args: Value) -> Value:
    """Lengths of the shortest paths, from rows to columns; ``Inf`` where there is none."""
    h = graph_argument("distances", g)
    at = next(
        (k for k, a in enumerate(args) if is_text_scalar(a) and text_of(a).lower() == "method"),
        len(args),
    )
    if at > 2:
        raise unknown_option("distances", text_or(args[2]), "Method")
    method = method_of("distances", args[at:])
    sources = h.ids(args[0]) if at > 0 and text_or(args[0]) != "all" else np.arange(h.count)
    d, _ = reached("distances", h, sources, method)
    return canonical(d[:, h.ids(args[1])] if at > 1 and text_or(args[1]) != "all" else d)


def text_or(v: Value) -> str:
    """A text, or nothing for other values."""
    return text_of(v) if is_text_scalar(v) else ""


@builtin(
    "nearest",
    category=_FAMILY,
    signatures=("[nodes, d] = nearest(G, s, d)", "[nodes, d] = nearest(..., name, value)"),
    cases=("isequal(nearest(graph([1 2 3], [2 3 4]), 1, 2), [2; 3])",),
    see=("distances",),
)
def nearest(g: Value, s: Value, d: Value, *options: Value) -> Value:
    """The nodes within a distance, the nearest first, and how far they are."""
    h = graph_argument("nearest", g)
    found = option_pairs("nearest", options, "Direction Method")
    incoming = text_of(found.pop("direction", "outgoing")).lower() == "incoming"
    start = h.one(s)
    source = Graph(True, h.ends[:, ::-1], h.nodes, h.facts) if incoming and h.directed else h
    far, _ = reached("nearest", source, np.array([start]), text_of(found.get("method", "auto")))
    limit = float(np.asarray(as_array(d)).flat[0])
    inside = np.flatnonzero((far[0] <= limit) & (np.arange(h.count) != start))
    inside = inside[np.argsort(far[0][inside], kind="stable")]
    return h.labels(inside, s), column(far[0][inside])


@builtin(
    "shortestpathtree",
    category=_FAMILY,
    signatures=(
        "TR = shortestpathtree(G, s)",
        "TR = shortestpathtree(G, s, t)",
        "[TR, D, E] = shortestpathtree(..., 'OutputForm', form)",
    ),
    cases=(
        "numedges(shortestpathtree(graph([1 2 1], [2 3 3]), 1)) == 2",
        "v = shortestpathtree(digraph([1 2], [2 3]), 1, 'OutputForm', 'vector'); "
        "isequal(v, [0 1 2])",
    ),
    see=("shortestpath", "distances"),
)
def shortestpathtree(g: Value, s: Value, *rest: Value) -> Value:
    """The tree of shortest paths from a node: a directed graph, cells of paths, or a vector."""
    h = graph_argument("shortestpathtree", g)
    start, targets, rest = h.one(s), np.arange(h.count), tuple(rest)
    if len(rest) % 2:
        if text_or(rest[0]) != "all":
            targets = h.ids(rest[0])
        rest = rest[1:]
    options = option_pairs("shortestpathtree", rest, "Method OutputForm")
    form = text_of(options.pop("outputform", "tree")).lower()
    method = text_of(options.get("method", "auto")).lower()
    d, before = reached("shortestpathtree", h, np.array([start]), method)
    paths = [walked(before[0], start, int(t)) for t in targets]
    used = sorted({(a, b) for p in paths for a, b in pairwise(p)})
    numbers = lightest(h, np.ones(len(h.ends)) if method == "unweighted" else h.lengths())[1]
    edges = np.array([numbers[e] for e in used], dtype=np.int64)
    taken = np.zeros(len(h.ends), dtype=bool)
    taken[edges] = True
    if form == "cell":
        items = [h.labels(p, s, across=True) if p else canonical(np.zeros((1, 0))) for p in paths]
        shown: Value = Cell(object_array(items, (len(items), 1)))
    elif form == "vector":
        on = {b: a for a, b in used}
        vector = [0.0 if k == start else on[k] + 1.0 if k in on else np.nan for k in range(h.count)]
        shown = row(np.array(vector))
    else:
        facts = h.facts.rows(edges)
        shown = Graph(True, np.array(used).reshape(-1, 2), h.nodes, facts)
    return shown, row(d[0][targets]), column(taken)


@builtin(
    "allpaths",
    category=_FAMILY,
    signatures=("paths = allpaths(G, s, t)", "[paths, edgepaths] = allpaths(..., name, value)"),
    cases=("numel(allpaths(graph([1 1 2], [2 3 3]), 1, 3)) == 2",),
    see=("shortestpath",),
)
def allpaths(g: Value, s: Value, t: Value, *options: Value) -> Value:
    """Every path between two nodes that meets no node twice."""
    h = graph_argument("allpaths", g)
    found = option_pairs("allpaths", options, "MaxNumPaths MaxPathLength MinPathLength")
    limits = {
        k: int(np.minimum(np.asarray(as_array(found.get(k, np.inf))).flat[0], 2**31))
        for k in ("maxnumpaths", "maxpathlength", "minpathlength")
    }
    least = limits["minpathlength"] if "minpathlength" in found else 0
    numbers = lightest(h, h.lengths())[1]
    ahead: dict[int, list[int]] = {}
    for a, b in numbers:
        ahead.setdefault(a, []).append(b)
    paths = _all_paths(
        ahead, h.one(s), h.one(t), limits["maxpathlength"], least, limits["maxnumpaths"]
    )
    edges = [row(np.array([numbers[e] + 1.0 for e in pairwise(p)])) for p in paths]
    return (
        Cell(object_array([h.labels(p, s, across=True) for p in paths], (len(paths), 1))),
        Cell(object_array(edges, (len(paths), 1))),
    )


def _all_paths(
    ahead: dict[int, list[int]], start: int, end: int, longest: int, least: int, most: int
) -> list[list[int]]:
    found: list[list[int]] = []
    stack: list[list[int]] = [[start]]
    while stack and len(found) < most:
        path = stack.pop()
        if path[-1] == end:
            if len(path) - 1 >= least:
                found.append(path)
            continue
        if len(path) - 1 < longest:
            onward = sorted(ahead.get(path[-1], []), reverse=True)
            stack += [[*path, n] for n in onward if n not in path]
    return found
