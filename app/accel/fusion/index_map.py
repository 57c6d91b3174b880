"""Views: where the elements of a node lie, seen from the points of an iteration box.

A view is affine in the box coordinates. `Rows` knows every dimension of the node on its own;
`Linear` only the column-major element number. What neither can express makes a node a root:
it is stored, and then read by its element number, which is always affine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.ir import shapes
from app.records import record

if TYPE_CHECKING:
    from app.accel.ir.node import Node, Shape


class NeedsRoot(Exception):
    """The node cannot be inlined here; it has to be stored first."""

    def __init__(self, node: Node) -> None:
        super().__init__(repr(node))
        self.node = node


@record
class Offset:
    """A constant plus data items of nodes times factors."""

    constant: int = 0
    terms: tuple[tuple[Node, int, int], ...] = ()

    def scaled(self, factor: int) -> Offset:
        """The offset times a number."""
        if factor == 1:
            return self
        terms = tuple((node, item, f * factor) for node, item, f in self.terms)
        return Offset(self.constant * factor, terms)

    def plus(self, other: Offset) -> Offset:
        """The sum."""
        if not other.constant and not other.terms:
            return self
        return Offset(self.constant + other.constant, self.terms + other.terms)


ZERO = Offset()


@record
class Row:
    """One affine form: an offset and a stride per axis of the box."""

    offset: Offset
    strides: tuple[int, ...]

    def scaled(self, factor: int) -> Row:
        """The form times a number."""
        return Row(self.offset.scaled(factor), tuple(s * factor for s in self.strides))

    def plus(self, other: Form) -> Form:
        """The sum of two forms."""
        if isinstance(other, Turn):
            return other.plus(self)
        strides = tuple(a + b for a, b in zip(self.strides, other.strides, strict=True))
        return Row(self.offset.plus(other.offset), strides)


@record
class Turn:
    """A form up to a coordinate, and another one from there on.

    Attributes:
        place: the coordinate.
        bound: its first value with the other form.
        below, above: the forms.
    """

    place: Form
    bound: int
    below: Form
    above: Form

    def scaled(self, factor: int) -> Turn:
        """The forms times a number."""
        below, above = self.below.scaled(factor), self.above.scaled(factor)
        return Turn(self.place, self.bound, below, above)

    def plus(self, other: Form) -> Turn:
        """The sum with a form, which may turn at the same place."""
        left, right = other, other
        if isinstance(other, Turn) and (other.place, other.bound) == (self.place, self.bound):
            left, right = other.below, other.above
        return Turn(self.place, self.bound, self.below.plus(left), self.above.plus(right))


Form: TypeAlias = "Row | Turn"

MOST_FORMS = 32
"""Affine forms that one place may be put together of: a turn of turns has three times as many."""


def has_many_forms(form: Form) -> bool:
    """Whether a form is put together of more than `MOST_FORMS`; counting ends there."""
    count, stack = 0, [form]
    while stack and count <= MOST_FORMS:
        at = stack.pop()
        count += 1
        if isinstance(at, Turn):
            stack += (at.place, at.below, at.above)
    return count > MOST_FORMS


@record
class Rows:
    """A view with one form per dimension of the node."""

    rows: tuple[Form, ...]
    rank: int

    def linear(self, shape: Shape) -> Form:
        """The column-major element number in a node of this shape."""
        result: Form = Row(ZERO, (0,) * self.rank)
        for row, extent, multiple in zip(self.rows, shape, shapes.multiples(shape), strict=True):
            if extent != 1:
                result = result.plus(row.scaled(multiple))
        return result


@record
class Linear:
    """A view that knows only the element number."""

    row: Form
    rank: int

    def linear(self, shape: Shape) -> Form:
        """The element number; the shape does not matter."""
        del shape
        return self.row


View: TypeAlias = Rows | Linear

VIEW_OPS = frozenset({"slice", "runs", "permute", "reshape", "repmat", "fill", "diagonal"})
"""Ops that only say where elements lie."""


def tiles(node: Node) -> bool:
    """Whether a node is a repmat that repeats anything but singletons."""
    if node.op != "repmat":
        return False
    source = shapes.with_rank(node.inputs[0].shape, len(node.shape))
    return any(a not in {1, b} for a, b in zip(source, node.shape, strict=True))


def tile_box(node: Node) -> Shape:
    """The box of a tiling repmat: per dimension an axis inside a tile and one over the tiles."""
    source = shapes.with_rank(node.inputs[0].shape, len(node.shape))
    pairs = zip(source, node.shape, strict=True)
    return tuple(extent for inner, whole in pairs for extent in (inner, whole // inner))


def identity(shape: Shape, skipped: tuple[bool, ...] | None = None) -> Rows:
    """The box is the node; axes marked in `skipped` are not walked (their coordinate is 0)."""
    rank = len(shape)
    rows = []
    for k in range(rank):
        on = not (skipped and skipped[k])
        rows.append(Row(ZERO, tuple(int(j == k and on) for j in range(rank))))
    return Rows(tuple(rows), rank)


def fit(rows: Rows, rank: int) -> Rows:
    """The same view with rows dropped (extent 1) or added (coordinate 0) to have `rank` rows."""
    zero = Row(ZERO, (0,) * rows.rank)
    kept = rows.rows[:rank]
    return Rows(kept + (zero,) * (rank - len(kept)), rows.rank)


def operand(node: Node, position: int, view: View) -> View:
    """The view of an operand of `node` that is seen through `view`."""
    child = node.inputs[position]
    match node.op:
        case "slice":
            return _through_slice(node, child, view)
        case "runs":
            return _through_runs(node, child, view)
        case "permute":
            return _through_permute(node, child, view)
        case "reshape":
            return _through_reshape(node, child, view)
        case "repmat":
            return _through_repmat(node, child, view)
        case "diagonal":
            row = _rows(node, view).rows[0]
            return Rows((row, row), view.rank)
        case "fill":
            return nowhere(view.rank)
        case _:
            return _through_broadcast(node, child, view)


def nowhere(rank: int) -> Linear:
    """The first element, seen from a box of so many axes."""
    return Linear(Row(ZERO, (0,) * rank), rank)


def _through_broadcast(node: Node, child: Node, view: View) -> View:
    if child.shape == node.shape:
        return view
    if child.size == 1:
        return nowhere(view.rank)
    zero = Row(ZERO, (0,) * view.rank)
    fitted = fit(_rows(node, view), len(child.shape)).rows
    rows = [row if extent != 1 else zero for row, extent in zip(fitted, child.shape, strict=True)]
    return Rows(tuple(rows), view.rank)


def _rows(node: Node, view: View) -> Rows:
    """The view by dimensions: of a vector the element number is the place along its axis."""
    if isinstance(view, Rows):
        return view
    if node.size != max(node.shape, default=1):
        raise NeedsRoot(node)
    zero = Row(ZERO, (0,) * view.rank)
    return Rows(tuple(view.row if extent != 1 else zero for extent in node.shape), view.rank)


def _through_slice(node: Node, child: Node, view: View) -> View:
    steps = cast("tuple[int, ...]", node.attrs[0])
    rows = fit(_rows(node, view), len(steps))
    mine = shapes.with_rank(node.shape, len(steps))
    theirs = shapes.with_rank(child.shape, len(steps))
    moved: list[Form] = []
    for k, (row, step) in enumerate(zip(rows.rows, steps, strict=True)):
        # Along an axis that is taken whole there is but one start, known without the data.
        first = Offset(theirs[k] - 1 if step < 0 else 0)
        start = first if mine[k] == theirs[k] else Offset(0, ((node, k, 1),))
        moved.append(row.scaled(step).plus(Row(start, (0,) * rows.rank)))
    return fit(Rows(tuple(moved), rows.rank), len(child.shape))


def _through_runs(node: Node, child: Node, view: View) -> View:
    """The coordinate along the axis is that of the run in which it lies."""
    axis, counts, steps = cast("tuple[int, tuple[int, ...], tuple[int, ...]]", node.attrs)
    rows = fit(_rows(node, view), max(len(node.shape), axis + 1))
    place, start = rows.rows[axis], sum(counts)
    made: Form | None = None
    for k in reversed(range(len(counts))):
        start -= counts[k]
        first = Offset(-start * steps[k], ((node, k, 1),))
        run = place.scaled(steps[k]).plus(Row(first, (0,) * rows.rank))
        made = run if made is None else Turn(place, start + counts[k], run, made)
    assert made is not None
    if has_many_forms(made):
        raise NeedsRoot(node)
    moved = Rows((*rows.rows[:axis], made, *rows.rows[axis + 1 :]), rows.rank)
    return fit(moved, len(child.shape))


def _through_permute(node: Node, child: Node, view: View) -> View:
    order = cast("tuple[int, ...]", node.attrs[0])
    rows = fit(_rows(node, view), len(order))
    back = list(rows.rows)
    for position, axis in enumerate(order):
        back[axis] = rows.rows[position]
    return fit(Rows(tuple(back), rows.rank), len(child.shape))


def _through_reshape(node: Node, child: Node, view: View) -> View:
    mine = [k for k, extent in enumerate(node.shape) if extent != 1]
    theirs = [k for k, extent in enumerate(child.shape) if extent != 1]
    same = [node.shape[k] for k in mine] == [child.shape[k] for k in theirs]
    if isinstance(view, Rows) and same:
        rows: list[Form] = [Row(ZERO, (0,) * view.rank)] * len(child.shape)
        for source, target in zip(mine, theirs, strict=True):
            rows[target] = view.rows[source]
        return Rows(tuple(rows), view.rank)
    row = view.linear(node.shape)
    whole = row == Row(ZERO, shapes.multiples(child.shape))
    return identity(child.shape) if whole else Linear(row, view.rank)


def _through_repmat(node: Node, child: Node, view: View) -> View:
    rows = fit(_rows(node, view), len(node.shape))
    source = shapes.with_rank(child.shape, len(node.shape))
    zero = Row(ZERO, (0,) * rows.rank)
    result: list[Form] = []
    for row, before, after in zip(rows.rows, source, node.shape, strict=True):
        if before not in {after, 1}:
            raise NeedsRoot(node)
        result.append(row if before == after else zero)
    return fit(Rows(tuple(result), rows.rank), len(child.shape))
