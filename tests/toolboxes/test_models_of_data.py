"""Models, distributions and partitions of data: what must hold between their answers."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

DATA = "rng(8); x = (1:20)'/4; X = [x sin(x)]; y = 3 + 2*x - X(:, 2) + 0.05*randn(20, 1); m = fitlm(X, y);"
CURVE = (
    "rng(2); x = (0:0.2:4)'; f = @(b, x) b(1)*exp(-b(2)*x); y = f([3; 0.7], x) + 0.01*randn(21, 1);"
    "[b, r, J, S, v] = nlinfit(x, y, f, [1; 1]);"
)
CASES = [
    (
        DATA,
        "norm(m.Coefficients.Estimate - regress(y, [ones(20, 1) X])) < 1e-9 && abs(m.SSR + m.SSE - m.SST) < 1e-9",
    ),
    (
        DATA + "[p, c] = predict(m, X(1:3, :));",
        "norm(p - m.Fitted(1:3)) < 1e-9 && all(c(:, 1) < p & p < c(:, 2))",
    ),
    (
        DATA + "[b, d, s] = glmfit(X, y, 'normal');",
        "norm(b - m.Coefficients.Estimate) < 1e-8 && norm(s.se - m.Coefficients.SE) < 1e-8 && abs(d - m.SSE) < 1e-8",
    ),
    (
        DATA
        + "T = table(x, X(:, 2), y, 'VariableNames', {'a', 'b', 'c'}); n = fitlm(T, 'c ~ a*b - 1');",
        "isequal(n.CoefficientNames, {'a', 'b', 'a:b'})",
    ),
    (
        DATA + "n = fitlm(X, y, 'quadratic');",
        "n.NumCoefficients == 6 && n.Rsquared.Ordinary >= m.Rsquared.Ordinary",
    ),
    (DATA + "B = lasso(X, y, 'Lambda', 1e-9);", "norm(B - m.Coefficients.Estimate(2:3)) < 1e-4"),
    (
        DATA + "b = ridge(y, X, [0 10], 0);",
        "norm(b(:, 1) - m.Coefficients.Estimate) < 1e-8 && norm(b(2:3, 2)) < norm(b(2:3, 1))",
    ),
    (
        "[b, d, s] = glmfit([1 2 3 4 5 6]', [0 0 1 0 1 1]', 'binomial'); p = glmval(b, [1 2 3 4 5 6]', 'logit');",
        "abs(sum(p) - 3) < 1e-6 && abs(sum(p .* (1:6)') - 14) < 1e-5",
    ),
    (
        CURVE + "c = nlparci(b, r, 'Jacobian', J); e = nlparci(b, r, 'Covar', S);",
        "norm(c - e) < 1e-6 && all(c(:, 1) < [3; 0.7] & [3; 0.7] < c(:, 2)) && abs(v - r'*r/19) < 1e-12",
    ),
    (
        "d = makedist('Weibull', 'a', 2, 'b', 3); t = truncate(d, 1, 2);",
        "abs(cdf(d, 1.3) - wblcdf(1.3, 2, 3)) < 1e-14 && abs(integral(@(z) pdf(t, z), 1, 2) - 1) < 1e-8 && cdf(t, 2) == 1",
    ),
    (
        "d = makedist('Poisson', 'lambda', 4);",
        "abs(mean(d) - 4) < 1e-12 && abs(sum(pdf(d, 0:60)) - 1) < 1e-12 && icdf(d, 0.5) == 4",
    ),
    (
        "rng(1); z = random(makedist('Gamma', 'a', 3, 'b', 2), 4000, 1); g = fitdist(z, 'Gamma'); c = paramci(g);",
        "all(c(1, :) < [3 2] & [3 2] < c(2, :)) && abs(mean(g) - mean(z)) < 1e-6",
    ),
    ("[p, q] = mle([1 2 4 7], 'distribution', 'Exponential');", "p == 3.5 && q(1) < p && q(2) > p"),
    (
        "rng(5); z = randn(200, 1); [f, t] = ksdensity(z); c = ksdensity(z, t, 'Function', 'cdf');",
        "abs(trapz(t, f) - 1) < 5e-3 && max(abs(cumtrapz(t, f) - c)) < 5e-3 && issorted(c)",
    ),
    (
        "[f, t] = ksdensity(exp(randn(99, 1)), 'Support', 'positive');",
        "all(t > 0) && abs(trapz(t, f) - 1) < 0.05",
    ),
    ("k = kruskalwallis([1 2 3 4 10 12 14 16]', [1 1 1 1 2 2 2 2]');", "abs(k - 0.0209) < 1e-3"),
    (
        "rng(3); h = [jbtest(randn(300, 1)) lillietest(randn(300, 1)) adtest(randn(300, 1))]; g = [jbtest(rand(300, 1).^4) adtest(rand(300, 1).^4)];",
        "sum(h) <= 1 && all(g)",
    ),
    (
        "A = [0 0; 1 0; 0 2; 3 1]; t = 0.7; [d, Z] = procrustes(A, 2*A*[cos(t) -sin(t); sin(t) cos(t)] + 3);",
        "d < 1e-12 && norm(Z - A) < 1e-9",
    ),
    (
        "c = cvpartition(30, 'KFold', 5); s = 0; for k = 1:5, s = s + test(c, k); end",
        "all(s == 1) && isequal(test(c, 1), ~training(c, 1))",
    ),
    (
        "m = fitcknn([0 0; 0 1; 5 5; 6 5], [1; 1; 2; 2], 'NumNeighbors', 2);",
        "isequal(predict(m, [1 1; 6 6]), [1; 2]) && resubLoss(m) == 0",
    ),
    (
        "t = ''; try, fitdist([1 2], 'no'); catch e, t = e.identifier; end",
        "strcmp(t, 'stats:fitdist:InvalidDistName')",
    ),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_data(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)
