"""The tiles of matrix products, which one a product gets, and how its sums are cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from app.accel.ir.plan import KernelRequest

BUSY = 1024
"""Tiles that keep a graphics card busy."""
LONG = 2048
"""The least length of a piece of a sum."""
FEW = 128
"""Tiles below which a card stands half idle: sums are cut for twice as many then."""
SHORT = 256
"""The least length of a piece of a sum then."""
MOST_PIECES = 128
SPLIT = "split "
THIN = 16
"""Columns or rows up to which a factor is thin."""


@record
class Tile:
    """Sizes of a blocked product.

    Attributes:
        rows: rows of a workgroup's block.
        columns: columns of it.
        depth: length of the inner tiles.
        own_rows: rows of an invocation, in blocks a multiple of four.
        own_columns: columns of an invocation, likewise.
        unroll: whether the inner loop is written out.
        least: least length of a piece of a sum.
        most: pieces of a sum, at most.
    """

    rows: int
    columns: int
    depth: int
    own_rows: int
    own_columns: int
    unroll: bool = True
    least: int = LONG
    most: int = MOST_PIECES

    @property
    def threads(self) -> int:
        """Invocations of a workgroup."""
        return (self.rows // self.own_rows) * (self.columns // self.own_columns)


TILES = {
    "large": Tile(128, 128, 16, 8, 8),
    "tall": Tile(128, 64, 16, 8, 8),
    "medium": Tile(64, 64, 16, 4, 4),
    "small": Tile(32, 32, 8, 4, 4, unroll=False, least=1024, most=512),
}
for _columns in (1, 2, 4, 8):
    TILES[f"wide_a{_columns}"] = Tile(128, _columns, 32, 2, _columns, least=64, most=BUSY)
    TILES[f"wide_b{_columns}"] = Tile(_columns, 128, 32, _columns, 2, least=64, most=BUSY)
    TILES[f"deep_a{_columns}"] = Tile(4, _columns, 128, 4, _columns, most=BUSY)
    TILES[f"deep_b{_columns}"] = Tile(_columns, 4, 128, _columns, 4, most=BUSY)
"""Blocks, and thin factors: see `thin`; the letter is the other factor's."""


def mode_of(request: KernelRequest, extents: tuple[int, ...], *, cpu: bool, tile: str) -> str:
    """The algorithm for a product's extents."""
    m, n, depth = extents
    if min(m, n) <= THIN:
        name = _skinny_mode(request, m, n)
        return (SPLIT if pieces(extents, TILES[name])[0] > 1 else "") + name
    sizes = {f"{t.rows}x{t.columns}x{t.depth}": name for name, t in TILES.items()}
    if tile in sizes:
        name = sizes[tile]
    elif cpu:
        return "small"
    elif m * n < 128 * 128:
        name = "small" if m * n < 64 * 64 else "medium"
    else:
        wide = request.reductions[0].dtype.size == 8
        short = m * n < 1024 * 1024 and (depth < 2 * LONG or min(m, n) < 256)
        name = "medium" if short else "large" if wide else "tall"
    chosen = TILES[name]
    exact = m % chosen.rows == 0 and n % chosen.columns == 0 and depth % chosen.depth == 0
    count, _ = pieces(extents, chosen, symmetric=is_symmetric(request))
    split = "" if cpu or count == 1 else SPLIT
    return split + name + ("x" if exact else "")


def is_symmetric(request: KernelRequest) -> bool:
    """Whether the factors are each other's transposes: half the tiles are enough."""
    return bool(dict(request.attrs).get("symmetric"))


def _skinny_mode(request: KernelRequest, m: int, n: int) -> str:
    """By where the other factor's neighbours lie: along its sums, or beside them."""
    options = dict(request.attrs)
    columns = next(c for c in (1, 2, 4, 8) if c >= min(m, n, 8))
    if n <= m:
        return f"{'deep' if options.get('transpose_a') else 'wide'}_a{columns}"
    return f"{'wide' if options.get('transpose_b') else 'deep'}_b{columns}"


def pieces(extents: tuple[int, ...], tile: Tile, *, symmetric: bool = False) -> tuple[int, int]:
    """Into how many pieces sums are cut, and the length of one: whole tiles."""
    m, n, depth = extents
    tiles = -(-m // tile.rows) * -(-n // tile.columns) // (2 if symmetric else 1)
    tiles = max(tiles, 1)
    count = min(BUSY // tiles, depth // tile.least)
    if tiles < FEW:
        count = max(count, min(2 * FEW // tiles, depth // SHORT))
    count = max(1, min(count, tile.most))
    length = -(-depth // (count * tile.depth)) * tile.depth
    return -(-depth // length) if depth else 1, length
