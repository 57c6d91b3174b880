"""Natural neighbour weights in the plane: how much Voronoi area a new point takes from others."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.values import Array

_NUDGE = 1e-7
"""How far a point is moved off the lines of edges, as a share of its triangle's size."""
_CHUNK = 1 << 20


def natural_weights(mesh: Any, queries: Array) -> Any:
    """A sparse matrix whose row ``q`` weighs the mesh's points for the query point ``q``.

    Every triangle whose circumcircle holds the point gives, with the circles of the point and two
    corners, signed areas to its corners; their sum is the area taken (Watson's construction).
    """
    from scipy import sparse

    if queries.shape[1] == 3:
        from app.engine.builtins.calculus.natural_in_space import stolen_volumes

        return _exact_at_points(mesh, queries, stolen_volumes(mesh, queries))
    triangles = mesh.points[mesh.simplices]
    places = _off_lines(mesh, triangles, queries)
    query, triangle = _holding(triangles, places)
    areas = _areas(triangles[triangle], places[query])
    table = sparse.coo_matrix(
        (areas.ravel(), (np.repeat(query, 3), mesh.simplices[triangle].ravel())),
        shape=(len(queries), len(mesh.points)),
    ).tocsr()
    weights = sparse.diags(1 / np.asarray(table.sum(axis=1)).ravel()) @ table
    return _exact_at_points(mesh, queries, weights)


def _exact_at_points(mesh: Any, queries: Array, weights: Any) -> Any:
    """The weights, with those of a query point that is a point of the mesh being that point's."""
    from scipy import sparse, spatial

    apart, nearest = spatial.cKDTree(mesh.points).query(queries)
    same = np.nonzero(apart == 0)[0]
    ones = sparse.coo_matrix((np.ones(len(same)), (same, nearest[same])), weights.shape)
    return sparse.diags((apart > 0).astype(float)) @ weights + ones


def _off_lines(mesh: Any, triangles: Array, queries: Array) -> Array:
    """The points, moved by a hair into their triangles: on an edge's line a circle is infinite."""
    own = triangles[mesh.find_simplex(queries, tol=1e-12)]
    share = np.array([0.21, 0.32, 0.47])
    target = np.einsum("k,qkd->qd", share, own)
    return np.asarray(queries + _NUDGE * (target - queries))


def _holding(triangles: Array, queries: Array) -> tuple[Array, Array]:
    """Pairs of a point and a triangle whose circumcircle holds it."""
    centres = _centre(triangles[:, 0], triangles[:, 1], triangles[:, 2])
    radii = ((centres - triangles[:, 0]) ** 2).sum(axis=1)
    step = max(1, _CHUNK // len(centres))
    pairs = []
    for start in range(0, len(queries), step):
        apart = queries[start : start + step, None] - centres
        q, t = np.nonzero((apart**2).sum(axis=2) < radii)
        pairs.append((q + start, t))
    found = [np.concatenate(part) for part in zip(*pairs, strict=True)] if pairs else []
    return (found[0], found[1]) if found else (np.zeros(0, int), np.zeros(0, int))


def _areas(corners: Array, q: Array) -> Array:
    """The signed area that each corner of a triangle gives to the point."""
    whole = _centre(corners[:, 0], corners[:, 1], corners[:, 2])
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sides = [_centre(q, b, c), _centre(q, c, a), _centre(q, a, b)]
    parts = [_cross(sides[(k + 1) % 3] - whole, sides[(k + 2) % 3] - whole) for k in range(3)]
    turn = np.sign(_cross(b - a, c - a))
    return np.asarray(np.stack(parts, axis=1) * turn[:, None])


def _centre(a: Array, b: Array, c: Array) -> Array:
    """Centres of the circles through three points."""
    u, v = b - a, c - a
    uu, vv = (u**2).sum(axis=1), (v**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = 0.5 / _cross(u, v)
        x = (v[:, 1] * uu - u[:, 1] * vv) * half
        y = (u[:, 0] * vv - v[:, 0] * uu) * half
    return np.asarray(a + np.stack([x, y], axis=1))


def _cross(u: Array, v: Array) -> Array:
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
