"""Figures in windows of their own: each has its name, its tools and nothing of the one before."""

from __future__ import annotations

from tests.desk.desk import Desk, drag
from tests.support.desk_keys import EXAMPLES

TITLES = "[w.windowTitle() for w in QApplication.topLevelWidgets() if w.objectName() == 'FigureWindow' and w.isVisible()]"
HEAD = "window.panel('figures').panel.tools.title.text()"
SHOWN = "window.panel('figures').panel._stack.currentWidget()"


def test_the_panel_names_the_figure_it_shows(desk: Desk) -> None:
    desk.run("figure(1); plot(1:3); title('one'); figure(2); plot(3:-1:1); title('two');")
    desk.wait("figures() == [1, 2]")
    assert desk.ask(HEAD) == "Figure 2"
    desk.click("find('In a window of its own')")
    desk.wait(f"{TITLES} == ['Figure 2']")
    desk.wait(f"{HEAD} == 'Figure 1' and {SHOWN}.figure.model['number'] == 1")
    desk.click("window.panel('figures').panel._floating[2].tools._zoom_button")
    zooms = "[a.box.state['mouseMode'] for a in window.panel('figures').panel.canvases[{}].figure.axes.values()]"
    desk.wait(f"{zooms.format(2)} == [1]")
    assert desk.ask(zooms.format(1)) == [3], "only the figure whose button it is"
    desk.click("find('Back into the panel')")
    desk.wait(f"{TITLES} == [] and {HEAD} == 'Figure 2'")
    assert desk.ask(f"{SHOWN}.figure.model['number']") == 2


def test_a_figure_that_floats_follows_its_script(desk: Desk) -> None:
    desk.run("plot(1:3); title('the old one'); xlabel('old');")
    desk.wait("figures() == [1]")
    desk.click("find('In a window of its own')")
    desk.wait(f"{TITLES} == ['Figure 1']")
    assert desk.ask("seen('Take them back')")
    desk.run("close all; plot([5 2 9]);")
    desk.wait("figures() == [1]")
    model = "window.panel('figures').panel.canvases[1].figure.model['children'][0]"
    desk.wait(f"not {model}['title'] or not str({model}['title'].get('String', ''))")
    desk.run("title('renamed'); set(gcf, 'Name', 'results')")
    desk.wait("'Figure 1: results' in " + f"{TITLES} + [{HEAD}]")
    desk.run("close all")
    desk.wait(f"{TITLES} == [] and figures() == []")


def test_a_figure_taken_back_has_its_thumbnail(desk: Desk) -> None:
    desk.run("figure(1); plot(1:3); figure(2); plot(3:-1:1);")
    desk.wait("figures() == [1, 2]")
    desk.click("find('In a window of its own')")
    desk.wait(f"{TITLES} == ['Figure 2']")
    desk.click("find('Back into the panel')")
    strip = "window.panel('figures').panel._strip"
    desk.wait(f"[{strip}.item(n).icon().isNull() for n in range(2)] == [False, False]")


def test_a_legend_stays_where_it_was_dragged_until_it_gets_another_place(desk: Desk) -> None:
    desk.run("plot(1:5); l = legend('a line', 'Location', 'northeast');")
    desk.wait("figures() == [1]")
    axes = "list(window.panel('figures').panel.canvases[1].figure.axes.values())[0]"
    place = f"(lambda a: [a.legend.pos().x() / a.size().width(), a.legend.pos().y()])({axes})"
    left, top, *_ = desk.ask(f"place({SHOWN})")
    at = desk.ask(f"(lambda p: [p.x(), p.y()])({axes}.legend.scenePos())")
    start = round(left + at[0] + 4), round(top + at[1] + 3)
    drag(desk, start, (start[0] - 120, start[1] + 40))
    desk.screen.do("mouseup", 1)
    share, down = desk.ask(place)
    desk.run("disp(l.Location)")
    assert desk.ask("output()").endswith("none")
    desk.run("l.Position(1) = l.Position(1);")
    assert desk.ask(place) == [share, down], "the script knows where it is"
    desk.click("find('In a window of its own')")
    desk.wait(f"{TITLES} == ['Figure 1']")
    desk.ask("bool([find('FigureWindow').resize(900, 700)])")
    desk.wait(f"abs({place}[0] - {share}) < 0.01")
    desk.click("find('Back into the panel')")
    desk.wait(f"abs({place}[0] - {share}) < 0.01 and {place}[1] == {down}")
    desk.run("legend('Location', 'southwest')")
    desk.wait(f"{place}[1] > {down} and {place}[0] < {share}")


