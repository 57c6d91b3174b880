"""Making graphs from edges, matrices and tables."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.graph_theory.graph_class import Graph
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_logical,
    is_numeric_like,
    is_string,
    is_text_scalar,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "networks"
_WORDS = ("omitselfloops", "upper", "lower", "omitSelfLoops")


def is_names(v: Value) -> bool:
    """Whether a value is one name or several."""
    return is_char(v) or is_string(v) or is_cell(v)


def named_nodes(names: list[str]) -> Table:
    """A table of nodes with names."""
    if len(set(names)) != len(names):
        raise MatlabError("MATLAB:graphfun:graph:NonUniqueNames", "Node names must be unique.")
    return Table({"Name": Cell(object_array(names, (len(names), 1)))}, len(names))


def _nodes(v: Value | None, least: int) -> Table:
    """The nodes that names, a table or a count describe."""
    if v is None or (numel(v) == 0 and not isinstance(v, Table)):
        return Table({}, least)
    made = (
        v
        if isinstance(v, Table)
        else named_nodes(texts_of(v))
        if is_names(v)
        else (Table({}, int(np.asarray(as_array(v)).flat[0])))
    )
    if made.height < least:
        text = "There are fewer nodes than the edges name."
        raise MatlabError("MATLAB:graphfun:graph:InvalidNumNodes", text)
    return made


def _from_matrix(directed: bool, rest: list[Value], words: set[str]) -> Graph:
    a = rest[0].matrix.tocoo() if isinstance(rest[0], SparseMatrix) else None
    dense = None if a is not None else np.asarray(as_array(rest[0]))
    shape = a.shape if a is not None else dense.shape if dense is not None else (0, 0)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise MatlabError("MATLAB:graphfun:graph:SquareAdjacency", "The matrix must be square.")
    full = dense if a is None else a.toarray()
    assert full is not None
    if "upper" in words or "lower" in words:
        full = np.triu(full) if "upper" in words else np.tril(full).T
    elif not directed and not np.array_equal(full, full.T):
        text = "The adjacency matrix of a graph must be symmetric."
        raise MatlabError("MATLAB:graphfun:graph:SymmetricAdjacency", text)
    else:
        full = full if directed else np.triu(full)
    s, t = np.nonzero(full)
    weights = (
        {}
        if is_logical(rest[0]) or full.dtype == bool
        else {"Weight": canonical(full[s, t].astype(np.float64).reshape(-1, 1))}
    )
    nodes = _nodes(rest[1] if len(rest) > 1 else None, shape[0])
    return Graph(directed, np.column_stack([s, t]), nodes, Table(weights, s.size))


def node_numbers(v: Value) -> Array:
    """0-based nodes of a list of edges."""
    a = np.asarray(as_array(v)).ravel(order="F")
    if a.dtype.kind == "c" or np.any(a != np.round(a)) or np.any(a < 1):
        text = "Node indices must be positive integers."
        raise MatlabError("MATLAB:graphfun:graphbuiltin:InvalidNodeID", text)
    return a.astype(np.int64) - 1


def pairs(s: Array, t: Array) -> Array:
    """Sources and targets side by side; one node is met by all others."""
    if s.size != t.size and 1 not in (s.size, t.size):
        text = "Sources and targets must have the same number of elements."
        raise MatlabError("MATLAB:graphfun:graphbuiltin:InvalidEdgeSize", text)
    size = max(s.size, t.size) if s.size and t.size else 0
    return np.column_stack(
        [
            np.broadcast_to(s[:size] if s.size != 1 else s, size),
            np.broadcast_to(t[:size] if t.size != 1 else t, size),
        ]
    )


def _from_edges(directed: bool, rest: list[Value]) -> Graph:
    s, t = rest[:2]
    facts = rest[2] if len(rest) > 2 else None
    given = rest[3] if len(rest) > 3 else None
    if is_names(s) != is_names(t):
        text = "Sources and targets must both be numbers or both be names."
        raise MatlabError("MATLAB:graphfun:graph:InvalidEdgeList", text)
    if isinstance(facts, Table | type(None)) is False and is_names(facts):
        facts, given = None, facts
    if is_names(s):
        names = texts_of(s) + texts_of(t)
        nodes = _nodes(given, 0) if given is not None else named_nodes(list(dict.fromkeys(names)))
        place = {n: k for k, n in enumerate(texts_of(nodes.columns.get("Name", Cell.of([]))))}
        unknown = [n for n in names if n not in place]
        if unknown:
            text = f"The node '{unknown[0]}' is not among the node names."
            raise MatlabError("MATLAB:graphfun:findnode:unknownName", text)
        ends = pairs(*(np.array([place[n] for n in texts_of(v)], dtype=np.int64) for v in (s, t)))
    else:
        ends = pairs(node_numbers(s), node_numbers(t))
        nodes = _nodes(given, int(ends.max(initial=-1)) + 1)
    return Graph(directed, ends, nodes, edge_facts(facts, len(ends)))


def edge_facts(v: Value | None, count: int) -> Table:
    """What is known of new edges: a table, or their weights."""
    if isinstance(v, Table):
        if v.height != count:
            text = "The table must have one row for every edge."
            raise MatlabError("MATLAB:graphfun:graph:InvalidSizeEdgeTable", text)
        return v
    if v is None or numel(v) == 0:
        return Table({}, count)
    if not is_numeric_like(v):
        text = "Edge weights must be numbers."
        raise MatlabError("MATLAB:graphfun:graph:InvalidWeights", text)
    w = np.asarray(as_array(v), dtype=np.float64).ravel(order="F")
    if w.size not in (1, count):
        text = "There must be one weight, or one for every edge."
        raise MatlabError("MATLAB:graphfun:graph:InvalidSizeWeight", text)
    return Table({"Weight": canonical(np.resize(w, count).reshape(-1, 1))}, count)


def _from_table(directed: bool, rest: list[Value]) -> Graph:
    table = table_argument(rest[0], "graph")
    if "EndNodes" not in table.columns:
        text = "The first variable of the edge table must be EndNodes."
        raise MatlabError("MATLAB:graphfun:graph:InvalidEdgeTable", text)
    ends = table.columns["EndNodes"]
    half = size_of(ends)[0] if is_names(ends) else as_array(ends).shape[0]
    facts = Table({n: c for n, c in table.columns.items() if n != "EndNodes"}, table.height)
    nodes = [rest[1]] if len(rest) > 1 else []
    if is_names(ends):
        texts = texts_of(ends)
        columns = [Cell(object_array(part, (half, 1))) for part in (texts[:half], texts[half:])]
        return _from_edges(directed, [*columns, facts, *nodes])
    pair = as_array(ends)
    return _from_edges(directed, [canonical(pair[:, :1]), canonical(pair[:, 1:]), facts, *nodes])


def _graph_of_arguments(directed: bool, args: tuple[Value, ...]) -> Graph:
    rest, words = list(args), set()
    while len(rest) > 1 and is_text_scalar(rest[-1]) and text_of(rest[-1]) in _WORDS:
        words.add(text_of(rest.pop()).lower())
    if not rest:
        return Graph(directed, np.zeros((0, 2)), Table({}, 0), Table({}, 0))
    if isinstance(rest[0], Table):
        made = _from_table(directed, rest)
    elif (
        len(rest) == 1
        or (is_names(rest[1]) and not is_names(rest[0]))
        or (isinstance(rest[1], Table))
    ):
        made = _from_matrix(directed, rest, words)
    else:
        made = _from_edges(directed, rest)
    return made.kept(made.ends[:, 0] != made.ends[:, 1]) if "omitselfloops" in words else made


@builtin(
    "graph",
    category=_FAMILY,
    least=0,
    signatures=(
        "G = graph(s, t)",
        "G = graph(s, t, weights)",
        "G = graph(s, t, weights, names)",
        "G = graph(A)",
        "G = graph(A, names)",
        "G = graph(EdgeTable, NodeTable)",
        "G = graph(..., 'omitselfloops')",
    ),
    cases=(
        "numedges(graph([1 1 2], [2 3 3])) == 3",
        "isequal(graph({'a' 'b'}, {'b' 'c'}).Nodes.Name, {'a'; 'b'; 'c'})",
        "isequal(graph([0 2; 2 0]).Edges.Weight, 2)",
    ),
    see=("digraph", "shortestpath", "conncomp"),
)
def graph(*args: Value) -> Graph:
    """A graph with undirected edges: from lists of ends, an adjacency matrix, or tables.

    ``G.Edges`` and ``G.Nodes`` are tables; ``plot(G)`` draws it.
    """
    return _graph_of_arguments(False, args)


@builtin(
    "digraph",
    category=_FAMILY,
    least=0,
    signatures=(
        "G = digraph(s, t)",
        "G = digraph(s, t, weights)",
        "G = digraph(s, t, weights, names)",
        "G = digraph(A)",
        "G = digraph(A, names)",
        "G = digraph(EdgeTable, NodeTable)",
        "G = digraph(..., 'omitselfloops')",
    ),
    cases=(
        "isequal(digraph([2 1], [1 3]).Edges.EndNodes, [1 3; 2 1])",
        "numnodes(digraph([1 2], [2 3], [5 6], 7)) == 7",
    ),
    see=("graph", "toposort", "successors"),
)
def digraph(*args: Value) -> Graph:
    """A graph whose edges lead one way: from lists of ends, an adjacency matrix, or tables."""
    return _graph_of_arguments(True, args)
