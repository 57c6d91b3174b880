"""Where to put the nodes of a drawing."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.builtins.graph_theory.graph_class import Graph
from app.engine.builtins.graph_theory.searching import has_cycle
from app.engine.values import Array

LAYOUTS = ("auto", "circle", "force", "layered", "subspace")
_MANY = 600


def node_coordinates(g: Graph, layout: str, *, direction: str = "down") -> Array:
    """Coordinates of the nodes, one row each."""
    if g.count < 2:
        return np.zeros((g.count, 2)) + g.count
    if layout == "auto":
        layered = g.directed and not has_cycle(g) and len(g.ends) < 3 * g.count
        layout = "layered" if layered else "force"
    if layout == "circle":
        return _circle(g)
    if layout == "layered":
        made = _layered_positions(g)
        turned: dict[str, Array] = {
            "down": made,
            "up": made * [1, -1],
            "right": -made[:, ::-1],
            "left": made[:, ::-1],
        }
        return turned.get(direction, made)
    return _subspace(g) if layout == "subspace" or g.count > _MANY else _force(g)


def _circle(g: Graph) -> Array:
    angle: Array = 2 * np.pi * np.arange(g.count) / g.count
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _distances(g: Graph) -> Array:
    """Edges between each two nodes; parts that are not connected are kept a little apart."""
    from scipy.sparse.csgraph import shortest_path

    d = shortest_path(g.matrix(), directed=False, unweighted=True)
    finite = d[np.isfinite(d)]
    return np.asarray(np.where(np.isfinite(d), d, finite.max(initial=1.0) / 2 + 1.5))


def _force(g: Graph) -> Array:
    """Positions whose distances are near the numbers of edges between (stress majorisation)."""
    d = _distances(g)
    with np.errstate(divide="ignore"):
        w = np.where(d > 0, d**-2.0, 0.0)
    weighted = -w.copy()
    np.fill_diagonal(weighted, w.sum(axis=1))
    inverse = stoppable.pinv(weighted)
    x = _scaled_down(d) + 1e-3 * _circle(g)
    for _ in range(60):
        far = np.linalg.norm(x[:, None] - x[None, :], axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            b = np.where(far > 1e-12, -w * d / far, 0.0)
        np.fill_diagonal(b, 0.0)
        np.fill_diagonal(b, -b.sum(axis=1))
        x = inverse @ (b @ x)
    return np.asarray(x)


def _scaled_down(d: Array) -> Array:
    """Classical scaling of distances to the plane."""
    n = d.shape[0]
    centre = np.eye(n) - 1.0 / n
    values, vectors = stoppable.eigh(-centre @ (d**2) @ centre / 2)
    made: Array = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-6))
    return made * np.where(made[np.abs(made).argmax(axis=0), range(2)] < 0, -1, 1)


def _subspace(g: Graph) -> Array:
    """Distances to some far nodes, seen along their two widest directions."""
    from scipy.sparse.csgraph import shortest_path

    matrix, far = g.matrix(), [0]
    rows: list[Array] = []
    for _ in range(min(50, g.count)):
        row = shortest_path(matrix, directed=False, unweighted=True, indices=far[-1])
        rows.append(np.where(np.isfinite(row), row, row[np.isfinite(row)].max() + 1))
        far.append(int(np.min(rows, axis=0).argmax()))
    table = np.array(rows).T
    table = table - table.mean(axis=0)
    return np.asarray(table @ stoppable.svd(table, full_matrices=False)[2][:2].T)


def _layered_positions(g: Graph) -> Array:
    """Rows by the longest way from a source; in a row by the middle of the row above."""
    level = _levels(g)
    x = np.zeros(g.count)
    for k in range(int(level.max()) + 1):
        x[level == k] = np.arange(np.sum(level == k)) - (np.sum(level == k) - 1) / 2
    s, t = g.ends.T
    both = np.concatenate([s, t]), np.concatenate([t, s])
    for sweep in range(12):
        rows = range(1, int(level.max()) + 1) if sweep % 2 == 0 else range(int(level.max()), -1, -1)
        for k in rows:
            nodes = np.flatnonzero(level == k)
            middles = []
            for n in nodes:
                near = both[1][both[0] == n]
                near = near[level[near] == k + (-1 if sweep % 2 == 0 else 1)]
                middles.append(x[near].mean() if near.size else x[n])
            order = np.argsort(middles, kind="stable")
            x[nodes[order]] = np.arange(nodes.size) - (nodes.size - 1) / 2
    return np.column_stack([x, level.max() - level + 1.0])


def _levels(g: Graph) -> Array:
    """The longest way to each node; edges that lead back in a search are turned around."""
    from app.engine.builtins.graph_theory.searching import finishing_order

    source = g if g.directed else Graph(True, _edges_from_first(g), g.nodes, g.facts)
    place = np.empty(g.count, dtype=int)
    place[np.array(finishing_order(source)[::-1], dtype=int)] = np.arange(g.count)
    ends = np.where(
        (place[source.ends[:, 0]] < place[source.ends[:, 1]])[:, None],
        source.ends,
        source.ends[:, ::-1],
    )
    level = np.zeros(g.count, dtype=int)
    for s, t in ends[np.argsort(place[ends[:, 0]], kind="stable")].tolist():
        if s != t:
            level[t] = max(level[t], level[s] + 1)
    return level


def _edges_from_first(g: Graph) -> Array:
    """Edges turned away from the first node."""
    from scipy.sparse.csgraph import shortest_path

    far = shortest_path(g.matrix(), directed=False, unweighted=True, indices=0)
    turn = far[g.ends[:, 0]] > far[g.ends[:, 1]]
    return np.where(turn[:, None], g.ends[:, ::-1], g.ends)
