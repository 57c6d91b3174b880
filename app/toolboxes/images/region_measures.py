"""What regionprops measures of the regions of an image."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    make_logical,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.toolboxes.images.regions import labels_of, pixel_lists, region_labels

_FAMILY = "images"


class _Region:
    """One region's pixels, and measures of them."""

    def __init__(self, pixels: Array, shape: tuple[int, ...], image: Array | None) -> None:
        self.pixels = pixels
        places = np.unravel_index(pixels, shape, order="F")
        self.points = np.stack([places[1], places[0], *places[2:]], axis=1) + 1.0
        self.values = None if image is None else image.ravel(order="F")[pixels].astype(float)
        self.low = self.points.min(axis=0) if pixels.size else np.zeros(len(shape))
        self.extent = self.points.max(axis=0) - self.low + 1 if pixels.size else self.low

    def mask(self) -> Array:
        """The region alone, within its bounding box."""
        size = self.extent.astype(int)
        cells = np.zeros((size[1], size[0], *size[2:]), dtype=bool)
        places = (self.points - self.low).astype(int)
        cells[(places[:, 1], places[:, 0], *places[:, 2:].T)] = True
        return cells

    def ellipse(self) -> tuple[float, float, float, float]:
        """Major and minor axis, eccentricity and orientation of the ellipse of equal moments."""
        x, y = (self.points[:, :2] - self.points[:, :2].mean(axis=0)).T
        y = -y
        xx, yy, xy = (x * x).mean() + 1 / 12, (y * y).mean() + 1 / 12, (x * y).mean()
        common = np.hypot(xx - yy, 2 * xy)
        major, minor = (2 * np.sqrt(2) * np.sqrt(max(xx + yy + s * common, 0)) for s in (1, -1))
        up, over = (yy - xx + common, 2 * xy) if yy > xx else (2 * xy, xx - yy + common)
        angle = np.degrees(np.arctan2(up, over)) if up or over else 0.0
        angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        ratio = 2 * np.sqrt((major / 2) ** 2 - (minor / 2) ** 2) / major
        return float(major), float(minor), float(ratio), float(angle)

    def filled(self) -> Array:
        """The mask without holes."""
        from scipy import ndimage

        return np.asarray(ndimage.binary_fill_holes(self.mask()))

    def perimeter(self) -> float:
        """Length of the boundary, by the weights Vossepoel and Smeulders found best."""
        return _boundary_length(self.mask())

    def hull_area(self) -> float:
        """Pixels of the convex hull."""
        from scipy.spatial import ConvexHull, QhullError

        corners = self.points[:, None, :2] + np.array([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]])
        try:
            return float(round(ConvexHull(corners.reshape(-1, 2)).volume + 1e-9))
        except QhullError:
            return float(self.pixels.size)


def _boundary_length(mask: Array) -> float:
    """Trace the outer boundary; even steps, odd steps and corners weighted."""
    codes = chain(np.pad(mask, 1))
    if not codes:
        return 0.0
    a = np.array(codes)
    even, odd = int((a % 2 == 0).sum()), int((a % 2 == 1).sum())
    corners = int((a != np.roll(a, 1)).sum())
    return 0.980 * even + 1.406 * odd - 0.091 * corners


STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""What Freeman's codes, clockwise from the right, add to the row and the column."""


def start_of(mask: Array) -> tuple[int, int]:
    """The first pixel by columns."""
    column = int(np.argmax(mask.any(axis=0)))
    return int(np.argmax(mask[:, column])), column


def chain(mask: Array, connectivity: int = 8) -> list[int]:
    """Freeman's codes of the outer boundary, clockwise from the first pixel by columns."""
    place, heading = start_of(mask), 1 if connectivity == 8 else 2
    turns = range(0, 8, heading)
    codes: list[int] = []
    first: tuple[tuple[int, int], int] | None = None
    while True:
        for turn in turns:
            code = (heading + 6 + turn) % 8
            there = (place[0] + STEPS[code][0], place[1] + STEPS[code][1])
            if mask[there]:
                break
        else:
            return []
        if first == (place, code):
            return codes
        first = first or (place, code)
        codes.append(code)
        place, heading = there, code


