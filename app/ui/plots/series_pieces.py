"""What a series is drawn as: most as themselves, some in space as lines or with curtains."""

from __future__ import annotations

from app.ui.plots.series_arrays import Exported

MADE = ("Stroke", "Curtain", "Face")
"""What the names of coordinates end with that the model has worked out."""


def pieces_of(series: Exported) -> list[Exported]:
    """The series, or the simpler ones that the model has worked out for it."""
    if "XFace" in series:
        letters = "XYZC" if "CFace" in series else "XYZ"
        return [
            _with_coordinates(
                {**series, "CData": None},
                "Face",
                letters,
                kind="surface",
                Whole=True,
                MeshStyle="both",
            )
        ]
    if series["kind"] == "patch" and "XStroke" in series:
        letters = "XYZ" if "ZStroke" in series else "XY"
        return [_with_coordinates({**series, "ZData": None}, "Stroke", letters, kind="polygon")]
    if "XStroke" in series:
        return _strokes(series)
    if series["kind"] == "quiver" and series.get("Marker", "none") != "none":
        return [series, {**series, "kind": "line", "LineStyle": "none"}]
    if "XCurtain" in series:
        return [_with_coordinates(series, "Curtain", "XYZC", Whole=True)]
    return [series]


def _with_coordinates(series: Exported, made: str, letters: str, **other: object) -> Exported:
    """The series with other coordinates."""
    data = {f"{letter}Data": series[f"{letter}{made}"] for letter in letters}
    return {**series, **data, **other}


def _strokes(series: Exported) -> list[Exported]:
    """Stems and arrows in space: a line with gaps, and the markers at its ends."""
    found = [_with_coordinates(series, "Stroke", "XYZ", kind="line", Marker="none")]
    if series.get("Marker", "none") != "none":
        found.append({**series, "kind": "line", "LineStyle": "none"})
    return found
