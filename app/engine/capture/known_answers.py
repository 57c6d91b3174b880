"""What was asked of data before: a question about one array has one answer as long as it lives.

Whether places are valid, points ascend or numbers are whole is asked in every pass of a loop, often
about the same array, and looking where it lies takes as long as many kernels do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from app.accel.ir.node import Node, toposort
from app.engine.capture.capture_session import Session, note_look
from app.engine.values.lazy import Watch

if TYPE_CHECKING:
    from app.engine.values import Array

Question: TypeAlias = "tuple[Node, Hashable]"
"""An array that is stored, and what is computed of it."""

MOST_OPERATIONS = 32
"""Of a question."""
MOST_QUESTIONS = 16
"""About one array."""
FEW = 4
"""Elements of an answer that is remembered."""
_known: WeakKeyDictionary[Node, dict[Hashable, Array]] = WeakKeyDictionary()


def answers(asked: Sequence[Node], cause: str) -> list[Array]:
    """The values of nodes of few elements; what is not known is computed together.

    While a pass is traced, what passes change is not remembered: those answers are those of a way
    through it.
    """
    runtime, tracer = Session.runtime, Watch.runtime
    questions = [
        None if tracer is not None and tracer.varies(node) else _question(node) for node in asked
    ]
    found = [None if q is None else _known.get(q[0], {}).get(q[1]) for q in questions]
    made = [known for known in found if known is not None]
    if len(made) == len(asked):
        note_look(list(zip(asked, made, strict=True)))
        return made
    if len(asked) > 1 and tracer is None:
        runtime.evaluate(asked, cause)
    made = [runtime.gather(node, cause) for node in asked]
    for question, value in zip(questions, made, strict=True):
        if question is not None and value.size <= FEW:
            about = _known.setdefault(question[0], {})
            if len(about) < MOST_QUESTIONS:
                about[question[1]] = value
    return made


def _question(asked: Node) -> Question | None:
    """What a node asks of a stored array; None where it asks of several, or of a pass."""
    source: Node | None = None
    numbers: dict[Node, int] = {}
    parts: list[Hashable] = []
    for node in toposort([asked]):
        if len(parts) >= MOST_OPERATIONS:
            return None
        numbers[node] = len(parts)
        if node.op == "leaf" and source in {None, node}:
            source = node
            parts.append(None)
        elif node.inputs or node.op == "param":
            operands = tuple([numbers[operand] for operand in node.inputs])
            data = repr(node.data)  # NaN is itself, and zeros have signs
            parts.append((node.op, node.attrs, node.dtype, node.shape, data, operands))
        else:
            return None
    return None if source is None or source is asked else (source, tuple(parts))
