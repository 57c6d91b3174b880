"""Charts in space, of counts, of flows; lights; dates; functions that give handles and numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.engine.figures.dates import date_labels, date_ticks
from app.engine.figures.isosurfaces import isosurface
from app.engine.values import as_array
from tests.support.scripts import Script


@pytest.fixture(scope="module")
def script() -> Any:
    made = Script()
    yield made
    made.session.close()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("h = bar3([1 2;3 4]);", "surface"),
        ("h = bar3h([1 2;3 4]);", "surface"),
        ("h = pie3([1 2 3]);", "patch"),
        ("h = fill3([0 1 1],[0 0 1],[0 1 2],'r');", "patch"),
        ("hist3(rand(50,2),[3 4]); h = get(gca,'Children');", "patch"),
        ("h = meshz(peaks(9));", "surface"),
        ("h = waterfall(peaks(9));", "surface"),
        ("h = polarhistogram(rand(1,50)*6,8);", "histogram"),
        ("h = polarscatter(0:3,1:4);", "scatter"),
        ("h = feather(1:3,3:-1:1);", "quiver"),
        ("h = swarmchart([1 1 2],[1 2 3]);", "scatter"),
        ("h = binscatter(rand(50,1),rand(50,1));", "binscatter"),
        ("h = xregion(1,2);", "patch"),
        ("h = fplot3(@sin,@cos,@(t)t,[0 3]);", "line"),
        ("h = ezsurfc('x.*y');", "surface"),
        ("h = streamline(ones(5),zeros(5),1,3);", "line"),
        ("h = slice(rand(3,4,5),2,[],1);", "surface"),
        ("h = streamslice(ones(9),zeros(9));", "line"),
        ("h = camlight;", "light"),
        ("h = xlabel('x');", "text"),
        ("h = annotation('arrow');", "annotation"),
        ("h = errorbar(1:3,1:3,[.1 .2 .3]);", "errorbar"),
        ("h = comet(1:3); h = gca;", "axes"),
        ("isosurface(rand(4,4,4),0.5); h = findobj(gca,'Type','patch');", "patch"),
    ],
)
def test_a_chart_gives_its_handle(script: Script, code: str, kind: str) -> None:
    if "comet" in code:
        code = "comet(1:3); h = gca;"
    script.run(f"clf; {code}")
    assert script.value("get(h(1),'Type')") == kind


def test_an_isosurface_lies_on_the_level() -> None:
    axis = np.linspace(-1.5, 1.5, 25)
    x, y, z = np.meshgrid(axis, axis, axis)
    vertices, faces = isosurface((axis, axis, axis), x**2 + y**2 + z**2, 1.0)
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(1.0, abs=0.01)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(4 * np.pi, rel=0.02)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [0, 2]]]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all(), "closed"


def test_stream_lines_follow_the_flow(script: Script) -> None:
    script.run("[x,y] = meshgrid(-1:.1:1); c = stream2(x, y, -y, x, 0.5, 0);")
    line = as_array(script.value("c{1}"))
    assert np.hypot(line[:, 0], line[:, 1]) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("limits", "labels"),
    [
        ((738000.0, 738010.0), ["Jul 28"]),
        ((737791.0, 738887.0), ["2020", "2021", "2022", "2023"]),
        ((738000.25, 738000.5), ["06:00", "09:00", "12:00"]),
        ((738000.0, 738090.0), ["Aug 2020", "Sep 2020", "Oct 2020"]),
    ],
)
def test_dates_stand_at_round_times(limits: tuple[float, float], labels: list[str]) -> None:
    ticks = date_ticks(limits, 4)
    found = date_labels(ticks, limits)
    assert found[0] in labels
    assert all(limits[0] <= tick <= limits[1] for tick in ticks)
    assert 2 <= len(ticks) <= 5
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "limits",
    [(0.0, 1.0), (-1e9, 1e9), (3.6e6, 1e12), (math.nan, math.nan), (366.0, 368.0), (5e5, 5e5)],
)
def test_dates_beyond_the_calendar_have_no_ticks(limits: tuple[float, float]) -> None:
    ticks = date_ticks(limits, 4)
    assert all(367 <= tick <= 3652424 for tick in ticks)
    assert len(date_labels([*ticks, *limits], limits)) == len(ticks) + 2
    assert len(ticks) <= 10


def test_axes_of_dates_and_categories(script: Script) -> None:
    script.run("clf; plot(datetime(2024,1,1)+days(0:3), 1:4);")
    assert script.value("datenum(xlim)")[0].tolist() == [739252.0, 739255.0]
    assert script.axes["XTickFormat"] == "date"
    script.run("clf; bar(categorical({'u','v'}), [3 5]);")
    assert [str(t) for t in script.value("xticklabels").items()] == ["u", "v"]


def test_handles_join_compare_and_grow(script: Script) -> None:
    script.run("clf; a = subplot(1,2,1); b = subplot(1,2,2); h(2,2) = a; g = gobjects(1,3);")
    assert script.value("[a b] == b").tolist() == [[False, True]]
    assert script.value("isgraphics(h)").tolist() == [[False, False], [False, True]]
    assert script.value("any(isgraphics(g))") is False
    assert script.value("size([a; b])").tolist() == [[2.0, 1.0]]


def test_levels_and_limits_as_in_matlab(script: Script) -> None:
    script.run("clf; [~, c] = contour(peaks);")
    assert script.value("c.LevelList").tolist() == [[-6, -4, -2, 0, 2, 4, 6, 8]]
    script.run("clf; surf(peaks);")
    assert script.value("zlim").tolist() == [[-10, 10]]


def test_negative_bars_are_stacked_below(script: Script) -> None:
    script.run("clf; b = bar([1 -2 3; 2 2 -1], 'stacked');")
    assert script.value("b(3).YData").tolist() == [[4, -1]]
    assert script.value("b(2).YData").tolist() == [[-2, 4]]


def test_application_data_and_guidata(script: Script) -> None:
    script.run("f = figure; setappdata(f,'n',5); a = axes; guidata(a, struct('k',7));")
    assert script.value("getappdata(f,'n')") == 5.0
    assert script.value("isappdata(f,'m')") is False
    assert script.value("getfield(guidata(f),'k')") == 7.0
    script.run("close(f)")


def test_close_asks_unless_forced(script: Script) -> None:
    script.run(
        "f = figure('CloseRequestFcn', 'n = 1;'); n = 0; close(f); k = ishandle(f); "
        "close('all','force');"
    )
    assert script.value("[n k ishandle(f)]").tolist() == [[1, 1, 0]]


def test_numbers_stand_for_handles_where_they_are_joined(script: Script) -> None:
    script.run("clf; h = plot(1:3); x = zeros(2, 1); x(1) = h; z = [h; x]; w = [double(h), h];")
    script.run("assert(isequal(size(z), [3 1]) && z(2) == h && z(3) == groot && numel(w) == 2);")
    script.run("assert(isequal([gobjects(0), h], h) && isempty([gobjects(0), gobjects(0)]));")
    script.run("try, [h; 77.5]; i = ''; catch e, i = e.identifier; end")
    script.run("assert(strcmp(i, 'MATLAB:hg:InvalidHandle'));")


@pytest.mark.parametrize(
    ("call", "scaled", "factor"),
    [
        ("quiver(0, 0, 1, 2, 'off', 'LineWidth', 2)", False, 0.9),
        ('quiver([1 0], [0 1], "off", "r")', False, 0.9),
        ("quiver(1:2, 1:2, [1 0], [0 1], 0.5, 'r')", True, 0.5),
        ("quiver([1 0], [0 1], 0)", False, 0.9),
        ("quiver(1:2, 1:2, [1 0], [0 1], 'Color', 'r')", True, 0.9),
        ("quiver3(0, 0, 0, 1, 1, 1, 'OFF', Color='r')", False, 1.0),
        ("quiver3([1 2], [1 2], [0 1], [0 1], 2, 'r')", True, 2.0),
    ],
)
def test_arrows_are_as_long_as_their_scale_says(
    script: Script, call: str, scaled: bool, factor: float
) -> None:
    script.run(f"clf; h = {call};")
    assert script.value("strcmp(h.AutoScale, 'on')") == scaled
    assert script.value("h.AutoScaleFactor") == factor


@pytest.mark.parametrize(
    ("call", "color"),
    [
        ("plot(1:3, SeriesIndex=3)", (0.929, 0.694, 0.125)),
        ("plot(1:3, 1:3, 'r', SeriesIndex=3)", (1.0, 0.0, 0.0)),
        ('plot(1:3, 1:3, SeriesIndex="none")', (0.0, 0.0, 0.0)),
        ("quiver(0, 0, 1, 1, SeriesIndex=9)", (0.85, 0.325, 0.098)),
    ],
)
def test_a_series_takes_the_colour_of_its_index(
    script: Script, call: str, color: tuple[float, ...]
) -> None:
    script.run(f"clf; h = {call};")
    assert script.value("h.Color").ravel().tolist() == pytest.approx(color)


def test_bars_and_points_take_the_colour_of_their_index_too(script: Script) -> None:
    script.run(
        "clf; h = bar(1:3, SeriesIndex=2); hold on; g = scatter(1:3, 1:3, 9, SeriesIndex=5);"
    )
    assert script.value("h.FaceColor").ravel().tolist() == pytest.approx([0.85, 0.325, 0.098])
    assert script.value("g.CData").ravel().tolist() == pytest.approx([0.466, 0.674, 0.188])
    script.run("clf; colororder([1 0 0; 0 1 0]); h = plot(1:3, SeriesIndex=4); i = h.SeriesIndex;")
    assert script.value("h.Color").ravel().tolist() == [0.0, 1.0, 0.0]
    assert script.value("i") == 4.0


def test_columns_of_a_table_are_drawn_by_their_names(script: Script) -> None:
    script.run('T = table([1;2;3],[4;5;6],[7;8;9],VariableNames=["a","b","c d"]); clf;')
    script.run("h = plot(T, \"a\", \"b\", Color='r'); l = get(get(gca, 'YLabel'), 'String');")
    assert script.value("h.YData").ravel().tolist() == [4, 5, 6]
    assert script.value("l") == "b"
    assert script.value('numel(plot(T, "a", ["b" "c d"]))') == 2
    script.run("h = plot(T, 'b', LineWidth=3);")
    assert script.value("h.YData").ravel().tolist() == [4, 5, 6]
    assert script.value("h.XData").ravel().tolist() == [1, 2, 3]


@pytest.mark.parametrize("names", ["'L', 'C'", '"L", "C"'])
def test_a_heatmap_counts_the_pairs_of_two_columns(script: Script, names: str) -> None:
    script.run("T = table([10;2;2], categorical({'x';'y';'y'}), 'VariableNames', {'L','C'}); clf;")
    script.run(f"h = heatmap(T, {names}, Title='t');")
    assert script.value("strjoin(h.XData)") == "2 10"
    assert script.value("h.ColorData").tolist() == [[0, 1], [2, 0]]


def test_a_title_may_have_a_subtitle(script: Script) -> None:
    script.run("clf; [t, s] = title('a', \"b\", FontSize=14);")
    assert script.value("[t.String s.String]") == "ab"
    assert script.value("[t.FontSize s.FontSize]").ravel().tolist() == [14, 14]
    script.run("t = title(gca, 'c', 'Color', 'r');")
    assert script.value("[t.String s.String]") == "cb"
