"""From a script to the picture: data made on the device is drawn there and never downloaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from app.engine.protocol import FigureClosed, FigureUpdated
from app.source import SourceText
from app.ui.plots.axes_item import AxesItem
from app.ui.plots.cost_badge import cost_of
from app.ui.plots.data_tip import clicked_point
from app.ui.plots.device import points
from app.ui.plots.device.renderer import Renderer
from app.ui.plots.figure_export import picture
from app.ui.plots.series_arrays import Window
from tests.ui.plots.desk import Desk

PLOTS = {
    "single": "y = single(sin((1:2e5)'/3e3)).*2; plot(y)",
    "double": "y = sin((1:2e5)'/3e3).*2; plot(y)",
    "over x": "x = (1:2e5)'/1e3; y = sin(x)*2; plot(x, y, '--')",
    "matrix": "A = rand(50000,2) + 1; plot(A)",
    "image": "A = rand(300,400).*2; imagesc(A); colorbar",
    "scatter": "x = rand(3000,1)*2; y = x + rand(3000,1); scatter(x, y, 9, 'filled')",
    "coloured scatter": "x = rand(3000,1)*2; y = x + 1; scatter(x, y, 9, x.*y, 'filled')",
    "logical": "A = rand(300,400) > 0.5; imagesc(A)",
    "markers": "y = rand(2000,1)*3; plot(y, '.')",
    "over linspace": "t = linspace(0,1,2e5)'; y = sin(t*40)*2; plot(t, y)",
    "over uneven": "x = ((1:5e3)'/1e3).^2*3; y = sin(x*9) + 1; plot(x, y)",
    "rows": "y = sin((1:2e5)/3e3)*2; plot((1:2e5)/10, y, 'r')",
    "columns": "t = (1:5e4)'/1e3; A = [sin(t) cos(t)]*2; plot(t, A)",
    "uint8": "A = uint8(rand(300,400)*200); imagesc(A)",
    "surface": "A = rand(50,60)*2; surf(A)",
    "surface over matrices": "[X,Y] = meshgrid(1:60,1:50); Z = X.*Y + 1; surf(X,Y,Z)",
    "mesh": "[X,Y] = meshgrid(1:60,1:50); Z = sin(X/9).*Y; mesh(X,Y,Z)",
    "semilogy": "y = rand(20000,1)*3; semilogy(y)",
    "stairs": "y = rand(5000,1)*2; stairs(y)",
    "stem": "y = rand(5000,1)*2; stem(y, 'filled')",
    "stem over x": "x = (1:5e3)'/9; y = rand(5000,1)*2; stem(x, y)",
    "area": "y = rand(5000,1)*2; area(y)",
    "stacked areas": "A = rand(5000,3)*2; area(A)",
    "bar": "y = rand(5000,1)*2; bar(y)",
    "barh": "y = rand(5000,1)*2; barh(y)",
    "grouped bars": "A = rand(2000,3)*2; bar(A)",
    "stacked bars": "A = rand(2000,3)*2; bar(A, 'stacked')",
    "errorbar": "y = rand(5000,1)*2; e = y/9; errorbar(y, e)",
    "horizontal errorbar": "y = rand(5000,1)*2; e = y/9; errorbar(y, y, e, 'horizontal', 'o')",
    "quiver": "[X,Y] = meshgrid(1:60,1:50); U = sin(X/9); V = cos(Y/9); quiver(X,Y,U,V)",
    "plot3": "t = (1:2e4)'/1e3; x = sin(t); y = cos(t); plot3(x, y, t)",
    "scatter3": "x = rand(3000,1)*2; y = x + 1; z = x.*y; scatter3(x, y, z, 9)",
    "coloured scatter3": "x = rand(3000,1)*2; y = x + 1; scatter3(x, y, x.*y, 9, x, 'filled')",
    "contour": "A = rand(50,60)*2; contour(A)",
    "contourf": "[X,Y] = meshgrid(1:60,1:50); Z = X.*Y + 1; contourf(X,Y,Z,8)",
    "contour3": "A = rand(50,60)*2; contour3(A)",
    "pcolor": "A = rand(50,60)*2; pcolor(A); shading interp",
    "coloured surface": "A = rand(50,60)*2; C = A*3; surf(1:60, 1:50, A, C)",
    "surfc": "A = rand(50,60)*2; surfc(A)",
    "many sizes": "x = rand(3000,1)*2; y = x + 1; s = x*30; scatter(x, y, s, 'filled')",
    "sizes and colours": "x = rand(3000,1)*2; y = x + 1; scatter(x, y, x*30, y*1, 'filled')",
    "sizes in space": "x = rand(3000,1)*2; y = x + 1; scatter3(x, y, x.*y, x*30, y*1)",
    "some markers": "y = rand(20000,1)*3; plot(y, '-o', 'MarkerIndices', 1:500:20000)",
    "roots": "y = sqrt(rand(20000,1)*3); plot(y)",
    "polarplot": "t = (1:5000)'/300; r = sin(t)*2 + 3; polarplot(t, r)",
}


@pytest.mark.parametrize("name", PLOTS)
def test_no_data_crosses_the_bus(desk: Desk, name: str) -> None:
    counters = desk.run(PLOTS[name])
    assert counters["plot_download_bytes"] == 0
    assert counters["download_bytes"] <= 128, "limits are a few numbers"
    cost = cost_of(desk.panel.current.figure)
    assert cost.device_points == cost.points > 1000
    assert cost.moved_bytes == 0
    assert cost.frame_ms is not None
    assert "0 B over the bus" in cost.text()


def test_what_is_drawn_is_the_data(desk: Desk) -> None:
    desk.run("y = repmat([0;1],5000,1)*2; plot(y); ylim([-1 3])")
    image = picture(desk.panel.current)
    (axes,) = desk.panel.current.figure.axes.values()
    ground = axes.style.plot
    for height, filled in ((1.0, True), (2.5, False), (-0.5, False)):
        spot = desk.panel.current.mapFromScene(axes.box.mapViewToScene(QPointF(5000, height)))
        assert (image.pixelColor(spot) != ground) is filled


@pytest.mark.parametrize(
    "code",
    [
        "polarhistogram(y)",
        "histogram2(y, y*2)",
        "binscatter(y, y*2)",
        "histogram(y)",
        "hist(y)",
        "bubblechart(y, y*2, y)",
        "contour(reshape(y, 150, 200), [.5 1], 'ShowText', 'on')",
        "contourf(reshape(y, 150, 200), 'ShowText', 'on')",
    ],
)
def test_counts_are_made_where_the_data_is(desk: Desk, code: str) -> None:
    counters = desk.run(f"y = rand(30000,1)*2; {code}")
    assert counters["plot_download_bytes"] == 0
    assert counters["download_bytes"] < 30000 * 8 + 4096
    assert cost_of(desk.panel.current.figure).moved_bytes <= counters["download_bytes"]


def test_what_only_the_host_can_draw_is_counted(desk: Desk) -> None:
    counters = desk.run("y = rand(5000,1)*2; fill(y, y.^2, 'r')")
    assert 0 < counters["download_bytes"] <= 2 * 5000 * 8


def test_box_charts_fetch_quartiles_and_outliers(desk: Desk) -> None:
    counters = desk.run("rng(1); y = [randn(5000,1); 9]*2; boxchart(y); b = prctile(y, [25 75]);")
    assert counters["plot_download_bytes"] == 0
    assert counters["download_bytes"] < 1000
    (axes,) = desk.panel.current.figure.axes.values()
    (box,) = axes.model["children"][0]["boxes"]
    assert box["outliers"].max() == 18
    cost = cost_of(desk.panel.current.figure)
    assert cost.device_points == 5001
    assert 0 < cost.moved_bytes < 1000


@pytest.mark.parametrize(
    "code",
    [
        "h = plot(y); set(h, 'YData', y*2)",
        "h = plot(x, y); h.YData = y + x;",
        "h = plot(x, y); h.XData = x*3;",
        "h = stairs(y); set(h, 'YData', y*2)",
        "h = plot(1:5000); set(h, 'YData', y)",
        "h = imagesc(A); set(h, 'CData', A*2)",
        "h = surf(A); set(h, 'ZData', A*2)",
    ],
)
def test_data_that_a_script_assigns_stays_on_the_device(desk: Desk, code: str) -> None:
    counters = desk.run(f"y = rand(5000,1)*2; x = (1:5000)'/9; A = rand(50,60)*2; {code}")
    assert counters["plot_download_bytes"] == 0
    cost = cost_of(desk.panel.current.figure)
    assert cost.device_points == cost.points
    assert cost.moved_bytes == 0


def test_a_histogram_is_counted_on_the_device(desk: Desk) -> None:
    counters = desk.run("y = rand(20000,1)*2; h = histogram(y, 0:0.25:2); n = h.Values;")
    assert counters["plot_download_bytes"] == 0
    assert counters["download_bytes"] < 200
    (axes,) = desk.panel.current.figure.axes.values()
    counts = axes.model["children"][0]["Values"]["array"]
    assert counts.sum() == 20000
    desk.run("y(1); assert(isequal(n, histcounts(gather(y), 0:0.25:2)));")


def test_zooming_draws_again_without_a_download(desk: Desk) -> None:
    desk.run("y = sin((1:2e5)'/3e3)*2; plot(y)")
    (axes,) = desk.panel.current.figure.axes.values()
    picture(desk.panel.current)
    counters = desk.session.acceleration.recorder.counters
    before = counters.downloads
    first = axes.device_items[0].frame
    axes.box.setRange(xRange=(1000, 1100), padding=0)
    picture(desk.panel.current)
    assert axes.device_items[0].frame is not first
    assert counters.downloads == before


def test_a_data_tip_fetches_one_value(desk: Desk) -> None:
    desk.run("y = (1:2e5)'*0.5; plot(y)")
    (axes,) = desk.panel.current.figure.axes.values()
    picture(desk.panel.current)
    counters = desk.session.acceleration.recorder.counters
    before = counters.download_bytes
    tip = desk.panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(100_000, 50_000)))
    assert tip is not None
    assert tip.sample.y == pytest.approx(tip.sample.x / 2)
    assert tip.sample.fetched == 8
    assert counters.download_bytes - before == 8


def said(desk: Desk, x: float, y: float) -> str:
    """What a tip at a place says."""
    (axes,) = desk.panel.current.figure.axes.values()
    picture(desk.panel.current)
    tip = desk.panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(x, y)))
    return "" if tip is None else str(tip.sample.text)


def test_a_data_tip_says_the_rows_of_its_template(desk: Desk) -> None:
    """The template was kept, and never looked at."""
    desk.run(
        "h = plot(10:10:30, [1 5 2]); r = h.DataTipTemplate; r.DataTipRows(1).Label = 'Time';"
        "r.DataTipRows(2).Format = '%.2f m'; r.DataTipRows(3) = dataTipTextRow('Nr', 7:9);"
        "r.DataTipRows(4) = dataTipTextRow('Who', {'a' 'b' 'c'});"
        "r.DataTipRows(5) = dataTipTextRow('Share', [.1 .2 .3]*100, 'percentage');"
        "r.DataTipRows(6) = dataTipTextRow('Mark', 'Marker');"
    )
    rows = ["Time  20", "Y  5.00 m", "Nr  8", "Who  b", "Share  20%", "Mark  none"]
    assert said(desk, 20, 5) == "\n".join(rows)
    desk.run("r.DataTipRows(3:end) = [];")
    assert said(desk, 20, 5) == "Time  20\nY  5.00 m"
    desk.run(
        "clf; t = datetime(2024, 1, 1:3); h = plot(t, [1 5 2]);"
        "h.DataTipTemplate.DataTipRows(1).Format = 'yyyy-MM-dd';"
        "h.DataTipTemplate.DataTipRows(end+1) = dataTipTextRow('Day', t); x = datenum(t(2));"
    )
    x = desk.session.value_of("x")
    assert said(desk, x, 5).splitlines()[0] == "X  2024-01-02"
    desk.run(
        "clf; h = imagesc([1 2 3; 4 5 6]);"
        "h.DataTipTemplate.DataTipRows = dataTipTextRow('Level', 'CData', '%d');"
    )
    assert said(desk, 2, 2) == "Level  5"
    desk.run(
        "clf; b = bar([1 20 3]); b.DataTipTemplate.DataTipRows = dataTipTextRow('N', {'x' 'y' 'z'});"
    )
    assert said(desk, 2, 1) == "N  y"


def test_a_data_tip_fetches_what_its_rows_say(desk: Desk) -> None:
    desk.run(
        "y = (1:2e5)'*0.5; w = y*4; h = plot(y);"
        "h.DataTipTemplate.DataTipRows(end+1) = dataTipTextRow('W', w);"
    )
    counters = desk.session.acceleration.recorder.counters
    before = counters.download_bytes
    lines = dict(line.split("  ") for line in said(desk, 100_000, 50_000).splitlines())
    assert float(lines["W"]) == pytest.approx(4 * float(lines["Y"]), rel=1e-5)
    assert counters.download_bytes - before == 16


def test_a_data_tip_over_a_resident_abscissa(desk: Desk) -> None:
    desk.run("x = ((1:5e4)'/1e3).^2; y = x*3; plot(x, y)")
    (axes,) = desk.panel.current.figure.axes.values()
    tip = desk.panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(900.0, 2700.0)))
    assert tip is not None
    assert tip.sample.x == pytest.approx(900, abs=0.1)
    assert tip.sample.y == pytest.approx(3 * tip.sample.x)


@pytest.mark.parametrize("draw", ["plot(x, y)", "scatter(x, y, 4)", "plot(x, y, '.')"])
def test_a_data_tip_meets_points_in_no_order(desk: Desk, draw: str) -> None:
    desk.run(f"t = (1:5e4)'/5e4*2*pi; x = cos(7*t); y = sin(t).*3; {draw}")
    (axes,) = desk.panel.current.figure.axes.values()
    x, y = np.cos(7 * 2.0), 3 * np.sin(2.0)
    tip = desk.panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(x, y)))
    assert tip is not None
    assert (tip.sample.x, tip.sample.y) == pytest.approx((x, y), abs=1e-2)


def test_a_data_tip_meets_the_point_that_is_clicked_among_many_in_a_column(desk: Desk) -> None:
    desk.run("y = mod((1:2e5)'*7919, 1000); y(3) = NaN; plot(y)")
    (axes,) = desk.panel.current.figure.axes.values()
    for height in (100.0, 500.0, 900.0):
        spot = axes.box.mapViewToScene(QPointF(123_456.0, height))
        sample = clicked_point(axes, spot)
        assert sample is not None
        assert sample.y == pytest.approx(height, abs=10)
        assert sample.x == pytest.approx(123_456, abs=1500)


def test_a_data_tip_over_points_of_several_parts(
    put: Callable[[object], dict[str, Any]], renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "CHUNK", 1000)
    at = np.random.default_rng(5).random((2, 3500))
    at[:, 17] = np.nan
    x, y = map(put, at)
    window = Window(0, 1, 0, 1, 400, 300)
    for spot in ((10.0, 20.0), (200.0, 150.0), (399.0, 299.0)):
        gaps = np.hypot(at[0] * 400 - spot[0], (1 - at[1]) * 300 - spot[1])
        assert renderer.closest(x, y, window, spot) == np.nanargmin(gaps)
    nothing = put(np.full(3, np.nan))
    assert renderer.closest(nothing, nothing, window, (1.0, 1.0)) is None


def test_buffers_are_pinned_while_they_are_shown(desk: Desk) -> None:
    desk.run("y = rand(1e5,1)*2; plot(y); clear y")
    assert desk.pins() == 1
    desk.run("plot([1 2 3])")
    assert desk.pins() == 0
    desk.run("plot(rand(1e5,1)*2)")
    desk.run("close all")
    assert desk.pins() == 0


def test_an_overwritten_variable_keeps_its_picture(desk: Desk) -> None:
    desk.run("y = zeros(1e5,1)+1; y = y*2; plot(y); ylim([0 4]); y = y*0; s = sum(y);")
    image = picture(desk.panel.current)
    (axes,) = desk.panel.current.figure.axes.values()
    spot = desk.panel.current.mapFromScene(axes.box.mapViewToScene(QPointF(5e4, 2.0)))
    near = {image.pixelColor(spot.x(), spot.y() + d).name() for d in (-1, 0, 1)}
    assert near != {axes.style.plot.name()}


def shown_axes(desk: Desk, code: str) -> AxesItem:
    """The axes of a plot whose picture is asked for; a slow run tells of its figure before
    anything is in it, and then of the rest."""
    desk.session.run_source(SourceText("test", code))
    for event in [e for e in desk.events if isinstance(e, FigureUpdated | FigureClosed)]:
        desk.panel.handle_event(event)
    desk.events.clear()
    desk.panel._show_waiting()
    (axes,) = desk.panel.current.figure.axes.values()
    return axes


def test_the_screen_gets_its_picture_from_another_thread(desk: Desk) -> None:
    axes = shown_axes(desk, "plot(sin((1:2e5)'/3e3)*2)")
    desk.qtbot.waitUntil(lambda: axes.device_items[0].frame is not None)
    frame = axes.device_items[0].frame
    assert frame is not None
    assert np.frombuffer(frame.data, np.uint8).any()
    desk.qtbot.waitUntil(lambda: "frame" in desk.panel._badge.text())


def test_a_device_that_cannot_draw_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise RuntimeError("the device is gone")

    monkeypatch.setattr(Renderer, "render", broken)
    axes = shown_axes(desk, "plot(sin((1:2e5)'/3e3)*2)")
    (item,) = axes.device_items
    desk.qtbot.waitUntil(lambda: item._request.failure == "the device is gone")
    desk.panel.current.grab()


def test_many_frames_use_no_more_memory(desk: Desk) -> None:
    code = "t = (1:1e5)'/1e4; for k = 1:{}, plot(sin(t+k)); drawnow; end"
    desk.run(code.format(3))
    provider = desk.session.acceleration.runtime.executor.device
    first = provider.statistics().live_buffers
    desk.run(code.format(40))
    desk.run("disp(sum(rand(1e5,1)*2))")  # freed buffers return when something runs
    assert provider.statistics().live_buffers <= first + 4


def test_a_rough_picture_is_drawn_again_once_nothing_moves(desk: Desk) -> None:
    code = "x = rand(3e5,1)*2; y = x + rand(3e5,1); scatter(x, y, 9, 'filled')"
    axes = shown_axes(desk, code)
    (item,) = axes.device_items
    seen: list[bool] = []
    item.drawn.connect(lambda: seen.append(item.frame.coarse))
    desk.qtbot.waitUntil(lambda: bool(seen) and not seen[-1])
    assert seen[0], "the first one is there sooner"
