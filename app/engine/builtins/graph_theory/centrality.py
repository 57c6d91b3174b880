"""How important nodes are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.graph_theory.paths import lightest
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, text_of
from app.errors import MatlabError

_FAMILY = "networks"
Options = dict[str, Value]


def _edge_values(g: Graph, options: Options, name: str) -> Array:
    given = options.get(name)
    v = np.ones(len(g.ends)) if given is None else np.asarray(as_array(given), dtype=float).ravel()
    if v.size != len(g.ends) or np.any(v < 0):
        text = f"{name.title()} must be nonnegative, with one number for every edge."
        raise MatlabError("MATLAB:graphfun:centrality:InvalidWeights", text)
    return v


def _degree(side: str) -> Callable[[Graph, Options], Array]:
    def count(g: Graph, options: Options) -> Array:
        v = _edge_values(g, options, "importance")
        made = np.zeros(g.count)
        for k in {"in": (1,), "out": (0,)}.get(side, (0, 1)):
            made += np.bincount(g.ends[:, k], v, minlength=g.count)
        return made

    return count


def _closeness(side: str) -> Callable[[Graph, Options], Array]:
    def near(g: Graph, options: Options) -> Array:
        from scipy.sparse.csgraph import dijkstra

        matrix, _ = lightest(g, _edge_values(g, options, "cost"))
        d = dijkstra(matrix.T if side == "in" else matrix)
        found = np.isfinite(d)
        others = found.sum(axis=1) - 1.0
        total = np.where(found, d, 0).sum(axis=1)
        with np.errstate(all="ignore"):
            made = (others / (g.count - 1)) ** 2 / total
        return np.where(others > 0, made, 0.0)

    return near


def _betweenness(g: Graph, options: Options) -> Array:
    """Brandes' sums over the shortest paths from each node."""
    from scipy.sparse.csgraph import dijkstra

    matrix, _ = lightest(g, _edge_values(g, options, "cost"))
    d, w = dijkstra(matrix), matrix.tocoo()
    made = np.zeros(g.count)
    for s in range(g.count):
        far = d[s]
        on = np.isclose(far[w.row] + w.data, far[w.col], rtol=1e-12) & np.isfinite(far[w.row])
        tails, heads = w.row[on], w.col[on]
        ways = np.zeros(g.count)
        ways[s] = 1.0
        order = np.argsort(far[heads], kind="stable")
        for t, h in zip(tails[order], heads[order], strict=True):
            ways[h] += ways[t]
        share = np.zeros(g.count)
        for t, h in zip(tails[order[::-1]], heads[order[::-1]], strict=True):
            share[t] += ways[t] / ways[h] * (1 + share[h])
        share[s] = 0.0
        made += share
    return made if g.directed else made / 2


def _pagerank(g: Graph, options: Options) -> Array:
    follow = real_number(options.get("followprobability", 0.85))
    a = g.matrix(_edge_values(g, options, "importance")).toarray()
    out = a.sum(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        walk = np.where(out > 0, a / out, 1.0 / g.count)
    return _steady(lambda x: follow * (walk.T @ x) + (1 - follow) / g.count, g.count, options)


def _eigenvector(g: Graph, options: Options) -> Array:
    a = g.matrix(_edge_values(g, options, "importance")).toarray()
    values, vectors = stoppable.eigh(a)
    made = np.abs(vectors[:, int(np.argmax(values))])
    return np.asarray(made / made.sum())


def _hubs(side: str) -> Callable[[Graph, Options], Array]:
    def ranked(g: Graph, options: Options) -> Array:
        a = g.matrix(_edge_values(g, options, "importance")).toarray()
        both = a @ a.T if side == "hubs" else a.T @ a
        return _steady(lambda x: both @ x / max((both @ x).sum(), 1e-300), g.count, options)

    return ranked


def _steady(step: Callable[[Array], Array], n: int, options: Options) -> Array:
    """Repeat until nothing changes."""
    x = np.full(n, 1.0 / max(n, 1))
    limit = real_number(options.get("tolerance", 1e-4))
    for _ in range(int(real_number(options.get("maxiterations", 100.0)))):
        new = step(x)
        if np.abs(new - x).sum() < limit * 1e-6:
            return new
        x = new
    return x


_BOTH: dict[str, Callable[[Graph, Options], Array]] = {
    "betweenness": _betweenness,
    "pagerank": _pagerank,
}
_OF_GRAPHS = _BOTH | {
    "degree": _degree("both"),
    "closeness": _closeness("out"),
    "eigenvector": _eigenvector,
}
_OF_DIGRAPHS = _BOTH | {
    "indegree": _degree("in"),
    "outdegree": _degree("out"),
    "incloseness": _closeness("in"),
    "outcloseness": _closeness("out"),
    "hubs": _hubs("hubs"),
    "authorities": _hubs("authorities"),
}


@builtin(
    "centrality",
    category=_FAMILY,
    signatures=("C = centrality(G, type)", "C = centrality(G, type, name, value)"),
    cases=(
        "isequal(centrality(graph([1 2], [2 3]), 'betweenness'), [0; 1; 0])",
        "abs(sum(centrality(digraph([1 2 3], [2 3 1]), 'pagerank')) - 1) < 1e-9",
    ),
    see=("degree", "distances"),
)
def centrality(g: Value, kind: Value, *options: Value) -> Value:
    """How important each node is.

    Kinds for graphs: degree, closeness, betweenness, pagerank, eigenvector; for directed graphs:
    indegree, outdegree, incloseness, outcloseness, betweenness, pagerank, hubs, authorities.
    """
    h = graph_argument("centrality", g)
    known = _OF_DIGRAPHS if h.directed else _OF_GRAPHS
    word = text_of(kind).lower()
    if word not in known:
        text = f"The kind must be one of: {', '.join(known)}."
        raise MatlabError("MATLAB:graphfun:centrality:InvalidType", text)
    return column(
        known[word](
            h,
            option_pairs(
                "centrality", options, "Cost Importance FollowProbability Tolerance MaxIterations"
            ),
        )
        if h.count
        else np.zeros(0)
    )
