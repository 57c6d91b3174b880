"""Graphs in the plane, balls and grids: bucky, gplot, treelayout, treeplot, numgrid, delsq."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    TEXT,
    VECTOR,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, SparseMatrix, Value, as_array, canonical, is_struct, text_of
from app.errors import MatlabError

_FAMILY = "geometry"


def _dense(v: Value) -> Array:
    return v.dense() if isinstance(v, SparseMatrix) else np.asarray(as_array(v), dtype=float)


def _sparse(m: Any) -> Value:
    from scipy.sparse import csc_matrix

    return SparseMatrix.of(csc_matrix(m).astype(float))


@builtin(
    "bucky",
    category=_FAMILY,
    signatures=("B = bucky", "[B, V] = bucky"),
    cases=("[B, V] = bucky; isequal(full(sum(B)), 3*ones(1, 60)) && isequal(size(V), [60 3])",),
    see=("gplot", "sphere"),
)
def bucky() -> Value:
    """The graph of a football: which of its 60 corners are joined, and where they are."""
    from scipy.spatial.distance import cdist

    g = (1 + np.sqrt(5)) / 2
    signs = np.array(np.meshgrid(*[[1, -1]] * 3)).reshape(3, -1).T
    bases = ((0, 1, 3 * g), (1, 2 + g, 2 * g), (g, 2, 2 * g + 1))
    turned = [np.roll(s * b, k) for b in bases for s in signs for k in range(3)]
    v = np.unique(np.round(np.array(turned), 12), axis=0)
    v = v[np.lexsort((np.arctan2(v[:, 1], v[:, 0]), -v[:, 2]))]
    joined = np.abs(cdist(v, v) - 2) < 1e-6
    return _sparse(joined), canonical(v / np.linalg.norm(v[0]))


@builtin(
    "gplot",
    category=_FAMILY,
    signatures=("gplot(A, xy)", "gplot(A, xy, LineSpec)", "[x, y] = gplot(A, xy)"),
    cases=("[x, y] = gplot([0 1; 1 0], [0 0; 3 4]); isequaln([x y], [0 0; 3 4; NaN NaN])",),
    see=("treeplot", "graph"),
)
def gplot(ctx: CallContext, a: Value, xy: Value, spec: Value = "-", nargout: int = 0) -> Value:
    """Draw the edges of a graph by its adjacency matrix and the places of its nodes."""
    joined, places = _dense(a), np.asarray(as_array(xy), dtype=float)
    wide = places.ndim == 2 and places.shape[1] > 1
    if joined.shape[0] != joined.shape[1] or not wide or len(places) != len(joined):
        text = "The matrix must be square, with a place in two columns for each row."
        raise MatlabError("MATLAB:gplot:InvalidInput", text)
    t, s = np.nonzero(np.triu((joined != 0) | (joined.T != 0)).T)
    ends = np.stack([places[s], places[t], np.full((s.size, places.shape[1]), np.nan)], axis=1)
    flat = ends.reshape(-1, places.shape[1])
    if nargout:
        return column(flat[:, 0]), column(flat[:, 1])
    ctx.call("plot", (column(flat[:, 0]), column(flat[:, 1]), spec), 0)
    return ()


def _parents(name: str, given: Value) -> Array:
    """The parent of each node."""
    p = np.asarray(as_array(given), dtype=float).ravel()
    if np.any(p != np.round(p)) or np.any(p < 0) or np.any(p > p.size):
        raise MatlabError(f"MATLAB:{name}:BadParents", "Parents must be numbers of nodes, or 0.")
    return p.astype(int)


def _tree_positions(parents: Array) -> tuple[Array, Array, int, int]:
    """Leaves side by side, every other node over the middle of its children."""
    n = parents.size
    children: list[list[int]] = [[] for _ in range(n + 1)]
    for k, p in enumerate(parents.tolist()):
        children[p].append(k + 1)
    x, level, leaves = np.zeros(n + 1), np.zeros(n + 1, dtype=int), 0
    stack = [(0, False)]
    while stack:
        node, done = stack.pop()
        if not done:
            stack.append((node, True))
            for c in reversed(children[node]):
                level[c] = level[node] + 1
                stack.append((c, False))
        elif children[node]:
            x[node] = (x[children[node][0]] + x[children[node][-1]]) / 2
        else:
            leaves += 1
            x[node] = leaves
    height = int(level.max()) - 1
    below = 1 / (height + 2)
    return x[1:] / (leaves + 1), 1 - level[1:] * below, height, int(np.sum(level == 1))


@builtin(
    "treelayout",
    category=_FAMILY,
    signatures=("[x, y, h, s] = treelayout(parents)",),
    cases=("[x, y, h] = treelayout([0 1 1]); h == 1 && abs(x(1) - 0.5) < 1e-12",),
    see=("treeplot",),
)
@takes(NUMBERS & REAL & VECTOR & NONEMPTY)
def treelayout(parents: Value) -> Value:
    """Places for the nodes of a tree given by the parent of each node; 0 for a root."""
    x, y, height, top = _tree_positions(_parents("treelayout", parents))
    return row(x), row(y), float(height), float(top)


@builtin(
    "treeplot",
    category=_FAMILY,
    signatures=("treeplot(parents)", "treeplot(parents, nodeSpec, edgeSpec)"),
    cases=("treeplot([0 1 1]); numel(get(gca, 'Children')) == 2",),
    see=("treelayout", "gplot"),
)
@takes(NUMBERS & REAL & VECTOR & NONEMPTY)
def treeplot(ctx: CallContext, parents: Value, nodes: Value = "ro", edges: Value = "r") -> Value:
    """Draw a tree given by the parent of each node."""
    p = _parents("treeplot", parents)
    x, y, height, _ = _tree_positions(p)
    below = np.flatnonzero(p > 0)
    ends = np.stack(
        [
            np.column_stack([x[below], y[below]]),
            np.column_stack([x[p[below] - 1], y[p[below] - 1]]),
            np.full((below.size, 2), np.nan),
        ],
        axis=1,
    ).reshape(-1, 2)
    ctx.call(
        "plot", (column(x), column(y), nodes, column(ends[:, 0]), column(ends[:, 1]), edges), 0
    )
    ctx.call("axis", (canonical(np.array([[0.0, 1.0, 0.0, 1.0]])),), 0)
    ctx.call("xlabel", (f"height = {height}",), 0)
    return ()


@builtin(
    "numgrid",
    category=_FAMILY,
    signatures=("G = numgrid(region, n)",),
    cases=("isequal(numgrid('S', 4), [0 0 0 0; 0 1 3 0; 0 2 4 0; 0 0 0 0])",),
    see=("delsq",),
)
@takes(TEXT, COUNT & POSITIVE)
def numgrid(region: Value, n: Value) -> Value:
    """Numbers of the points inside a region: S, L, C, D, A, H or B."""
    count, word = int(real_number(n)), text_of(region)
    x = np.tile(np.linspace(-1, 1, count), (count, 1))
    y = np.flipud(x.T)
    inner = (x > -1) & (x < 1) & (y > -1) & (y < 1)
    regions = {
        "S": inner,
        "N": inner,
        "L": inner & ((x > 0) | (y > 0)),
        "D": x**2 + y**2 < 1,
        "C": inner & ((x + 1) ** 2 + (y + 1) ** 2 > 1),
        "A": (x**2 + y**2 < 1) & (x**2 + y**2 > 1 / 3),
        "H": (x**2 + y**2) * (x**2 + y**2 - 0.75 * y) < 0.75 * x**2,
    }
    if word not in regions:
        text = f"The region must be one of: {', '.join(regions)}."
        raise MatlabError("MATLAB:numgrid:InvalidRegionType", text)
    made = np.zeros(x.shape, order="F")
    flat = np.flatnonzero(regions[word].ravel(order="F"))
    made.ravel(order="K")[flat] = np.arange(1, flat.size + 1)
    return canonical(made)


@builtin(
    "delsq",
    category=_FAMILY,
    signatures=("D = delsq(G)",),
    cases=("isequal(full(delsq(numgrid('S', 4))), [4 -1 -1 0; -1 4 0 -1; -1 0 4 -1; 0 -1 -1 4])",),
    see=("numgrid", "del2"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def delsq(g: Value) -> Value:
    """The five-point Laplacian, with the sign turned, on a grid of ``numgrid``."""
    from scipy.sparse import coo_matrix, eye

    a = np.asarray(as_array(g), dtype=int)
    n = int(a.max())
    pairs = [
        np.stack([u[(u > 0) & (v > 0)], v[(u > 0) & (v > 0)]])
        for u, v in ((a[1:], a[:-1]), (a[:, 1:], a[:, :-1]))
    ]
    s, t = np.concatenate(pairs, axis=1) - 1
    off = coo_matrix((np.ones(s.size), (s, t)), shape=(n, n))
    return _sparse(4 * eye(n) - off - off.T)


@builtin(
    "surf2patch",
    words="triangles",
    category=_FAMILY,
    least=1,
    signatures=(
        "fvc = surf2patch(X, Y, Z)",
        "fvc = surf2patch(Z)",
        "fvc = surf2patch(h)",
        "fvc = surf2patch(..., 'triangles')",
        "[f, v, c] = surf2patch(X, Y, Z, C)",
    ),
    cases=("[f, v] = surf2patch([1 2; 3 4]); isequal(f, [1 2 4 3]) && isequal(size(v), [4 3])",),
    see=("surf", "patch"),
)
def surf2patch(ctx: CallContext, *args: Value, nargout: int = 1) -> Value:
    """The faces and vertices of a surface."""
    from app.engine.figures.objects import GraphicsObject
    from app.engine.values import Struct, is_text_scalar

    split = any(is_text_scalar(a) and text_of(a).startswith("tri") for a in args)
    data = [a for a in args if not is_text_scalar(a)]
    if data and isinstance(data[0], GraphicsObject):
        data = [data[0].get_member(ctx, n, None, 1) for n in ("XData", "YData", "ZData", "CData")]
    arrays = [np.asarray(as_array(a), dtype=float) for a in data if not is_struct(a)]
    if not arrays or any(a.ndim != 2 for a in arrays):
        raise MatlabError("MATLAB:surf2patch:InvalidInput", "A surface must be given as matrices.")
    if len(arrays) in (1, 2):
        rows, columns = arrays[0].shape
        x, y = np.meshgrid(np.arange(1.0, columns + 1), np.arange(1.0, rows + 1))
        arrays = [x, y, *arrays]
    if len(arrays) < 3:
        raise MatlabError("MATLAB:surf2patch:NeedsMoreArgs", "A surface must be given.")
    x, y, z = arrays[:3]
    if x.shape != z.shape:
        x, y = np.meshgrid(x.ravel(), y.ravel())
    number = np.arange(1.0, z.size + 1).reshape(z.shape, order="F")
    corners = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
    faces = np.column_stack([c.ravel(order="F") for c in corners])
    if split:
        faces = np.vstack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    vertices = np.column_stack([v.ravel(order="F") for v in (x, y, z)])
    colours = arrays[3].ravel(order="F") if len(arrays) > 3 else vertices[:, 2]
    made = canonical(faces), canonical(vertices), column(colours)
    names = ("faces", "vertices", "facevertexcdata")
    return made if nargout > 1 else Struct(dict(zip(names, made, strict=True)))
