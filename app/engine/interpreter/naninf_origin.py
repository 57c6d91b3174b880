"""Which operation of a fused statement made the first NaN or Inf.

A fused kernel keeps none of its intermediate values. The pending operations behind a variable are
noted before it is computed; when it turns out not to be finite they are computed one by one, in
the order of evaluation, until one turns finite operands into something that is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.values import DeviceArray, Value

if TYPE_CHECKING:
    from app.accel.ir.node import Node

MOST_STEPS = 256
_SIGNS = {
    "plus": "+",
    "minus": "-",
    "times": ".*",
    "rdivide": "./",
    "power": ".^",
    "mtimes": "*",
}
Steps = list[tuple["Node", str, tuple["Node", ...]]]
"""Nodes with what they were before their values became known."""


def lineage(value: Value) -> Steps:
    """The pending operations behind a value, operands first; empty for a value that is known."""
    if type(value) is not DeviceArray:
        return []
    steps: Steps = []
    seen: set[Node] = set()
    stack = [(value.node, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            steps.append((node, node.op, node.inputs))
        elif node not in seen and node.inputs:
            seen.add(node)
            stack.append((node, True))
            stack += [(operand, False) for operand in reversed(node.inputs)]
    return steps if len(steps) <= MOST_STEPS else []


def culprit(value: Value, steps: Steps) -> str:
    """Words about the operation that made the first NaN or Inf, such as ``: 0 ./ 0 on line 3``."""
    if type(value) is not DeviceArray:
        return ""
    for node, op, operands in steps:
        result = _numbers(value.runtime, node)
        if result is None or np.isfinite(result).all():
            continue
        given = [_numbers(value.runtime, operand) for operand in operands]
        made = ~np.isfinite(result)
        for operand in given:
            if operand is not None:
                made = made & _finite_there(operand, result.shape)
        if made.any():
            first = int(np.argmax(made.reshape(-1, order="F")))
            return _words(op, node.origin.line, result, given, first)
    return ""


def _numbers(runtime: Any, node: Node) -> np.ndarray[Any, Any] | None:
    if node.dtype.value[0] not in "fc":
        return None
    if node.op == "param":
        return np.full((1, 1), node.data[0])
    return np.asarray(runtime.gather(node, "breakpoint"))


def _finite_there(operand: np.ndarray[Any, Any], shape: tuple[int, ...]) -> Any:
    """Where an operand is finite, seen from the result; one of another shape counts as a whole."""
    finite = np.isfinite(operand)
    if all(a in (1, b) for a, b in zip(finite.shape, shape, strict=False)):
        return finite
    return bool(finite.all())


def _words(
    op: str,
    line: int,
    result: np.ndarray[Any, Any],
    given: list[np.ndarray[Any, Any] | None],
    first: int,
) -> str:
    place = np.unravel_index(first, result.shape, order="F")
    texts = [
        _element_text(operand, place, result.shape) for operand in given if operand is not None
    ]
    sign = _SIGNS.get(op)
    call = f" {sign} ".join(texts) if sign and len(texts) == 2 else f"{op}({', '.join(texts)})"
    index = ",".join(str(int(k) + 1) for k in place)
    return f": {call} at ({index})" + (f" on line {line}" if line else "")


def _element_text(
    operand: np.ndarray[Any, Any], place: tuple[Any, ...], shape: tuple[int, ...]
) -> str:
    """An operand's element at a place of the result; its size where that means nothing."""
    if not all(a in (1, b) for a, b in zip(operand.shape, shape, strict=False)):
        return "×".join(map(str, operand.shape))
    index = tuple(0 if n == 1 else int(k) for n, k in zip(operand.shape, place, strict=False))
    return f"{operand[index]:.6g}"
