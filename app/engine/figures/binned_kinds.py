"""The properties of charts that count pairs of values or angles: patches and images with bins."""

from __future__ import annotations

from app.engine.figures.properties import ANY, MATRIX, NUMBER_OR_TEXT, SWITCH, TEXT, VECTOR, choice
from app.engine.figures.property_groups import Properties
from app.engine.values import EMPTY

BASES = {"histogram2": "patch", "polarhistogram": "patch", "binscatter": "image"}
"""What each of these kinds is drawn as."""

_COUNTED: Properties = {
    "Data": (ANY, EMPTY),
    "Values": (MATRIX, EMPTY),
    "BinCounts": (MATRIX, EMPTY),
    "BinMethod": (TEXT, "auto"),
    "Normalization": (TEXT, "count"),
}
_PAIRS: Properties = {
    "NumBins": (VECTOR, ()),
    "XBinEdges": (VECTOR, ()),
    "YBinEdges": (VECTOR, ()),
    "ShowEmptyBins": (SWITCH, False),
}
_OWN: dict[str, tuple[str, Properties]] = {
    "histogram2": (
        "matlab.graphics.chart.primitive.Histogram2",
        {
            **_COUNTED,
            **_PAIRS,
            "BinWidth": (ANY, EMPTY),
            "XBinLimits": (VECTOR, ()),
            "YBinLimits": (VECTOR, ()),
            "DisplayStyle": (choice("bar3", "tile"), "bar3"),
        },
    ),
    "polarhistogram": (
        "matlab.graphics.chart.primitive.Histogram",
        {
            **_COUNTED,
            "NumBins": (VECTOR, ()),
            "BinEdges": (VECTOR, ()),
            "BinLimits": (VECTOR, ()),
            "BinWidth": (NUMBER_OR_TEXT, 0.0),
            "DisplayStyle": (choice("bar", "stairs"), "bar"),
        },
    ),
    "binscatter": (
        "matlab.graphics.chart.primitive.Binscatter",
        {**_PAIRS, "Values": (MATRIX, EMPTY), "XLimits": (VECTOR, ()), "YLimits": (VECTOR, ())},
    ),
}


def binned_kinds(kinds: dict[str, tuple[str, Properties]]) -> dict[str, tuple[str, Properties]]:
    """These kinds: what they are drawn as, with bins."""
    return {
        name: (class_name, {**kinds[BASES[name]][1], **own})
        for name, (class_name, own) in _OWN.items()
    }
