"""Sparse matrices: forms and assignments give what full matrices give, and stay sparse."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

MADE = """
rng(4); F = round(4*rand(6, 5) - 2); F(:, 4) = 0; F(2, :) = 0; F(:, 5) = [1 2 3 4 5 6];
R = [0 3 0 -1]; C = R'; Q = F(1:5, :); Z = zeros(0, 3); W = F; W(3, 1) = 2 + 1i;
"""
MATRICES = ("F", "R", "C", "Q", "Z", "W", "7", "0")
ARITHMETIC = (
    "X'",
    "X.'",
    "X + X",
    "X - X",
    "X - 2*X",
    "X .* X",
    "X .* -X",
    "X*X'",
    "X'*X",
    "X*(X' - X')",
    "X*ones(size(X, 2), 1)",
    "X*2",
    "0*X",
    "X*1i",
    "X/4",
    "kron(X, X)",
    "kron(X, [1 0 2])",
    "sum(X, 2)",
)
"""What is computed on the compressed columns themselves."""
EXPRESSIONS = (
    "max(X)",
    "min(X)",
    "max(X, [], 2)",
    "min(X, [], 1)",
    "max(X, 0)",
    "min(X, 0)",
    "max(X, -X)",
    "any(X)",
    "all(X)",
    "any(X, 2)",
    "all(X, 2)",
    "prod(X)",
    "prod(X, 2)",
    "mean(X)",
    "mean(X, 2)",
    "norm(X, 1)",
    "norm(X, Inf)",
    "norm(X, 'fro')",
    "nonzeros(X)",
    "find(X)",
    "find(X, 3)",
    "diag(X)",
    "diag(X, 1)",
    "diag(X, -2)",
    "reshape(X, size(X, 2), size(X, 1))",
    "X(:)",
    "repmat(X, 2, 3)",
    "fliplr(X)",
    "flipud(X)",
    "circshift(X, 1)",
    "circshift(X, 2, 2)",
    "issymmetric(X)",
    "ishermitian(X)",
    "real(X)",
    "imag(X)",
    "conj(X)",
    "sign(X)",
    "isnan(X)",
    "mod(X, 3)",
    "rem(X, 3)",
    "X > 0",
    "X >= 1",
    "X == 2",
    "X == 0",
    "0 == X",
    "X ~= 0",
    "X <= 0",
    "0 < X",
    "X > -X",
    "X & -X",
    "X | X",
    "xor(X, -X)",
    "sum(X)",
    "X(X > 1)",
    "X(end)",
    "accumarray([1 1; 2 3], [4 5], [3 3])",
    "spones(X)",
    "spdiags(X)",
    "double(X)",
    "X(:, 1)",
    "X(1, :)",
    "find(X, 2)",
    *ARITHMETIC,
)
COMPLEX = ("max", "min", "mod", "rem", ">", "<", "&", "|", "xor")
ASSIGNMENTS = (
    "X(2, 3) = 9;",
    "X(1:2, :) = [1 2 3 4 5; 5 6 7 8 9];",
    "X(:, 2) = 0;",
    "X(8, 7) = 5;",
    "X([1 1], 2) = [3; 4];",
    "X(X > 1) = -1;",
    "X(3) = 8;",
    "X([2 2 5]) = [1 2 3];",
    "X(:) = 1:30;",
    "X(2, :) = [];",
    "X(:, [1 3]) = [];",
    "X(logical([1 0 0 1 0 0]), 2) = 7;",
    "X(:, 1) = sparse([1; 0; 2; 0; 3; 0]);",
    "X(2:3, 2:3) = 2*eye(2);",
    "X(end + 1, :) = 1;",
    "X(1, 1) = 1 + 2i;",
    "X(:, end) = [];",
    "X(X == 0) = 5;",
    "X([], 1) = 3;",
    "X(:, :) = 4;",
    "X(7) = [];",
)


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run(MADE)
    return made


@pytest.mark.parametrize("matrix", MATRICES)
def test_forms_agree_with_full_matrices(session: Session, matrix: str) -> None:
    for text in EXPRESSIONS:
        if matrix == "W" and any(word in text for word in COMPLEX):
            continue
        full, sparse = (outcome(session, f"X = {m};", text) for m in (matrix, f"sparse({matrix})"))
        assert full == sparse, text


def outcome(session: Session, before: str, text: str) -> str:
    """What an expression shows as a full matrix, or that it fails."""
    return session.run(
        f"{before} try, A = {text}; disp(full(A + 0)), disp(size(A)), "
        "catch problem, disp('fails'), end"
    )


@pytest.mark.parametrize("text", ASSIGNMENTS)
def test_assignments_agree_with_full_matrices(session: Session, text: str) -> None:
    full, sparse = (outcome(session, f"X = {m}; {text}", "X") for m in ("F", "sparse(F)"))
    assert full == sparse
    assert "fails" not in full or text == "X(7) = [];"


def test_nothing_large_becomes_full(session: Session) -> None:
    session.run(
        "n = 2e5; A = spdiags(ones(n, 1)*[-1 2 -1], -1:1, n, n); A(3, 4) = 7; A(:, 9) = [];"
        "A(A > 3) = 1; s = nnz(max(A)) + nnz(A(:)) + nnz(diag(A)) + nnz(any(A, 2));"
    )
    assert session.value("s > 1e6 && issparse(A)") is True


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("[A A; A A]", "[0 0]"),
        ("[Z Z; Z Z]", "[0 6]"),
        ("[A A]", "[0 0]"),
        ("[[] A]", "[0 0]"),
        ("[A B; B A]", "[2 1]"),
        ("[T T]", "[3 0]"),
        ("[T; sparse(2, 0)]", "[5 0]"),
    ],
)
def test_matrices_without_elements_are_joined(session: Session, text: str, size: str) -> None:
    session.run("A = sparse(0, 0); Z = sparse(0, 3); B = sparse(2); T = sparse(3, 0);")
    assert session.value(f"isequal(size({text}), {size}) && issparse({text})") is True


def test_elements_in_no_order_compare_at_their_places(session: Session) -> None:
    made = (
        "n = 20; A = sparse([2 3 3 4 4 10 11 12], [3 4 5 3 4 10 10 10], 1, n, n); e = ones(n, 1);"
        "S = spdiags([e e e], -1:1, n, n); same = true;"
        "for g = 1:6, N = S*A*S - A; F = full(N); C = full(A);"
        "same = same && isequal(full(N == 3), F == 3) && isequal(full(2 < N), 2 < F);"
        "A = (N == 3) | (A & N == 2); same = same && isequal(full(A), F == 3 | (C & F == 2)); end"
    )
    session.run(made)
    assert session.value("same") is True


def test_results_are_in_order_and_store_no_zeros(session: Session) -> None:
    session.run(f"{MADE} X = sparse(F); Y = sparse([1 1 2 6], [2 2 1 5], [3 -3 1 2], 6, 5);")
    for text in (*ARITHMETIC, "Y - X", "X + Y", "Y", "X(:, 2)", "X(3, :)", "speye(3, 4)"):
        matrix = session.value(text).matrix if session.holds(f"issparse({text})") else None
        if matrix is not None:
            assert matrix.data.all(), text
            again = matrix.copy()
            again.has_canonical_format = False
            again.sum_duplicates()
            assert (again.indices == matrix.indices).all(), text
            assert (again.data == matrix.data).all(), text


def test_small_sparse_work_makes_no_matrix_by_scipys_constructor(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scipy.sparse import csc_matrix

    made = []
    constructor = csc_matrix.__init__
    monkeypatch.setattr(
        csc_matrix, "__init__", lambda *a, **k: (made.append(1), constructor(*a, **k))[1]
    )
    session.run(
        "S = sparse([1 2 3], [2 3 1], [4 5 6]); T = speye(3); x = [1; 2; 3]; made = sparse(3, 3);"
        "A = S + T; A = S - T; A = S.*T; A = S'; A = S*T; A = S*x; A = 2*S/3; A = kron(S, T);"
        "[i, j, v] = find(S); A = sum(S); A = S(:, 2); A = S(2, :); A = S(2, 3); S(2, 3) = 1;"
        "A = S == 4; B = S > T; A = S ~= T; A = S < T; A = (S & T) | B; A = B + S; A = B & S == 4;"
    )
    assert made == []


def test_complex_sparse_matrices_stay_complex_as_doubles(session: Session) -> None:
    assert session.value("isequal(double(sparse([0 2+1i])), [0 2+1i])") is True


@pytest.mark.parametrize(
    "expression",
    [
        "min(X, 1)",
        "min(1, X)",
        "max(X, -1)",
        "max(X, 2*X)",
        "min(X, Y)",
        "min(Y, X)",
        "any(X)",
        "any(X, 2)",
        "all(X)",
        "min(X)",
        "max(X, [], 2)",
    ],
)
@pytest.mark.parametrize("values", ["[NaN 0 2; 0 0 3]", "[NaN NaN; 0 0]", "[0 Inf; -Inf NaN]"])
def test_nan_counts_as_in_full_matrices(session: Session, expression: str, values: str) -> None:
    made = f"D = {values}; E = fliplr(D); S = sparse(D); T = sparse(E);"
    found = expression.replace("X", "S").replace("Y", "T")
    plain = expression.replace("X", "D").replace("Y", "E")
    session.run(made)
    assert session.value(f"isequaln(full({found}), full({plain}))") is True


@pytest.mark.parametrize("value", ["NaN", "1i"])
def test_what_has_no_truth_is_not_negated(session: Session, value: str) -> None:
    for made in ("{}", "sparse({})"):
        with pytest.raises(MatlabError):
            session.run(f"y = ~{made.format(f'[{value} 0 1]')};")
