"""Which nodes are stored and which groups compute them.

A *root* is a node whose value is written to memory; everything else is inlined where it is used.
Roots that walk the same box at the same level share a group: elementwise roots with common
operands, reductions over the same axes, and what is computed from their results (epilogue).
Levels make the group graph acyclic: a root is one level above the roots it reads, except that an
epilogue has the level of its reductions.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.codegen.algorithms import ALGORITHMS
from app.accel.fusion import compile_budget, group_order, prologues, recomputation
from app.accel.fusion.compile_budget import BUDGET, compile_weight
from app.accel.fusion.index_map import VIEW_OPS, tiles
from app.accel.fusion.nested_reductions import Walk, axes_of, is_reduction, walk_of
from app.accel.fusion.variance import SquaredDeviations, squared_deviations_of
from app.accel.ir.ops import OPS, Category
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.accel.ir.loop_node import LoopBody
    from app.accel.ir.node import Node, Shape

    BoxKey: TypeAlias = tuple[str, Shape, tuple[bool, ...]]

ALWAYS_STORED = frozenset({"cat", "assign", "loop", "pick"})
MOVED = frozenset({"slice", "runs", "permute", "repmat"})
"""Views that need to know every dimension of what they are seen through."""

LOOKED_AT = 16
"""Nodes below a reduction among which a reshape is looked for."""

MOST_REDUCTIONS = 8
"""Reductions of one kernel: each needs accumulators, and a workgroup has only so much memory."""

STRUCTURAL = frozenset({Category.REDUCTION, Category.SCAN, Category.MATMUL, Category.ALGORITHM})


@mutable_record
class Group:
    """Roots that one kernel (or a short sequence of them) computes.

    Attributes:
        template: map, reduce, scan, matmul, algorithm, cat, assign, repmat.
        box: the walked extents.
        axes: per axis, whether it is reduced or scanned.
        level: groups of lower levels come first.
        roots: its nodes of interest, operands before consumers.
        stored: the roots that somebody outside the group needs.
        reductions: the reductions, scans or products among the roots.
        finished: roots known only after the walk: reductions and what is computed from them.
        spreads: the reductions that are sums of squares around a mean of the same walk.
        walks: the reductions that reduce what other ones would have given.
        computed: all that it computes, where that may be too much for one kernel.
        weight: what compiling that weighs.
    """

    template: str
    box: Shape
    axes: tuple[bool, ...]
    level: int
    roots: list[Node] = field(default_factory=list)
    stored: list[Node] = field(default_factory=list)
    reductions: list[Node] = field(default_factory=list)
    finished: set[Node] = field(default_factory=set)
    spreads: dict[Node, SquaredDeviations] = field(default_factory=dict)
    walks: dict[Node, Walk] = field(default_factory=dict)
    computed: set[Node] = field(default_factory=set)
    weight: int = 0


def category(node: Node) -> Category:
    """The op's category."""
    return OPS[node.op].category


def box_of(node: Node, walk: Walk | None = None) -> BoxKey:
    """The template and box of a root that is not an epilogue; a reduction may walk further."""
    kind = category(node)
    if kind is Category.REDUCTION:
        data, axes = (walk.data, walk.axes) if walk else (node.inputs[0], axes_of(node))
        shape = data.shape
        if (inner := reshaped(node, data)) is not None:
            return "reduce", inner, (True,) * len(inner)
        if min(axes) >= len(shape):
            return "reduce", (*shape, 1), (*(False for _ in shape), True)
        whole = any(shape[k] != 1 for k in axes if k < len(shape))
        flags = tuple(k in axes or (whole and n == 1) for k, n in enumerate(shape))
        return "reduce", shape, flags
    if kind is Category.SCAN:
        axis = cast("int", node.attrs[0])
        return "scan", node.shape, tuple(k == axis for k in range(len(node.shape)))
    if kind is Category.MATMUL:
        return "matmul", node.shape, (False, False)
    if kind is Category.ALGORITHM:
        return "algorithm", node.inputs[0].shape, ()
    if node.op == "loop":
        return "loop", cast("LoopBody", node.attrs[0]).box, ()
    if node.op in ALWAYS_STORED:
        return node.op, node.shape, ()
    if tiles(node):
        return "repmat", node.shape, ()
    return "map", node.shape, (False,) * len(node.shape)


