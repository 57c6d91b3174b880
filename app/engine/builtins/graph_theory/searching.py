"""Searches: breadth first, depth first, and the orders that depth gives."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.graph_theory.graph_class import Graph, graph_argument
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "networks"
EVENTS = (
    "startnode",
    "discovernode",
    "finishnode",
    "edgetonew",
    "edgetodiscovered",
    "edgetofinished",
)
_ARRAYS_ON_THE_WAY = 4
"""Of as many numbers as there are nodes: edges, parts, their first nodes and places."""
Event = tuple[str, int, int]
"""What happened, at which node (source), and at which edge or node."""


def steps(g: Graph) -> list[list[tuple[int, int]]]:
    """For each node where its edges lead and their numbers, in order."""
    made: list[list[tuple[int, int]]] = [[] for _ in range(g.count)]
    for k, (s, t) in enumerate(g.ends.tolist()):
        made[s].append((t, k))
        if not g.directed and s != t:
            made[t].append((s, k))
    return [sorted(m) for m in made]


def depth_first(
    ahead: list[list[tuple[int, int]]], start: int, state: list[int], used: set[int]
) -> Iterator[Event]:
    """The events of a search in depth; ``state`` is 0 new, 1 discovered, 2 finished."""
    yield "startnode", start, -1
    yield "discovernode", start, -1
    state[start] = 1
    stack = [(start, iter(ahead[start]))]
    while stack:
        node, rest = stack[-1]
        for other, edge in rest:
            if edge in used:
                continue
            used.add(edge)
            kind = ("edgetonew", "edgetodiscovered", "edgetofinished")[state[other]]
            yield kind, edge, other
            if state[other] == 0:
                yield "discovernode", other, -1
                state[other] = 1
                stack.append((other, iter(ahead[other])))
                break
        else:
            state[node] = 2
            yield "finishnode", node, -1
            stack.pop()


def breadth_first(
    ahead: list[list[tuple[int, int]]], start: int, state: list[int], used: set[int]
) -> Iterator[Event]:
    """The events of a search in breadth."""
    yield "startnode", start, -1
    yield "discovernode", start, -1
    state[start] = 1
    line = deque([start])
    while line:
        node = line.popleft()
        for other, edge in ahead[node]:
            if edge in used:
                continue
            used.add(edge)
            kind = ("edgetonew", "edgetodiscovered", "edgetofinished")[state[other]]
            yield kind, edge, other
            if state[other] == 0:
                yield "discovernode", other, -1
                state[other] = 1
                line.append(other)
        state[node] = 2
        yield "finishnode", node, -1


def searched(g: Graph, start: int, *, depth: bool, restart: bool) -> list[Event]:
    """All events of a search, begun again at nodes not yet seen where wanted."""
    ahead, state, used = steps(g), [0] * g.count, set[int]()
    walk = depth_first if depth else breadth_first
    made = list(walk(ahead, start, state, used))
    for node in range(g.count if restart else 0):
        if not state[node]:
            made += walk(ahead, node, state, used)
    return made


def _search(name: str, v: Value, s: Value, rest: tuple[Value, ...], *, depth: bool) -> Value:
    g = graph_argument(name, v)
    chosen: Value = "discovernode"
    if len(rest) % 2:
        chosen, rest = rest[0], rest[1:]
    options = option_pairs(name, rest, "Restart")
    restart = flag(options, "restart")
    events = searched(g, g.one(s), depth=depth, restart=restart)
    if is_text_scalar(chosen) and text_of(chosen) != "allevents":
        word = text_of(chosen)
        if word not in EVENTS:
            text = f"'{word}' is not an event of a search."
            raise MatlabError(f"MATLAB:graphfun:{name}:InvalidEvent", text)
        own = [e for e in events if e[0] == word]
        if not word.startswith("edge"):
            return g.labels([n for _, n, _ in own], s), column(np.zeros(0))
        return g.labels_of_edges([e for _, e, _ in own], s), column(
            np.array([e + 1.0 for _, e, _ in own])
        )
    from app.engine.values import texts_of

    wanted = EVENTS if is_text_scalar(chosen) else texts_of(chosen)
    return _table(g, [e for e in events if e[0] in wanted]), column(np.zeros(0))


def _table(g: Graph, events: list[Event]) -> Table:
    nodes = [np.nan if k.startswith("edge") else n + 1.0 for k, n, _ in events]
    edges = [n + 1.0 if k.startswith("edge") else np.nan for k, n, _ in events]
    ends = np.array(
        [g.ends[n] + 1.0 if k.startswith("edge") else [np.nan, np.nan] for k, n, _ in events]
    ).reshape(-1, 2)
    from app.engine.builtins.arrays.categorical_class import Categorical
    from app.engine.values import canonical

    kinds = Categorical(np.array([[EVENTS.index(k) + 1.0] for k, _, _ in events]), list(EVENTS))
    return Table(
        {
            "Event": kinds,
            "Node": column(np.array(nodes)),
            "Edge": canonical(ends),
            "EdgeIndex": column(np.array(edges)),
        },
        len(events),
    )


@builtin(
    "bfsearch",
    category=_FAMILY,
    signatures=(
        "v = bfsearch(G, s)",
        "T = bfsearch(G, s, events)",
        "[T, E] = bfsearch(..., 'Restart', tf)",
    ),
    cases=("isequal(bfsearch(graph([1 1 2], [2 3 4]), 1), [1; 2; 3; 4])",),
    see=("dfsearch",),
)
def bfsearch(g: Value, s: Value, *rest: Value) -> Value:
    """The nodes reached from a node, level by level, or a table of what happens on the way."""
    return _search("bfsearch", g, s, rest, depth=False)


@builtin(
    "dfsearch",
    category=_FAMILY,
    signatures=(
        "v = dfsearch(G, s)",
        "T = dfsearch(G, s, events)",
        "[T, E] = dfsearch(..., 'Restart', tf)",
    ),
    cases=(
        "isequal(dfsearch(graph([1 1 2], [2 3 4]), 1), [1; 2; 4; 3])",
        "height(dfsearch(digraph(1, 2), 1, 'allevents')) == 6",
    ),
    see=("bfsearch",),
)
def dfsearch(g: Value, s: Value, *rest: Value) -> Value:
    """The nodes reached from a node, each way to its end, or a table of what happens."""
    return _search("dfsearch", g, s, rest, depth=True)


def finishing_order(g: Graph) -> list[int]:
    """All nodes in the order in which searches in depth are done with them."""
    return (
        [n for k, n, _ in searched(g, 0, depth=True, restart=True) if k == "finishnode"]
        if (g.count)
        else []
    )


def parts_of(g: Graph, *, strong: bool) -> tuple[int, Array]:
    """How many parts a graph with nodes has, and the 0-based part of each node.

    The nodes of a strong one lead to each other; of others the directions do not count.
    """
    from scipy.sparse.csgraph import connected_components

    memory.require_array((g.count, _ARRAYS_ON_THE_WAY), np.dtype(int).itemsize)

    def search() -> tuple[int, Array]:
        count, found = connected_components(g.matrix(), directed=strong, connection="strong")
        return int(count), found

    return stoppable.beside(search) if g.count >= stoppable.LARGE_ARRAY else search()


def has_cycle(g: Graph) -> bool:
    """Whether edges lead back to where they came from."""
    if not g.count or np.any(g.ends[:, 0] == g.ends[:, 1]):
        return bool(g.count)
    count, _ = parts_of(g, strong=g.directed)
    return count < g.count if g.directed else len(g.ends) > g.count - count


@builtin(
    "isdag",
    category=_FAMILY,
    signatures=("tf = isdag(G)",),
    cases=("isdag(digraph([1 2], [2 3]))", "~isdag(digraph([1 2], [2 1]))"),
    see=("toposort",),
)
def isdag(g: Value) -> Value:
    """True when a directed graph has no cycles."""
    return not has_cycle(graph_argument("isdag", g, directed=True))


@builtin(
    "hascycles",
    category=_FAMILY,
    signatures=("tf = hascycles(G)",),
    cases=("hascycles(graph([1 2 3], [2 3 1]))",),
    see=("isdag",),
)
def hascycles(g: Value) -> Value:
    """True when a graph has a cycle."""
    return has_cycle(graph_argument("hascycles", g))


@builtin(
    "toposort",
    category=_FAMILY,
    signatures=("n = toposort(G)", "n = toposort(G, 'Order', order)", "[n, H] = toposort(G)"),
    cases=(
        "isequal(toposort(digraph([3 1], [1 2])), [3 1 2])",
        "isequal(toposort(digraph([2 4], [1 3]), 'Order', 'stable'), [2 1 4 3])",
    ),
    see=("isdag",),
)
def toposort(g: Value, *options: Value) -> Value:
    """The nodes in an order in which every edge leads forward."""
    from app.engine.builtins.graph_theory.editing import reordernodes

    h = graph_argument("toposort", g, directed=True)
    if has_cycle(h):
        text = "The graph must be acyclic to be sorted."
        raise MatlabError("MATLAB:graphfun:toposort:DirectedCycle", text)
    stable = (
        text_of(option_pairs("toposort", options, "Order").get("order", "fast")).lower() == "stable"
    )
    order = np.array(_smallest_first(h) if stable else finishing_order(h)[::-1], dtype=float)
    made: Array = order + 1
    return row(made), reordernodes(h, row(made))[0]


def _smallest_first(g: Graph) -> list[int]:
    import heapq

    waiting, ahead = np.bincount(g.ends[:, 1], minlength=g.count), steps(g)
    ready, done = [int(k) for k in np.flatnonzero(waiting == 0)], []
    while ready:
        node = heapq.heappop(ready)
        done.append(node)
        for other, _ in ahead[node]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, other)
    return done
