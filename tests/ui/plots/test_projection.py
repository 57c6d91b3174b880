"""Where axes in space put their data on the picture."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from app.ui.plots.host.projection import projection_of

SHAPES: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "axis equal": {"DataAspectRatioMode": "manual"},
    "pbaspect": {"PlotBoxAspectRatioMode": "manual"},
}


def seen(directions: tuple[str, ...], shape: dict[str, Any]) -> Any:
    axes = {f"{letter}Scale": "linear" for letter in "XYZ"}
    axes |= dict(zip(("XDir", "YDir", "ZDir"), directions, strict=True))
    axes |= {"XLim": [0.0, 4.0], "YLim": [-1.0, 2.0], "ZLim": [-6.0, 0.5]}
    axes |= {f"{kind}AspectRatio": [1.0, 2.0, 1.0] for kind in ("Data", "PlotBox")}
    axes |= {f"{kind}AspectRatioMode": "auto" for kind in ("Data", "PlotBox")}
    axes |= {"CameraViewAngleMode": "auto", "CameraTargetMode": "auto"} | shape
    return projection_of(axes, (-37.5, 30.0), (0.0, 0.0, 400.0, 300.0))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_reversed_axis_mirrors_the_data_in_the_same_box(shape: str) -> None:
    """With ``axis equal`` its sides were negative, and the box was torn apart."""
    forward = seen(("normal",) * 3, SHAPES[shape])
    point, centre = np.array([1.0, 0.5, -5.0]), np.array([2.0, 0.5, -2.75])
    for directions in product(("normal", "reverse"), repeat=3):
        found = seen(directions, SHAPES[shape])
        assert found.sides == pytest.approx(forward.sides)
        mirrored = np.where([d == "reverse" for d in directions], 2 * centre - point, point)
        assert found.place(*point) == pytest.approx(forward.place(*mirrored))