def reshaped(node: Node, data: Node) -> Shape | None:
    """The shape in which a reduction of all elements had better walk them, as in ``sum(x(:))``.

    Only where something is spread over the elements, or they are moved, before they are lined up.
    """
    if node.size != 1 or node.op.startswith("arg"):
        return None
    found: Shape | None = None
    stack = [data]
    for _ in range(LOOKED_AT):
        if not stack:
            break
        below = stack.pop()
        inner = below.inputs[0] if below.op == "reshape" else below
        if found is None and inner is not below and inner.op != "leaf":
            found = inner.shape
        spread = any(1 < child.size < inner.size for child in inner.inputs)
        if found is not None and (spread or inner.op in MOVED):
            return found
        stack += [c for c in inner.inputs if c.size == inner.size]
    return None


def lines_up(node: Node) -> bool:
    """Whether a view has all elements in the order in which they lie."""
    is_vector = node.size == max(node.shape)
    return node.op == "reshape" or (node.op == "permute" and is_vector)


def strip_views(node: Node) -> Node:
    """The node below views that only rearrange."""
    while node.op in VIEW_OPS:
        node = node.inputs[0]
    return node


@mutable_record
class Partition:
    """The working state of one partitioning.

    Attributes:
        order: pending nodes, operands first.
        roots: nodes to store.
        wanted: roots that somebody outside needs (requested, or stored on second demand).
        most: roots of a group; a kernel binds only so many arrays, an operand and the parameters
            beside them.
        poll: called for every root; raises what ends it early.
        solo: roots that must have a group of their own (their joint kernel was too wide).
        walks: the reductions of reductions that nobody else needs.
        is_heavy: whether one kernel for everything would take too long to compile.
    """

    order: list[Node]
    wanted: list[Node]
    most: int
    poll: Callable[[], None]
    solo: set[Node] = field(default_factory=set)
    roots: set[Node] = field(default_factory=set)
    deps: dict[Node, frozenset[Node]] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    group_of: dict[Node, Group] = field(default_factory=dict)
    readers: Counter[Node] = field(default_factory=Counter)
    walks: dict[Node, Walk] = field(default_factory=dict)
    is_heavy: bool = False

    def build(self, extra: Iterable[Node]) -> list[Group]:
        """Groups in an order in which they can run."""
        self.roots = {node for node in self.order if self._must_be_stored(node)}
        self.roots.update(self.wanted)
        self.roots.update(extra)
        self.readers = Counter(child for node in self.order for child in set(node.inputs))
        self._join_nested(self.solo.union(self.wanted, extra))
        self._add_operands()
        self.roots |= recomputation.to_store(self.order, self.roots)
        self.is_heavy = compile_weight(self.order) > BUDGET
        if self.is_heavy:
            self.roots |= compile_budget.to_store(self.order, self.roots)
        self._group()
        dear = self._dear_shared()
        while dear:
            self.roots.update(dear)
            self._group()
            dear = self._dear_shared()
        self._mark_stored()
        return self.groups

    def _mark_stored(self) -> None:
        needed = set(self.wanted)
        for root in self.roots:
            mine = self.group_of[root]
            needed.update(d for d in self.deps[root] if self.group_of[d] is not mine)
        for group in self.groups:
            group.stored = [root for root in group.roots if root in needed]
        stored = [group for group in self.groups if group.stored]
        needs = {
            id(group): {id(self.group_of[d]) for root in group.roots for d in self.deps[root]}
            for group in stored
        }
        self.groups = group_order.row_by_row(stored, needs)

    def _must_be_stored(self, node: Node) -> bool:
        return category(node) in STRUCTURAL or node.op in ALWAYS_STORED

    def _join_nested(self, needed: set[Node]) -> None:
        """Have reductions walk what the reductions below them would have walked."""

        def is_free(node: Node) -> bool:
            return is_reduction(node) and self.readers[node] == 1 and node not in needed

        for node in reversed(self.order):
            if is_reduction(node) and node in self.roots and is_free(node.inputs[0]):
                walk = walk_of(node, is_free)
                if walk.inner:
                    self.walks[node] = walk
                    self.roots.difference_update(walk.inner)

    def _add_operands(self) -> None:
        """Roots that follow from how an op reads its operands."""
        for node in self.order:
            if node.op == "assign" and self._reads_its_base(node):
                self.roots.add(node.inputs[1])
            for child in node.inputs:
                if child.op in {"leaf", "param"}:
                    continue
                if node.op == "matmul":
                    self._add_factor(node, product_operand(child))
                elif _reads_memory(node, child):
                    self.roots.add(child)
                elif self._is_hoisted(node, child):
                    self.roots.add(strip_views(child))
        self.roots = {node for node in self.roots if node.op not in {"leaf", "param"}}

    def _reads_its_base(self, node: Node) -> bool:
        """Whether a small part is made of what it is set in: stored, it can be set in place."""
        base, value = node.inputs
        if base.op == "leaf" or base in self.wanted or 2 * value.size > base.size:
            return False
        stack, seen = [value], {value}
        while stack:
            below = stack.pop()
            if below is base:
                return True
            if below is value or below not in self.roots:
                stack += [child for child in below.inputs if child not in seen]
                seen.update(below.inputs)
        return False

    def _add_factor(self, product: Node, factor: Node) -> None:
        """A factor is stored, unless tiles of the product may well compute it as they load."""
        stored = self.roots.union(self.wanted)
        self.roots |= prologues.to_store(product, factor, stored, self.readers)

    def _is_hoisted(self, node: Node, child: Node) -> bool:
        """A small computed operand of a large box is computed once, not per point."""
        if child.size >= node.size or category(node) in STRUCTURAL or node.op in PLACING:
            return False
        below = strip_views(child)
        return below.op not in {"leaf", "param", "position", "iota"} and below.size < node.size

    def _group(self) -> None:
        self.groups, self.group_of, self.deps = [], {}, {}
        cones: dict[Node, frozenset[Node]] = {}
        for node in self.order:
            self.deps[node] = self._dependencies(node)
            if node in self.roots:
                self.poll()
                cones[node] = self._cone(node)
                self._place(node, cones)
        self.groups.sort(key=lambda group: group.level)

    def _dependencies(self, node: Node) -> frozenset[Node]:
        """The roots that a node reads."""
        deps: set[Node] = set()
        for child in node.inputs:
            deps |= {child} if child in self.roots else self.deps.get(child, frozenset())
        return frozenset(deps)

    def _cone(self, root: Node) -> frozenset[Node]:
        """Everything inlined into a root, with the leaves and roots it reads."""
        seen: set[Node] = set()
        group = self.group_of.get(root)
        spread = group.spreads.get(root) if group else None
        walk = self.walks.get(root)
        stack = [walk.data] if walk else list(root.inputs)
        stack = [spread.data, spread.centre] if spread else stack
        while stack:
            node = stack.pop()
            if node in seen or node.op == "param":
                continue
            seen.add(node)
            if node not in self.roots:
                stack.extend(node.inputs)
        return frozenset(seen)

    def _place(self, node: Node, cones: dict[Node, frozenset[Node]]) -> None:
        deps = self.deps[node]
        if node.op == "pick":
            group: Group | None = self.group_of[node.inputs[0]]
        else:
            cone = cones[node]
            group = (
                self._with_its_mean(node)
                or self._epilogue_group(node, deps, cone)
                or self._same_pass(node, deps, cone)
            )
        if group is None:
            level = 1 + max((self.group_of[d].level for d in deps), default=-1)
            group = self._join(node, level, cones) or self._open(node, level)
        self.group_of[node] = group
        if category(node) in STRUCTURAL:
            group.reductions.append(node)
            group.finished.add(node)
        elif deps & group.finished:
            group.finished.add(node)
        group.roots.append(node)
        if node in self.walks:
            group.walks[node] = self.walks[node]
        if self.is_heavy:
            fresh = self._nodes_computed_for(node) - group.computed
            group.computed |= fresh
            group.weight += compile_weight(fresh)

    def _with_its_mean(self, node: Node) -> Group | None:
        """The group of the mean that a sum of squared distances is taken from."""
        below = self.deps[node].union(*(self.deps[root] for root in self.deps[node]))
        spread = squared_deviations_of(node, self.roots, below)
        if spread is None:
            return None
        group, cone = self.group_of[spread.total], self._cone(spread.centre)
        if len(group.reductions) >= MOST_REDUCTIONS or self.solo & {node, *group.roots}:
            return None
        if spread.total not in group.finished or group.template != "reduce":
            return None
        if not all(
            self._can_be_read_by(n, group) or _pointwise(n, node, set(), set())
            for n in (spread.centre, *cone)
        ):
            return None
        group.spreads[node] = spread
        return group

    def _can_be_read_by(self, node: Node, group: Group) -> bool:
        """Whether the epilogue of a group can read a root."""
        if node not in self.roots:
            return False
        return node in group.finished or self.group_of[node].level < group.level

    def _same_pass(self, node: Node, deps: frozenset[Node], cone: frozenset[Node]) -> Group | None:
        """The group of elementwise roots of the same box that this node reads, if that is all."""
        if not deps or node in self.solo:
            return None
        highest = self._highest(deps)
        box = box_of(node, self.walks.get(node))[1]
        top = next((group for group in highest if group.box == box), highest[0])
        others = [group for group in highest if group is not top]
        near = [d for d in deps if self.group_of[d] is top]
        if not top.finished.isdisjoint(near) or not all(map(self._can_come_earlier, others)):
            return None
        by_place = {n.inputs[0] for n in (*cone, node) if n.op == "gather"}
        if node.op in ALWAYS_STORED or not by_place.isdisjoint(near):
            return None
        if not VIEW_OPS.isdisjoint(n.op for n in (*cone, node)):
            walk = self.walks.get(node)
            below = walk.data if walk else node.inputs[0]
            walked = below if category(node) in STRUCTURAL else node
            if not recomputation.read_in_place(walked, top.box, self.roots, {*top.roots}):
                return None
        found = self._fits(node, top)
        if found is not None:
            _put_earlier(others)
        return found

    def _highest(self, deps: frozenset[Node]) -> list[Group]:
        """The groups of the highest level among those of roots, in their order."""
        high = max(self.group_of[d].level for d in deps)
        marked = {id(self.group_of[d]) for d in deps if self.group_of[d].level == high}
        return [group for group in self.groups if id(group) in marked]

    def _fits(self, node: Node, group: Group) -> Group | None:
        template, box, axes = box_of(node, self.walks.get(node))
        if group.box != box or not {template, group.template} <= {"map", "reduce"}:
            return None
        if len(group.roots) >= self.most:
            return None
        if self.solo & {*group.roots} or self._is_too_heavy(node, group):
            return None
        if template == "reduce" == group.template and axes != group.axes:
            return None
        if template == "reduce" and len(group.reductions) >= MOST_REDUCTIONS:
            return None
        if template == "reduce":
            group.template, group.axes = "reduce", axes
        return group

    def _is_too_heavy(self, node: Node, group: Group) -> bool:
        """Whether the kernel of a group would take too long to compile with a further root."""
        if not self.is_heavy:
            return False
        fresh = self._nodes_computed_for(node) - group.computed
        return group.weight + compile_weight(fresh) > BUDGET

    def _nodes_computed_for(self, root: Node) -> set[Node]:
        """What a kernel computes for a root."""
        inlined = {n for n in self._cone(root) if n not in self.roots and n.op != "leaf"}
        return inlined | {root}

    def _open(self, node: Node, level: int) -> Group:
        template, box, axes = box_of(node, self.walks.get(node))
        group = Group(template, box, axes, level)
        self.groups.append(group)
        return group

    def _join(self, node: Node, level: int, cones: dict[Node, frozenset[Node]]) -> Group | None:
        """A group of the same level and box; all but reductions must share an operand with it."""
        if node in self.solo:
            return None
        template = box_of(node)[0]
        for group in self.groups:
            if group.level != level:
                continue
            if template == "algorithm" == group.template and _one_run(node, group.reductions):
                return group
            alike = template == "reduce" == group.template
            if (alike or self._shares(node, group, cones)) and self._fits(node, group):
                return group
        return None

    def _shares(self, node: Node, group: Group, cones: dict[Node, frozenset[Node]]) -> bool:
        mine = cones[node] | {node}
        return any(mine & (cones[root] | {root}) for root in group.roots)

    def _epilogue_group(
        self, node: Node, deps: frozenset[Node], cone: frozenset[Node]
    ) -> Group | None:
        """The group whose results this node finishes, if it can run in its epilogue."""
        if not deps or node in self.solo:
            return None
        if category(node) in STRUCTURAL or box_of(node)[0] != "map":
            return None
        highest = self._highest(deps)
        top = next((g for g in highest if g.template == "matmul"), highest[0])
        near = [d for d in deps if self.group_of[d] is top]
        if top.template not in {"reduce", "matmul", "scan"} or any(
            d.size != node.size or d not in top.finished for d in near
        ):
            return None
        own = {*near, node}
        if not all(_pointwise(n, node, self.roots, own) for n in (*cone, node)):
            return None
        lined_up = any(d.shape != node.shape for d in near) and node.size != max(node.shape)
        inlined = [n for n in (*cone, node) if n is node or n not in self.roots]
        if lined_up and not all(_is_lined_up(n, node.size) for n in inlined):
            return None
        others = [group for group in highest if group is not top]
        if others and not self._is_read(top):
            top.level += 1
        elif all(map(self._can_come_earlier, others)):
            _put_earlier(others)
        else:
            return None
        return top

    def _can_come_earlier(self, group: Group) -> bool:
        """Whether what a group reads is there one level earlier, too."""
        below = {d for root in group.roots for d in self.deps[root] if d not in group.roots}
        return all(self.group_of[d].level < group.level - 1 for d in below)

    def _is_read(self, group: Group) -> bool:
        """Whether other groups read this one, and it must stay below them."""
        own = {*group.roots}
        return any(
            not own.isdisjoint(self.deps[root])
            for other in self.groups
            if other is not group
            for root in other.roots
        )

    def _dear_shared(self) -> set[Node]:
        """Inlined nodes that several groups would compute at a price above a round trip."""
        users: dict[Node, dict[int, int]] = {}
        for root in self.roots:
            group = self.group_of[root]
            for node in self._cone(root):
                if node not in self.roots and node.op not in {"leaf", *VIEW_OPS}:
                    users.setdefault(node, {})[id(group)] = math.prod(group.box)
        dear = {
            node
            for node, points in users.items()
            if len(points) > 1 and self._dear(node, list(points.values()))
        }
        inner = {child for node in dear for child in self._cone(node)}
        return dear - inner

    def _dear(self, node: Node, points: list[int]) -> bool:
        reads = sum(min(count, node.size) for count in points)
        return recomputation.worth_storing(node, reads, reads, self.roots)


