"""What axes in space are painted with."""

from __future__ import annotations

from dataclasses import dataclass

from app.ui.plots.host.brush import Brush
from app.ui.plots.host.projection import Projection


@dataclass(frozen=True, slots=True)
class Scene:
    """A brush that paints in space."""

    brush: Brush
    projection: Projection
