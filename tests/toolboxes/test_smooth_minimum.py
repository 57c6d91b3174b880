"""fminunc on functions as programs have them: badly scaled, not defined everywhere."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

LOGISTIC = (
    "t = (1:40)'; X = [ones(40, 1), 30 + 1.7*t, 100 - 1.3*t + 20*sin(t)]; "
    "y = double(X(:, 2) + X(:, 3) + 12*cos(3*t) > 150); s = @(z) 1./(1 + exp(-z)); "
    "J = @(b) -(y'*log(s(X*b)) + (1 - y)'*log(1 - s(X*b)))/40; G = @(b) X'*(s(X*b) - y)/40; "
)
GIVEN = "optimset('GradObj', 'on', 'MaxIter', 400)"
NEWER = "optimoptions('fminunc', 'SpecifyObjectiveGradient', true)"


@pytest.mark.parametrize("options", [GIVEN, NEWER])
def test_a_logistic_regression_of_raw_scores_is_fitted(options: str) -> None:
    session = Session()
    session.run(LOGISTIC + f"[b, f, e] = fminunc(@(b) deal(J(b), G(b)), zeros(3, 1), {options});")
    assert session.holds("e == 1 && norm(G(b)) < 1e-5 && f < 0.9*log(2)")


def test_a_gradient_of_its_own_is_used() -> None:
    session = Session()
    session.run(
        "n = 0; f = @(x) deal(sum((x - 3).^4), 4*(x - 3).^3); "
        "[x, v, e, o] = fminunc(f, zeros(1, 50), optimset('GradObj', 'on', 'TolFun', 1e-9));"
    )
    assert session.holds("o.funcCount < 60 && max(abs(x - 3)) < 0.01")


def test_the_hessian_is_that_of_the_function() -> None:
    session = Session()
    session.run("[x, f, e, o, g, h] = fminunc(@(x) x*[4 1; 1 3]*x'/2 - sum(x), [9 -9]);")
    assert session.holds("norm(h - [4 1; 1 3]) < 1e-3 && norm(x - [2 3]/11) < 1e-6")


def test_ways_beyond_the_domain_are_shortened() -> None:
    session = Session()
    assert session.holds("abs(fminunc(@(x) x - log(max(x, 0)), 1e-3) - 1) < 1e-5")
    assert session.holds("abs(fminunc(@(x) (x - 1)^2 + 0/(x < 50), 40) - 1) < 1e-5")


def test_no_minimum_and_no_value_are_told() -> None:
    session = Session()
    session.run("[x, f, e] = fminunc(@(x) -sum(x), [1; 2]);")
    assert session.holds("e == -3")
    with pytest.raises(MatlabError, match="undefined at initial point"):
        session.run("fminunc(@(x) NaN*x, 1)")
