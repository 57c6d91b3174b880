from __future__ import annotations

import numpy as np
import pytest

from app.engine.figures.colors import COLOR_ORDER
from app.engine.values import Cell
from app.errors import MatlabError
from tests.engine.figures.conftest import Plotter


def test_a_line_over_one_to_n(m: Plotter) -> None:
    m.plot([3, 1, 4])
    axes = m.axes()
    (line,) = axes["children"]
    assert line["XData"] == {"kind": "range", "start": 1.0, "step": 1.0, "count": 3}
    assert line["YData"]["array"].tolist() == [[3, 1, 4]]
    assert axes["XLim"] == (1, 3)
    assert axes["YLim"] == (1, 4)
    assert axes["Box"]


def test_columns_become_lines_of_successive_colours(m: Plotter) -> None:
    handles = m.plot([1, 2], [[1, 2, 3], [4, 5, 6]], nargout=1)
    assert handles.shape == (3, 1)
    assert [item["Color"] for item in handles.items] == list(COLOR_ORDER[:3])


def test_a_vector_is_matched_with_rows_or_columns(m: Plotter) -> None:
    m.plot([1, 2, 3], [[1, 2, 3], [4, 5, 6]])
    assert [s["YData"]["array"].shape for s in m.axes()["children"]] == [(3, 1), (3, 1)]


def test_vectors_of_different_lengths_are_an_error(m: Plotter) -> None:
    with pytest.raises(MatlabError, match="same length") as problem:
        m.plot([1, 2, 3], [1, 2])
    assert problem.value.identifier == "MATLAB:samelen"


@pytest.mark.parametrize("name", ["plot", "semilogy", "stairs"])
def test_pages_are_not_drawn(m: Plotter, name: str) -> None:
    with pytest.raises(MatlabError, match="more than 2 dimensions"):
        getattr(m, name)(np.ones((3, 3, 2)))


def test_several_groups_and_properties(m: Plotter) -> None:
    m.plot([1, 2], [3, 4], "r--", [1, 2], [5, 6], "LineWidth", 2)
    first, second = m.axes()["children"]
    assert (first["Color"], first["LineStyle"]) == ((1, 0, 0), "--")
    assert second["Color"] == COLOR_ORDER[0]
    assert [first["LineWidth"], second["LineWidth"]] == [2, 2]


def test_complex_numbers_are_points_of_the_plane(m: Plotter) -> None:
    m.plot(np.array([[1 + 2j, 3 + 4j]]))
    (line,) = m.axes()["children"]
    assert line["XData"]["array"].tolist() == [[1, 3]]
    assert line["YData"]["array"].tolist() == [[2, 4]]


def test_hold_keeps_and_a_new_plot_replaces(m: Plotter) -> None:
    m.plot([1, 2])
    m.title("first")
    m.hold("on")
    m.plot([2, 3])
    assert len(m.axes()["children"]) == 2
    m.hold("off")
    m.plot([5, 6])
    axes = m.axes()
    assert len(axes["children"]) == 1
    assert axes["title"] is None
    assert axes["children"][0]["Color"] == COLOR_ORDER[0]


def test_infinities_and_nan_do_not_widen_the_limits(m: Plotter) -> None:
    m.plot([1, np.nan, np.inf, 3, -np.inf])
    assert m.axes()["YLim"] == (1, 3)


def test_logarithmic_axes_leave_zero_aside(m: Plotter) -> None:
    m.semilogy([0, 1, 500])
    axes = m.axes()
    assert axes["YScale"] == "log"
    assert axes["YLim"] == (1, 1000)


def test_axis_words_and_numbers(m: Plotter) -> None:
    m.plot([1, 5])
    m.axis([0, 10, -1, 1])
    axes = m.axes()
    assert (axes["XLim"], axes["YLim"]) == ((0, 10), (-1, 1))
    m.axis("tight")
    assert m.axes()["YLim"] == (1, 5)
    with pytest.raises(MatlabError, match="Unknown command option"):
        m.axis("sideways")


@pytest.mark.parametrize(
    ("word", "x", "y"), [("auto y", (0, 10), (1, 5)), ("AUTO x", (1, 2), (-1, 9))]
)
def test_axis_gives_one_direction_back_to_the_data(
    m: Plotter, word: str, x: tuple[int, int], y: tuple[int, int]
) -> None:
    m.plot([1, 5])
    m.axis([0, 10, -1, 9])
    m.axis(word)
    assert (m.axes()["XLim"], m.axes()["YLim"]) == (x, y)


def test_half_automatic_limits(m: Plotter) -> None:
    m.plot([1, 5])
    m.ylim([-np.inf, 9])
    assert m.axes()["YLim"] == (1, 9)


def test_labels_and_legend(m: Plotter) -> None:
    m.plot([1, 2], [1, 2], [1, 2], [2, 1])
    m.title("T", "FontSize", 14)
    m.xlabel(Cell.of(["one", "two"]))
    m.legend("a", "b", "Location", "southwest")
    axes = m.axes()
    assert (axes["title"]["String"], axes["title"]["FontSize"]) == ("T", 14)
    assert axes["xlabel"]["String"] == "one\ntwo"
    assert axes["legend"]["Location"] == "southwest"
    assert [s["DisplayName"] for s in axes["children"]] == ["a", "b"]
    assert axes["legend"]["items"] == [s["id"] for s in axes["children"]]