def _put_earlier(groups: Iterable[Group]) -> None:
    for group in groups:
        group.level -= 1


def _reads_memory(node: Node, child: Node) -> bool:
    """Whether `node` needs `child` in memory."""
    if node.op == "gather":
        return child is node.inputs[0]
    if node.op == "assign":
        return child is node.inputs[0]
    return node.op == "matmul" or category(node) is Category.ALGORITHM


def _one_run(node: Node, others: Sequence[Node]) -> bool:
    """Whether the run of an algorithm that gives the others can give a node as well."""
    algorithm, first = ALGORITHMS[node.op], others[0]
    if algorithm is not ALGORITHMS[first.op] or node.attrs != first.attrs:
        return False
    if node.inputs == first.inputs:
        return True
    alike = node.inputs[0] is first.inputs[0] and node.dtype is first.dtype
    return alike and len(others) < algorithm.at_once


PLACING = frozenset({"gather", "assign", "cat"})
"""Ops whose operands are smaller than the result without being repeated in it."""


def product_operand(operand: Node) -> Node:
    """What a product reads: it transposes by itself."""
    turned = operand.op == "permute" and operand.attrs[0] == (1, 0)
    return operand.inputs[0] if turned and operand.inputs[0].op != "param" else operand


def _is_lined_up(node: Node, size: int) -> bool:
    """Whether the number of an element is all that is asked for: nothing is spread or counted."""
    if node.op in {"position", "iota"}:
        return False
    return all(operand.size in {1, size} for operand in node.inputs)


def _pointwise(node: Node, root: Node, roots: set[Node], own: set[Node]) -> bool:
    """Whether an epilogue of `root` can read or compute `node`; it is the group's `own` roots'."""
    if node in roots and node is not root:
        return True
    if node.op in VIEW_OPS:
        below = strip_views(node)
        if lines_up(node) and node.size == root.size:
            return True
        return below.op in {"leaf", "param"} or (below in roots and below not in own)
    if node.op in {"position", "iota"}:
        return node.shape == root.shape
    return node.op == "leaf" or category(node) in {Category.ELEMENTWISE, Category.CAST}
