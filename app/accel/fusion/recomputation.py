"""What recomputation costs, and which values are stored because of it.

A pending value that is inlined is evaluated once per point of every place that reads it. Read
through one map that is what storing it would cost, without the round trip through memory. Read
through several maps (a slice and its neighbour, an array and its mirror image, a row and a column
spread over a matrix) it is evaluated once per map, and what it is made of again once per map of
its own: work grows exponentially with the number of passes.

A value of `size` elements whose evaluation costs ``W`` and that is read ``E`` times is therefore
stored where ``E*W > size*(W + A) + E*A``; ``A`` is what one access to memory costs. Values are
looked at operands first, so that ``W`` knows what is stored below, and whatever stays inlined
costs no more than the plan that stores it. Costs are those of `OpSpec`, an access costs
`BYTE_COST` a byte.

Operands first, a reader that stays inlined counts as one read in its own box. Where it is itself
seen through several maps it is several reads: two values of a step that the next step reads
through a slice each see what they share through two maps, and that of the step before through
four. So values are looked at again, readers first, with all maps that lead to them. Parts that
become shorter with every step are no more work so, but ever more instructions: what would stand in
one kernel more than `MOST_COPIES` times is stored, too.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.fusion import index_map as views
from app.accel.fusion.index_map import VIEW_OPS, NeedsRoot, Offset, Rows, Turn, View
from app.accel.ir import shapes
from app.accel.ir.ops import OPS, Category
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.ir.node import Node, Shape

    MapKey: TypeAlias = tuple[Shape, Shape, Offset] | tuple[Shape, Turn]

BYTE_COST = 3
"""Cost units (additions) that a byte read from or written to memory weighs: on graphics cards and
on processors a single takes as long as ten to thirty of them."""

MOST_READS = 64
"""Different maps of one value that are told apart; with more of them it is stored anyway."""

MOST_COPIES = 16
"""Maps through which one kernel computes a value: each is a copy of its instructions."""

MOST_FORMS = 4
"""Forms of one place among which a point chooses."""

POINTWISE = frozenset({Category.ELEMENTWISE, Category.CAST, Category.INDEX})
"""What may be computed where it is read."""

_BY_PLACE = frozenset({"cat", "assign", "loop", "gather"})
"""Ops that read their operands in the operands' own boxes."""


def access(node: Node) -> int:
    """Cost of reading or writing one element; single numbers are parameters."""
    return BYTE_COST * node.dtype.size if node.size > 1 else 0


@record
class Read:
    """A value seen from the points of a box; `part` is the smallest view on the way, if any."""

    box: Shape
    view: View
    part: Node | None = None

    @property
    def points(self) -> int:
        """How often it is evaluated."""
        return shapes.count(self.box)

    def key(self, shape: Shape) -> MapKey:
        """Equal for reads that visit the same elements in the same order."""
        row = self.view.linear(shape)
        if isinstance(row, Turn):
            return self.box, row
        extents: list[int] = []
        strides: list[int] = []
        for extent, stride in zip(self.box, row.strides, strict=True):
            if extent == 1:
                continue
            if extents and stride == strides[-1] * extents[-1]:
                extents[-1] *= extent
            else:
                extents.append(extent)
                strides.append(stride)
        return tuple(extents), tuple(strides), row.offset


def evaluation_cost(node: Node, stored: AbstractSet[Node], most: float) -> float:
    """Cost of one element of `node` with everything inlined down to what is `stored`.

    The same element of a value is counted once, however often it is needed; counting ends above
    `most`.
    """
    start: tuple[Node, View] = (node, views.identity(node.shape))
    seen, stack, total = {start}, [start], 0.0
    while stack and total <= most:
        at = stack.pop()
        if at[0] is not node and (at[0].op == "leaf" or at[0] in stored):
            total += access(at[0])
            continue
        total += OPS[at[0].op].costs.units
        for below in _operands(*at):
            if below not in seen:
                seen.add(below)
                stack.append(below)
        if at[0].op == "gather":
            total += access(at[0])
    return total


