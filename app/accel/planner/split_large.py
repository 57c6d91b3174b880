"""Products and scans over more than a device binds at once, as graphs of smaller ones.

Everything elementwise is cut by `tiling` when it runs. A product is cut here into blocks of
rows, columns and, where a row alone is too long, of inner elements; a scan into stretches, each of
which begins with the last value of the one before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.codegen.tiling import SLACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.accel.ir.node import Node

    Apply: TypeAlias = Callable[..., Node]
    Range: TypeAlias = tuple[int, int]

CARRIED = {"cumsum": "plus", "cumprod": "times", "cummin": "min", "cummax": "max"}
PRODUCTS = frozenset({"matmul", "normal_product"})
SPLIT = PRODUCTS | CARRIED.keys()


def too_large(node: Node, limit: int) -> bool:
    """Whether a product or scan can only run in pieces."""
    if limit <= 0 or max(n.size * n.dtype.size for n in (node, *node.inputs)) + 16 <= limit:
        return False
    if node.op in PRODUCTS:
        return True
    axis = cast("int", node.attrs[0])
    last = max(k for k, extent in enumerate(node.shape) if extent > 1 or k == axis)
    column = math.prod(node.shape[: axis + 1]) * node.dtype.size
    return not node.dtype.is_integer and (axis == last or column > limit - SLACK)


def joined_node(node: Node, limit: int, apply: Apply) -> Node:
    """The same value, made of pieces."""
    room = limit - SLACK
    if node.op == "normal_product":
        return _normal_product(node, room, apply)
    return _product(node, room, apply) if node.op == "matmul" else _scan(node, room, apply)


def _ranges(extent: int, parts: int) -> Iterator[Range]:
    """Even parts of 0 … extent: first and length."""
    for k in range(parts):
        first = extent * k // parts
        yield first, extent * (k + 1) // parts - first


def _box_of(x: Node, ranges: dict[int, Range], apply: Apply) -> Node:
    """A box of an array: ranges by axis, whole where there is none."""
    shape = tuple(ranges.get(k, (0, extent))[1] for k, extent in enumerate(x.shape))
    starts = tuple(ranges.get(k, (0, 0))[0] for k in range(len(x.shape)))
    return x if shape == x.shape else apply("slice", (x,), ((1,) * len(shape), shape), starts)


def _cat(axis: int, parts: list[Node], apply: Apply) -> Node:
    return parts[0] if len(parts) == 1 else apply("cat", tuple(parts), (axis,))


# --- products -----------------------------------------------------------------------------------


def _product(node: Node, room: int, apply: Apply) -> Node:
    a, b = node.inputs
    turned = (bool(node.attrs[0]), bool(node.attrs[1])) if node.attrs else (False, False)
    m, n = node.shape
    k, size = a.shape[0] if turned[0] else a.shape[1], node.dtype.size
    inner = -(-k * size // room)
    per = -(-k // inner) * size
    down, across = -(-m * per // room), -(-n * per // room)
    while -(-m // down) * -(-n // across) * size > room:
        down, across = (down + 1, across) if m // down >= n // across else (down, across + 1)

    def block(rows: Range, columns: Range) -> Node:
        total: Node | None = None
        for middle in _ranges(k, inner):
            left = _box_of(a, {int(turned[0]): rows, int(not turned[0]): middle}, apply)
            right = _box_of(b, {int(turned[1]): middle, int(not turned[1]): columns}, apply)
            term = apply("matmul", (left, right), turned)
            total = term if total is None else apply("plus", (total, term), ())
        assert total is not None
        return total

    return _cat(
        1,
        [
            _cat(0, [block(rows, columns) for rows in _ranges(m, down)], apply)
            for columns in _ranges(n, across)
        ],
        apply,
    )


def _normal_product(node: Node, room: int, apply: Apply) -> Node:
    """The sum of those of bands of rows."""
    a, column, *taken = node.inputs
    total: Node | None = None
    for rows in _ranges(a.shape[0], -(-a.size * a.dtype.size // room)):
        band = _box_of(a, {0: rows}, apply)
        product = apply("matmul", (band, column), (False, False))
        for b in taken:
            product = apply("minus", (product, _box_of(b, {0: rows}, apply)), ())
        term = apply("matmul", (band, product), (True, False))
        total = term if total is None else apply("plus", (total, term), ())
    assert total is not None
    return total


# --- scans --------------------------------------------------------------------------------------


def _scan(node: Node, room: int, apply: Apply) -> Node:
    [x] = node.inputs
    axis, backwards = cast("int", node.attrs[0]), bool(node.attrs[1])
    slab = math.prod(node.shape[:axis]) * node.dtype.size
    if slab > room:  # even one step is too large: scan bands of rows apart
        bands = _ranges(node.shape[0], -(-slab // room))
        return _cat(
            0,
            [apply(node.op, (_box_of(x, {0: band}, apply),), node.attrs) for band in bands],
            apply,
        )
    extent = node.shape[axis]
    stretches = list(_ranges(extent, -(-extent * slab // room)))
    made: list[Node] = []
    for stretch in reversed(stretches) if backwards else stretches:
        part = apply(node.op, (_box_of(x, {axis: stretch}, apply),), node.attrs)
        if made:
            end = 0 if backwards else made[-1].shape[axis] - 1
            carry = _box_of(made[-1], {axis: (end, 1)}, apply)
            part = apply(CARRIED[node.op], (part, carry), ())
        made.append(part)
    return _cat(axis, made[::-1] if backwards else made, apply)