_MEASURES: dict[str, Callable[[_Region], Value]] = {
    "Area": lambda r: float(r.pixels.size),
    "Centroid": lambda r: canonical(r.points.mean(axis=0, keepdims=True)),
    "BoundingBox": lambda r: canonical(np.concatenate([r.low - 0.5, r.extent])[None, :]),
    "MajorAxisLength": lambda r: r.ellipse()[0],
    "MinorAxisLength": lambda r: r.ellipse()[1],
    "Eccentricity": lambda r: r.ellipse()[2],
    "Orientation": lambda r: r.ellipse()[3],
    "EquivDiameter": lambda r: float(np.sqrt(4 * r.pixels.size / np.pi)),
    "Extent": lambda r: float(r.pixels.size / r.extent.prod()),
    "ConvexArea": lambda r: r.hull_area(),
    "Solidity": lambda r: float(r.pixels.size / r.hull_area()),
    "Perimeter": lambda r: r.perimeter(),
    "Circularity": lambda r: float(4 * np.pi * r.pixels.size / (r.perimeter() or np.nan) ** 2),
    "FilledArea": lambda r: float(r.filled().sum()),
    "EulerNumber": lambda r: float(1 - region_labels(r.filled() & ~r.mask(), 4)[1]),
    "Image": lambda r: make_logical(r.mask()),
    "FilledImage": lambda r: make_logical(r.filled()),
    "PixelIdxList": lambda r: canonical(r.pixels.reshape(-1, 1) + 1.0),
    "PixelList": lambda r: canonical(r.points),
}
_LEVELS: dict[str, Callable[[Array], Value]] = {
    "MeanIntensity": lambda v: float(v.mean()),
    "MaxIntensity": lambda v: float(v.max()),
    "MinIntensity": lambda v: float(v.min()),
    "PixelValues": lambda v: canonical(v.reshape(-1, 1)),
}
_BASIC = ["Area", "Centroid", "BoundingBox"]


def _wanted_measures(words: list[str], levels: bool) -> list[str]:
    known = {n.lower(): n for n in [*_MEASURES, *_LEVELS]}
    if not words or words == ["basic"]:
        return _BASIC
    if words == ["all"]:
        return [*_MEASURES, *(_LEVELS if levels else [])]
    unknown = next((w for w in words if w not in known), None)
    if unknown is not None:
        text = f"'{unknown}' is not a property of regions."
        raise MatlabError("MATLAB:regionprops:unrecognizedStringChoice", text)
    return [known[w] for w in words]


@builtin(
    "regionprops",
    category=_FAMILY,
    signatures=(
        "stats = regionprops(BW, properties)",
        "stats = regionprops(L, properties)",
        "stats = regionprops(CC, I, properties)",
        "T = regionprops('table', BW, ...)",
    ),
    cases=(
        "isequal([regionprops(logical([1 0 1 1])).Area], [1 2])",
        "isequal(regionprops(true(3), 'Centroid').Centroid, [2 2])",
        "isequal(regionprops('table', logical([1 0 1 1]), 'Area').Area, [1; 2])",
    ),
    see=("bwlabel",),
)
def regionprops(source: Value, *args: Value) -> Value:
    """Measure regions: Area, Centroid, BoundingBox (default), axes, Perimeter, intensities."""
    tabled = is_text_scalar(source) and text_of(source) == "table" and bool(args)
    source, args = (args[0], args[1:]) if tabled else (source, args)
    labels, count = labels_of(source)
    image = None
    if args and not is_text_scalar(args[0]) and not isinstance(args[0], Cell):
        image, args = as_array(args[0]), args[1:]
    if image is not None and image.shape != labels.shape:
        text = "The image must have the size of the labels."
        raise MatlabError("images:regionprops:sizeMismatch", text)
    given = [texts_of(v) if isinstance(v, Cell) else [text_of(v)] for v in args]
    words = [w.lower() for some in given for w in some if w.lower() not in ("table", "struct")]
    names = _wanted_measures(words, image is not None)
    regions = [_Region(p, labels.shape, image) for p in pixel_lists(labels.astype(int), count)]
    items = [Struct({n: _measure(r, n) for n in names}) for r in regions]
    if tabled:
        return _table_of_rows([i.fields for i in items], names)
    return items[0] if count == 1 else StructArray.of(items, (count, 1), dict.fromkeys(names))


def _table_of_rows(rows: list[dict[str, Value]], names: list[str]) -> Value:
    """One row for each region."""
    from app.engine.builtins.containers.table_class import Table
    from app.engine.builtins.containers.table_rows import column_of

    return Table({n: column_of([r[n] for r in rows]) for n in names}, len(rows))


def _measure(region: _Region, name: str) -> Value:
    if name in _MEASURES:
        return _MEASURES[name](region)
    if region.values is None:
        text = f"The image of grey levels is needed for {name}."
        raise MatlabError("MATLAB:regionprops:needsGrayscaleImage", text)
    return _LEVELS[name](region.values)
