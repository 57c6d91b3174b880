"""Interpolation in space, triangulations with edges that must be, masks of polygons, wavelets, filters."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

RING = "P = [0 0; 4 0; 4 4; 0 4; 1 1; 3 1; 3 3; 1 3]; C = [1 2; 2 3; 3 4; 4 1; 5 6; 6 7; 7 8; 8 5]; D = delaunayTriangulation(P, C);"
STAR = (
    "t = linspace(0, 2*pi, 40)'; t(end) = []; r = 1 + 0.6*cos(9*t); x = r.*cos(t); y = r.*sin(t); n = numel(x);"
    "E = [(1:n)' [2:n 1]']; D = delaunayTriangulation(x, y, E); e = edges(D); L = D.ConnectivityList(isInterior(D), :);"
    "Q = D.Points; u = Q(L(:, 2), :) - Q(L(:, 1), :); v = Q(L(:, 3), :) - Q(L(:, 1), :);"
)
CASES = [
    (
        "rng(1); P = rand(60, 3); F = scatteredInterpolant(P, P*[1; 2; 3] + 4, 'natural'); q = 0.3 + 0.4*rand(40, 3);",
        "max(abs(F(q) - q*[1; 2; 3] - 4)) < 1e-5 && abs(F(P(7, :)) - P(7, :)*[1; 2; 3] - 4) < 1e-12",
    ),
    (RING, "sum(isInterior(D)) == 8 && size(D.ConnectivityList, 1) == 10"),
    (
        STAR,
        "all(ismember(sort(E, 2), e, 'rows')) && abs(sum(abs(u(:, 1).*v(:, 2) - u(:, 2).*v(:, 1)))/2 - polyarea(x, y)) < 1e-9",
    ),
    (
        "t = ''; try, delaunayTriangulation([0 0; 1 1; 0 1; 1 0], [1 2; 3 4]); catch e, t = e.identifier; end",
        "strcmp(t, 'MATLAB:delaunayTriangulation:IntersectingConstraints')",
    ),
    (
        "B = poly2mask([10 40 25], [10 10 40], 50, 50);",
        "abs(nnz(B) - 450) < 20 && ~B(5, 25) && B(15, 25)",
    ),
    (
        "I = peaks(30); M = false(30); M(12:18, 10:20) = true; J = regionfill(I, M);",
        "isequal(J(~M), I(~M)) && max(J(M)) <= max(I(:)) && abs(J(15, 15) - mean([J(14, 15) J(16, 15) J(15, 14) J(15, 16)])) < 1e-9",
    ),
    (
        "B = false(15); B(4, 4) = true; B(12, 11) = true; T = bwmorph(B, 'thicken', Inf);",
        "max(max(bwlabel(T))) == 2 && nnz(T) > 120 && all(T(B))",
    ),
    (
        "[B, V] = bucky; G = graph(B);",
        "numedges(G) == 90 && max(conncomp(G)) == 1 && max(abs(sum(V.^2, 2) - 1)) < 1e-12 && numel(unique(distances(G, 1))) == 10",
    ),
    (
        "[x, y] = treelayout([0 1 1 2 2 3]);",
        "issorted(-y([1 2 4])) && x(2) < x(1) && x(1) < x(3) && x(2) == (x(4) + x(5))/2",
    ),
    (
        "x = cumsum(sin(1:200).^3); [c, l] = wavedec(x, 4, 'db4');",
        "norm(waverec(c, l, 'db4') - x) < 1e-8 && numel(c) == sum(l(1:end-1))",
    ),
    (
        "[a, b] = wfilters('sym4');",
        "abs(sum(a) - sqrt(2)) < 1e-9 && abs(a*b') < 1e-9 && abs(a*a' - 1) < 1e-9",
    ),
    (
        "b = firpm(24, [0 0.3 0.4 1], [1 1 0 0], [1 10]); h = abs(freqz(b, 1, pi*[0.1 0.2 0.45 0.8]));",
        "max(abs(h(1:2) - 1)) < 0.2 && max(h(3:4)) < 0.02",
    ),
    (
        "[n, w] = buttord(0.2, 0.4, 1, 40); [b, a] = butter(n, w); h = 20*log10(abs(freqz(b, a, pi*[0.2 0.4])));",
        "h(1) >= -1.01 && h(2) <= -39.99",
    ),
    (
        "rng(6); x = filter(1, [1 -1.5 0.8], randn(4000, 1)); a = arburg(x, 2); y = aryule(x, 2);",
        "norm(a - [1 -1.5 0.8]) < 0.05 && norm(y - a) < 0.02",
    ),
    (
        "[bz, az] = bilinear([1 2], [1 3 5], 10); s = c2d(tf([1 2], [1 3 5]), 0.1, 'tustin');",
        "norm(bz/az(1) - s.num{1}/s.den{1}(1)) < 1e-9",
    ),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_shapes_and_signals(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)


@pytest.mark.parametrize(
    "truth",
    [
        "isequaln(sort([3 NaN 1], 'MissingPlacement', 'first'), [NaN 1 3])",
        "isequaln(sort([3 NaN 1], 'descend', 'MissingPlacement', 'last'), [3 1 NaN])",
        "isequal(sort([-3 1 2], 'ComparisonMethod', 'abs'), [1 2 -3])",
        "isequal(sort([1+2i 0 -5], 'ComparisonMethod', 'real'), [-5 0 1+2i])",
        "issorted([1 2 2 NaN]) && ~issorted([1 2 2], 'strictascend') && issorted([3 2 2], 'monotonic')",
        "isequal(whos().name, whos().name)",
    ],
)
def test_of_order(session: Session, truth: str) -> None:
    session.run("clear; only = 1;")
    assert session.holds(truth)
