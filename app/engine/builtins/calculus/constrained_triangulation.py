"""Triangulations in which given edges must be, by turning the edges that cross them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError

Edge = tuple[int, int]


def _side(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


class Mesh:
    """Triangles that know which of them share an edge.

    Attributes:
        points: one point in each row.
        triangles: corners, counter-clockwise.
        at: for each edge, the smaller number first, the triangles beside it.
    """

    def __init__(self, points: Array, triangles: Array) -> None:
        self.points = points
        self.triangles: dict[int, tuple[int, int, int]] = {}
        self.at: dict[Edge, set[int]] = {}
        for k, t in enumerate(triangles.tolist()):
            self._add(k, tuple(t) if _side(*points[t]) > 0 else (t[0], t[2], t[1]))

    def _add(self, k: int, t: tuple[int, int, int]) -> None:
        self.triangles[k] = t
        for i in range(3):
            self.at.setdefault(_edge(t[i], t[(i + 1) % 3]), set()).add(k)

    def _drop(self, k: int) -> None:
        t = self.triangles.pop(k)
        for i in range(3):
            self.at[_edge(t[i], t[(i + 1) % 3])].discard(k)

    def opposite(self, edge: Edge) -> list[int]:
        """The corners across an edge."""
        return [
            next(v for v in self.triangles[k] if v not in edge)
            for k in sorted(self.at.get(edge, ()))
        ]

    def crosses(self, edge: Edge, wanted: Edge) -> bool:
        """Whether two edges cross between their ends."""
        if set(edge) & set(wanted):
            return False
        a, b, c, d = (self.points[k] for k in (*edge, *wanted))
        return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0

    def turn(self, edge: Edge) -> Edge | None:
        """The other diagonal in place of an edge; None where the four corners are not convex."""
        across = self.opposite(edge)
        if len(across) != 2:
            return None
        new = _edge(across[0], across[1])
        if not self.crosses(edge, new):
            return None
        first, second = sorted(self.at[edge])
        self._drop(first)
        self._drop(second)
        for k, end in ((first, edge[0]), (second, edge[1])):
            t = (across[0], across[1], end)
            turned = _side(*self.points[list(t)]) > 0
            self._add(k, t if turned else (t[0], t[2], t[1]))
        return new

    def force(self, wanted: Edge, fixed: set[Edge]) -> None:
        """Turn edges until one is there."""
        if self.at.get(wanted):
            return
        line = [e for e, beside in self.at.items() if beside and self.crosses(e, wanted)]
        for _ in range(50 * len(self.triangles) + 50):
            if not line:
                break
            edge = line.pop(0)
            if edge in fixed:
                text = "Two of the constraints cross each other."
                raise MatlabError("MATLAB:delaunayTriangulation:IntersectingConstraints", text)
            new = self.turn(edge)
            if new is None:
                line.append(edge)
            elif new != wanted and self.crosses(new, wanted):
                line.append(new)

    def smooth(self, fixed: set[Edge]) -> None:
        """Turn edges that are not fixed until the circles of triangles hold no corner beside."""
        line = [e for e, beside in self.at.items() if len(beside) == 2]
        for _ in range(40 * len(line) + 40):
            if not line:
                break
            edge = line.pop()
            across = self.opposite(edge)
            if edge in fixed or len(across) != 2 or not self._too_near(edge, across):
                continue
            if self.turn(edge) is not None:
                line += [_edge(a, b) for a in edge for b in across]

    def _too_near(self, edge: Edge, across: list[int]) -> bool:
        a, b, c, d = (self.points[k] for k in (*edge, *across))
        if _side(a, b, c) < 0:
            a, b = b, a
        rows = [[*(p - d), float((p - d) @ (p - d))] for p in (a, b, c)]
        return bool(np.linalg.det(np.array(rows)) > 1e-10)


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _parts(points: Array, a: int, b: int) -> list[Edge]:
    """A constraint cut at the points that lie on it."""
    way = points[b] - points[a]
    length = float(way @ way)
    along = (points - points[a]) @ way / length if length else np.zeros(len(points))
    off = np.abs((points[:, 0] - points[a, 0]) * way[1] - (points[:, 1] - points[a, 1]) * way[0])
    on = np.flatnonzero((off <= 1e-12 * length) & (along > 1e-12) & (along < 1 - 1e-12))
    chain = [a, *on[np.argsort(along[on])].tolist(), b]
    return [_edge(p, q) for p, q in pairwise(chain)]


@builtin(
    "matlab.internal.constrainedDelaunay",
    category="geometry",
    signatures=("[T, C] = matlab.internal.constrainedDelaunay(P, T, C)",),
    cases=(
        "T = matlab.internal.constrainedDelaunay([0 0; 4 0; 2 1; 2 -1], [1 4 3; 4 2 3], "
        "[1 2]); "
        "isequal(sortrows(sort(T, 2)), [1 2 3; 1 2 4])",
    ),
    see=("delaunay",),
)
def constrained_delaunay(points: Value, triangles: Value, constraints: Value) -> Value:
    """A triangulation made to have given edges, and these edges, cut where points lie on them."""
    p = np.asarray(as_array(points), dtype=float)
    t = np.asarray(as_array(triangles), dtype=int) - 1
    c = np.asarray(as_array(constraints), dtype=float).reshape(-1, 2)
    if p.ndim != 2 or p.shape[1] != 2 or np.any(c < 1) or np.any(c > len(p)) or np.any(c % 1):
        text = "Constraints are pairs of numbers of points in the plane."
        raise MatlabError("MATLAB:delaunayTriangulation:InvalidConstraints", text)
    mesh, fixed = Mesh(p, t.reshape(-1, 3)), set[Edge]()
    for a, b in (c.astype(int) - 1).tolist():
        for edge in _parts(p, a, b) if a != b else []:
            mesh.force(edge, fixed)
            fixed.add(edge)
    mesh.smooth(fixed)
    found = np.array([mesh.triangles[k] for k in sorted(mesh.triangles)], dtype=float) + 1
    return canonical(found), canonical(np.array(sorted(fixed), dtype=float).reshape(-1, 2) + 1)
