"""``bwboundaries``: the pixels along the edges of regions and of their holes."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, takes
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.images.region_measures import STEPS, chain, start_of
from app.toolboxes.images.regions import region_labels


def outlines(labels: Array, connectivity: int) -> list[Array]:
    """Rows and columns, from 0, along each labelled region: clockwise, the first one repeated."""
    from scipy import ndimage

    found = []
    for number, box in enumerate(ndimage.find_objects(labels), 1):
        mask = np.pad(labels[box] == number, 1)
        codes = chain(mask, connectivity)
        steps = np.array([(0, 0), *(STEPS[c] for c in codes)]).cumsum(axis=0)
        steps = steps if codes else np.zeros((2, 2), dtype=int)
        corner = [box[0].start - 1, box[1].start - 1]
        found.append(steps + np.array(start_of(mask)) + corner)
    return found


def holes(bw: Array, connectivity: int) -> tuple[Array, int]:
    """Labels of the background that does not reach the border of the image."""
    labels, _ = region_labels(np.pad(~bw, 1, constant_values=True), connectivity)
    inner = labels[1:-1, 1:-1]
    return region_labels((inner > 0) & (inner != labels[0, 0]), connectivity)


def _enclosing(labels: Array, lines: list[Array], objects: int) -> Value:
    """A(i, j) is 1 where boundary i lies directly in boundary j."""
    from scipy import sparse

    pairs = []
    for k, line in enumerate(lines):
        row, column = line[0]
        outside = int(labels[row, column - 1]) if column else 0
        if outside and (outside > objects) != (k >= objects):
            pairs.append((k, outside - 1))
    rows, columns = ([p[n] for p in pairs] for n in range(2))
    count = len(lines)
    return SparseMatrix.of(
        sparse.csc_matrix((np.ones(len(pairs)), (rows, columns)), (count, count))
    )


@builtin(
    "bwboundaries",
    category="images",
    signatures=(
        "B = bwboundaries(BW)",
        "B = bwboundaries(BW, conn)",
        "B = bwboundaries(BW, conn, 'noholes')",
        "[B, L, n, A] = bwboundaries(...)",
    ),
    cases=(
        "isequal(bwboundaries(logical([0 1 1])), {[1 2; 1 3; 1 2]})",
        "isequal(size(bwboundaries(logical([1 1 1; 1 0 1; 1 1 1]))), [2 1])",
        "numel(bwboundaries(logical([1 1 1; 1 0 1; 1 1 1]), 'noholes')) == 1",
    ),
    see=("bwperim", "bwlabel", "regionprops"),
)
@takes(NUMBERS)
def bwboundaries(bw: Value, *options: Value) -> Value:
    """Rows and columns of the pixels around every region, and around every hole in one.

    A boundary goes clockwise from the region's first pixel by columns, and ends where it began.
    Those of the n regions come first, then those of the holes, unless ``'noholes'`` is given. L
    has the number of each pixel's boundary; A(i, j) is 1 where i lies directly inside j.
    """
    a = as_array(bw) != 0
    if a.ndim != 2:
        raise MatlabError("MATLAB:bwboundaries:expected2D", "The image must be two-dimensional.")
    words = [text_of(v).lower() for v in options if is_text_scalar(v)]
    numbers = [float_of(v) for v in options if not is_text_scalar(v)]
    connectivity = int(numbers[0]) if numbers else 8
    if connectivity not in (4, 8):
        raise MatlabError("MATLAB:bwboundaries:badScalarConn", "Connectivity must be 4 or 8.")
    if set(words) - {"holes", "noholes"}:
        text = f"'{words[0]}' is not an option; the options are 'holes' and 'noholes'."
        raise MatlabError("MATLAB:bwboundaries:unrecognizedStringChoice", text)
    labels, count = region_labels(a, connectivity)
    lines = outlines(labels, connectivity)
    if "noholes" not in words:
        other = 12 - connectivity
        inner, _ = holes(a, other)
        lines += outlines(inner, other)
        labels = np.where(inner > 0, inner + count, labels)
    found = [canonical(line + 1.0) for line in lines]
    return (
        Cell(object_array(found, (len(found), 1))),
        canonical(labels.astype(np.float64)),
        float(count),
        _enclosing(labels, lines, count),
    )
