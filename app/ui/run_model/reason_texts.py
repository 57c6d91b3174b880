"""Reasons, kinds and causes of the accelerator in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from app.engine.run_rows import BoundaryRow, GroupRow, LineRow
from app.ui.support import formats


class Why(NamedTuple):
    """A reason in a sentence, and what can be done about it; nothing where all is well."""

    sentence: str
    remedy: str = ""


REASONS = {
    "fused": Why("Fused: its operations run as one kernel."),
    "resident": Why("Its inputs are already on the GPU, so it runs where they are."),
    "too-small": Why(
        "Too small: starting a kernel would take longer than the work.",
        "Work on more elements at once: whole arrays instead of pieces in a loop.",
    ),
    "cost-model-host": Why(
        "The host is estimated to be faster, transfers included.",
        "Keep the arrays on the GPU from line to line, so that no transfer is paid.",
    ),
    "cost-model-device": Why("The GPU is estimated to be faster, transfers included."),
    "precision": Why(
        "This adapter has no double precision, and doubles are computed in double.",
        "Use single(…) where its precision is enough.",
    ),
    "unsupported-op": Why(
        "This operation has no device form.",
        "Use a function that runs on the GPU (fuselab functions lists them), "
        "or do this step first or last, so that the rest fuses.",
    ),
    "needs-host-value": Why(
        "The script needs the value here: a test, a display or an index.",
        "Ask for the value after the arrays are done, or reduce it on the GPU "
        "to the number that is needed.",
    ),
    "indexed-assignment": Why(
        "A part of the array is assigned.",
        "Write the whole array in one expression, with a logical mask for the part.",
    ),
    "shape-mismatch": Why(
        "The shapes differ, so the operations cannot share a loop.",
        "Give the operands the same shape, or compute the one of the other shape first.",
    ),
    "buffer-limit": Why(
        "The array is larger than this adapter's largest buffer binding.",
        "Work on blocks of columns, or use single for half the size.",
    ),
    "domain-guard": Why(
        "Some elements left the real domain, so the group was redone on the host.",
        "Keep arguments in the real domain, as with max(x, 0), or make them "
        "complex from the start.",
    ),
    "breakpoint": Why(
        "A breakpoint stands inside; the group is split for this run.",
        "Remove the breakpoint, and the next run fuses again.",
    ),
    "forced": Why(
        "You chose this place yourself.",
        "Set the device back to automatic to let the cost model choose.",
    ),
    "no-device": Why(
        "There is no usable adapter.",
        "Install a Vulkan driver (Mesa's software driver will do) or another graphics "
        "driver; the Device panel lists what is found.",
    ),
    "out-of-memory": Why(
        "The device's memory is full.", "Clear or evict arrays that are not needed, or use single."
    ),
    "device-lost": Why("The device was lost.", "Run again; if it is lost again, split long work."),
    "graph-limit": Why(
        "The graph reached its size limit and was evaluated.",
        "Nothing is lost: the operations so far ran as groups; shorter loops "
        "between uses of the value give larger ones.",
    ),
}

LOOP = Why(
    "The loop did not become one piece of compiled code.",
    "Let what it carries keep its class and size from pass to pass, or write it as "
    "operations on whole arrays.",
)
"""What a boundary whose detail is about a loop means, whatever its reason."""

PARFOR = Why("A parfor shares its passes among workers where that is faster.")
"""What a boundary whose detail is about a parfor means, whatever its reason."""

CHOOSE_IT = "To use it anyway, choose GPU in the Device panel, or run with --device gpu."
DETAILS = (
    ("no work so far was worth opening", Why("The host did it, because {}.", CHOOSE_IT)),
    (
        "the device is still opening",
        Why("The host did it, because {}.", "The next run finds it open."),
    ),
    (
        "its kernel takes",
        Why(
            "The host did it, because {}.",
            "Kernels that pay are compiled while the script runs, and kept: run again.",
        ),
    ),
)
"""Why the host was cheaper, where the reason alone would not tell; by how the detail begins."""

KINDS = {
    "elementwise": "element-wise chain",
    "reduction": "reduction with its producers",
    "matmul_epilogue": "matrix product with epilogue",
    "centered_gram": "centred Gram matrix",
    "power_step": "power step",
    "explained_variance": "explained variance",
    "image_normalize": "statistics, then normalisation",
    "loop": "whole loop",
    "scan": "running sum",
    "random": "random numbers",
    "single": "single operation",
}


def _explanation_of(name: str, detail: str) -> Why:
    if detail.startswith("the parfor "):
        return PARFOR
    about_loop = detail.startswith("the loop ") and name not in {"fused", "breakpoint"}
    return _cheaper(name, detail) or (LOOP if about_loop else REASONS.get(name, Why(name)))


def _cheaper(name: str, detail: str) -> Why | None:
    """What a detail says about the host's being cheaper, if it is one of ``DETAILS``."""
    if name != "cost-model-host":
        return None
    why = next((why for beginning, why in DETAILS if detail.startswith(beginning)), None)
    return why and Why(why.sentence.format(detail), why.remedy)


def reason(name: str, detail: str = "") -> str:
    """A reason as a sentence, with the details that go with it."""
    sentence = _explanation_of(name, detail).sentence
    if _cheaper(name, detail):
        return sentence
    detail = detail.removeprefix(f"{name}: ").removeprefix(name)
    detail = detail if not detail or detail.endswith(".") else f"({detail})"
    return f"{sentence} {detail}".strip() if detail else sentence


