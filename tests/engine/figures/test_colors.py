from __future__ import annotations

import numpy as np
import pytest

import app as fuselab
from app.engine.figures import colormaps
from app.engine.figures.colors import parse_color
from app.errors import MatlabError


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("r", (1, 0, 0)),
        ("red", (1, 0, 0)),
        ("blu", (0, 0, 1)),
        ("#00f", (0, 0, 1)),
        ("#FF8000", (1, 128 / 255, 0)),
        ((0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
        ("[0.1 .2, 1]", (0.1, 0.2, 1)),
        ("none", "none"),
        ("Flat", "flat"),
        ("k", (0, 0, 0)),
        ("black", (0, 0, 0)),
    ],
)
def test_colours_as_scripts_write_them(written: object, meant: object) -> None:
    assert parse_color(written) == meant  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "written", ["mauve", "#12345", "[1 2 3]", (1, 2, 3), (0.5, 0.5), (-0.1, 0, 0)]
)
def test_wrong_colours_are_errors(written: object) -> None:
    with pytest.raises(MatlabError):
        parse_color(written)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(colormaps.MAPS))
@pytest.mark.parametrize("size", [0, 1, 2, 64])
def test_every_map_has_rows_of_rgb(name: str, size: int) -> None:
    table = colormaps.colormap(name, size)
    assert table.shape == (size, 3)
    assert ((table >= 0) & (table <= 1)).all()


@pytest.mark.parametrize("name", ["parula", "viridis", "gray", "hot", "bone"])
def test_sequential_maps_grow_lighter(name: str) -> None:
    lightness = colormaps.colormap(name, 64) @ np.array([0.299, 0.587, 0.114])
    assert (np.diff(lightness) > -0.004).all()
    assert lightness[-1] - lightness[0] > 0.5


def test_bytes_are_rounded_and_opaque() -> None:
    assert colormaps.color_bytes(np.array([[0, 0.5, 1]])).tolist() == [[0, 128, 255, 255]]


def test_an_order_of_defaults_without_colours_is_that_of_matlab() -> None:
    code = "set(gcf, 'DefaultAxesColorOrder', zeros(0, 3)); h = plot(1:3); x = h.Color;"
    with fuselab.Session("cpu") as session:
        session.eval(f"{code} c = compass(1, 1); x = [x; c.Color];")
        colors = np.asarray(session["x"])
    assert colors.tolist() == [[0, 0.447, 0.741]] * 2
