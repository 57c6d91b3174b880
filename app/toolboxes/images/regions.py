"""Connected regions of black and white images."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import LIKE_NUMBERS, NUMBERS, SCALAR, takes
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    make_logical,
    object_array,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "images"


def region_labels(bw: Array, connectivity: int) -> tuple[Array, int]:
    """Labels 1 … n of connected regions, in the order their first pixels come by columns."""
    from scipy import ndimage

    if connectivity not in (4, 8, 6, 18, 26):
        text = "Connectivity must be 4, 8, 6, 18 or 26."
        raise MatlabError("MATLAB:bwlabel:badConn", text)
    rank = {4: 1, 6: 1, 8: 2, 18: 2, 26: 3}[connectivity]
    structure = ndimage.generate_binary_structure(bw.ndim, min(rank, bw.ndim))
    labels, count = ndimage.label(bw.T != 0, structure=structure.T)
    return labels.T, int(count)


def _connectivity(v: Value | None, a: Array) -> int:
    return (8 if a.ndim == 2 else 26) if v is None else int_of(v)


@builtin(
    "bwlabel",
    category=_FAMILY,
    signatures=("[L, n] = bwlabel(BW)", "[L, n] = bwlabel(BW, conn)"),
    cases=("isequal(bwlabel([1 0 1]), [1 0 2])", "isequal(bwlabel([1 0; 0 1]), [1 0; 0 1])"),
    see=("bwconncomp", "regionprops"),
)
@takes(NUMBERS)
def bwlabel(bw: Value, connectivity: Value | None = None) -> Value:
    """Number the connected regions of a black and white image."""
    a = as_array(bw)
    labels, count = region_labels(a, _connectivity(connectivity, a))
    return canonical(labels.astype(np.float64)), float(count)


@builtin(
    "bwlabeln",
    category=_FAMILY,
    signatures=("[L, n] = bwlabeln(BW, conn)",),
    cases=("isequal(bwlabeln([1 0 1]), [1 0 2])",),
    see=("bwlabel",),
)
@takes(NUMBERS)
def bwlabeln(bw: Value, connectivity: Value | None = None) -> Value:
    """Number the connected regions of an image of any dimension."""
    return bwlabel(bw, connectivity)


def pixel_lists(labels: Array, count: int) -> list[Array]:
    """The pixels of each region, as column-major places from 0."""
    flat = labels.ravel(order="F")
    order = np.argsort(flat, kind="stable")
    return np.split(order, np.searchsorted(flat[order], np.arange(1, count + 1)))[1:]


@builtin(
    "bwconncomp",
    category=_FAMILY,
    signatures=("CC = bwconncomp(BW, conn)",),
    cases=("bwconncomp([1 0 1]).NumObjects == 2",),
    see=("bwlabel", "labelmatrix"),
)
@takes(NUMBERS)
def bwconncomp(bw: Value, connectivity: Value | None = None) -> Value:
    """Connected regions as lists of pixel indices."""
    a = as_array(bw)
    kind = _connectivity(connectivity, a)
    labels, count = region_labels(a, kind)
    lists = [canonical(p.reshape(-1, 1) + 1.0) for p in pixel_lists(labels, count)]
    return Struct(
        {
            "Connectivity": float(kind),
            "ImageSize": canonical(np.array([a.shape], dtype=float)),
            "NumObjects": float(count),
            "PixelIdxList": Cell(object_array(lists, (1, count))),
        }
    )


def labels_of(v: Value) -> tuple[Array, int]:
    """Labels and their number, of labels, a black and white image, or bwconncomp's struct."""
    if isinstance(v, Struct):
        shape = tuple(int(n) for n in as_array(v.fields["ImageSize"]).ravel())
        labels = np.zeros(int(np.prod(shape)))
        held = v.fields["PixelIdxList"]
        assert isinstance(held, Cell)
        lists = held.items()
        for k, pixels in enumerate(lists, 1):
            labels[as_array(pixels).ravel().astype(int) - 1] = k
        return labels.reshape(shape, order="F"), len(lists)
    a = as_array(v)
    if a.dtype.kind == "b":
        return region_labels(a, 8 if a.ndim == 2 else 26)
    return a, int(a.max(initial=0))


@builtin(
    "labelmatrix",
    category=_FAMILY,
    signatures=("L = labelmatrix(CC)",),
    cases=("isequal(double(labelmatrix(bwconncomp([1 0 1]))), [1 0 2])",),
    see=("bwlabel",),
)
def labelmatrix(components: Value) -> Value:
    """Labels of the regions that bwconncomp found."""
    labels, count = labels_of(components)
    return unwrap(labels.astype(np.uint8 if count < 256 else np.uint16))


@builtin(
    "bwareaopen",
    category=_FAMILY,
    signatures=("BW2 = bwareaopen(BW, P, conn)",),
    cases=("isequal(bwareaopen(logical([1 0 1 1]), 2), logical([0 0 1 1]))",),
)
@takes(NUMBERS, NUMBERS & SCALAR)
def bwareaopen(bw: Value, least: Value, connectivity: Value | None = None) -> Value:
    """Remove regions of fewer than P pixels."""
    a = as_array(bw)
    labels, _ = region_labels(a, _connectivity(connectivity, a))
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    return make_logical(sizes[labels] >= max(float_of(least), 1))


