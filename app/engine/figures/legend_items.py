"""What legends list."""

from __future__ import annotations

from app.engine.figures.objects import GraphicsObject


def legend_items(axes: GraphicsObject) -> list[GraphicsObject]:
    """The series a legend lists, each with its text; unnamed ones are called data1, data2 …."""
    found = [
        s
        for s in axes.children
        if s.has("DisplayName")
        and s["HandleVisibility"] == "on"
        and (not s.has("IconDisplayStyle") or s["IconDisplayStyle"] != "off")
    ]
    for place, series in enumerate(found):
        if not series["DisplayName"]:
            series.values["DisplayName"] = f"data{place + 1}"
    return found
