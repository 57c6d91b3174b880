"""What a graph is like: counts, degrees, neighbours, matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.graph_theory.building import is_names
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "networks"


def declare_fact(name: str, summary: str, case: str, ask: Callable[[Graph], Value]) -> None:
    """Declare a question about a whole graph."""

    def call(g: Value) -> Value:
        return ask(graph_argument(name, g))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"x = {name}(G)",),
        text=summary,
        cases=(case,),
        see=("graph", "digraph"),
    )(call)


declare_fact("numnodes", "Number of nodes.", "numnodes(graph(1, 3)) == 3", lambda g: float(g.count))
declare_fact(
    "numedges",
    "Number of edges.",
    "numedges(graph([1 2], [2 3])) == 2",
    lambda g: float(len(g.ends)),
)
declare_fact(
    "ismultigraph",
    "True when two nodes share more than one edge.",
    "ismultigraph(graph([1 1], [2 2]))",
    lambda g: len(np.unique(g.ends, axis=0)) < len(g.ends),
)


def _degrees(
    name: str, v: Value, nodes: Value | None, count: Callable[[Graph], Array], *, directed: bool
) -> Value:
    g = graph_argument(name, v, directed=directed)
    every = count(g).astype(np.float64)
    if nodes is None:
        return column(every)
    found = every[g.ids(nodes)]
    shape = (found.size, 1) if is_names(nodes) else np.shape(as_array(nodes))
    return canonical(found.reshape(shape, order="F"))


def _edge_counts(g: Graph, side: int) -> Array:
    return np.bincount(g.ends[:, side], minlength=g.count)


@builtin(
    "degree",
    category=_FAMILY,
    signatures=("D = degree(G)", "D = degree(G, nodes)"),
    cases=("isequal(degree(graph([1 1 2], [2 3 3])), [2; 2; 2])",),
    see=("indegree",),
)
def degree(g: Value, nodes: Value | None = None) -> Value:
    """Number of edges at each node of a graph; a loop counts twice."""
    return _degrees(
        "degree", g, nodes, lambda h: _edge_counts(h, 0) + _edge_counts(h, 1), directed=False
    )


@builtin(
    "indegree",
    category=_FAMILY,
    signatures=("D = indegree(G)", "D = indegree(G, nodes)"),
    cases=("isequal(indegree(digraph([1 1], [2 3])), [0; 1; 1])",),
    see=("outdegree",),
)
def indegree(g: Value, nodes: Value | None = None) -> Value:
    """Number of edges that lead to each node of a directed graph."""
    return _degrees("indegree", g, nodes, lambda h: _edge_counts(h, 1), directed=True)


@builtin(
    "outdegree",
    category=_FAMILY,
    signatures=("D = outdegree(G)", "D = outdegree(G, nodes)"),
    cases=("outdegree(digraph([1 1], [2 3]), 1) == 2",),
    see=("indegree",),
)
def outdegree(g: Value, nodes: Value | None = None) -> Value:
    """Number of edges that lead away from each node of a directed graph."""
    return _degrees("outdegree", g, nodes, lambda h: _edge_counts(h, 0), directed=True)


def around(g: Graph, node: int, side: int) -> Array:
    """The nodes at the other ends of edges whose end ``side`` is ``node``, each once."""
    return np.unique(g.ends[g.ends[:, side] == node, 1 - side])


@builtin(
    "neighbors",
    category=_FAMILY,
    signatures=("N = neighbors(G, node)",),
    cases=("isequal(neighbors(graph([1 1 2], [2 3 4]), 1), [2; 3])",),
    see=("successors",),
)
def neighbors(g: Value, node: Value) -> Value:
    """The nodes that share an edge with a node."""
    h = graph_argument("neighbors", g, directed=False)
    k = h.one(node)
    return h.labels(np.union1d(around(h, k, 0), around(h, k, 1)), node)


@builtin(
    "successors",
    category=_FAMILY,
    signatures=("N = successors(G, node)",),
    cases=("isequal(successors(digraph([1 1 2], [2 3 1]), 1), [2; 3])",),
    see=("predecessors",),
)
def successors(g: Value, node: Value) -> Value:
    """The nodes that edges from a node lead to."""
    h = graph_argument("successors", g, directed=True)
    return h.labels(around(h, h.one(node), 0), node)


@builtin(
    "predecessors",
    category=_FAMILY,
    signatures=("N = predecessors(G, node)",),
    cases=("predecessors(digraph([1 1 2], [2 3 1]), 1) == 2",),
    see=("successors",),
)
def predecessors(g: Value, node: Value) -> Value:
    """The nodes with an edge that leads to a node."""
    h = graph_argument("predecessors", g, directed=True)
    return h.labels(around(h, h.one(node), 1), node)


def _edges_at(g: Graph, node: Value, sides: tuple[int, ...]) -> Value:
    k = g.one(node)
    found = np.flatnonzero(np.any(g.ends[:, list(sides)] == k, axis=1))
    if len(sides) == 2:
        other = np.where(g.ends[found, 0] == k, g.ends[found, 1], g.ends[found, 0])
    else:
        other = g.ends[found, 1 - sides[0]]
    return column(found + 1.0), g.labels(other, node)


@builtin(
    "outedges",
    category=_FAMILY,
    signatures=("[e, n] = outedges(G, node)",),
    cases=("isequal(outedges(digraph([1 1 2], [2 3 1]), 1), [1; 2])",),
    see=("inedges",),
)
def outedges(g: Value, node: Value) -> Value:
    """Numbers of the edges away from a node, and where they lead."""
    h = graph_argument("outedges", g)
    return _edges_at(h, node, (0,) if h.directed else (0, 1))


@builtin(
    "inedges",
    category=_FAMILY,
    signatures=("[e, n] = inedges(G, node)",),
    cases=("inedges(digraph([1 1 2], [2 3 1]), 1) == 3",),
    see=("outedges",),
)
def inedges(g: Value, node: Value) -> Value:
    """Numbers of the edges to a node, and where they come from."""
    return _edges_at(graph_argument("inedges", g, directed=True), node, (1,))


@builtin(
    "findnode",
    category=_FAMILY,
    signatures=("n = findnode(G, names)",),
    cases=("isequal(findnode(graph({'a'}, {'b'}), {'b' 'x'}), [2; 0])",),
    see=("findedge",),
)
def findnode(g: Value, names: Value) -> Value:
    """Numbers of nodes by name, 0 for those that are not there."""
    h = graph_argument("findnode", g)
    if not is_names(names):
        wanted = np.asarray(as_array(names), dtype=np.float64).ravel()
        return column(np.where((wanted >= 1) & (wanted <= h.count), wanted, 0))
    place = {n: float(k + 1) for k, n in enumerate(h.names)}
    return column(np.array([place.get(t, 0.0) for t in texts_of(names)]))


@builtin(
    "findedge",
    category=_FAMILY,
    signatures=("idx = findedge(G, s, t)", "[s, t] = findedge(G)", "[s, t] = findedge(G, idx)"),
    cases=(
        "isequal(findedge(graph([1 1 2], [2 3 3]), 3, 1), 2)",
        "findedge(digraph(1, 2), 2, 1) == 0",
    ),
    see=("findnode",),
)
def findedge(g: Value, s: Value | None = None, t: Value | None = None) -> Value:
    """Numbers of the edges between nodes (0 for none), or the ends of edges."""
    h = graph_argument("findedge", g)
    if t is None or s is None:
        index = np.arange(len(h.ends)) if s is None else np.asarray(as_array(s)).ravel() - 1
        if np.any(index < 0) or np.any(index >= len(h.ends)):
            text = "Edge numbers must be between 1 and the number of edges."
            raise MatlabError("MATLAB:graphfun:findedge:EdgeBounds", text)
        ends = h.ends[index.astype(int)] + 1.0
        return column(ends[:, 0]), column(ends[:, 1])
    from app.engine.builtins.graph_theory.building import pairs

    wanted = pairs(h.ids(s), h.ids(t))
    wanted = wanted if h.directed else np.sort(wanted, axis=1)
    place = {(a, b): k for k, (a, b) in reversed(list(enumerate(h.ends.tolist())))}
    return column(np.array([place.get((a, b), -1) + 1.0 for a, b in wanted.tolist()]))


@builtin(
    "edgecount",
    category=_FAMILY,
    signatures=("n = edgecount(G, s, t)",),
    cases=("edgecount(graph([1 1 2], [2 2 3]), 1, 2) == 2",),
    see=("findedge",),
)
def edgecount(g: Value, s: Value, t: Value) -> Value:
    """How many edges there are between nodes."""
    from app.engine.builtins.graph_theory.building import pairs

    h = graph_argument("edgecount", g)
    wanted = pairs(h.ids(s), h.ids(t))
    wanted = wanted if h.directed else np.sort(wanted, axis=1)
    return column(np.array([float(np.sum(np.all(h.ends == w, axis=1))) for w in wanted]))


def sparse(m: Any) -> Value:
    """A sparse value."""
    made = m.tocsc().astype(np.float64)
    made.sort_indices()
    return SparseMatrix.of(made)


@builtin(
    "adjacency",
    category=_FAMILY,
    signatures=("A = adjacency(G)", "A = adjacency(G, 'weighted')", "A = adjacency(G, w)"),
    cases=(
        "isequal(full(adjacency(graph(1, 2))), [0 1; 1 0])",
        "isequal(full(adjacency(digraph(1, 2, 5), 'weighted')), [0 5; 0 0])",
    ),
    see=("incidence", "laplacian"),
)
def adjacency(g: Value, weights: Value | None = None) -> Value:
    """The sparse adjacency matrix: ones, or weights."""
    h = graph_argument("adjacency", g)
    if weights is None or numel(weights) == 0:
        return sparse(h.matrix())
    if is_text_scalar(weights):
        if text_of(weights) != "weighted" or h.weights is None:
            text = "Weights must be 'weighted' for a graph with weights, or numbers."
            raise MatlabError("MATLAB:graphfun:adjacency:InvalidWeights", text)
        return sparse(h.matrix(h.weights))
    w = np.asarray(as_array(weights), dtype=np.float64).ravel()
    if w.size not in (1, len(h.ends)):
        text = "There must be one weight for every edge."
        raise MatlabError("MATLAB:graphfun:adjacency:InvalidWeights", text)
    return sparse(h.matrix(np.resize(w, len(h.ends))))


@builtin(
    "incidence",
    category=_FAMILY,
    signatures=("I = incidence(G)",),
    cases=("isequal(full(incidence(digraph([1 2], [2 3]))), [-1 0; 1 -1; 0 1])",),
    see=("adjacency",),
)
def incidence(g: Value) -> Value:
    """One column for each edge: -1 at its source, 1 at its target."""
    from scipy.sparse import csc_matrix

    h = graph_argument("incidence", g)
    if np.any(h.ends[:, 0] == h.ends[:, 1]):
        text = "The incidence matrix is not defined for graphs with self-loops."
        raise MatlabError("MATLAB:graphfun:incidence:LoopsUnsupported", text)
    m = len(h.ends)
    rows, values = h.ends.ravel(), np.tile([-1.0, 1.0], m)
    return sparse(csc_matrix((values, (rows, np.repeat(np.arange(m), 2))), shape=(h.count, m)))


@builtin(
    "laplacian",
    category=_FAMILY,
    signatures=("L = laplacian(G)",),
    cases=("isequal(full(laplacian(graph(1, 2))), [1 -1; -1 1])",),
    see=("adjacency",),
)
def laplacian(g: Value) -> Value:
    """Degrees on the diagonal less the adjacency matrix."""
    from scipy.sparse import diags

    h = graph_argument("laplacian", g, directed=False)
    if np.any(h.ends[:, 0] == h.ends[:, 1]):
        text = "The Laplacian is not defined for graphs with self-loops."
        raise MatlabError("MATLAB:graphfun:laplacian:LoopsUnsupported", text)
    a = h.matrix()
    return sparse(diags(np.asarray(a.sum(axis=1)).ravel()) - a)