@builtin(
    "bwarea",
    category=_FAMILY,
    signatures=("total = bwarea(BW)",),
    cases=("bwarea(true) == 1",),
    see=("regionprops",),
)
@takes(LIKE_NUMBERS)
def bwarea(bw: Value) -> Value:
    """Area of the white pixels, weighted by their 2-by-2 neighbourhoods."""
    a = np.pad(as_array(bw) != 0, 1)
    quads = [a[:-1, :-1], a[1:, :-1], a[:-1, 1:], a[1:, 1:]]
    count = sum(q.astype(int) for q in quads)
    diagonal = (count == 2) & (quads[0] == quads[3])
    weights = np.array([0, 0.25, 0.5, 0.875, 1.0])[count]
    return float(np.where(diagonal, 0.75, weights).sum())


@builtin(
    "bwconvhull",
    words="union objects",
    category=_FAMILY,
    signatures=("CH = bwconvhull(BW)", "CH = bwconvhull(BW, method, conn)"),
    cases=(
        "isequal(bwconvhull(logical([1 0 0; 1 0 0; 1 1 1])), logical([1 0 0; 1 1 0; 1 1 1]))",
        "isequal(bwconvhull(logical([1 0 1]), 'objects'), logical([1 0 1]))",
    ),
    see=("bwperim", "regionprops", "convhull"),
)
@takes(NUMBERS)
def bwconvhull(bw: Value, method: Value = "union", connectivity: Value = 8.0) -> Value:
    """The pixels inside the convex hull of all that is white, or of every connected region."""
    a = as_array(bw) != 0
    if a.ndim != 2:
        raise MatlabError("images:bwconvhull:expected2D", "The image must be two-dimensional.")
    if text_of(method).lower() == "union":
        return make_logical(_inside_hull(a))
    labels, count = region_labels(a, int_of(connectivity))
    made = np.zeros(a.shape, dtype=bool)
    for k in range(1, count + 1):
        made |= _inside_hull(labels == k)
    return make_logical(made)


def _inside_hull(a: Array) -> Array:
    """Pixels whose centre lies in the convex hull of the edge middles of the white ones."""
    from scipy.spatial import ConvexHull

    places = np.argwhere(a)
    if not places.size:
        return a
    offsets = np.array([[0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]])
    facets = ConvexHull((places[:, None] + offsets).reshape(-1, 2)).equations
    centres = np.indices(a.shape).reshape(2, -1)
    inside = (facets[:, :2] @ centres + facets[:, 2:] < 1e-9).all(axis=0)
    made: Array = inside.reshape(a.shape)
    return made


@builtin(
    "bwperim",
    words="",
    category=_FAMILY,
    signatures=("BW2 = bwperim(BW, conn)",),
    cases=("isequal(bwperim(true(3)), logical([1 1 1; 1 0 1; 1 1 1]))",),
)
@takes(NUMBERS)
def bwperim(bw: Value, connectivity: Value = 4.0) -> Value:
    """Pixels at the edge of regions."""
    from scipy import ndimage

    a = as_array(bw) != 0
    rank = 1 if float_of(connectivity) in (4, 6) else a.ndim
    structure = ndimage.generate_binary_structure(a.ndim, rank)
    return make_logical(a & ~ndimage.binary_erosion(a, structure))


@builtin(
    "bwdist",
    category=_FAMILY,
    signatures=("[D, idx] = bwdist(BW)", "D = bwdist(BW, method)"),
    cases=("isequal(double(bwdist([1 0 0])), [0 1 2])",),
    see=("imdilate",),
)
@takes(NUMBERS)
def bwdist(bw: Value, method: Value = "euclidean") -> Value:
    """Distance of each pixel to the nearest white one."""
    from scipy import ndimage

    a = as_array(bw) == 0
    word = text_of(method).lower()
    if a.all():
        return canonical(np.full(a.shape, np.inf, dtype=np.float32)), canonical(np.zeros(a.shape))
    if word == "euclidean":
        found, places = ndimage.distance_transform_edt(a, return_indices=True)
    else:
        metric = {"cityblock": "taxicab", "chessboard": "chessboard"}.get(word, "")
        if not metric:
            text = f"'{word}' is not a distance method."
            raise MatlabError("MATLAB:bwdist:unrecognizedStringChoice", text)
        found, places = ndimage.distance_transform_cdt(a, metric, return_indices=True)
    index = np.ravel_multi_index(tuple(places), a.shape, order="F") + 1
    return canonical(found.astype(np.float32)), canonical(index.astype(np.uint32))


@builtin(
    "imclearborder",
    category=_FAMILY,
    signatures=("J = imclearborder(BW)",),
    cases=("isequal(imclearborder(logical([1 0 0; 0 0 0])), false(2, 3))",),
)
@takes(NUMBERS)
def imclearborder(bw: Value) -> Value:
    """Remove regions that touch the border of a black and white image."""
    labels, _ = region_labels(as_array(bw), 8)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return make_logical((labels > 0) & ~np.isin(labels, edge[edge > 0]))
