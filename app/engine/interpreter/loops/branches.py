"""Branches in a loop body that is traced: the body is run once per way through it.

A condition on a value of the trace has no answer yet. The run that asks for it is given up; the
body is run again with the answer *yes* and with *no*, and the variables take a value by choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from app.errors import Unsupported

MOST_WAYS = 16
MOST_OPERATIONS = 4096

Nodes = dict[str, Any]


class Undecided(Exception):
    """A run needs the truth of a traced value."""

    def __init__(self, node: Any) -> None:
        super().__init__(repr(node))
        self.node = node


class TracingRuntime:
    """The runtime while a body is traced: builds nodes, refuses to compute them.

    Attributes:
        decided: answers to conditions, by node.
        operations: what this run has captured so far.
    """

    def __init__(self, runtime: Any) -> None:
        self._runtime = runtime
        self.decided: Mapping[Any, bool] = {}
        self.operations = 0

    def __getattr__(self, name: str) -> Any:
        if name in {"leaf", "scalar", "locate", "recorder", "loop", "residency"}:
            return getattr(self._runtime, name)
        raise Unsupported(f"the data of a value are needed in every pass ({name})")

    def apply(self, *args: Any) -> Any:
        """The node of an operation; a body must not be longer than a kernel can be."""
        self.operations += 1
        if self.operations > MOST_OPERATIONS or self._is_deep(args[1]):
            raise Unsupported("a pass has too many operations")
        return self._runtime.apply(*args)

    def _is_deep(self, operands: Any) -> bool:
        """Whether a node of these would be so deep that it is computed at once."""
        limit = self._runtime.options.chain_limit * 3 // 4
        return any(node.depth > limit for node in operands)

    def gather(self, node: Any, cause: str = "") -> Any:
        """The answer to a condition; nothing else has a value yet."""
        if node.size != 1 or node.dtype.label != "logical":
            raise Unsupported(f"the data of a value are needed in every pass ({cause or 'gather'})")
        if node not in self.decided:
            raise Undecided(node)
        return np.array([[self.decided[node]]])


def explore(
    run: Callable[[Mapping[Any, bool]], Nodes],
    apply: Callable[..., Any],
    untouched: Callable[[Any], Any],
    decided: Mapping[Any, bool] | None = None,
) -> Nodes:
    """The variables after a pass, whichever way it takes.

    `untouched` says what is in the place that an assignment sets, where that is known.
    """
    known = decided or {}
    try:
        return run(known)
    except Undecided as question:
        condition = question.node
    if len(known) >= MOST_WAYS:
        raise Unsupported("a pass has too many branches")
    yes = explore(run, apply, untouched, {**known, condition: True})
    no = explore(run, apply, untouched, {**known, condition: False})
    return {n: chosen(apply, untouched, condition, yes[n], no[n]) for n in yes}


def chosen(
    apply: Callable[..., Any], untouched: Callable[[Any], Any], condition: Any, yes: Any, no: Any
) -> Any:
    """One of two values; two assignments to the same place become one of a chosen value.

    So does a single one: otherwise the place keeps what it had before the loop.
    """
    if yes is no:
        return yes
    if (yes.dtype, yes.shape) != (no.dtype, no.shape):
        raise Unsupported("a variable changes class or size from branch to branch")
    if yes.op == "assign" == no.op and _same_place(yes, no):
        value = chosen(apply, untouched, condition, yes.inputs[1], no.inputs[1])
        return apply("assign", (yes.inputs[0], value), yes.attrs, yes.data)
    for made, kept in ((yes, no), (no, yes)):
        if made.op == "assign" and made.inputs[0] is kept:
            before, value = untouched(made), made.inputs[1]
            pair = (value, before) if made is yes else (before, value)
            value = apply("select", (condition, *pair))
            return apply("assign", (kept, value), made.attrs, made.data)
    if "assign" in {yes.op, no.op}:
        raise Unsupported("only one of the branches fills an array")
    return apply("select", (condition, yes, no))


def _same_place(a: Any, b: Any) -> bool:
    return (a.inputs[0], a.attrs, a.data) == (b.inputs[0], b.attrs, b.data) and (
        a.inputs[1].shape == b.inputs[1].shape
    )
