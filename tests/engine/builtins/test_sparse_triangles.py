"""Systems with large sparse triangles are solved by substitution, and minres by minimal residuals."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

MADE = """
n = 60; e = ones(n, 1);
T = spdiags([-e 4*e -e], -1:1, n, n); A = kron(T, speye(n)) + kron(speye(n), T);
b = mod((1:n^2)'*37, 101); U = triu(A); L = tril(A);
"""
SOLVED = {
    "U\\b": "U",
    "L\\b": "L",
    "(b'/U)'": "U'",
    "(b'/L)'": "L'",
    "full(U\\sparse(b))": "U",
    "(U + 1i*speye(n^2))\\b": "(U + 1i*speye(n^2))",
    "U\\[b 2*b]*[1; 0]": "U",
    "(2*speye(n^2))\\b": "2",
}


@pytest.mark.parametrize(("solved", "matrix"), list(SOLVED.items()))
def test_substitution_solves(solved: str, matrix: str) -> None:
    session = Session()
    session.run(MADE + f"x = {solved};")
    assert session.holds(f"norm({matrix}*x - b) <= 1e-12*norm(b)")


def test_a_zero_pivot_is_a_singular_matrix() -> None:
    session = Session()
    session.run(MADE + "Z = U; Z(7, 7) = 0; lastwarn(''); x = Z\\b;")
    assert session.holds("contains(lastwarn, 'singular') && ~all(isfinite(x))")


@pytest.mark.parametrize(
    "program",
    [
        "[x, flag, relres, steps] = minres(A, b, 1e-9, 200); good = relres <= 1e-9;",
        "[x, flag, relres] = minres(A, b, 1e-9, 200, L, L'/6); good = relres <= 1e-8;",
        "[x, flag, relres] = minres(@(v) A*v, b, 1e-9, 200); good = relres <= 1e-9;",
        "[x, flag] = minres(T - 5*speye(n), e, 1e-9, 200); good = norm(T*x - 5*x - e) <= 1e-7;",
    ],
)
def test_minres_says_what_it_reached(program: str) -> None:
    session = Session()
    session.run(MADE + program)
    assert session.holds("flag == 0 && good")


def test_minres_of_equations_that_have_no_solution() -> None:
    session = Session()
    session.run("[x, flag, relres] = minres([1 0; 0 0], [1; 1]);")
    assert session.holds("flag ~= 0 && relres > 0.5 && norm(x - [1; 1]) < 1e-12")
