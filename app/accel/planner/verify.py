"""What must be true between the stages; checked in tests and with the `verify` setting.

A malformed graph, kernel or plan dies where it is made, with a sentence that names the culprit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.accel.ir.node import toposort
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Access, Instr, KernelRequest, Template
from app.accel.ir.shapes import infer
from app.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.accel.ir.node import Node
    from app.accel.planner.schedule import CompiledPlan

SPECIAL = frozenset(
    "load load_at param position axis result carry counter advance "
    "random_uniform random_normal".split()
)


def _require(condition: bool, stage: str, message: str) -> None:
    if not condition:
        raise InternalError(stage, message)


def graph(roots: Iterable[Node]) -> None:
    """Every node has the operands, type and shape its op demands."""
    for node in toposort(roots):
        spec = OPS.get(node.op)
        _require(spec is not None, "graph", f"there is no op {node.op}")
        assert spec is not None
        if spec.category is Category.SOURCE:
            continue
        _require(spec.arity in {-1, len(node.inputs)}, "graph", f"{node}: operand count")
        dtype, shape = infer(node.op, node.inputs, node.attrs)
        _require((dtype, shape) == (node.dtype, node.shape), "graph", f"{node} is {dtype} {shape}")


def kernel(request: KernelRequest) -> None:
    """Instructions refer to earlier values, maps, bindings and parameters that exist."""
    steps = request.loop.steps if request.loop else ()
    everything: list[Instr] = [*request.body, *steps, *request.epilogue]
    for number, instr in enumerate(everything):
        _instruction(request, number, instr, everything)
    total = len(everything)
    every_pass = request.loop.stores if request.loop else ()
    for store in (*request.stores, *every_pass):
        _require(store.value < total, request.label, f"{store} stores nothing")
        _require(store.binding < len(request.outputs), request.label, f"{store}: no such output")
        _require(store.map < len(request.maps), request.label, f"{store}: no such map")
    for total_of in request.loop.totals if request.loop else ():
        _require(total_of.reduce.value < total, request.label, f"{total_of} takes nothing")
        _require(total_of.binding < len(request.outputs), request.label, f"{total_of}: no output")
    for spec in request.maps:
        known = spec.access is not Access.STRIDED or len(spec.broadcast) == request.rank
        _require(known, request.label, f"{spec} does not fit rank {request.rank}")
    if request.template in {Template.REDUCE, Template.SCAN}:
        _require(
            len(request.reduced) == request.rank and any(request.reduced),
            request.label,
            "nothing is reduced",
        )


def _instruction(
    request: KernelRequest, number: int, instr: Instr, everything: Sequence[Instr]
) -> None:
    label = f"{request.label}, value {number}"
    _require(all(arg < number for arg in instr.args), label, f"{instr} looks ahead")
    if instr.op == "load":
        binding, place = instr.attrs
        _require(request.inputs[binding] is instr.dtype, label, f"{instr}: type of the input")
        _require(place < len(request.maps), label, f"{instr}: no such map")
    elif instr.op == "param":
        _require(request.params[instr.attrs[0]] is instr.dtype, label, f"{instr}: its type")
    elif instr.op not in SPECIAL:
        spec = OPS.get(instr.op)
        _require(spec is not None, label, f"no op {instr.op}")
        assert spec is not None
        _require(spec.arity in {-1, len(instr.args)}, label, f"{instr}: operand count")
        types = {everything[arg].dtype for arg in instr.args}
        if instr.op == "select":
            types = {everything[arg].dtype for arg in instr.args[1:]}
            mask = everything[instr.args[0]].dtype
            _require(mask is DType.BOOL, label, "a select's mask is logical")
        _require(len(types) <= 1, label, f"{instr}: operands of different types {types}")


def plan(compiled: CompiledPlan, leaves: Iterable[int]) -> None:
    """Every step reads what is known by then, and every wanted value is written."""
    known = set(leaves)
    for step in compiled.steps:
        kernel(step.kernel)
        missing = set(step.inputs) - known
        _require(not missing, "plan", f"{step.kernel.label} reads {missing} before it is written")
        known.update(step.outputs)
    _require(set(compiled.wanted) <= known, "plan", "a wanted value is never written")
