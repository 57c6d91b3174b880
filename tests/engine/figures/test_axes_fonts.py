"""Titles, labels, legend and colour bar follow the font of their axes until given their own."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.figures.conftest import Plotter


def _sizes(m: Plotter) -> tuple[float, float]:
    axes = m.axes()
    return axes["xlabel"]["FontSize"], axes["title"]["FontSize"]


def test_a_new_size_reaches_what_is_there_and_what_comes(m: Plotter) -> None:
    m.plot([1, 2])
    m.title("t")
    assert m.axes()["title"]["FontSize"] == pytest.approx(11)
    m.set(m.gca(nargout=1), "FontSize", 20)
    m.xlabel("x")
    assert _sizes(m) == pytest.approx((22, 22))


def test_a_size_of_its_own_stays(m: Plotter) -> None:
    m.plot([1, 2])
    m.title("t")
    m.xlabel("x", "FontSize", 7)
    m.set(m.gca(nargout=1), "FontSize", 20)
    assert _sizes(m) == pytest.approx((7, 22))


def test_multipliers(m: Plotter) -> None:
    m.plot([1, 2])
    m.title("t")
    m.xlabel("x")
    axes = m.gca(nargout=1)
    m.set(axes, "TitleFontSizeMultiplier", 2, "LabelFontSizeMultiplier", 0.5)
    assert _sizes(m) == pytest.approx((5, 20))


def test_legend_and_colour_bar(m: Plotter) -> None:
    m.plot([1, 2])
    legend, bar = m.legend("a", nargout=1), m.colorbar(nargout=1)
    assert (legend["FontSize"], bar["FontSize"]) == pytest.approx((9, 9))
    m.set(m.gca(nargout=1), "FontSize", 20)
    assert (legend["FontSize"], bar["FontSize"]) == pytest.approx((18, 18))


def test_families_weights_and_slants(m: Plotter) -> None:
    m.plot([1, 2])
    m.title("t")
    m.xlabel("x", "FontName", "Georgia")
    m.ylabel("y")
    axes = m.gca(nargout=1)
    m.set(axes, "FontName", "Courier", "FontWeight", "bold", "TitleFontWeight", "normal")
    shown = m.axes()
    assert [shown[p]["FontName"] for p in ("title", "xlabel", "ylabel")] == [
        "Courier",
        "Georgia",
        "Courier",
    ]
    assert [shown[p]["FontWeight"] for p in ("title", "ylabel")] == ["normal", "bold"]


def test_a_heat_map_shows_missing_data_in_their_colour(m: Plotter) -> None:
    chart = m.heatmap([[1, float("nan")]], nargout=1)
    assert m.axes()["Color"] == (0.15, 0.15, 0.15)
    m.set(chart, "MissingDataColor", "red")
    assert m.axes()["Color"] == (1, 0, 0)


@pytest.mark.parametrize("size", [float("nan"), float("inf"), 0.0, -3.0])
@pytest.mark.parametrize("name", ["FontSize", "TitleFontSizeMultiplier"])
def test_sizes_that_are_none_are_refused(m: Plotter, name: str, size: float) -> None:
    m.plot([1, 2])
    with pytest.raises(MatlabError, match="greater than 0"):
        m.set(m.gca(nargout=1), name, size)
