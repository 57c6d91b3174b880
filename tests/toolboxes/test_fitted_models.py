"""fitglm and fitnlm: what their models say agrees with glmfit and nlinfit, whatever the data came in."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

DATA = (
    "x = [(1:30)', sin(1:30)']; n = 5 + mod((1:30)', 4); "
    "k = round(n./(1 + exp(2 - 0.15*x(:, 1) + x(:, 2)))); c = round(exp(0.1*x(:, 1) + x(:, 2)));"
)


@pytest.mark.parametrize(
    ("call", "reference"),
    [
        ("x, c, 'Distribution', 'poisson'", "x, c, 'poisson'"),
        ("x, [k n], 'Distribution', 'binomial'", "x, [k n], 'binomial'"),
        ("x, k, 'linear', 'Distribution', 'binomial', 'BinomialSize', n", "x, [k n], 'binomial'"),
        (
            "x, [k n], 'Distribution', 'binomial', 'Link', 'probit'",
            "x, [k n], 'binomial', 'link', 'probit'",
        ),
        ("x, c + 1, 'Distribution', 'gamma', 'Link', 'log'", "x, c + 1, 'gamma', 'link', 'log'"),
        ("x, c, 'interactions'", "[x, x(:, 1).*x(:, 2)], c, 'normal'"),
        (
            "x, c, 'Intercept', false, 'Weights', n",
            "x, c, 'normal', 'constant', 'off', 'weights', n",
        ),
        ("table(x(:, 1), c, 'VariableNames', {'a', 'r'}), 'r ~ a'", "x(:, 1), c, 'normal'"),
    ],
)
def test_generalized_models_are_those_of_glmfit(call: str, reference: str) -> None:
    session = Session()
    session.run(DATA + f"m = fitglm({call}); [b, d, s] = glmfit({reference});")
    assert session.holds("norm(m.Coefficients.Estimate - b) < 1e-6*norm(b)")
    assert session.holds("abs(m.Deviance - d) < 1e-6*max(d, 1) && m.DFE == s.dfe")
    assert session.holds("norm([m.Coefficients.SE, m.Coefficients.pValue] - [s.se, s.p]) < 1e-6")


def test_predictions_stay_where_the_response_can_be() -> None:
    session = Session()
    session.run(DATA + "m = fitglm(x, [k n], 'Distribution', 'binomial');")
    session.run(
        "[p, ci] = predict(m, [-50 0; 15 0; 90 0]); q = feval(m, [-50; 15; 90], [0; 0; 0]);"
    )
    assert session.holds("all(ci(:, 1) <= p & p <= ci(:, 2)) && all(ci(:) >= 0 & ci(:) <= 1)")
    assert session.holds("norm(p - q) < 1e-12")
    assert "logit(y) ~ 1 + x1 + x2" in session.run("m")


@pytest.mark.parametrize(
    "call",
    [
        "x, y, @(b, x) b(1)*exp(-x/b(2)), [1 5]",
        "x, y, 'y ~ amp*exp(-x1/tau)', [1; 5]",
        "table(x, y), @(b, x) b(1)*exp(-x/b(2)), [1 5]",
        "table(y, x), 'y ~ b1*exp(-x/b2)', [1 5]",
    ],
)
def test_nonlinear_models_are_those_of_nlinfit(call: str) -> None:
    session = Session()
    session.run("x = (0:12)'; y = 3*exp(-x/4) + 0.01*cos(9*x); y(3) = NaN; k = ~isnan(y);")
    session.run(f"m = fitnlm({call}); f = @(b, x) b(1)*exp(-x/b(2));")
    session.run("[b, ~, ~, s, v] = nlinfit(x(k), y(k), f, [1 5]);")
    assert session.holds("norm(m.Coefficients.Estimate' - b) < 1e-6 && abs(m.MSE - v) < 1e-9")
    assert session.holds("norm(m.CoefficientCovariance - s) < 1e-7 && m.NumObservations == 12")
    assert session.holds("norm(predict(m, [1; 2]) - f(b, [1; 2])) < 1e-6")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("fitglm((1:3)', (1:3)', 'Distribution', 'cauchy')", "Known are"),
        ("fitglm((1:3)', (1:4)')", "same rows"),
        ("fitnlm((1:3)', (1:3)', 'y ~ a + b*x1', 1)", "2 coefficients"),
        ("fitnlm((1:3)', (1:3)', @(b, x) b*x)", "Not enough input"),
        ("fitnlm(table([1; 2], [3; 4]), 'z ~ a', 1)", "'z' is not a variable"),
    ],
)
def test_wrong_calls_are_told(call: str, said: str) -> None:
    with pytest.raises(MatlabError, match=said):
        Session().run(f"{call};")
