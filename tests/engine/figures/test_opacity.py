"""Alpha data, maps and limits: what they are resolved to, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.figures.opacity import opacities
from tests.support.scripts import Script

SURFACE = "h = surf(zeros(2), 'AlphaData', [1 2; 3 NaN], 'FaceAlpha', 'flat');"


def _opacities(code: str) -> list[list[float]]:
    script = Script()
    script.run(code)
    (surface,) = [item for item in script.axes.children if item.kind.name == "surface"]
    found = opacities(surface)
    assert found is not None
    rows: list[list[float]] = found.tolist()
    return rows


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("", [[0, 0.5], [1, 0]]),
        ("alim([1 5])", [[0, 0.25], [0.5, 0]]),
        ("alphamap([1 0])", [[1, 0.5], [0, 0]]),
        ("alphamap([0.2 0.4 0.9]); alpha direct", [[0.2, 0.4], [0.9, 0]]),
        ("alpha none", [[1, 1], [1, 0]]),
        ("h.AlphaData = uint8([0 255; 51 0]); alpha none", [[0, 1], [0.2, 0]]),
    ],
)
def test_alpha_data_become_opacities(change: str, expected: list[list[float]]) -> None:
    np.testing.assert_allclose(_opacities(SURFACE + change), expected, atol=1e-12)


def test_words_of_alpha() -> None:
    Script().run("""
        h = surf(peaks(4));
        alpha x; assert(isequal(h.AlphaData, repmat(1:4, 4, 1)) && strcmp(h.FaceAlpha, 'flat'))
        alpha y; assert(isequal(h.AlphaData, repmat((1:4)', 1, 4)))
        alpha clear; assert(h.FaceAlpha == 0)
        alpha('opaque'); assert(h.FaceAlpha == 1)
        alpha interp; assert(strcmp(h.FaceAlpha, 'interp'))
        alpha .25; assert(h.FaceAlpha == 0.25)
        alpha(gca, 0.5); assert(h.FaceAlpha == 0.5)
        alpha([h h], 0.75); assert(h.FaceAlpha == 0.75)
        alpha(h, 'rand'); assert(isequal(size(h.AlphaData), [4 4]))
        s = scatter(1:3, 1:3, 'filled'); alpha(s, [1 2 3]); assert(isequal(s.AlphaData, [1 2 3]))
    """)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("surf(peaks(4)); alpha(magic(3))", "MATLAB:alpha:SizeMismatch"),
        ("surf(peaks(4)); alpha('foggy')", "MATLAB:alpha:UnknownWord"),
        ("surf(peaks(4)); alpha(2)", "MATLAB:hg:InvalidPropertyValue"),
        ("surf(peaks(4), 'FaceAlpha', 'foggy')", "MATLAB:hg:InvalidPropertyValue"),
        ("bar(1:3, 'FaceAlpha', 'flat')", "MATLAB:hg:InvalidPropertyValue"),
        ("alphamap([0 2])", "MATLAB:alphamap:Values"),
        ("alphamap('foggy')", "MATLAB:alphamap:unknownOption"),
        ("alphamap('vup', 0)", "MATLAB:alphamap:Length"),
    ],
)
def test_what_is_no_opacity_is_refused(code: str, identifier: str) -> None:
    Script().run(
        f"try, {code}; found = ''; catch e, found = e.identifier; end, "
        f"assert(strcmp(found, '{identifier}'), found)"
    )


def test_a_map_of_a_figure_replaces_those_of_its_axes() -> None:
    Script().run("""
        ax = subplot(1, 2, 1); alphamap(ax, [0 1]); assert(isequal(alphamap(ax), [0 1]))
        assert(numel(alphamap) == 64)
        alphamap('increase'); assert(isequal(alphamap(ax), min(linspace(0, 1, 64) + 0.1, 1)))
        alphamap([1 0 0]); alphamap('spin'); assert(isequal(alphamap, [0 0 1]))
        m = alphamap('vdown', 3); assert(isequal(m, [1 0 1]) && isequal(alphamap, [0 0 1]))
        alphamap default; assert(isequal(alphamap, linspace(0, 1, 64)))
    """)
