"""``graph`` and ``digraph``: nodes, edges between them, and tables of what is known of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.declarations.class_methods import methods_of
from app.engine.declarations.registry import native_type
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    NativeObject,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_string,
    object_array,
    texts_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError


@native_type
class Graph(NativeObject):
    """Nodes and edges.

    Attributes:
        directed: whether an edge leads one way only.
        ends: 0-based source and target of each edge, sorted.
        nodes: one row for each node.
        facts: one row for each edge: weights and whatever else is known.
    """

    def __init__(self, directed: bool, ends: Array, nodes: Table, facts: Table) -> None:
        self.directed = directed
        self.class_name = "digraph" if directed else "graph"
        pairs = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
        pairs = pairs if directed else np.sort(pairs, axis=1)
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        self.ends, self.nodes = pairs[order], nodes
        self.facts = facts if np.array_equal(order, np.arange(order.size)) else facts.rows(order)

    @property
    def count(self) -> int:
        """Number of nodes."""
        return self.nodes.height

    @property
    def names(self) -> list[str]:
        """Names of the nodes; empty when they have none."""
        return texts_of(self.nodes.columns["Name"]) if "Name" in self.nodes.columns else []

    @property
    def weights(self) -> Array | None:
        """Weights of the edges; None when they have none."""
        if "Weight" not in self.facts.columns:
            return None
        return np.asarray(as_array(self.facts.columns["Weight"]), dtype=np.float64).ravel()

    def lengths(self) -> Array:
        """Weights, ones where there are none."""
        return np.ones(len(self.ends)) if self.weights is None else self.weights

    def ids(self, v: Value) -> Array:
        """0-based nodes by numbers or names."""
        if is_char(v) or is_string(v) or is_cell(v):
            places = {n: k for k, n in enumerate(self.names)}
            missing = [t for t in texts_of(v) if t not in places]
            if missing:
                text = f"Node name '{missing[0]}' does not exist in the graph."
                raise MatlabError("MATLAB:graphfun:findnode:unknownName", text)
            return np.array([places[t] for t in texts_of(v)], dtype=np.int64)
        found = np.asarray(as_array(v)).ravel(order="F")
        if (
            found.dtype.kind == "c"
            or np.any(found != np.round(found))
            or np.any(found < 1)
            or (np.any(found > self.count))
        ):
            text = f"Node indices must be positive integers not larger than {self.count}."
            raise MatlabError("MATLAB:graphfun:graphbuiltin:InvalidNodeID", text)
        return found.astype(np.int64) - 1

    def one(self, v: Value) -> int:
        """A single node."""
        found = self.ids(v)
        if found.size != 1:
            raise MatlabError("MATLAB:graphfun:graphbuiltin:ScalarNodeID", "Give one node.")
        return int(found[0])

    def labels(self, nodes: Any, like: Value, *, across: bool = False) -> Value:
        """0-based nodes as names where ``like`` is text, else as numbers; a column or a row."""
        shape = (1, len(nodes)) if across else (len(nodes), 1)
        if self.names and (is_char(like) or is_string(like) or is_cell(like)):
            return Cell(object_array([self.names[k] for k in nodes], shape))
        return canonical(np.asarray(nodes, dtype=np.float64).reshape(shape) + 1)

    def labels_of_edges(self, edges: Any, like: Value) -> Value:
        """The ends of edges as names or numbers, one row each."""
        flat = self.labels(self.ends[edges].ravel(order="F"), like) if len(edges) else EMPTY
        shape = (len(edges), 2)
        if isinstance(flat, Cell):
            return Cell(flat.data.reshape(shape, order="F"))
        return canonical(np.asarray(as_array(flat)).reshape(shape, order="F"))

    def with_edges(self, ends: Array, facts: Table) -> Graph:
        """Other edges between the same nodes."""
        return Graph(self.directed, ends, self.nodes, facts)

    def kept(self, edges: Any) -> Graph:
        """Only some edges, by position or flag."""
        index = np.arange(len(self.ends))[edges]
        return self.with_edges(self.ends[index], self.facts.rows(index))

    def matrix(self, values: Array | None = None, *, both: bool = True) -> Any:
        """The adjacency matrix; parallel edges add up, an edge of a graph counts both ways."""
        from scipy.sparse import csr_matrix

        v = np.ones(len(self.ends)) if values is None else values
        s, t = self.ends.T
        made = csr_matrix((v, (s, t)), shape=(self.count, self.count))
        if self.directed or not both:
            return made
        other = s != t
        return made + csr_matrix((v[other], (t[other], s[other])), shape=made.shape)

    def edge_table(self) -> Table:
        """``G.Edges``."""
        if self.names:
            flat = [self.names[k] for k in self.ends.ravel(order="F")]
            ends: Value = Cell(object_array(flat, self.ends.shape))
        else:
            ends = canonical(self.ends.astype(np.float64) + 1)
        return Table({"EndNodes": ends, **self.facts.columns}, len(self.ends))

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``G.Edges``, ``G.Nodes``, and functions in dot form."""
        if name not in ("Edges", "Nodes"):
            return ctx.call(name, (self, *(args or ())), nargout)
        table = self.edge_table() if name == "Edges" else self.nodes
        return table.paren_get(ctx, args) if args else table

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``G.Nodes = …`` and ``G.Edges = …``, with as many rows as before."""
        height = {"Nodes": self.count, "Edges": len(self.ends)}.get(name)
        if height is None:
            raise no_member(self.class_name, name)
        if not isinstance(value, Table) or (value.columns and value.height != height):
            text = f"{name} must be a table with {height} rows."
            raise MatlabError(f"MATLAB:graphfun:graph:Set{name}", text)
        if name == "Nodes":
            return Graph(self.directed, self.ends, value, self.facts)
        rest = {n: c for n, c in value.columns.items() if n != "EndNodes"}
        return self.with_edges(self.ends, Table(rest, height))

    def members(self) -> list[str]:
        """The two tables."""
        return ["Edges", "Nodes"]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions of other things that have a meaning for graphs."""
        return methods_of("graph")

    def equals(self, other: Value) -> bool:
        """The same nodes and edges in the same order."""
        return (
            isinstance(other, Graph)
            and self.directed == other.directed
            and self.edge_table().equals(other.edge_table())
            and self.nodes.equals(other.nodes)
        )

    def show(self, name: str, style: Any) -> str:
        """The sizes of the two tables."""
        edges = f"[{len(self.ends)}×{len(self.facts.columns) + 1} table]"
        nodes = f"[{self.count}×{len(self.nodes.columns)} table]"
        return f"  {self.class_name} with properties:\n\n    Edges: {edges}\n    Nodes: {nodes}\n"

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {
            "directed": self.directed,
            "ends": canonical(self.ends.astype(np.float64)),
            "nodes": self.nodes,
            "facts": self.facts,
        }


def graph_argument(name: str, v: Value, *, directed: bool | None = None) -> Graph:
    """A graph of the wanted kind, or MATLAB's error that the function is not defined."""
    if not isinstance(v, Graph) or directed not in (None, v.directed):
        raise undefined_for_class(name, v)
    return v


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Graph.to_portable` gave."""
    nodes, facts = (table_argument(fields[name], "graph") for name in ("nodes", "facts"))
    return Graph(bool(fields["directed"]), as_array(fields["ends"]), nodes, facts)
