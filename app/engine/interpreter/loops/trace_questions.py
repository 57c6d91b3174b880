"""What a trace asked of data that passes do not change: it holds where the answers are these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.node import make
from app.accel.ir.ops import OPS
from app.accel.planner.put_off import Step
from app.engine.capture.known_answers import answers
from app.engine.interpreter.descriptions import HELD, is_constant
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.accel.ir.node import Node
    from app.engine.interpreter.loops.branches import Asked

    Answer = NDArray[np.generic]

CAUSE = "needs-host-value: what a trace of the loop depends on"


@mutable_record
class Questions:
    """Questions, and their answers. Nodes have numbers: those below the variables, others that are
    there, and what is made of them.

    Attributes:
        leaves: numbers, and small arrays made on the host.
        steps: how the others are made.
        answers: values, by number.
    """

    leaves: Sequence[Node]
    steps: Sequence[Step]
    answers: Sequence[tuple[int, Answer]]

    @classmethod
    def of(cls, asked: Mapping[Node, Asked], given: Sequence[Node]) -> Questions | None:
        """What was asked of these nodes below the variables; None where it was of others, too."""
        numbers = {node: k for k, node in enumerate(given)}
        below = {node: inputs for one in asked.values() for node, inputs in one.below}
        leaves = [n for n in below if n not in numbers and _stays(n)]
        for node in leaves:
            numbers[node] = len(numbers)
        steps = []
        for node, inputs in below.items():
            if node in numbers:
                continue
            drawn = node.op.startswith("random_") or node.op == "leaf"
            if drawn or (OPS[node.op].arity and not inputs):
                return None
            operands = tuple([numbers[operand] for operand in inputs])
            kind = node.attrs, node.dtype, node.shape, node.data, node.owner, node.origin
            steps.append(Step(node.op, operands, *kind))
            numbers[node] = len(numbers)
        return cls(leaves, steps, [(numbers[node], one.answer) for node, one in asked.items()])

    def are_answered_alike(self, given: Sequence[Node]) -> bool:
        """Whether the answers are the same for these nodes below the variables."""
        nodes = [*given, *self.leaves]
        for op, operands, attrs, dtype, shape, data, owner, origin in self.steps:
            inputs = tuple([nodes[number] for number in operands])
            nodes.append(make(op, inputs, attrs, dtype, shape, data, origin, owner))
        return all(
            _is_same(answers([nodes[number]], CAUSE)[0], old) for number, old in self.answers
        )


def _is_same(new: Answer, old: Answer) -> bool:
    """Whether answers have the same elements, in their order; lists come without their shape."""
    flat = new.reshape(-1, order="F"), old.reshape(-1, order="F")
    return np.array_equal(*flat, equal_nan=old.dtype.kind in "fc")


def _stays(node: Node) -> bool:
    """Whether a node is the same in every run."""
    return node.op == "param" or (node.op == "leaf" and node.size <= HELD and is_constant(node))
