"""Fits of data made by known formulas, constrained minima, and searches over many valleys."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

X = "x = (0:0.1:3)';"
CASES = [
    (
        X + "f = fit(x, 5 + 2*sin(4*x) + cos(4*x), 'fourier1');",
        "norm(coeffvalues(f) - [5 1 2 4]) < 1e-6",
    ),
    (
        X + "f = fit(x, 3*exp(-((x - 1.2)/0.4).^2), 'gauss1');",
        "norm(coeffvalues(f) - [3 1.2 0.4]) < 1e-6",
    ),
    (X + "f = fit(x, 4*exp(-x) + exp(-3*x), 'exp2');", "norm(f(x) - 4*exp(-x) - exp(-3*x)) < 1e-6"),
    (X + "f = fit(x + 1, (2*x + 3) ./ (x + 4), 'rat11');", "norm(coeffvalues(f) - [2 1 3]) < 1e-5"),
    (
        X + "[u, v] = meshgrid(0:4); f = fit([u(:) v(:)], 1 + 2*u(:) + u(:).*v(:), 'poly11');",
        "isequal(size(f(u, v)), [5 5])",
    ),
    (X + "f = fit(x, x.^2, 'pchipinterp');", "abs(f(1.5) - 2.25) < 1e-3"),
    (
        X
        + "y = 2*x + 1 + 0.1*cos(40*x); [f, g, o] = fit(x, y, 'poly1'); c = confint(f); p = polyfit(x, y, 1);",
        "norm(coeffvalues(f) - p) < 1e-10 && all(c(1, :) < p & p < c(2, :)) && abs(g.sse - sum(o.residuals.^2)) < 1e-12",
    ),
    (
        X
        + "f = fit(x, 2*exp(-x) + 3, fittype(@(a, b, x) a*exp(-x) + b), 'Lower', [0 0], 'Upper', [1 9], 'StartPoint', [1 1]);",
        "abs(f.a - 1) < 1e-9 && f.b > 3",
    ),
    (X + "f = fit(x, [ones(30, 1); 99], 'poly0', 'Exclude', 31);", "abs(f.p1 - 1) < 1e-12"),
    (
        "[x, f, e, o, l, g, h] = fmincon(@(x) x(1)^2 + 2*x(2)^2, [1; 1], [-1 -1], -3);",
        "norm(x - [2; 1]) < 1e-5 && abs(l.ineqlin - 4) < 1e-3 && norm(g - [4; 4]) < 1e-3 && norm(h - diag([2 4])) < 1e-2",
    ),
    (
        "f = @(x) deal((x - 3)^2, 2*(x - 3)); x = fmincon(f, 0, [], [], [], [], -9, 2, [], optimoptions('fmincon', 'SpecifyObjectiveGradient', true));",
        "abs(x - 2) < 1e-6",
    ),
    *(
        (
            "f = @(x) deal([x(1) - 1; 10*(x(2) - x(1)^2)], [1 0; -20*x(1) 10]); "
            f"[x, r, ~, e, o, ~, J] = lsqnonlin(f, [3 4], [], [], {options});",
            "norm(x - [1 1]) < 1e-6 && r < 1e-12 && norm(J - [1 0; -20 10]) < 1e-4",
        )
        for options in (
            "optimoptions('lsqnonlin', 'SpecifyObjectiveGradient', true)",
            "optimset('Jacobian', 'on')",
        )
    ),
    (
        "f = @(p, t) deal(p(1)*exp(p(2)*t), [exp(p(2)*t) p(1)*t.*exp(p(2)*t)]); t = (0:4)'; "
        "p = lsqcurvefit(f, [1 0], t, 2*exp(-t/2), [], [], optimset('Jacobian', 'on'));",
        "norm(p - [2 -0.5]) < 1e-6",
    ),
    (
        "[x, f, e, o, l] = linprog([-3; -2], [1 1; 1 3], [4; 6], [], [], [0; 0]);",
        "isequal(x, [4; 0]) && abs(l.ineqlin(1) - 3) < 1e-9",
    ),
    (
        "[x, f, e] = intlinprog([-8; -11; -6; -4], 1:4, [5 7 4 3], 14, [], [], zeros(4, 1), ones(4, 1));",
        "f == -21 && e == 1",
    ),
    (
        "rng(4); x = ga(@(x) 20 + sum(x.^2 - 10*cos(2*pi*x)), 2, [], [], [], [], [-5 -5], [5 5]);",
        "norm(x) < 1e-3",
    ),
    (
        "rng(4); x = particleswarm(@(x) sum((x - 1).^2) + 1, 3, -5*ones(1, 3), 5*ones(1, 3));",
        "norm(x - 1) < 1e-2",
    ),
    ("x = patternsearch(@(x) (x(1) - 2)^2 + x(2)^2, [0 0], [1 0], 1);", "norm(x - [1 0]) < 1e-5"),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_fit_or_minimum(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)


def test_a_fit_shows_its_coefficients(session: Session) -> None:
    shown = session.run("f = fit((0:3)', [1; 3; 5; 7], 'poly1')")
    assert "Linear model Poly1:" in shown
    assert "f(x) = p1*x + p2" in shown
    assert "p1 =           2" in shown
