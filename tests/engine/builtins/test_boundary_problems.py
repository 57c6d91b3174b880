"""Boundary value problems, parabolic and implicit equations, against solutions in closed form."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

HEAT = (
    "f = @(x, t, u, g) deal(pi^2, g, 0); b = @(l, u, r, v, t) deal(u, 0, pi*exp(-t), 1);"
    "x = linspace(0, 1, 21); t = linspace(0, 2, 5); y = pdepe(0, f, @(x) sin(pi*x), b, x, t);"
)
DISC = (
    "f = @(x, t, u, g) deal(1, g, 0); b = @(l, u, r, v, t) deal(0, 1, v, 0); z = 2.404825557695773;"
    "x = linspace(0, 1, 41); y = pdepe(1, f, @(x) besselj(0, z*x), b, x, [0 0.05 0.1]);"
)
PAIR = (
    "f = @(x, t, u, g) deal([1; 1], [2; 1] .* g, [0; 0]); b = @(l, u, r, v, t) deal(u, [0; 0], v, [0; 0]);"
    "x = linspace(0, 1, 21); y = pdepe(0, f, @(x) [sin(pi*x); sin(2*pi*x)], b, x, [0 0.01 0.02]);"
)
MATHIEU = (
    "f = @(x, y, k) [y(2); -(k - 10*cos(2*x))*y(1)]; b = @(a, c, k) [a(2); c(2); a(1) - 1];"
    "s = bvp4c(f, b, bvpinit(linspace(0, pi, 10), @(x) [cos(4*x); -4*sin(4*x)], 15));"
)
CASES = [
    (HEAT, "max(max(abs(y - exp(-t') * sin(pi*x)))) < 5e-3"),
    (DISC, "max(abs(y(3, :) - exp(-z^2*0.1) * besselj(0, z*x))) < 2e-3"),
    (
        PAIR,
        "max(abs(y(3, :, 1) - exp(-2*pi^2*0.02) * sin(pi*x))) < 2e-3 && "
        "max(abs(y(3, :, 2) - exp(-4*pi^2*0.02) * sin(2*pi*x))) < 6e-3",
    ),
    (MATHIEU, "abs(s.parameters - 17.097) < 0.01"),
    (
        "s = bvp5c(@(x, y) [y(2); y(1)], @(a, b) [a(1) - 1; b(1) - exp(1)], bvpinit([0 1], [1 1]));",
        "norm(deval(s, [0.25 0.5]) - [1; 1] * exp([0.25 0.5])) < 1e-2",
    ),
    (
        "s = bvp4c(@(x, y) [y(2); y(1)], @(a, b) [a(1) - 1; b(1) - exp(1)], bvpinit(0:0.5:1, [1 1]), bvpset('RelTol', 1e-8));"
        "[y, p] = deval(s, 0.3);",
        "norm(p - exp(0.3)) < 1e-6",
    ),
    ("g = bvpinit(s, [0 2]);", "g.x(end) == 2 && size(g.y, 1) == 2"),
    (
        "f = @(t, y, p) t*y^2*p^3 - y^3*p^2 + t*(t^2 + 1)*p - t^2*y; [a, b] = decic(f, 1, sqrt(3/2), 1, 0, 0);"
        "[t, y] = ode15i(f, [1 3 10], a, b);",
        "norm(y - sqrt(t.^2 + 0.5)) < 1e-3 && isequal(t, [1; 3; 10])",
    ),
    (
        "t = ''; try, deval(struct('x', [0 1], 'y', [0 1]), 2); catch e, t = e.identifier; end",
        "strcmp(t, 'MATLAB:deval:SolOutsideInterval')",
    ),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_solution(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)