def test_figures_of_every_kind_one_after_another_in_one_window(desk: Desk) -> None:
    """A legend over a picture, and what an earlier plot left on the axes that the next one takes."""
    desk.run('plot(1:10); legend("a")')
    desk.wait("figures() == [1]")
    for code in (
        "imagesc(rand(5))",
        "colorbar; surf(peaks(20))",
        "bar([3 1 2]); legend('b')",
        "scatter(rand(30, 1), rand(30, 1), [], rand(30, 1))",
        "histogram(randn(200, 1)); title('h')",
        "contour(peaks(20)); legend('show')",
        "subplot(2, 1, 2); pie([1 2 3])",
    ):
        desk.run(f"{code}; disp(['drawn ', '{code[:4]}'])")
        desk.wait(f"'drawn {code[:4]}' in output()")
    assert desk.ask("figures()") == [1]
    assert "internal error" not in desk.ask("output()")
    assert "Error" not in desk.ask("output()")


def test_the_examples_run_one_after_another_in_one_window(desk: Desk) -> None:
    desk.run('plot(1:10); legend("a")')
    for file in EXAMPLES:
        text = file.read_text()
        desk.open(text, file.name)
        desk.to_editor()
        before = desk.ask("window.run_model.run")
        desk.key("F5")
        desk.wait_for_run(before)
        assert desk.ask("window.run_model.status") == "ok", f"{file.name}: {desk.about()}"
        assert desk.ask("editor().text()") == text
    assert "internal error" not in desk.ask("output()")


def test_a_click_on_a_point_says_what_it_is(desk: Desk) -> None:
    desk.run("plot([1 2 3], [5 9 6], '-o', 'DisplayName', 'speed')")
    desk.wait("figures() == [1]")
    canvas = "window.panel('figures').panel.canvases[1]"
    axes = f"list({canvas}.figure.axes.values())[0]"
    point = (
        f"(lambda p: [p.x(), p.y()])({canvas}.viewport().mapToGlobal({canvas}.mapFromScene("
        f"{axes}.box.mapViewToScene(QPoint({{}}, {{}}).toPointF() / 10))))"
    )
    tips = "window.panel('figures').panel.tools.said()"
    desk.point(*desk.ask(point.format(20, 90)))
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == ['speed\\nX  2\\nY  9\\n#2']")
    desk.point(*desk.ask(point.format(30, 60)))
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == ['speed\\nX  3\\nY  6\\n#3']")
    desk.point(*desk.ask(point.format(28, 90)))
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == []")


def test_a_click_on_a_surface_says_where_it_is(desk: Desk) -> None:
    desk.run("Z = peaks(20); surf(Z); hold on; plot3(1:3, 1:3, [9 9 9], 'DisplayName', 'path')")
    desk.wait("figures() == [1]")
    axes = "list(window.panel('figures').panel.canvases[1].figure.axes.values())[0]"
    canvas = "window.panel('figures').panel.canvases[1]"
    spot = (
        "(lambda s, p: [p.x(), p.y()])(None, "
        f"{canvas}.viewport().mapToGlobal({canvas}.mapFromScene({axes}.space.mapToScene("
        f"QPoint(*[round(float(v)) for v in {axes}.space.projection().place("
        "*map(__import__('numpy').array, {}))[:2]]).toPointF()))))"
    )
    tips = "window.panel('figures').panel.tools.said()"
    height = desk.ask(f"float({axes}.model['children'][0]['ZData']['array'][14, 9])")
    desk.point(*desk.ask(spot.format((10, 15, height))))
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == ['X  10\\nY  15\\nZ  {height:.6g}']")
    desk.point(*desk.ask(spot.format((2, 2, 9))))
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == ['path\\nX  2\\nY  2\\nZ  9']")
    left, top, wide, high = desk.ask(f"place({SHOWN})")
    drag(desk, (left + wide // 2, top + high // 2), (left + wide // 2 + 40, top + high // 2))
    desk.screen.do("mouseup", 1)
    desk.point(left + 5, top + high - 5)
    desk.screen.do("click", 1)
    desk.wait(f"{tips} == []")


def test_the_wheel_brings_a_box_in_space_nearer(desk: Desk) -> None:
    desk.run("surf(peaks(20))")
    desk.wait("figures() == [1]")
    space = "list(window.panel('figures').panel.canvases[1].figure.axes.values())[0].space"
    corner = f"(lambda p: [float(p.centre[0]), float(p.centre[1]), float(p.scale[0])])({space}.projection())"
    before = desk.ask(corner)
    left, top, wide, high = desk.ask(f"place({SHOWN})")
    desk.point(left + wide // 2, top + high // 2)
    desk.screen.do("click", "--repeat", 3, 4)
    desk.wait(f"{space}.magnified > 1.5")
    near = desk.ask(corner)
    assert abs(near[2] / before[2] - 1.15**3) < 1e-6
    desk.screen.do("click", "--repeat", 3, 5)
    desk.wait(f"abs({space}.magnified - 1) < 1e-9")
    assert all(abs(a - b) < 1e-6 for a, b in zip(desk.ask(corner), before, strict=True))
    desk.screen.do("click", 4)
    desk.wait(f"{space}.magnified > 1.1")
    desk.click("find('Show everything again (double click)')")
    desk.wait(f"{space}.magnified == 1")
    assert desk.ask(corner) == before