CAUSES = {
    "indexing": "single elements of it are read",
    "plot": "it is drawn",
    "operand": "a kernel reads it",
    "gpuArray": "gpuArray asks for it there",
    "scalar": "a kernel takes it as a number",
    "fallback": "the host computes with it",
    "mixed": "the host has computed a part of it",
    "eviction": "it makes room on the GPU",
    "needs-host-value": "the script needs the value: a test, a display or an index",
    "unsupported-op": "the host computes with it: the operation has no device form",
    "indexed-assignment": "a part of it is assigned on the host",
    "domain-guard": "some of it has left the real numbers: the host computes it again",
    "breakpoint": "the debugger shows it where it has stopped",
    "forced": "you chose where it is",
}
"""Why a value crossed the bus, as a clause about the value; other reasons say it as they are."""


def cause(name: str) -> str:
    """Why something crossed the bus, in a few words without a full stop."""
    return CAUSES.get(name) or _within(REASONS.get(name, Why(name)).sentence).removesuffix(".")


def _within(sentence: str) -> str:
    """A sentence as the end of another one."""
    return f"{sentence[:1].lower()}{sentence[1:]}"


def decision(group: GroupRow) -> str:
    """Where a group ran, why, and with which numbers, in one sentence."""
    place = "the host" if group.provider == "host" else "the GPU"
    estimates = _estimates(group)
    name, detail = _reason_and_detail(group)
    if not group.executions:
        return f"Planned for {place}, not run: the array is changed in its own memory instead."
    remedy = (
        _explanation_of(name, detail).remedy
        if name == "no-device" or _cheaper(name, detail)
        else ""
    )
    told = (reason(name, detail), estimates, measured_time(group), _work(group), remedy)
    return " ".join(part for part in (f"Ran on {place}.", *told) if part)


def _work(group: GroupRow) -> str:
    """What the plan of a group computes beside what it would take to compute every value once."""
    times = group.work_inflation
    return f"Its plan does {times:.2f} × the work of computing every value once." if times else ""


def _reason_and_detail(group: GroupRow) -> tuple[str, str]:
    """Reason and detail of a group; compiling is no reason where the host was faster anyway."""
    name, detail = group.reason, group.detail
    host, device = group.host_estimate_ms or 0.0, group.device_estimate_ms or 0.0
    return name, "" if detail.startswith("its kernel takes") and host <= device else detail


NOTHING_FUSED = "The last run had no arithmetic on arrays that are large enough to be fused."


def idle_device(groups: Iterable[GroupRow]) -> str:
    """Why a run had nothing done by the GPU, as most of its groups say; empty without groups."""
    said = [_explanation_of(*_reason_and_detail(g)) for g in groups if g.provider == "host"]
    if not said:
        return ""
    why = max(said, key=said.count)
    return f"{why.sentence} {why.remedy}".strip()


def measured_time(group: GroupRow) -> str:
    """How long a group took, in all and each time; empty where nobody measured it."""
    spent, runs = group.measured_ms, max(group.executions, 1)
    if spent is None:
        return ""
    each = f" in {formats.count(runs)} runs, {formats.milliseconds(spent / runs)} each"
    return f"Measured {formats.milliseconds(spent)}{each if runs > 1 else ''}."


FUSED = "fused"
"""The reason of a boundary at which nothing stopped: a loop's values that are stored."""


def boundary(row: BoundaryRow, groups: Iterable[GroupRow], lines: Iterable[LineRow]) -> str:
    """Why fusion stopped at a line, with the numbers of the line, and what to do about it.

    ``groups`` and ``lines`` are the rows of the boundary's file.
    """
    name, line, detail = row.reason, row.line, row.detail
    near = [g for g in groups if line in g.lines]
    moved = sum(r.download_bytes for r in lines if r.line == line)
    parts = (
        reason(name, detail),
        _estimates(near[-1]) if near else "",
        f"{formats.bytes_text(moved)} came down for it." if moved else "",
        _explanation_of(name, detail).remedy,
    )
    return " ".join(part for part in parts if part)


def at_line(row: BoundaryRow, groups: Iterable[GroupRow], lines: Iterable[LineRow]) -> str:
    """What a boundary says of its line: that fusion stopped there, or how it went on."""
    if row.reason == FUSED:
        return f"Fused: {row.detail}."
    return f"Fusion stops here. {boundary(row, groups, lines)}"


def stops(group: GroupRow, boundaries: Iterable[BoundaryRow]) -> str:
    """Why fusion went no further than a group, in a sentence; empty when nothing is known, as of a
    group of no line: what a figure asked for after the script."""
    if not group.lines:
        return ""
    last, file = max(group.lines), group.file
    stopping = [b for b in boundaries if b.line >= last and b.reason != FUSED]
    after = [b for b in stopping if not file or not b.file or b.file == file]
    if not after:
        return ""
    nearest = min(after, key=lambda b: b.line)
    sentence = reason(nearest.reason, nearest.detail)
    return f"Fusion stops at line {nearest.line}: {_within(sentence)}"


def _estimates(group: GroupRow) -> str:
    host, device = group.host_estimate_ms, group.device_estimate_ms
    known = []
    if device is not None:
        known.append(f"GPU {formats.milliseconds(device)}")
    if host is not None:
        known.append(f"host {formats.milliseconds(host)}")
    return f"Estimated {', '.join(known)}." if known else ""
