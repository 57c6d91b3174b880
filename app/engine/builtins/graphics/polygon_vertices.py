"""Corners of polygons: left on the device if one of their coordinates is there."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.figures.figure_data import ResidentData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.series_data import data_of, host_data_of, table_of
from app.engine.values import Array, Value


def patch_vertices(ctx: CallContext, values: list[Value]) -> dict[str, Any]:
    """The vertices of a patch, a row of coordinates each, and its data as it was given."""
    data = [data_of(ctx, value) for value in values]
    if any(isinstance(part, ResidentData) for part in data):
        geometry = Geometry(ctx)
        columns = [geometry.column(part.value()) for part in data]
        vertices = table_of(ctx, geometry("horzcat", *columns))
    else:
        data = [host_data_of(ctx, value) for value in values]
        lines: list[Array] = [part.host().reshape(-1, order="F") for part in data]
        vertices = np.column_stack(lines).astype(np.float64)
    return {"Vertices": vertices, **dict(zip(("XData", "YData", "ZData"), data, strict=False))}
