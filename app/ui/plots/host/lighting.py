"""Lights in space: how bright faces are, by the lights of the axes and the material."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.ui.plots.host.projection import Projection
from app.ui.plots.series_arrays import Array, Exported

MOST = 4
"""Lights that count."""


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The lights on one series.

    Attributes:
        ways: unit vectors to the lights, in coordinates of the axes' box.
        viewer: the unit vector to the viewer.
        ambient: how bright faces are anyway.
        diffuse: how bright lights make them.
        specular: how bright reflections are.
        exponent: how small reflections are.
    """

    ways: Array
    viewer: Array
    ambient: float
    diffuse: float
    specular: float
    exponent: float

    def strengths(self, normals: Array) -> tuple[Array, Array]:
        """For faces with these normals: what their colours are multiplied by, and the white that
        is added."""
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        unit = normals / np.where(length > 0, length, 1.0)
        along = unit @ self.ways.T
        own = self.ambient + self.diffuse * np.abs(along).sum(axis=1)
        mirrored = 2 * along[:, :, None] * unit[:, None, :] - self.ways[None]
        glance = np.clip(mirrored @ self.viewer, 0.0, 1.0)
        shine = self.specular * (glance**self.exponent).sum(axis=1)
        return np.clip(own, 0.0, 1.0), np.clip(shine, 0.0, 1.0)

    def lit(self, colors: Array, normals: Array) -> Array:
        """Colours (rows of red, green, blue, alpha bytes) under the lights."""
        own, shine = self.strengths(normals)
        made = colors.astype(np.float64)
        made[:, :3] = np.clip(made[:, :3] * own[:, None] + 255 * 0.5 * shine[:, None], 0, 255)
        return made.astype(np.uint8)


def lighting_of(axes: Exported, series: Exported, projection: Projection) -> Lighting | None:
    """The lights on a series; None where there are none, or it does not take them."""
    lights = [child for child in axes["children"] if child["kind"] == "light" and child["Visible"]][
        :MOST
    ]
    if not lights or series.get("FaceLighting", "none") == "none":
        return None
    ways = np.array([light["Position"] for light in lights], dtype=np.float64)
    norms = np.linalg.norm(ways, axis=1, keepdims=True)
    return Lighting(
        ways / np.where(norms > 0, norms, 1.0),
        -projection.matrix()[2],
        series["AmbientStrength"],
        series["DiffuseStrength"],
        series["SpecularStrength"],
        series["SpecularExponent"],
    )
