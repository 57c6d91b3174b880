"""Bins of pairs of values, and the charts that count them."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run("x = [1 2 3 4 4]; y = [1 2 3 4 6]; [r, q] = deal(mod(1:64, 7) + 0.5, mod(1:64, 5)/3);")
    return made


@pytest.mark.parametrize(
    ("options", "x", "y"),
    [
        ("'BinWidth', [1 2]", "1:4", "0:2:6"),
        ("'BinWidth', 2", "0:2:4", "0:2:6"),
        ("'NumBins', [3 2]", "1:3:10", "1:3:7"),
        ("[3 2]", "1:3:10", "1:3:7"),
        ("'XBinEdges', [0 2 9], 'YBinEdges', [0 9]", "[0 2 9]", "[0 9]"),
        ("'XBinLimits', [0 4], 'YBinLimits', [2 6], 'NumBins', 2", "0:2:4", "2:2:6"),
        ("'BinMethod', 'integers'", "0.5:4.5", "0.5:6.5"),
        ("", "0.5:4.5", "0.5:6.5"),
    ],
)
def test_options_say_which_bins(session: Session, options: str, x: str, y: str) -> None:
    given = f", {options}" if options else ""
    session.run(f"[n, a, b] = histcounts2(x, y{given}); h = histogram2(x, y{given});")
    if ("NumBins" not in options and "[3 2]" not in options) or "Limits" in options:
        assert session.holds(f"norm(a - ({x})) < 1e-12 && norm(b - ({y})) < 1e-12")
    else:
        assert session.holds(f"numel(a) == numel({x}) && numel(b) == numel({y})")
        session.run("[~, c] = histcounts(x, 3); [~, d] = histcounts(y, 2);")
        assert session.holds("isequal(a, c) && isequal(b, d)")
    assert session.holds(
        "isequal(size(n), [numel(a) numel(b)] - 1) && sum(n(:)) == sum("
        "x >= a(1) & x <= a(end) & y >= b(1) & y <= b(end))"
    )
    top = "max(h.Vertices(:, 3))"
    assert session.holds(f"{top} == max(n(:)) && max(h.Vertices(:, 1)) <= a(end)")


def test_the_usual_width_shrinks_with_the_fourth_root(session: Session) -> None:
    session.run("[~, a, b] = histcounts2(r, q);")
    assert session.holds("abs(3.5*std(r)*64^(-1/4)/(a(2) - a(1)) - 1) < 0.6")
    session.run(
        "[~, c] = histcounts2(r, q, 'BinMethod', 'scott'); [~, d] = histcounts2(r, q, "
        "'BinMethod', 'fd');"
    )
    assert session.holds("isequal(a, c) && iqr(r)*2*64^(-1/4) < 2*(d(2) - d(1))")


def test_sums_run_along_both_directions(session: Session) -> None:
    session.run("n = histcounts2(x, y, 0:5, 0:7);")
    session.run("c = histcounts2(x, y, 0:5, 0:7, 'Normalization', 'cumcount');")
    session.run("p = histcounts2(x, y, 0:5, 0:7, 'Normalization', 'cdf');")
    assert session.holds("isequal(c, cumsum(cumsum(n, 1), 2)) && norm(p - c/5) < 1e-12")
    session.run("h = histogram2(x, y, 0:5, 0:7, 'Normalization', 'cumcount');")
    assert session.holds("max(h.Vertices(:, 3)) == 5")


def test_unknown_normalizations_of_charts_are_refused(session: Session) -> None:
    with pytest.raises(MatlabError, match="'rubbish' is not a normalization"):
        session.run("histogram2(x, y, 'Normalization', 'rubbish');")


def test_slices_and_their_labels_alternate(session: Session) -> None:
    session.run("h = pie([1 1 2], [0 1 0], {'a', 'b', 'c'}); set(h(2:2:end), 'FontSize', 12);")
    assert session.holds("isequal(size(h), [1 6]) && strcmp(h(4).String, 'b')")
    assert session.holds("strcmp(get(h(5), 'Type'), 'patch') && h(6).FontSize == 12")
    assert session.holds(
        "isequal(h(3).FaceVertexCData, 2) && numel(findobj(h, 'Type', 'text')) == 3"
    )


def test_labels_of_slices_reach_away_from_the_pie(session: Session) -> None:
    session.run("h = pie([1 2 1], {'on the left', 'below', 'on the right'});")
    assert session.holds("isequal({h(2:2:end).HorizontalAlignment}, {'right', 'center', 'left'})")
    assert session.holds("h(2).Position(1) < 0 && h(4).Position(2) < -1 && h(6).Position(1) > 0")


def test_erase_modes_of_old_programs_are_told_and_left(session: Session) -> None:
    session.run("lastwarn(''); h = plot(1:3, 'EraseMode', 'xor', 'LineWidth', 3);")
    assert session.holds("h.LineWidth == 3 && contains(lastwarn, 'EraseMode')")
    session.run("lastwarn(''); set(h, 'erasemode', 'none', 'MarkerSize', 18);")
    assert session.holds("h.MarkerSize == 18 && contains(lastwarn, 'ANIMATEDLINE')")


def test_font_sizes_of_a_figure(session: Session) -> None:
    session.run("clf; plot(1:3); title('t'); fontsize(gcf, 14, 'points');")
    assert session.holds("get(gca, 'FontSize') == 14 && get(get(gca, 'Title'), 'FontSize') == 14")
    session.run("fontsize(gca, 'increase'); a = get(gca, 'FontSize'); fontsize(gcf, scale=2);")
    assert session.holds("abs(a - 15.4) < 1e-9 && abs(get(gca, 'FontSize') - 2*a) < 1e-9")
    with pytest.raises(MatlabError, match="Give a size and its units"):
        session.run("fontsize(gcf, 'larger');")


def test_classes_of_the_older_base_set_and_get(
    session: Session, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("older")
    (folder / "OlderBase.m").write_text(
        "classdef OlderBase < hgsetget\n properties\n  width = 1\n end\nend\n"
    )
    session.run(f"addpath('{folder}'); o = OlderBase; set(o, 'width', 5);")
    assert session.holds("get(o, 'width') == 5 && isa(o, 'handle')")
