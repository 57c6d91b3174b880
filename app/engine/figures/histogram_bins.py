"""The bins of a histogram: counted anew when a script changes its data, its bins or its norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.engine.figures.figure_data import HostData, ResidentData
from app.engine.figures.properties import plain_text
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext
    from app.engine.figures.objects import GraphicsObject

NORMS = ("count", "probability", "pdf", "cumcount", "cdf", "countdensity", "percentage")


def counted(ctx: CallContext, sample: Value, words: list[Value]) -> tuple[Array, Array]:
    """Counts and edges as ``histcounts`` has them."""
    counts, edges = ctx.call("histcounts", (sample, *words), 2)[:2]
    return as_array(counts).reshape(-1), as_array(edges).reshape(-1)


def bin_properties(edges: Array, counts: Array, norm: str) -> dict[str, object]:
    """The kept properties of a histogram that follow from its bins."""
    widths = np.diff(edges)
    even = bool(widths.size) and np.allclose(widths, widths[0])
    return {
        "BinEdges": tuple(map(float, edges)),
        "NumBins": float(len(counts)),
        "Values": HostData(_normalized_counts(counts, edges, norm)[None, :]),
        "BinCounts": HostData(counts[None, :].astype(np.float64)),
        "BinWidth": float(widths[0]) if even else "nonuniform",
        "Normalization": norm,
        "BinLimits": (float(edges[0]), float(edges[-1])),
    }


def norm_of(value: Value) -> str:
    """The normalization that a word names."""
    norm = plain_text(value).lower()
    if norm not in NORMS:
        raise MatlabError("MATLAB:histogram:Normalization", f"'{norm}' is not a valid value.")
    return norm


def _normalized_counts(counts: Array, edges: Array, norm: str) -> Array:
    widths = np.diff(edges)
    total = max(float(counts.sum()), 1.0)
    table: dict[str, Array] = {
        "count": counts,
        "probability": counts / total,
        "percentage": 100 * counts / total,
        "pdf": counts / total / widths,
        "countdensity": counts / widths,
        "cumcount": np.cumsum(counts),
        "cdf": np.cumsum(counts) / total,
    }
    return table[norm].astype(np.float64)


def _keep(item: GraphicsObject, edges: Array, counts: Array, norm: str) -> None:
    for name, kept in bin_properties(edges, counts, norm).items():
        item[name] = kept


def _recount(item: GraphicsObject, words: list[Value]) -> None:
    data, context = item["Data"], item.owner.inputs.context
    if data is None or context is None:
        text = "The bins of a histogram without data cannot be changed."
        raise MatlabError("MATLAB:histogram:NoData", text)
    sample = data.value() if isinstance(data, ResidentData) else canonical(data.host())
    edges = counted(context, sample, words)
    _keep(item, edges[1], edges[0], item["Normalization"])


def _recount_by(option: str) -> Callable[[GraphicsObject, Value], None]:
    def change(item: GraphicsObject, value: Value) -> None:
        _recount(item, [option, value] if option else [value])

    return change


def _set_norm(item: GraphicsObject, value: Value) -> None:
    counts = item["BinCounts"].host().reshape(-1)
    _keep(item, np.array(item["BinEdges"]), counts, norm_of(value))


def _set_data(item: GraphicsObject, value: Value) -> None:
    item["Data"] = item.parsed("Data", value)
    _recount(item, [])


def _set_counts(item: GraphicsObject, value: Value) -> None:
    counts = as_array(value).astype(np.float64).reshape(-1)
    edges = np.array(item["BinEdges"])
    if counts.size != edges.size - 1:
        text = "BinCounts must have one element less than BinEdges."
        raise MatlabError("MATLAB:histogram:BinCountsInvalidSize", text)
    _keep(item, edges, counts, item["Normalization"])


SETTERS: dict[tuple[str, str], Callable[[GraphicsObject, Value], None]] = {
    ("histogram", "numbins"): _recount_by("NumBins"),
    ("histogram", "binwidth"): _recount_by("BinWidth"),
    ("histogram", "binlimits"): _recount_by("BinLimits"),
    ("histogram", "binmethod"): _recount_by("BinMethod"),
    ("histogram", "binedges"): _recount_by(""),
    ("histogram", "normalization"): _set_norm,
    ("histogram", "data"): _set_data,
    ("histogram", "bincounts"): _set_counts,
}
"""Assignments after which a histogram has other bins."""
