"""Reasons, kinds and causes of the accelerator in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.ui import formats

Row = Mapping[str, Any]

REASONS = {
    "fused": "Fused: its operations run as one kernel.",
    "resident": "Its inputs are already on the GPU, so it runs where they are.",
    "too-small": "Too small: starting a kernel would take longer than the work.",
    "cost-model-host": "The host is estimated to be faster, transfers included.",
    "cost-model-device": "The GPU is estimated to be faster, transfers included.",
    "precision": "This adapter has no double precision, and doubles are computed in double.",
    "unsupported-op": "This operation has no device form.",
    "needs-host-value": "The script needs the value here: a test, a display or an index.",
    "indexed-assignment": "A part of the array is assigned.",
    "shape-mismatch": "The shapes differ, so the operations cannot share a loop.",
    "buffer-limit": "The array is larger than this adapter's largest buffer binding.",
    "domain-guard": "Some elements left the real domain, so the group was redone on the host.",
    "breakpoint": "A breakpoint stands inside; the group is split for this run.",
    "forced": "You chose this place yourself.",
    "no-device": "No usable adapter was found.",
    "out-of-memory": "The device's memory is full.",
    "device-lost": "The device was lost.",
    "graph-limit": "The graph reached its size limit and was evaluated.",
}

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


def reason(name: str, detail: str = "") -> str:
    """A reason as a sentence, with the details that go with it."""
    sentence = REASONS.get(name, name)
    detail = detail.removeprefix(f"{name}: ").removeprefix(name)
    detail = detail if not detail or detail.endswith(".") else f"({detail})"
    return f"{sentence} {detail}".strip() if detail else sentence


CAUSES = {
    "indexing": "single elements were read",
    "display": "the value is displayed",
    "inspection": "the window shows the value",
    "plot": "the value is drawn",
    "input": "a kernel needs it",
    "condition": "an if or while tests it",
}


def cause(name: str) -> str:
    """Why something crossed the bus."""
    return CAUSES.get(name) or REASONS.get(name) or name


def decision(group: Row) -> str:
    """Where a group ran, why, and with which numbers, in one sentence."""
    place = "the host" if group.get("provider") == "host" else "the GPU"
    estimates = _estimates(group)
    measured = group.get("measured_ms")
    parts = [f"Ran on {place}."]
    parts.append(reason(str(group.get("reason", "")), str(group.get("detail", "") or "")))
    if estimates:
        parts.append(estimates)
    if measured is not None:
        runs = group.get("executions", 1)
        times = f" over {formats.count(runs)} runs" if runs > 1 else ""
        parts.append(f"Measured {formats.milliseconds(measured)}{times}.")
    return " ".join(part for part in parts if part)


def stops(group: Row, boundaries: Iterable[Row]) -> str:
    """Why fusion went no further than a group, in a sentence; empty when nothing is known."""
    last = max(group.get("lines") or [0])
    file = group.get("file")
    after = [
        b
        for b in boundaries
        if b["line"] >= last and (not file or not b.get("file") or b["file"] == file)
    ]
    if not after:
        return ""
    nearest = min(after, key=lambda b: b["line"])
    sentence = reason(str(nearest["reason"]), str(nearest.get("detail", "") or ""))
    return f"Fusion stops at line {nearest['line']}: {sentence[:1].lower()}{sentence[1:]}"


def _estimates(group: Row) -> str:
    host, device = group.get("host_estimate_ms"), group.get("device_estimate_ms")
    known = []
    if device is not None:
        known.append(f"GPU {formats.milliseconds(device)}")
    if host is not None:
        known.append(f"host {formats.milliseconds(host)}")
    return f"Estimated {', '.join(known)}." if known else ""


def arrays_text(arrays: Any) -> str:
    """Inputs or outputs of a group: shapes and classes, resident ones marked."""
    return ", ".join(
        f"{formats.size_text(a['shape'])} {a['class']}{' ■' if a.get('resident') else ''}"
        for a in arrays
    )