def test_subplots_replace_what_they_overlap(m: Plotter) -> None:
    for place in (1, 2, 3, 4):
        m.subplot(2, 2, place)
    assert len(m.figures.gcf().children) == 4
    m.subplot(2, 1, 1)
    assert len(m.figures.gcf().children) == 3
    m.subplot(223)
    assert len(m.figures.gcf().children) == 3
    assert m.figures.gca()["OuterPosition"] == (0, 0, 0.5, 0.5)


def test_tiles_flow(m: Plotter) -> None:
    for _ in range(3):
        m.nexttile()
    places = [a["OuterPosition"][:2] for a in m.figures.gcf().children[0].children]
    assert places == [(0, 0.5), (0.5, 0.5), (0, 0)]


def test_a_full_layout_is_an_error(m: Plotter) -> None:
    m.tiledlayout(1, 1)
    m.nexttile()
    with pytest.raises(MatlabError, match="sufficient space"):
        m.nexttile()


def test_two_y_axes(m: Plotter) -> None:
    m.yyaxis("left")
    m.plot([1, 2])
    m.ylabel("small")
    m.yyaxis("right")
    m.plot([100, 900])
    m.ylabel("big")
    axes = m.axes()
    assert axes["two_sided"]
    assert (axes["YLim"], axes["right"]["YLim"]) == ((1, 2), (100, 900))
    assert [s["YAxisSide"] for s in axes["children"]] == ["left", "right"]
    assert (axes["ylabel"]["String"], axes["ylabel_right"]["String"]) == ("small", "big")


def test_grouped_and_stacked_bars(m: Plotter) -> None:
    m.bar([[1, 2], [3, 4]])
    grouped = m.axes()["children"]
    assert [s["XOffset"] for s in grouped] == pytest.approx([-0.2, 0.2])
    m.bar([[1, 2], [3, 4]], "stacked")
    upper = m.axes()["children"][1]
    assert upper["YBase"]["array"].tolist() == [[1, 3]]
    assert upper["YData"]["array"].tolist() == [[3, 7]]


def test_histogram_counts(m: Plotter) -> None:
    h = m.histogram([1, 1, 2, 3, np.nan], [0.5, 1.5, 2.5, 3.5], nargout=1)
    assert h["Values"].host().tolist() == [[2, 1, 1]]
    assert m.axes()["XLim"] == (0.5, 3.5)
    h = m.histogram([1, 1, 2, 3], 2, "Normalization", "probability", nargout=1)
    assert h["Values"].host().tolist() == [[0.5, 0.5]]


def test_old_hist_gives_counts_and_centers(m: Plotter) -> None:
    counts, centers = m.hist([0, 1, 2, 10], 2, nargout=2)
    assert counts.tolist() == [[3, 1]]
    assert centers.tolist() == [[2.5, 7.5]]


def test_images_are_tight_and_upside_down(m: Plotter) -> None:
    m.imagesc([[1, 2, 3], [4, 5, 6]])
    axes = m.axes()
    assert (axes["XLim"], axes["YLim"], axes["YDir"]) == ((0.5, 3.5), (0.5, 2.5), "reverse")
    assert axes["CLim"] == (1, 6)
    assert axes["children"][0]["columns"] == (1, 3)


def test_images_at_given_places(m: Plotter) -> None:
    m.imagesc([0, 10], [5, 6], [[1, 2, 3], [4, 5, 6]], [0, 9])
    axes = m.axes()
    assert axes["XLim"] == (-2.5, 12.5)
    assert axes["CLim"] == (0, 9)


def test_contours_and_their_matrix(m: Plotter) -> None:
    grid = np.add.outer(np.arange(5.0), np.zeros(4))
    table, _handle = m.contour(grid, [1.5, 1.5], nargout=2)
    assert table[:, 0].tolist() == [1.5, 4]
    assert table[1, 1:].tolist() == [2.5] * 4
    assert sorted(table[0, 1:].tolist()) == [1, 2, 3, 4]


def test_surfaces_are_seen_from_the_side(m: Plotter) -> None:
    m.surf([[1, 2], [3, 4]])
    assert m.axes()["View"] == [-37.5, 30.0]
    with pytest.raises(MatlabError, match="matrix"):
        m.surf([1, 2, 3])


def test_animated_lines_grow(m: Plotter) -> None:
    h = m.animatedline("MaximumNumPoints", 3, nargout=1)
    for k in range(5):
        m.addpoints(h, k, k * k)
    x, y = m.getpoints(h, nargout=2)
    assert x.tolist() == [[2, 3, 4]]
    assert y.tolist() == [[4, 9, 16]]


def test_linked_axes_get_common_limits(m: Plotter) -> None:
    first = m.subplot(2, 1, 1, nargout=1)
    m.plot([1, 2])
    second = m.subplot(2, 1, 2, nargout=1)
    m.plot([1, 2, 3, 4, 5])
    from app.engine.figures.objects import GraphicsArray

    m.linkaxes(GraphicsArray([first, second]), "x")
    assert first.get("XLim").tolist() == second.get("XLim").tolist() == [[1, 5]]
    assert m.axes()["linked"] == {"X": first.serial}
