"""What a series is drawn as: most as themselves, some in space as lines or with curtains."""

from __future__ import annotations

import numpy as np

from app.ui.plots.host.images import grid_points
from app.ui.plots.series_arrays import Array, Exported, host_array, table

MADE = ("Stroke", "Curtain", "Face")
"""What the names of coordinates end with that the model has worked out."""


def pieces_of(series: Exported) -> list[Exported]:
    """The series, or the simpler ones that the model has worked out for it."""
    if series["kind"] in ("surface", "patch") and series.get("Marker", "none") != "none":
        return [*pieces_of({**series, "Marker": "none"}), _corner_marks(series)]
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


def _corner_marks(series: Exported) -> Exported:
    """The markers at the corners of faces, as points of one size."""
    places, values = _corners(series)
    edge, own = series["MarkerEdgeColor"], series["EdgeColor"]
    if edge == "auto":
        edge = "flat" if own in ("flat", "interp") else own
    face = series["MarkerFaceColor"]
    return {
        **series,
        **{f"{letter}Data": _held(place) for letter, place in zip("XYZ", places, strict=False)},
        "kind": "scatter",
        "CData": None if values is None else _held(values),
        "SizeData": _held(np.array([float(series["MarkerSize"]) ** 2])),
        "MarkerEdgeColor": edge,
        "MarkerFaceColor": edge if face == "auto" else face,
        "MarkerEdgeAlpha": 1.0,
        "MarkerFaceAlpha": 1.0,
        "LineWidth": 0.5,
    }


def _corners(series: Exported) -> tuple[list[Array], Array | None]:
    """The coordinates of the corners of faces, and their values for the colour map or colours."""
    if series["kind"] == "patch":
        held = series["FaceVertexCData"]
        return list(table(series["Vertices"]).T), None if held is None else table(held)
    x, y, z = grid_points(series)
    values = z if series["CData"] is None else host_array(series["CData"])
    colors = values.reshape((z.size, -1), order="F")
    return [part.reshape(-1, order="F") for part in (x, y, z)], colors


def _held(data: Array) -> Exported:
    return {"kind": "host", "array": data}
