"""Interpolants as objects: values inside and beyond the data, forms of the query, errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run(
        "F = griddedInterpolant([1 2 4], [1 4 16]); [X, Y] = ndgrid(1:4, 1:5); V = X.^2 + 3*Y;"
        "G = griddedInterpolant(X, Y, V); H = griddedInterpolant({1:3}, [1 2; 3 4; 5 6]);"
        "x = [0 1 0 1 .3]'; y = [0 0 1 1 .4]'; S = scatteredInterpolant(x, y, 2*x - y + 1);"
        "N = scatteredInterpolant(x, y, 2*x - y + 1, 'natural');"
        "k = mod((1:40)' * [.618 .414 .732], 1); T = scatteredInterpolant(k, k * [1; 2; 3]);"
    )
    return made


@pytest.mark.parametrize(
    "text",
    [
        "isequal(F(3), 10) && isequal(F([0; 5]), [-2; 22]) && isequal(F({[1.5 3]}), [2.5 10])",
        "isequal(G(2.5, 1), 9.5) && isequal(G([2 1; 3 2]), [7; 15])",
        "isequal(G({2:3, [1 1.5]}), [7 8.5; 12 13.5]) && isequal(G([1 2], [1 1]), [4 7])",
        "isequal(H([1.5; 3]), [2 3; 5 6])",
        "isequal(F.GridVectors, {[1 2 4]}) && isequal(F.Values(2), 4)",
        "isequal(griddedInterpolant(single(1:3))(2.5), single(2.5))",
        "abs(griddedInterpolant(X, Y, V, 'spline')(2.3, 4.1) - (2.3^2 + 3*4.1)) < 1e-12",
        "abs(griddedInterpolant(X, Y, V, 'cubic')(2.3, 4.1) - (2.3^2 + 3*4.1)) < 1e-12",
        "abs(griddedInterpolant(X, Y, X + Y, 'makima')(2.3, 4.1) - 6.4) < 1e-12",
        "isequal(griddedInterpolant(X, Y, V, 'nearest')(1.5, 4.4), 16)",
        "isequaln(griddedInterpolant([1 2], [3 5], 'linear', 'none')([0 1.5]), [NaN 4])",
        "isequal(griddedInterpolant([1 2], [3 5], 'linear', 'boundary')([0 9]), [3 5])",
        "isequal(griddedInterpolant([1 2], [3 5], 'linear', 'nearest')([0 9]), [3 5])",
        "isequaln(griddedInterpolant(V, 'nearest', 'none')({[0 1], 5}), [NaN; 16])",
        "isequaln(griddedInterpolant([1 2], [3 5], 'next', 'boundary')([NaN 1.5 9]), [NaN 5 5])",
        "isequaln(griddedInterpolant([1 2], [3 5], 'nearest')({[NaN 1]}), [NaN 3])",
        "isequaln(griddedInterpolant(V, 'previous')({1, [1 NaN]}), [V(1) NaN])",
        "isequal(arrayfun(@(t) F(t), [1 2 4]), [1 4 16]) && isequal(F, F) && ~isequal(F, G)",
    ],
)
def test_gridded_interpolant(session: Session, text: str) -> None:
    assert session.holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "abs(S(.2, .6) - .8) < 1e-12 && max(abs(S([.1 .2; .5 .5]) - [1; 1.5])) < 1e-12",
        "norm(S({[0 1], [0 .5 1]}) - [1 .5 0; 3 2.5 2]) < 1e-12",
        "norm(S([3 -2], [4 .5]) - [3 -3.5]) < 1e-12",
        "isequaln(scatteredInterpolant(x, y, x, 'linear', 'none')([2 0], [0 0]), [NaN 0])",
        "abs(scatteredInterpolant(x, y, x, 'linear', 'boundary')(2, .5) - 1) < 1e-12",
        "isequal(scatteredInterpolant(x, y, (1:5)', 'nearest')([.35 9], [.35 9]), [5 4])",
        "abs(T(.5, .5, .5) - 3) < 1e-12 && abs(T([2 2 2]) - 12) < 1e-9",
        "abs(N(.2, .6) - .8) < 1e-6 && isequal(N(x, y), 2*x - y + 1)",
        "isnan(S(NaN, 0))",
    ],
)
def test_scattered_interpolant(session: Session, text: str) -> None:
    assert session.holds(text)


def test_natural_neighbours_take_voronoi_area(session: Session) -> None:
    """In the middle of four points of a square the weights are equal; off it, by area."""
    session.run("[a, b] = meshgrid(0:3); Q = scatteredInterpolant(a(:), b(:), a(:).^2, 'natural');")
    assert session.holds("abs(Q(1.5, 1.5) - 2.5) < 1e-6")
    session.run("P = scatteredInterpolant([0 2 0 2 1]', [0 0 2 2 1]', [0 0 0 0 1]', 'natural');")
    assert session.holds("P(1, 1) == 1 && abs(P(1, .5) - P(.5, 1)) < 1e-6 && P(1, .5) > .3")


def test_properties_are_assigned_by_value(session: Session) -> None:
    session.run("A = griddedInterpolant([1 2], [3 5]); B = A; B.Values(2) = 7; B.Method = 'next';")
    assert session.holds("A(1.5) == 4 && B(1.5) == 7 && strcmp(A.Method, 'linear')")
    session.run("C = scatteredInterpolant; C.Points = [0 0; 1 0; 0 1]; C.Values = [1; 2; 3];")
    assert session.holds("abs(C(.25, .25) - 1.75) < 1e-12")


def test_interpolants_are_saved(session: Session, tmp_path: Path) -> None:
    session.run(f"save('{tmp_path / 'f.mat'}', 'F', 'S'); L = load('{tmp_path / 'f.mat'}');")
    assert session.holds("isequal(L.F, F) && isequal(L.S, S) && L.F(3) == 10")


def test_what_an_interpolant_looks_like(session: Session) -> None:
    shown = session.run("A = griddedInterpolant([1 2], [3 5])")
    assert "griddedInterpolant with properties:" in shown
    assert "Values: [3 5]" in shown
    assert "ExtrapolationMethod: 'linear'" in shown


def test_doubled_points_count_with_their_mean(session: Session) -> None:
    session.run("D = scatteredInterpolant([0 1 0 0]', [0 0 1 0]', [0 1 1 2]');")
    assert "averaged" in session.run("d = D(0, 0);")
    assert session.holds("abs(d - 1) < 1e-12")
    assert "collinear" in session.run("e = scatteredInterpolant((1:3)', (1:3)', (1:3)')(1, 1);")
    assert session.holds("isempty(e)")


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("griddedInterpolant(1:3, 1:3, 'foo')", "griddedInterpolant:BadInterpTypeErrId"),
        ("griddedInterpolant(1:3, 1:3, 'linear', 'foo')", "griddedInterpolant:BadExtrapTypeErrId"),
        ("griddedInterpolant(X', Y', V')", "griddedInterpolant:NdgridNotMeshgrid2DErrId"),
        ("griddedInterpolant([2 1], [1 2])", "griddedInterpolant:NonMonotonicCompVecsErrId"),
        ("griddedInterpolant(1, 2)", "griddedInterpolant:DegenerateGridErrId"),
        ("griddedInterpolant(1:3, 1:4)", "griddedInterpolant:CompVecValueMismatchErrId"),
        ("F(1, 2)", "griddedInterpolant:BadQueryDimErrId"),
        ("G(1:2, 1:3)", "griddedInterpolant:QuerySizeMismatchErrId"),
        ("F('a')", "griddedInterpolant:InvalidTypeErrId"),
        ("F.Nope", "noSuchMethodOrField"),
        ("S(1, 2, 3)", "scatteredInterpolant:BadQueryDimErrId"),
        ("scatteredInterpolant(x, y, (1:3)')", "scatteredInterpolant:InputMismatchErrId"),
    ],
)
def test_errors(session: Session, text: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.value(text)
    assert caught.value.identifier == f"MATLAB:{identifier}"