def _operands(node: Node, at: View) -> list[tuple[Node, View]]:
    """The operands as seen through a view; where that cannot be, they lie in memory."""
    try:
        if node.op == "gather":
            whole = node.inputs[1].shape == node.shape
            return [(node.inputs[1], at if whole else views.Linear(at.linear(node.shape), at.rank))]
        return [(child, views.operand(node, k, at)) for k, child in enumerate(node.inputs)]
    except NeedsRoot:
        return []


def read_in_place(
    node: Node, box: Shape, stored: AbstractSet[Node], group: AbstractSet[Node]
) -> bool:
    """Whether one kernel may compute `node` together with the roots of a group that it reads.

    They are read where they are computed, or are hardly more than what they load.
    """
    flat = Read(box, views.identity(box)).key(box)
    lined_up = views.Linear(views.Row(views.ZERO, shapes.multiples(box)), len(box))
    own = views.fit(views.identity(box), len(node.shape))
    start: tuple[Node, View] = (node, own if node.shape == shapes.normal(box) else lined_up)
    seen, stack, others = {start}, [start], stored - group
    while stack and node not in group:
        for child, seen_at in _operands(*stack.pop()):
            if (child, seen_at) in seen or child.op == "leaf":
                continue
            seen.add((child, seen_at))
            if child not in stored:
                stack.append((child, seen_at))
            elif child in group and Read(box, seen_at).key(child.shape) != flat:
                limit = 1.25 * access(child)
                if len(seen) > MOST_READS or evaluation_cost(child, others, limit) > limit:
                    return False
    return True


