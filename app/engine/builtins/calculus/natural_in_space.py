"""Natural neighbour weights in space: how much Voronoi volume a new point takes from others."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from app.engine.values import Array

_NUDGE = 1e-6
"""How far a point is moved off the planes of faces, as a share of its tetrahedron's size."""
_CHUNK = 1 << 19


def centres(corners: Array) -> Array:
    """Centres of the spheres through four points each."""
    first, rest = corners[:, 0], corners[:, 1:] - corners[:, :1]
    right = 0.5 * np.sum(rest**2, axis=2)
    with np.errstate(all="ignore"):
        volume = np.linalg.det(rest)
        rest[np.abs(volume) < 1e-300] = np.nan
    found = np.full(first.shape, np.nan)
    fine = np.isfinite(rest).all(axis=(1, 2))
    found[fine] = np.linalg.solve(rest[fine], right[fine][:, :, None])[:, :, 0] + first[fine]
    return found


def stolen_volumes(mesh: Any, queries: Array) -> Any:
    """A sparse matrix whose row ``q`` weighs the mesh's points for the query point ``q``.

    Every tetrahedron whose sphere holds the point gives to each of its corners the signed volume
    between its centre and those of the spheres of the point with the three faces at the corner.
    """
    from scipy import sparse

    corners = mesh.points[mesh.simplices]
    middle = centres(corners.copy())
    radii = np.sum((middle - corners[:, 0]) ** 2, axis=1)
    own = corners[mesh.find_simplex(queries, tol=1e-12)]
    places = queries + _NUDGE * (np.einsum("k,qkd->qd", [0.17, 0.22, 0.28, 0.33], own) - queries)
    query, cell = _holding(middle, radii, places)
    volumes = _volumes(corners[cell], middle[cell], places[query])
    table = sparse.coo_matrix(
        (volumes.ravel(), (np.repeat(query, 4), mesh.simplices[cell].ravel())),
        shape=(len(queries), len(mesh.points)),
    ).tocsr()
    return sparse.diags(1 / np.asarray(table.sum(axis=1)).ravel()) @ table


def _holding(middle: Array, radii: Array, places: Array) -> tuple[Array, Array]:
    """Pairs of a point and a tetrahedron whose sphere holds it."""
    step = max(1, _CHUNK // max(len(middle), 1))
    pairs = []
    for start in range(0, len(places), step):
        far = np.sum((places[start : start + step, None] - middle) ** 2, axis=2)
        q, t = np.nonzero(far < radii)
        pairs.append((q + start, t))
    if not pairs:
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])


def _volumes(corners: Array, middle: Array, q: Array) -> Array:
    """The signed volume that each corner of a tetrahedron gives to the point."""
    faces: dict[tuple[int, ...], Array] = {
        f: centres(np.concatenate([q[:, None], corners[:, list(f)]], axis=1))
        for f in combinations(range(4), 3)
    }
    turn = np.sign(np.linalg.det(corners[:, 1:] - corners[:, :1]))
    made = np.empty((len(q), 4))
    for k in range(4):
        others = [m for m in range(4) if m != k]
        # the face without each of the other corners, in an order that keeps the orientation
        edges = [faces[tuple(sorted({0, 1, 2, 3} - {m}))] - middle for m in others]
        sign = 1 if k % 2 == 0 else -1
        made[:, k] = sign * turn * np.linalg.det(np.stack(edges, axis=1))
    return made
