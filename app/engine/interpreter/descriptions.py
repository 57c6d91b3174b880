"""What capture may look at before it runs a text, and what it leaves to be put together again.

Capture looks at classes, sizes, pending operations and where values are, never at the elements of
an array; whatever does look at elements asks the runtime for them. So what the same text captures
follows from the description of its variables. A description holds numbers, texts and small arrays
whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar
from weakref import ref

import numpy as np

from app.accel.ir.node import make, toposort
from app.accel.planner.put_off import Step
from app.engine.capture.capture_session import Session, known_leaf
from app.engine.declarations import registry
from app.engine.interpreter.unit import Unit, link_name
from app.engine.values import DeviceArray, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from app.accel.ir.node import Node

    T = TypeVar("T")

PENDING = 64
"""Nodes below the variables that there are; of more a description takes too long."""
SMALL = 1 << 14
"""Elements of arrays on the host that are described by what they hold: larger ones are captured by
leaves that stay theirs."""
MOST = 4
"""Graphs remembered of a text, and descriptions of runs that may become one."""
HELD = 1 << 16
"""Elements of an array made on the host up to which a graph keeps it."""
ATTEMPTS = 4
"""Runs that leave nothing to be remembered, after which a text is only run."""
NUMBERS = (float, bool, complex, str)


def describe(value: Value, numbers: dict[Node, int], found: list[Hashable]) -> bool:
    """Add the description of a variable to `found`; whether there is one.

    The nodes below it are numbered, in the order in which they are met.
    """
    if isinstance(value, DeviceArray):
        if value.pending is not None or value.undecided is not None:
            return False  # it is more than its node
        if value.known and not describe(value.gather(), numbers, found):
            return False  # somebody has seen its data
        node = value.node
        if node not in numbers and not _describe_node(node, numbers, found):
            return False
        found.append((numbers[node], value.guarded))
    elif type(value) in NUMBERS:
        found.append((type(value), repr(value)))
    elif isinstance(value, np.ndarray) and value.size <= SMALL:
        found.append((value.dtype, value.shape, value.tobytes()))
    else:
        return False
    return True


def describe_held(value: Value, numbers: dict[Node, int], found: list[Hashable]) -> bool:
    """The same of an array on the host that a leaf stands for: it is this one, with its elements.

    An assignment into it would copy it, for the leaf refers to it.
    """
    leaf = known_leaf(value) if isinstance(value, np.ndarray) else None
    if leaf is None or (leaf not in numbers and not _describe_node(leaf, numbers, found)):
        return False
    found.append(ref(leaf))
    return True


def _describe_node(root: Node, numbers: dict[Node, int], found: list[Hashable]) -> bool:
    """Number the nodes below one, and describe them; whether they can be described."""
    record_of = Session.runtime.residency.record
    for node in toposort([root]):
        if node in numbers:
            continue
        record = record_of(node)
        if node.op == "leaf":
            if record is None:
                return False
            facts = record.where, record.least, record.is_complex, node.wished
            found.append((node.dtype, node.shape, *facts))
        else:
            operands = tuple([numbers[operand] for operand in node.inputs])
            data = repr(node.data) if node.data else ""
            found.append((node.op, operands, node.attrs, node.dtype, node.shape, data, node.wished))
        numbers[node] = len(numbers)
    return len(numbers) <= PENDING


def links_of(unit: Unit, names: Sequence[str], calling: bool) -> dict[str, object] | None:
    """The functions that names mean; None where one is more than a builtin that computes.

    With `calling` it may be one that wants a context: to draw random numbers or to call a function
    of the script's that it is told of.
    """
    found: dict[str, object] = {}
    for name in names:
        builtin = registry.lookup(name)
        if builtin is None or builtin.toolbox is not None:
            return None
        if not builtin.is_pure or (builtin.wants_context and not calling):
            return None
        if unit.interpreter.find(unit, name) is not unit.interpreter.builtin(name):
            return None
        key = link_name(name)
        found[key] = unit.namespace.get(key)
    return found


def is_constant(leaf: Node) -> bool:
    """Whether a value was made on the host: of what is described, if nobody looked."""
    record = Session.runtime.residency.record(leaf)
    made_here = record is not None and record.host is not None
    return made_here and not record.source and record.recipe is None  # type: ignore[union-attr]


def step_of(node: Node, numbers: dict[Node, int], *, drawing: bool = False) -> Step | None:
    """How to make a node again; None for one that is not what its description makes.

    With `drawing` somebody sees to it that random numbers are those of their place in the stream.
    """
    op, inputs, attrs, dtype, shape = node.op, node.inputs, node.attrs, node.dtype, node.shape
    if op.startswith("random_") and not drawing:
        return None
    if make(op, inputs, attrs, dtype, shape, node.data, owner=node.owner) is not node:
        return None
    operands = tuple([numbers[operand] for operand in inputs])
    return Step(op, operands, attrs, dtype, shape, node.data, node.owner, node.origin)


def put_last(held: dict[Hashable, T], key: Hashable, value: T) -> None:
    """Put an item behind the others; of too many the first goes."""
    while len(held) >= MOST:
        del held[next(iter(held))]
    held[key] = value
