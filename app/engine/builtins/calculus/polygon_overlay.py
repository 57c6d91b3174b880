"""What two polygons have in common, cover together, or one covers without the other.

All edges are cut where they meet. Beside the middle of each piece lies the inside or the outside of
each polygon, found by counting the edges beyond it (even-odd rule: holes and parts are no cases of
their own). The pieces that bound the wanted area on one side only are its boundary; they are walked
with the area on the right, so outer rings run clockwise, as MATLAB's do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, text_of
from app.errors import MatlabError

_CLOSE = 2.0**-36
"""Of the extent: points nearer than this are one point."""
_WANTED: dict[str, Callable[[Array, Array], Array]] = {
    "union": np.logical_or,
    "intersect": np.logical_and,
    "subtract": lambda a, b: a & ~b,
    "xor": np.logical_xor,
}


@builtin(
    "matlab.internal.polygonoverlay",
    category="geometry",
    signatures=("points = matlab.internal.polygonoverlay(kind, points1, points2)",),
    cases=(
        "s = [0 0; 0 2; 2 2; 2 0]; p = matlab.internal.polygonoverlay('intersect', s, s + 1); "
        "isequal(sortrows(p), [1 1; 1 2; 2 1; 2 2])",
    ),
)
def polygonoverlay(kind: Value, first: Value, second: Value) -> Value:
    """Vertices of the union, intersection, difference or symmetric difference of two polygons.

    Polygons are n-by-2 arrays of points whose rings are separated by rows of NaN.
    """
    wanted = _WANTED.get(text_of(kind))
    if wanted is None:
        text = f"There is no overlay '{text_of(kind)}'; there are {', '.join(_WANTED)}."
        raise MatlabError("MATLAB:polyshape:unknownOverlay", text)
    rings = _overlay(as_array(first), as_array(second), wanted)
    if not rings:
        return np.zeros((0, 2))
    gap = np.full((1, 2), np.nan)
    parts = [part for ring in rings for part in (ring, gap)]
    return np.concatenate(parts[:-1])


def _overlay(first: Array, second: Array, wanted: Callable[[Array, Array], Array]) -> list[Array]:
    sides = [np.array(list(_edges(points))).reshape(-1, 4) for points in (first, second)]
    edges = np.concatenate(sides)
    if not len(edges):
        return []
    owner = np.repeat([0, 1], [len(side) for side in sides])
    corners = edges.reshape(-1, 2)
    tolerance = _CLOSE * float(np.ptp(corners, axis=0).max())
    points, pieces = _edges_at_crossings(edges, tolerance)
    ends, held = _counted_edges(pieces, owner)
    directed = _boundary(points, ends, held, wanted)
    rings = (
        _without_collinear_points(points[walk], tolerance) for walk in _walks(points, directed)
    )
    return [ring for ring in rings if len(ring) > 2]


def _edges(points: Array) -> Iterator[tuple[float, float, float, float]]:
    """Start and end of every edge; the last point of a ring is joined to its first."""
    breaks = np.flatnonzero(np.isnan(points[:, 0]))
    for ring in np.split(points, breaks):
        kept = ring[~np.isnan(ring[:, 0])]
        for a, b in zip(kept, np.roll(kept, -1, axis=0), strict=True):
            if (a != b).any():
                yield (*a.tolist(), *b.tolist())


def _cross(a: Array, b: Array) -> Array:
    found: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return found


def _edges_at_crossings(edges: Array, tolerance: float) -> tuple[Array, list[list[int]]]:
    """The points where edges end or meet, and for each edge those on it, in its order."""
    starts, ends = edges[:, :2], edges[:, 2:]
    along = ends - starts
    length = np.hypot(along[:, 0], along[:, 1])
    corners = edges.reshape(-1, 2)
    extra: list[Array] = []
    cuts: list[tuple[int, float, int]] = []  # an edge, how far along it, and the point
    for k in range(len(edges)):
        from_start = corners - starts[k]
        far = from_start @ along[k] / length[k] ** 2
        near = np.abs(_cross(along[k], from_start)) <= tolerance * length[k]
        inside = near & (far > -tolerance / length[k]) & (far < 1 + tolerance / length[k])
        cuts += [(k, float(far[j]), int(j)) for j in np.flatnonzero(inside)]
        rest = slice(k + 1, None)
        turn = _cross(along[k], along[rest])
        between = starts[rest] - starts[k]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = _cross(between, along[rest]) / turn
            u = _cross(between, along[k]) / turn
        for j in np.flatnonzero((t > 0) & (t < 1) & (u > 0) & (u < 1)):
            number = len(corners) + len(extra)
            extra.append(starts[k] + t[j] * along[k])
            cuts += [(k, float(t[j]), number), (k + 1 + int(j), float(u[j]), number)]
    points = np.concatenate([corners, np.array(extra).reshape(-1, 2)])
    one = _first_of_coincident(points, tolerance)
    pieces: list[list[int]] = [[] for _ in edges]
    for edge, _, number in sorted(cuts):
        pieces[edge].append(int(one[number]))
    return points, pieces


def _first_of_coincident(points: Array, tolerance: float) -> Array:
    """For each point the first of those it is one with."""
    pairs = KDTree(points).query_pairs(tolerance, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (len(points),) * 2)
    _, group = connected_components(links, directed=False)
    _, first = np.unique(group, return_index=True)
    found: Array = first[group]
    return found


def _counted_edges(pieces: list[list[int]], owner: Array) -> tuple[Array, Array]:
    """The pieces by their two points, and of which polygons each is an edge (twice is not)."""
    counts: dict[tuple[int, int], list[bool]] = {}
    for numbers, polygon in zip(pieces, owner.tolist(), strict=True):
        for a, b in pairwise(numbers):
            if a != b:
                held = counts.setdefault((min(a, b), max(a, b)), [False, False])
                held[polygon] = not held[polygon]
    kept = {ends: held for ends, held in counts.items() if any(held)}
    ends = np.array(list(kept), dtype=int).reshape(-1, 2)
    return ends, np.array(list(kept.values()), dtype=bool).reshape(-1, 2)


def _boundary(
    points: Array, ends: Array, held: Array, wanted: Callable[[Array, Array], Array]
) -> list[tuple[int, int]]:
    """The pieces with the wanted area on one side, from start to end with it on their right."""
    a, b = points[ends[:, 0]], points[ends[:, 1]]
    directed = []
    for k, (start, end) in enumerate(ends.tolist()):
        steep = int(abs(b[k, 1] - a[k, 1]) > abs(b[k, 0] - a[k, 0]))
        across, beyond = steep, 1 - steep  # a ray along y, or along x where the piece is steep
        middle = (a[k] + b[k]) / 2
        low, high = (f(a[:, across], b[:, across]) for f in (np.minimum, np.maximum))
        spans = (low <= middle[across]) & (middle[across] < high)
        spans[k] = False
        p, q = a[spans], b[spans]
        part = (middle[across] - p[:, across]) / (q[:, across] - p[:, across])
        met = p[:, beyond] + part * (q[:, beyond] - p[:, beyond]) > middle[beyond]
        far = held[spans][met].sum(axis=0) % 2 == 1
        is_far, is_near = (bool(wanted(*side)) for side in (far, far ^ held[k]))
        if is_far != is_near:
            forward = (b[k, across] > a[k, across]) == (is_far == bool(steep))
            directed.append((start, end) if forward else (end, start))
    return directed


def _walks(points: Array, directed: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Rings of points; where several go on, the sharpest turn to the right keeps areas apart."""
    leaving: dict[int, list[int]] = {}
    for start, end in sorted(directed, key=lambda piece: tuple(points[piece[0]])):
        leaving.setdefault(start, []).append(end)
    for start in list(leaving):
        while leaving[start]:
            walk, here = [start], leaving[start].pop(0)
            while here != start:
                came = points[here] - points[walk[-1]]
                walk.append(here)
                choices = leaving[here]
                turns = [_turn(came, points[end] - points[here]) for end in choices]
                here = choices.pop(int(np.argmin(turns)))
            yield walk


def _turn(came: Array, goes: Array) -> float:
    return float(np.arctan2(_cross(came, goes), came @ goes))


def _without_collinear_points(ring: Array, tolerance: float) -> Array:
    """A ring without the points on the line between their neighbours."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    off = np.abs(_cross(after - before, ring - before))
    found: Array = ring[off > tolerance * np.hypot(*(after - before).T)]
    return found
