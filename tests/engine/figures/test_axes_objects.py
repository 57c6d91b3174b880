"""Rulers, layouts, defaults, links, dates, polar axes, heat maps, box charts and figure files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine.figures.snapshot import figure_snapshot
from app.engine.values import as_array
from tests.support.scripts import Script


@pytest.fixture(scope="module")
def script() -> Any:
    made = Script()
    yield made
    made.session.close()


def axes_of(script: Script) -> dict[str, Any]:
    """The snapshot of the current axes."""
    figure = script.axes.ancestor("figure")
    found = [c for c in figure_snapshot(figure)["children"] if c["id"] == script.axes.serial]
    return found[0]


def test_rulers_are_other_names_for_properties_of_axes(script: Script) -> None:
    script.run("""close all; plot(1:10); ax = gca; ax.XAxis.Label.String = 'time';
        ax.XAxis.TickValues = [1 5 10]; ax.YAxis.Exponent = 2; ax.XAxis.Color = 'r';
        yyaxis right; plot(3:4); ax.YAxis(2).Limits = [0 7]; ax.YAxis(1).Scale = 'log';""")
    shown = axes_of(script)
    assert shown["xlabel"]["String"] == "time"
    assert shown["XTick"] == [1.0, 5.0, 10.0]
    assert shown["YExponentMode"] == "manual"
    assert shown["YExponent"] == 2.0
    assert shown["right"]["YLim"] == (0.0, 7.0)
    assert shown["YScale"] == "log"
    assert script.value("get(ax.XAxis.Label, 'String')") == "time"


@pytest.mark.parametrize(
    "chosen",
    [
        "set(gcf, 'defaultAxesColorOrder', [1 0 0; 0 .5 0; 0 0 1]);",
        "colororder([1 0 0; 0 .5 0]);",
        "set(gca, 'ColorOrder', [1 0 0; 0 .5 0]);",
        "yyaxis right; plot(2:-1:1); yyaxis left; plot(1:2); colororder([1 0 0; 0 .5 0]); hold on;",
    ],
)
def test_two_y_axes_are_in_the_first_two_colours_of_the_order(script: Script, chosen: str) -> None:
    script.run(f"""close all; {chosen} yyaxis left; plot([1 2; 3 4]);
        yyaxis right; b = bar([5 6]); c = get(gca, 'ColorOrder');""")
    shown = axes_of(script)
    left = {s["Color"] for s in shown["children"] if s["YAxisSide"] == "left"}
    assert left == {shown["YColor"]} == {(1.0, 0.0, 0.0)}
    assert shown["right"]["YColor"] == (0.0, 0.5, 0.0)
    assert script.value("b.FaceColor").tolist() == script.value("c").tolist() == [[0.0, 0.5, 0.0]]


def test_linked_axes_follow_what_scripts_set(script: Script) -> None:
    script.run("""close all; a = subplot(2,1,1); plot(1:10); b = subplot(2,1,2); plot(1:99);
        linkaxes([a b], 'x'); xlim(a, [2 6]);""")
    assert as_array(script.value("xlim(b)")).tolist() == [[2.0, 6.0]]
    script.run("l = linkprop([a b], {'Color','YLim'}); a.Color = 'g'; b.YLim = [0 3];")
    assert as_array(script.value("b.Color")).tolist() == [[0.0, 1.0, 0.0]]
    assert as_array(script.value("a.YLim")).tolist() == [[0.0, 3.0]]
    script.run("delete(l); a.YLim = [0 9];")
    assert as_array(script.value("b.YLim")).tolist() == [[0.0, 3.0]]


def test_defaults_hold_for_what_is_made_later(script: Script) -> None:
    script.run("""close all; set(groot, 'DefaultLineLineWidth', 3, 'defaultAxesXGrid', 'on');
        f = figure; set(f, 'DefaultLineColor', 'r'); h = plot(1:3);""")
    assert script.value("h.LineWidth") == 3.0
    assert script.value("get(gca, 'XGrid')") == "on"
    assert script.value("get(groot, 'DefaultLineLineWidth')") == 3.0
    script.run("set(groot, 'DefaultLineLineWidth', 'remove', 'defaultAxesXGrid', 'remove');")
    script.run("figure; h = plot(1:3);")
    assert script.value("h.LineWidth") == 0.5


def test_tiles_can_be_moved_and_share_a_colour_bar(script: Script) -> None:
    script.run("""close all; t = tiledlayout(2,2); a = nexttile; b = nexttile;
        b.Layout.Tile = 3; b.Layout.TileSpan = [1 2]; c = colorbar; c.Layout.Tile = 'east';""")
    shown = axes_of(script)
    assert shown["frame"][1] == pytest.approx(0.0)
    assert shown["frame"][2] == pytest.approx(0.88)
    assert len(shown["colorbar"]["Position"]) == 4
    assert script.value("b.Layout.Tile") == 3.0


def test_dates_on_axes(script: Script) -> None:
    script.run("""close all; t = datetime(2024,1,1) + days(0:9); plot(t, 1:10, t, 2:11);
        xlim([t(2) t(5)]); xtickformat('dd-MMM'); xline(t(3)); text(t(2), 4, 'here');""")
    shown = axes_of(script)
    assert shown["XLim"] == (739253.0, 739256.0)
    assert shown["XTickFormat"] == "date:dd-MMM"
    assert script.value("class(xlim)") == "datetime"
    assert {c["kind"] for c in shown["children"]} == {"line", "constantline", "text"}


def test_polar_axes(script: Script) -> None:
    script.run("""close all; polarplot([0 pi/2], [1 2]); ax = gca; ax.ThetaZeroLocation = 'top';
        ax.ThetaDir = 'clockwise'; rlim([0 4]); thetaticks([0 90]);""")
    shown = axes_of(script)
    line = shown["children"][0]
    assert line["XData"]["array"].tolist() == pytest.approx([0.0, 2.0], abs=1e-12)
    assert line["YData"]["array"].tolist() == pytest.approx([1.0, 0.0], abs=1e-12)
    assert shown["XLim"] == pytest.approx((-4.0, 4.0))
    assert shown["polar"]["spoke_labels"] == ["0°", "90°"]
    assert script.value("get(ax, 'Type')") == "polaraxes"
    with pytest.raises(AssertionError, match="on hold"):
        script.run("close all; plot(1:3); hold on; polarplot(1:3, 1:3)")
    script.run("close all; polarplot(1:3, 1:3); plot(1:3);")
    assert script.value("get(gca, 'Type')") == "axes"


def test_heat_maps_are_charts(script: Script) -> None:
    script.run("""close all; h = heatmap({'a','b'}, {'c','d','e'}, [1 2;3 4;5 6]);
        h.Title = 'T'; h.XLabel = 'X'; h.ColorbarVisible = 'off'; h.CellLabelFormat = '%.1f';""")
    shown = axes_of(script)
    assert shown["title"]["String"] == "T"
    assert shown["colorbar"] is None
    texts = [c["String"] for c in shown["children"] if c["kind"] == "text"]
    assert texts == ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"]
    assert shown["XTickLabel"] == ["a", "b"]


def test_box_charts_of_groups(script: Script) -> None:
    script.run("""close all; g = categorical({'p','q','p','q','q'}); boxchart(g, [1 2 3 4 90]);""")
    shown = axes_of(script)
    assert [box["middle"] for box in shown["children"][0]["boxes"]] == [2.0, 4.0]
    assert shown["XTickLabel"] == ["p", "q"]
    script.run("close all; b = boxchart([1 1 2 2], [1 2 3 4], 'GroupByColor', [1 2 1 2]);")
    assert script.value("numel(b)") == 2.0


def test_bars_with_a_colour_each(script: Script) -> None:
    script.run("""close all; b = bar([3 5 2], 'FaceColor', 'flat'); b.CData(2,:) = [1 0 0];""")
    bar = axes_of(script)["children"][0]
    assert bar["CData"][1].tolist() == [1.0, 0.0, 0.0]
    assert bar["CData"][0].tolist() == pytest.approx([0.0, 0.447, 0.741])
    assert as_array(script.value("b.YEndPoints")).tolist() == [[3.0, 5.0, 2.0]]


def test_counts_of_pairs_are_towers_or_tiles(script: Script) -> None:
    script.run("close all; histogram2([1 1 2 2 2], [1 1 1 2 2], [2 2]);")
    shown = axes_of(script)
    assert shown["View"] == [-37.5, 30.0]
    assert sorted(set(shown["children"][0]["Vertices"][:, 2].tolist())) == [0.0, 1.0, 2.0]
    script.run("histogram2([1 1 2 2 2], [1 1 1 2 2], [2 2], 'DisplayStyle', 'tile');")
    tiles = axes_of(script)["children"][0]
    assert np.nansum(tiles["FaceVertexCData"]) == 5.0
    assert tiles["Vertices"].shape == (9, 2)
    script.run("h = findobj(gca, 'Type', 'histogram2'); h.ShowEmptyBins = 'on';")
    assert axes_of(script)["children"][0]["Faces"].shape == (4, 4)
    script.run("h.DisplayStyle = 'bar3'; h.Normalization = 'probability';")
    assert script.value("max(h.Vertices(:, 3)) == max(h.Values(:)) && sum(h.Values(:)) == 1")


def test_animated_lines_grow_in_place(script: Script) -> None:
    script.run("""close all; h = animatedline('MaximumNumPoints', 3); addpoints(h, 1:2, 3:4);
        a = h.XData; for k = 3:200, addpoints(h, k, k); end
        g = copyobj(h, gca); addpoints(g, 7, 7); addpoints(h, 8, 8);""")
    assert as_array(script.value("a")).tolist() == [[1.0, 2.0]]
    assert as_array(script.value("g.XData")).tolist() == [[199.0, 200.0, 7.0]]
    assert as_array(script.value("h.XData")).tolist() == [[199.0, 200.0, 8.0]]
    script.run("clearpoints(h); addpoints(h, 5, 5);")
    assert script.value("h.XData") == 5.0


def test_rulers_at_other_places_and_tables(script: Script) -> None:
    script.run("""close all; T = table((1:3)', [4;5;6], 'VariableNames', {'time','speed'});
        plot(T, 'time', 'speed'); set(gca, 'XAxisLocation', 'top');""")
    shown = axes_of(script)
    assert shown["xlabel"]["String"] == "time"
    assert shown["ylabel"]["String"] == "speed"
    assert shown["children"][0]["YData"]["array"].reshape(-1).tolist() == [4.0, 5.0, 6.0]
    script.run("close all; plot(739000:739002, 1:3); datetick('x', 'dd/mm HH:MM');")
    assert axes_of(script)["XTickFormat"] == "date:dd/MM HH:mm"


def test_figure_units_become_pixels(script: Script) -> None:
    script.run("close all; f = figure('Units', 'normalized', 'Position', [0 0 .5 .5]); plot(1:3);")
    assert figure_snapshot(script.axes.ancestor("figure"))["Position"] == [0.0, 0.0, 960.0, 540.0]


def test_figures_come_back_from_files(script: Script, tmp_path: Path) -> None:
    name = str(tmp_path / "kept.fig")
    script.run(f"""close all; plot(1:4, [2 4 6 8], 'r--', 'DisplayName', 'two'); title('T');
        legend; yyaxis right; bar([1 2]); ylim([0 9]); set(gca, 'UserData', {{1, 'x'}});
        savefig('{name}'); close all; f = openfig('{name}'); ax = f.CurrentAxes;""")
    shown = axes_of(script)
    line = shown["children"][0]
    assert line["Color"] == (1.0, 0.0, 0.0)
    assert line["LineStyle"] == "--"
    assert line["YData"]["array"].reshape(-1).tolist() == [2.0, 4.0, 6.0, 8.0]
    assert shown["title"]["String"] == "T"
    assert shown["legend"]["items"]
    assert shown["two_sided"]
    assert shown["right"]["YLim"] == (0.0, 9.0)
    assert script.value("ax.UserData{2}") == "x"
    with pytest.raises(AssertionError, match="not found"):
        script.run(f"openfig('{name}2.fig')")


def test_files_that_others_wrote(script: Script, tmp_path: Path) -> None:
    """A MAT file with the struct that MATLAB writes: labels are children named by ``special``."""
    name = str(tmp_path / "other.fig")
    script.run(f"""close all; e = struct([]);
        mk = @(t, p, c, s) struct('type', t, 'handle', 1, 'properties', p, 'children', {{c}}, ...
            'special', s);
        l = mk('graph2d.lineseries', struct('XData', 1:3, 'YData', 4:6, 'Color', [1 0 0]), e, []);
        t = mk('text', struct('String', 'hello'), e, []);
        a = mk('axes', struct('XLim', [0 9], 'NoSuch', 1), [l; t], 2);
        hgS_070000 = mk('figure', struct('Name', 'old'), a, []);
        save('{name}', 'hgS_070000'); f = openfig('{name}'); ax = f.Children;""")
    shown = figure_snapshot(script.session.value_of("f"))["children"][0]
    assert shown["XLim"] == (0.0, 9.0)
    assert shown["title"]["String"] == "hello"
    assert [c["kind"] for c in shown["children"]] == ["line"]


def test_axes_in_files_that_others_wrote_stand_where_they_stood(
    script: Script, tmp_path: Path
) -> None:
    """The struct has their places, and says of none of them whether it was chosen."""
    name = str(tmp_path / "places.fig")
    script.run(f"""close all; e = struct([]);
        mk = @(p) struct('type', 'axes', 'handle', 1, 'properties', p, 'children', {{e}}, ...
            'special', []);
        a = [mk(struct('Position', [0.1 0.6 0.3 0.3], 'Tag', 'chosen'));
             mk(struct('Position', [0.13 0.11 0.775 0.815], 'Tag', 'usual'))];
        hgS_070000 = struct('type', 'figure', 'handle', 1, 'properties', struct('Name', 'f'), ...
            'children', {{a}}, 'special', []);
        save('{name}', 'hgS_070000'); f = openfig('{name}');
        assert(isequal(get(findobj(f, 'Tag', 'chosen'), 'Position'), [0.1 0.6 0.3 0.3]))""")
    placed = {
        shown["Tag"]: shown["inner"]
        for shown in figure_snapshot(script.session.value_of("f"))["children"]
    }
    assert placed == {"chosen": (0.1, 0.6, 0.3, 0.3), "usual": None}


def test_the_order_of_colours_can_be_read(script: Script) -> None:
    script.run(
        "close all; ax = axes; a = ax.ColorOrder; colororder([1 0 0; 0 1 0]); b = get(ax, 'ColorOrder');"
    )
    assert as_array(script.value("a")).shape == (7, 3)
    assert as_array(script.value("b")).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


@pytest.mark.parametrize("order", ["{'-', '--o'}", "'-|--o'", '["-" "--o"]'])
def test_lines_take_the_next_style_when_the_colours_are_through(script: Script, order: str) -> None:
    script.run(f"""close all; set(axes, 'LineStyleOrder', {order}, 'ColorOrder', [1 0 0; 0 0 1]); hold on;
        h = plot(magic(5)); s = strjoin({{h.LineStyle}}); m = strjoin({{h.Marker}});
        g = plot(1:3, ':'); t = g.LineStyle; u = g.Marker; cla; h = plot(1:2); v = h.LineStyle;""")
    assert script.value("s") == "- - -- -- -"
    assert script.value("m") == "none none o o none"
    assert script.value("t") == ":"
    assert script.value("u") == "none"
    assert script.value("v") == "-"


def test_categories_are_texts_in_labels(script: Script) -> None:
    script.run("figure; plot(1:2); set(gca, 'XTick', 1:2, 'XTickLabels', categorical({'b' 'a'}))")
    assert axes_of(script)["XTickLabel"] == ["b", "a"]


def test_labels_of_upright_rulers_are_turned_unless_the_script_turns_them(script: Script) -> None:
    script.run("figure; plot(1:2); ylabel('a')")
    assert axes_of(script)["ylabel"]["Rotation"] == 90.0
    script.run("ylabel('a', 'Rotation', 0)")
    assert axes_of(script)["ylabel"]["Rotation"] == 0.0


def test_the_current_axes_stay_where_axes_are_named(script: Script) -> None:
    script.run("""close all; a = subplot(1, 2, 1); b = subplot(1, 2, 2); same = true;
        draws = {@() plot(a, 1:3), @() title(a, 'x'), @() hold(a, 'on'), @() bar(a, 1:3), ...
            @() surf(a, peaks(5)), @() histogram(a, 1:9), @() imagesc(a, magic(3)), ...
            @() text(a, 1, 1, 'x'), @() legend(a, 'q'), @() colorbar(a), @() axis(a, 'equal'), ...
            @() xlim(a, [0 1]), @() contourf(a, peaks(5)), @() errorbar(a, 1:2, 1:2), ...
            @() boxchart(a, 1:4), @() fplot(a, @sin), @() quiver(a, 1, 1, 1, 1), @() cla(a)};
        for k = 1:numel(draws), draws{k}(); same(k) = isequal(gca, b); end
        empty = isempty(b.Children); axes(a); chosen = isequal(gca, a);""")
    assert as_array(script.value("same")).all()
    assert script.value("empty")
    assert script.value("chosen")