@mutable_record
class Reads:
    """How the values of a graph are read.

    Attributes:
        order: nodes, operands first.
        roots: nodes that are stored.
    """

    order: Sequence[Node]
    roots: AbstractSet[Node]
    consumers: dict[Node, list[tuple[Node, int]]] = field(default_factory=dict)
    through: dict[Node, list[Read]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in self.order:
            if node.op == "matmul":
                continue  # its factors are a matter of their own: see `prologues`
            for position, child in enumerate(node.inputs):
                self.consumers.setdefault(child, []).append((node, position))
        for node in reversed(self.order):
            if node.op in VIEW_OPS and not views.tiles(node):
                self.through[node] = self.of(node)

    def of(self, node: Node) -> list[Read]:
        """Every different way in which a value is read."""
        found: dict[MapKey, Read] = {}
        for consumer, position in self.consumers.get(node, ()):
            for read in self._reads_of_operand(consumer, position):
                found.setdefault(read.key(node.shape), read)
                if len(found) > MOST_READS:
                    return list(found.values())
        return list(found.values())

    def of_operand(
        self, consumer: Node, position: int, reads: Sequence[Read] | None
    ) -> Iterable[Read]:
        """The reads of an operand by a node that is read so; None: that is computed in its box."""
        child, spec = consumer.inputs[position], OPS[consumer.op]
        if reads is None or spec.category not in POINTWISE or consumer.op in _BY_PLACE:
            return [_own_read(consumer, position)]
        try:
            return [
                Read(read.box, views.operand(consumer, position, read.view), _part(consumer, read))
                for read in reads
            ]
        except NeedsRoot:
            return [Read(child.shape, views.identity(child.shape))]

    def _reads_of_operand(self, consumer: Node, position: int) -> Iterable[Read]:
        """The reads of an operand by one node, or by all that see it through a view."""
        through = None if consumer in self.roots else self.through.get(consumer)
        return self.of_operand(consumer, position, through)


def _part(consumer: Node, read: Read) -> Node | None:
    """The smallest view on the way of a read that goes through a node; what computes ends it."""
    if consumer.op not in VIEW_OPS:
        return None
    return read.part if read.part and read.part.size <= consumer.size else consumer


def _own_read(consumer: Node, position: int) -> Read:
    """How a node that computes something reads an operand."""
    child = consumer.inputs[position]
    whole = Read(child.shape, views.identity(child.shape))
    if consumer.op == "repmat" and views.tiles(consumer):
        box = views.tile_box(consumer)
        rows = Rows(views.identity(box).rows[::2], len(box))
        return Read(box, views.fit(rows, len(child.shape)))
    if OPS[consumer.op].category not in POINTWISE or consumer.op in _BY_PLACE:
        return whole
    try:
        seen = views.operand(consumer, position, views.identity(consumer.shape))
    except NeedsRoot:
        return whole
    return Read(consumer.shape, seen)


def worth_storing(node: Node, reads: int, inlined: float, stored: AbstractSet[Node]) -> bool:
    """Whether a value that is read so often had better be stored.

    Args:
        node: the value.
        reads: how often its elements are read.
        inlined: how often they are evaluated if it is inlined.
        stored: what lies in memory.
    """
    if node.op == "param" or inlined <= node.size or node.size == 1:
        return False
    each = access(node)
    most = each * (node.size + reads) / (inlined - node.size)
    return evaluation_cost(node, stored, most) > most


def to_store(order: Sequence[Node], roots: AbstractSet[Node]) -> set[Node]:
    """What has to be stored, beside the roots, so that no work is done again and again."""
    if not any(node.op in VIEW_OPS for node in order):
        return set()  # all is read where it is computed
    reads, stored = Reads(order, roots), set(roots)
    forms: dict[Node, int] = {}
    for node in order:
        _add_forms(node, forms, stored)
        if node in stored or node.op in {"leaf", "param"}:
            continue
        found = reads.of(node)
        total = sum(read.points for read in found)
        if total <= node.size:
            continue
        if worth_storing(node, total, _evaluations(node, found), stored):
            stored.add(node)
    _store_what_inlined_readers_repeat(order, stored, reads)
    return stored - roots


def _store_what_inlined_readers_repeat(
    order: Sequence[Node], stored: set[Node], reads: Reads
) -> None:
    """Add to `stored` what several maps of its inlined readers lead to, readers first."""
    seen: dict[Node, dict[MapKey, Read]] = {}
    for node in reversed(order):
        if node.op in {"leaf", "param"}:
            continue
        found = list(seen.pop(node, {}).values())
        if node not in stored and _is_repeated(node, found, stored):
            stored.add(node)
        if node.op == "matmul":
            continue
        for position, child in enumerate(node.inputs):
            if child.op in {"leaf", "param"}:
                continue
            below = seen.setdefault(child, {})
            for read in reads.of_operand(node, position, None if node in stored else found):
                if len(below) <= MOST_READS:
                    below.setdefault(read.key(child.shape), read)


def _is_repeated(node: Node, reads: list[Read], stored: AbstractSet[Node]) -> bool:
    """Whether a value had better be stored than evaluated, or written down, for all these reads."""
    each = access(node)
    if len(reads) > MOST_COPIES and evaluation_cost(node, stored, each) > each:
        return True
    total = sum(read.points for read in reads)
    return total > node.size and worth_storing(node, total, _evaluations(node, reads), stored)


def _add_forms(node: Node, forms: dict[Node, int], stored: set[Node]) -> None:
    """Note in how many forms a place is written that reads down to what is stored.

    Runs of places within runs multiply them: what would have too many is stored below.
    """
    apart = len(cast("tuple[int, ...]", node.attrs[1])) if node.op == "runs" else 1
    below = max((forms.get(child, 1) for child in node.inputs if child not in stored), default=1)
    if apart > 1 and below * apart > MOST_FORMS and node.inputs[0].op not in {"leaf", "param"}:
        stored.add(node.inputs[0])
        below = 1
    forms[node] = below * apart


def _evaluations(node: Node, reads: list[Read]) -> float:
    """How often elements are evaluated; where only parts are read, the parts can be stored."""
    parts = {read.part for read in reads if read.part is not None}
    if all(read.part in parts for read in reads) and all(p.size < node.size for p in parts):
        return sum(part.size for part in parts)
    return sum(read.points for read in reads)
