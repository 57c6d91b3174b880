"""Data of sizes that do not fit: what cannot be drawn is left out, and nothing breaks."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.campaigns import long_form
from tests.ui.plots.desk import Desk
from tests.ui.plots.test_sequences import shown

SERIES = {
    "line": "h = plot(1:5, [2 4 1 5 3]);",
    "line3": "h = plot3(1:5, [2 4 1 5 3], 1:5);",
    "surface": "h = surf(peaks(6));",
    "lit": "h = surf(peaks(6)); shading interp; light; lighting gouraud;",
    "textured": "h = surf(peaks(6)); h.FaceColor = 'texturemap';",
    "mesh": "h = mesh(peaks(6));",
    "flat": "h = pcolor(peaks(6));",
    "waterfall": "h = waterfall(peaks(6));",
    "image": "h = imagesc(magic(4));",
    "scatter": "h = scatter(1:5, 5:-1:1, 20, 1:5, 'filled');",
    "scatter3": "h = scatter3(1:5, 5:-1:1, 1:5, 20, 1:5);",
    "bar": "h = bar([3 1 2]);",
    "barh": "h = barh([3 1 2]);",
    "area": "h = area([3 1 2]);",
    "stairs": "h = stairs([3 1 2]);",
    "stem": "h = stem([3 1 2]);",
    "stem3": "h = stem3([3 1 2]);",
    "errorbar": "h = errorbar(1:3, 1:3, [1 1 1]);",
    "contour": "[~, h] = contour(peaks(6));",
    "contourf": "[~, h] = contourf(peaks(6));",
    "quiver": "h = quiver(1:3, 1:3, 1:3, 1:3);",
    "quiver3": "h = quiver3(1:3, 1:3, 1:3, 1:3, 1:3, 1:3);",
    "histogram": "h = histogram([1 2 2 3]);",
    "patch": "h = patch([0 1 1], [0 0 1], [1 2 3]);",
    "patch3": "h = patch([0 1 1], [0 0 1], [1 2 3], 'r'); view(3);",
    "polar": "h = polarplot(1:5, 1:5);",
    "text": "h = text(0.5, 0.5, 'a');",
    "fill": "h = fill([0 1 1], [0 0 1], 'r');",
}
DATA = frozenset(
    "XData YData ZData CData SizeData UData VData WData AlphaData RData ThetaData LData "
    "YNegativeDelta YPositiveDelta Vertices Faces FaceVertexCData FaceVertexAlphaData VertexNormals "
    "Data BinEdges BinCounts Position LevelList ColorData MarkerIndices FaceAlpha".split()
)
VALUES = ("[]", "7", "1:9", "rand(3)", "[1 NaN Inf -Inf 2]")


@pytest.mark.parametrize("others", long_form((False, True), 1))
@pytest.mark.parametrize("name", SERIES)
def test_data_that_do_not_fit_are_left_out(qtbot: QtBot, name: str, others: bool) -> None:
    """Two values for every property, other ones for the next; with `others` the remaining three."""
    desk = Desk(qtbot, "cpu")
    try:
        desk.run(SERIES[name])
        kind = desk.session.interpreter.base["h"].kind
        for k, which in enumerate(sorted(kind.properties.keys() & DATA)):
            for n, value in enumerate(VALUES):
                if ((n + k) % len(VALUES) >= 2) is not others:
                    continue
                desk.run(
                    f"clf; {SERIES[name]} legend('show'); try, h.{which} = {value}; catch e, "
                    "assert(~strcmp(e.identifier, 'Fuselab:internal')); end"
                )
                shown(desk)
    finally:
        desk.close()


def test_a_surface_whose_colours_are_not_used_is_drawn(qtbot: QtBot) -> None:
    desk = Desk(qtbot, "cpu")
    try:
        desk.run("surf(peaks(9), [], 'FaceColor', 'r', 'EdgeColor', 'none')")
        desk.run("figure; h = surf(peaks(9)); h.CData = rand(3); h.FaceColor = 'texturemap';")
        desk.run("figure; h = surf(peaks(9)); h.CData = rand(3);")
        counts = [len(c.figure.model["children"][0]["children"]) for c in shown(desk)]
        assert counts == [1, 1, 0]
    finally:
        desk.close()


def test_a_mesh_shows_what_is_behind_it_where_it_hides_nothing(qtbot: QtBot) -> None:
    desk = Desk(qtbot, "cpu")

    def inked(code: str) -> int:
        """How many points are not as bright as the paper."""
        desk.run(f"close all; {code} axis off;")
        (canvas,) = shown(desk)
        image = canvas.grab().toImage()
        return sum(
            image.pixelColor(x, y).lightnessF() < 0.85
            for x in range(image.width())
            for y in range(image.height())
        )

    try:
        desk.run("set(0, 'DefaultFigureColor', 'w');")
        mesh = "h = mesh(peaks(25));"
        hiding = inked(mesh)
        assert inked(f"{mesh} hidden off;") > 1.1 * hiding
        assert inked(f"{mesh} hidden off; hidden on;") == hiding
        colored = inked("h = surf(peaks(25), 'FaceColor', 'w', 'EdgeColor', 'flat');")
        assert colored > 0.5 * hiding
    finally:
        desk.close()
