"""Whether two graphs are the same but for the numbers of their nodes."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Array, Value

_FAMILY = "networks"


def _colours(a: Array, b: Array) -> tuple[Array, Array]:
    """Colours that equivalent nodes of both graphs share: refined by those of their neighbours."""
    n = a.shape[0]
    both = np.zeros(2 * n, dtype=int)
    joined = np.block([[a, np.zeros_like(a)], [np.zeros_like(b), b]])
    for _ in range(n + 1):
        rows = [
            (int(both[k]), _neighbourhood(joined[k], both), _neighbourhood(joined[:, k], both))
            for k in range(2 * n)
        ]
        names = {r: i for i, r in enumerate(sorted(set(rows)))}
        new = np.array([names[r] for r in rows])
        if len(names) == len(np.unique(both)):
            break
        both = new
    return both[:n], both[n:]


def _neighbourhood(edges: Array, colours: Array) -> tuple[tuple[int, int], ...]:
    """Colours of the neighbours and numbers of edges to them, sorted."""
    return tuple(sorted((int(colours[j]), int(edges[j])) for j in np.flatnonzero(edges)))


def matching(g: Graph, h: Graph) -> list[int] | None:
    """For each node of ``g`` its counterpart in ``h``; None when there is no such matching."""
    if g.directed != h.directed or g.count != h.count or len(g.ends) != len(h.ends):
        return None
    if not g.count:
        return []
    a, b = g.matrix().toarray().astype(int), h.matrix().toarray().astype(int)
    ca, cb = _colours(a, b)
    if not np.array_equal(np.sort(ca), np.sort(cb)):
        return None
    sizes = np.bincount(ca)
    order = sorted(range(g.count), key=lambda k: int(sizes[ca[k]]))
    return _matched_nodes(a, b, ca, cb, order)


def _matched_nodes(a: Array, b: Array, ca: Array, cb: Array, order: list[int]) -> list[int] | None:
    """Match node after node, going back where it does not fit."""
    n = len(order)
    chosen = [-1] * n
    tries: list[list[int]] = [np.flatnonzero(cb == ca[order[0]]).tolist()]
    while tries:
        depth = len(tries) - 1
        if not tries[-1]:
            tries.pop()
            continue
        chosen[depth] = tries[-1].pop()
        done, pick = order[: depth + 1], chosen[: depth + 1]
        node, other = order[depth], chosen[depth]
        if other in chosen[:depth] or not (
            np.array_equal(a[node, done], b[other, pick])
            and np.array_equal(a[done, node], b[pick, other])
        ):
            continue
        if depth == n - 1:
            made = [0] * n
            for k, o in zip(order, chosen, strict=True):
                made[k] = o
            return made
        tries.append(np.flatnonzero(cb == ca[order[depth + 1]]).tolist())
    return None


@builtin(
    "isisomorphic",
    category=_FAMILY,
    signatures=("tf = isisomorphic(G1, G2)",),
    cases=(
        "isisomorphic(graph([1 2], [2 3]), graph([1 1], [2 3]))",
        "~isisomorphic(digraph([1 2], [2 3]), digraph([1 1], [2 3]))",
    ),
    see=("isomorphism",),
)
def isisomorphic(g: Value, h: Value) -> Value:
    """True when renumbering the nodes of one graph makes it the other."""
    return (
        matching(graph_argument("isisomorphic", g), graph_argument("isisomorphic", h)) is not None
    )


@builtin(
    "isomorphism",
    category=_FAMILY,
    signatures=("P = isomorphism(G1, G2)",),
    cases=(
        "G = graph([1 2], [2 3]); H = graph([1 1], [2 3]); "
        "isequal(reordernodes(H, isomorphism(G, H)).Edges, G.Edges)",
    ),
    see=("isisomorphic", "reordernodes"),
)
def isomorphism(g: Value, h: Value) -> Value:
    """An order of the second graph's nodes that makes it the first; empty when there is none."""
    found = matching(graph_argument("isomorphism", g), graph_argument("isomorphism", h))
    return EMPTY if found is None else column(np.array(found, dtype=float) + 1)
