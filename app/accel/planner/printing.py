"""Plans and kernels as text: for goldens, for the planner's panel, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.plan import Access, Instr, KernelRequest, Store, Template

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.planner.schedule import CompiledPlan, PlannedStep


def plan(compiled: CompiledPlan) -> str:
    """All steps of a plan; nodes are named by their number in the graph."""
    wanted = ", ".join(f"n{k}" for k in compiled.wanted)
    return "".join(map(step, compiled.steps)) + f"wanted: {wanted}\n"


def step(planned: PlannedStep) -> str:
    """One step: what it reads and writes, its box, its kernel."""
    reads = ", ".join(f"n{k}" for k in planned.inputs) or "nothing"
    writes = ", ".join(f"n{k}" for k in planned.outputs)
    return f"{planned.kind}: {reads} -> {writes}, box {_box(planned)}\n{kernel(planned.kernel)}"


def _box(planned: PlannedStep) -> str:
    flags = planned.kernel.reduced or (False,) * len(planned.extents)
    if len(flags) < len(planned.extents):
        flags += (False,) * (len(planned.extents) - len(flags))
    marked = [f"({e})" if flag else str(e) for e, flag in zip(planned.extents, flags, strict=True)]
    return "x".join(marked)


def kernel(request: KernelRequest) -> str:
    """The instructions of a kernel, one line each."""
    lines = list(_instrs(request, request.body, 0))
    number = len(request.body)
    if request.template is not Template.MATMUL:
        lines += [f"{r.op} of v{r.value}:{r.dtype.value}" for r in request.reductions]
    if request.loop is not None:
        loop = request.loop
        starts = ", ".join(f"v{v}" for v in loop.initial)
        lines.append(f"loop p{loop.trips} times from {starts}")
        lines += ["  " + line for line in _instrs(request, loop.steps, number)]
        lines += ["  " + line for line in _stores(request, loop.stores)]
        lines += [
            f"  out{t.binding} = {t.reduce.op} of v{t.reduce.value}:{t.reduce.dtype.value}"
            for t in loop.totals
        ]
        lines.append("  next " + ", ".join(f"v{v}" for v in loop.following))
        number += len(loop.steps)
    lines += _instrs(request, request.epilogue, number)
    lines += _stores(request, request.stores)
    return "".join(f"  {line}\n" for line in lines)


def _instrs(request: KernelRequest, instrs: Iterable[Instr], first: int) -> Iterable[str]:
    for number, instr in enumerate(instrs, first):
        guard = "  guarded" if instr.guard else ""
        yield f"v{number}:{instr.dtype.value} = {_text(request, instr)}{guard}"


def _text(request: KernelRequest, instr: Instr) -> str:
    args = ", ".join(f"v{a}" for a in instr.args)
    match instr.op:
        case "load":
            return f"in{instr.attrs[0]}[{_place(request, instr.attrs[1])}]"
        case "load_at":
            return f"in{instr.attrs[0]}[v{instr.args[0]}]"
        case "param":
            return f"p{instr.attrs[0]}"
        case "position":
            return f"place [{_place(request, instr.attrs[0])}]"
        case "result" | "carry" | "axis":
            return f"{instr.op} {instr.attrs[0]}"
        case _:
            return f"{instr.op}({args})"


def _place(request: KernelRequest, number: int) -> str:
    spec = request.maps[number]
    if spec.access is not Access.STRIDED:
        return str(spec.access.value)
    return "x".join("0" if zero else "s" for zero in spec.broadcast)


def _stores(request: KernelRequest, stores: Iterable[Store]) -> Iterable[str]:
    for item in stores:
        yield f"out{item.binding}[{_place(request, item.map)}] = v{item.value}"
