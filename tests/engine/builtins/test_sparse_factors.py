"""Factors of sparse matrices: they stay sparse, and what they promise holds."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

MADE = "rng(1); n = 40; A = sprandn(n, n, 0.1) + 3*speye(n); S = A*A' + speye(n);\n"
CLAIMS = {
    "[L, U, P, Q] = lu(A);": "issparse(L) && norm(full(P*A*Q - L*U)) < 1e-12 && istriu(U)",
    "[L, U, P] = lu(A);": "norm(full(P*A - L*U)) < 1e-12 && istril(L) && isequal(diag(L), ones(n, 1))",
    "[L, U] = lu(A);": "norm(full(A - L*U)) < 1e-12",
    "[L, U, p, q] = lu(A, 'vector');": "norm(full(A(p, q) - L*U)) < 1e-12",
    "[L, U, P] = lu(sparse([1 2; 2 4]));": "isequal(full(P*[1 2; 2 4]), full(L*U))",
    "[L, U, P] = lu(sparse([1 2; 2 3; 4 4]));": "isequal(full(P*[1 2; 2 3; 4 4]), full(L*U))",
    "R = chol(S);": "issparse(R) && istriu(R) && norm(full(R'*R - S)) < 1e-10",
    "L = chol(S, 'lower');": "istril(L) && norm(full(L*L' - S)) < 1e-10",
    "[R, flag, P] = chol(S);": "flag == 0 && norm(full(R'*R - P'*S*P)) < 1e-10",
    "[R, flag, p] = chol(S, 'vector');": "norm(full(R'*R - S(p, p))) < 1e-10",
    "[R, flag] = chol(sparse(diag([1 2 -3 4])));": "flag == 3 && isequal(size(R), [2 2])",
    "p = amd(S); R = chol(S(p, p));": "nnz(R) <= nnz(chol(S)) && isequal(sort(p), 1:n)",
    "p = symrcm(S);": "isequal(sort(p), 1:n)",
}


@pytest.mark.parametrize("code", CLAIMS)
def test_claim(code: str) -> None:
    session = Session()
    session.run(MADE + code)
    assert session.value(CLAIMS[code]) is True


def test_indefinite() -> None:
    with pytest.raises(Exception, match="Matrix must be positive definite"):
        Session().run("chol(-speye(3));")
