"""Large matrices on a device: factors, solutions, inverses and determinants are the host's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app import settings
from app.accel.backends.wgpu import adapters
from app.engine.operators import factorisation_forms, factors
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

SCRIPT = """
n = 70; A = sin((1:n)' * (1:n) * 0.7) + {shift} * eye(n); A = {kind}(A); b = A * (1:n)';
x = A \\ b; X = inv(A); d = det(A / 3); [L, U, P] = lu(A); R = chol(A' * A); C = chol(A' * A, 'lower');
e = [max(abs(x - (1:n)')), max(max(abs(X * A - eye(n)))), max(max(abs(L * U - P * A))), ...
     max(max(abs(R' * R - A' * A))), max(max(abs(C * C' - A' * A)))];
fprintf('%g ', e); fprintf('%.6g', d);
"""


class Collected:
    """What a session wrote and complained of."""

    def __init__(self) -> None:
        self.text, self.errors = "", list[str]()

    def __call__(self, event: Any) -> None:
        self.text += getattr(event, "text", "") or ""
        if type(event).__name__ == "ErrorRaised":
            self.errors.append(event.message)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small matrices, and processors that pass for graphics cards."""
    require_adapter(adapters())
    monkeypatch.setattr(factorisation_forms, "LEAST", 8)
    monkeypatch.setattr(factorisation_forms, "PROCESSORS", frozenset())


def run(code: str, device: str) -> tuple[str, Any]:
    seen = Collected()
    session = Session(settings.load({"FUSELAB_DEVICE": device}), seen)
    try:
        session.run_source(SourceText("factors.m", code))
        assert not seen.errors
        return seen.text, session.last_report
    finally:
        session.close()


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-9), ("single", 2e-2)])
def test_answers_are_the_hosts(small: None, kind: str, most: float) -> None:
    code = SCRIPT.format(kind=kind, shift=3)
    found, report = run(code, "gpu")
    expected, _ = run(code, "cpu")
    *errors, ours = (float(v) for v in found.split())
    theirs = float(expected.split()[-1])
    assert max(errors) < most
    assert abs(ours - theirs) <= 1e-3 * abs(theirs)
    ran = {op for group in report["groups"] if group["provider"] == "wgpu" for op in group["ops"]}
    assert {"lu", "lu_solve", "cholesky"} <= ran


@pytest.mark.parametrize(
    "code",
    [
        "A = magic(40); x = A \\ ones(40, 1);",
        "A = zeros(40); A(1) = 1; x = inv(A);",
        "A = hilb(40); x = A \\ ones(40, 1);",
    ],
)
def test_singular_matrices_warn_as_on_the_host(small: None, code: str) -> None:
    ours, theirs = run(code, "gpu")[0], run(code, "cpu")[0]
    assert "singular" in ours
    assert ours.split("RCOND")[0] == theirs.split("RCOND")[0]


def test_what_is_not_definite_is_an_error(small: None) -> None:
    code = "[R, flag] = chol(-eye(40)); disp(flag); try, chol(-eye(40)); catch e, disp(e.identifier); end"
    assert run(code, "gpu")[0].split() == ["1", "MATLAB:posdef"]


TALL = """
X = sin((1:90)' * (1:{columns}) * 0.7) + eye(90, {columns}); X = {kind}(X); b = cos((1:90)');
[Q, R] = qr(X); [E, S] = qr(X, 0); T = qr(X); x = X \\ {kind}(b);
[c, s, l, t, w, mu] = pca(X); k = size(E, 2);
e = [max(max(abs(Q * R - X))), max(max(abs(Q' * Q - eye(90)))), max(max(abs(E * S - X))), ...
     max(max(abs(E' * E - eye(k)))), max(max(abs(S - T(1:k, :)))), max(abs(X' * (X * x - b))), ...
     max(max(abs(s - (X - mu) * c))), max(max(abs(tril(R, -1))))];
fprintf('%g ', e); fprintf('%.5g ', diag(R), x, l, t, w, mu); disp(class(c));
"""


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-12), ("single", 1e-4)])
def test_orthogonal_factors_are_the_hosts(small: None, kind: str, most: float) -> None:
    code = TALL.format(kind=kind, columns=12)
    found, report = run(code, "gpu")
    expected, _ = run(code, "cpu")
    ours, theirs = ([float(v) for v in text.split()[:-1]] for text in (found, expected))
    assert max(ours[:8]) < most
    assert found.split()[-1] == expected.split()[-1] == kind
    np.testing.assert_allclose(ours[8:], theirs[8:], rtol=most * 1e3, atol=most)
    ran = {op for group in report["groups"] if group["provider"] == "wgpu" for op in group["ops"]}
    assert {"qr", "qr_apply", "lu_solve"} <= ran


@pytest.mark.parametrize(
    "code",
    [
        "X = ones(90, 8); x = X \\ (1:90)'; disp(x');",  # rank 1: the host says so
        "X = rand(90, 8); X(3) = Inf; try, [q, r] = qr(X); disp(isnan(r(1))); catch e, disp(e.message); end",
        "X = rand(90, 8) * 1e-200; [Q, R] = qr(X); disp(norm(Q * R - X) <= 1e-210);",
    ],
)
def test_doubtful_columns_are_left_to_the_host(small: None, code: str) -> None:
    ours, report = run(code, "gpu")
    assert ours == run(code, "cpu")[0]
    if "Inf" in code or "200" in code:
        assert not any("qr" in group["ops"] for group in report["groups"])


SHAPES = [(1, 1), (2, 2), (4, 4), (5, 3), (3, 5), (1, 4), (4, 1), (40, 40), (60, 10), (10, 60)]


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_small_factors_give_the_matrix_back(shape: tuple[int, int], kind: str) -> None:
    draws = np.random.default_rng(1)
    a = (draws.standard_normal(shape) + 1j * draws.standard_normal(shape)).astype("F")
    a = (a if kind in "FD" else a.real).astype(kind)
    near = 200 * max(shape) * float(np.finfo(kind).eps)
    order, lower, upper = factors.lower_upper(a)
    assert abs(factors.permutation(order) @ a - lower @ upper).max() < near
    assert not np.triu(lower, 1).any()
    assert not np.tril(upper, -1).any()
    for economy in (True, False):
        q, r = factors.orthogonal_triangular(a, economy=economy)
        columns = min(shape) if economy else shape[0]
        assert (q.shape, r.shape) == ((shape[0], columns), (columns, shape[1]))
        assert abs(q @ r - a).max() < near
        assert abs(q.conj().T @ q - np.eye(columns)).max() < near
    values = np.linalg.svd(a, compute_uv=False)
    assert abs(factors.singular_values(a) - values).max() < near
    if shape[0] == shape[1]:
        symmetric = a + a.conj().T
        assert factors.is_hermitian(symmetric)
        assert a.size == 1 or not factors.is_hermitian(a)
        expected = np.linalg.eigvalsh(symmetric)
        assert abs(factors.symmetric_eigenvalues(symmetric) - expected).max() < near
        assert abs(np.prod(factors.eigenvalues(a)) / np.linalg.det(a) - 1) < near
        assert abs(factors.determinant(a) / np.linalg.det(a) - 1) < near


def test_the_determinant_is_the_product_of_the_pivots() -> None:
    assert factors.determinant(np.array([[8.0, 1, 6], [3, 5, 7], [4, 9, 2]])) == -360
    assert factors.determinant(np.diag([1e200, 1e200, 1e-200, 1e-200])) == pytest.approx(1)
    assert factors.determinant(np.diag([1e200, 1e200])) == np.inf
    assert factors.determinant(np.array([[0.0, 1], [0, 0]])) == 0
    assert np.isnan(factors.determinant(np.array([[np.nan, 1], [0, 1]])))


def test_numbers_near_the_limit_are_finite() -> None:
    assert factors.all_finite(np.full((2, 2), 1e300))
    assert not factors.all_finite(np.array([[1.0, np.inf]]))
    assert not factors.all_finite(np.array([[1.0, np.nan]]))


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-13), ("single", 1e-4)])
@pytest.mark.parametrize(
    "scale",
    ["ones(1, 6)", "[1e-30 1 1e25 3 1e-20 7]", "[1 0 2 3 0 5]", "[1e-150 1 1e150 3 2 7]"],
    ids=["alike", "far apart", "columns of zeros", "squares overflow"],
)
def test_factors_of_few_columns_need_no_look_at_them(
    small: None, monkeypatch: pytest.MonkeyPatch, kind: str, most: float, scale: str
) -> None:
    monkeypatch.setattr(factorisation_forms, "LEAST", 512)
    if kind == "single" and "150" in scale:
        pytest.skip("beyond the class")
    code = (
        f"A = {kind}(sin((1:20000)' * (1:6) * 0.7) .* ({scale})); A = A + 0; [Q, R] = qr(A, 0);"
        " s = max(abs(A)); s(s == 0) = 1; e = [max(max(abs(Q * R - A) ./ s)),"
        " max(max(abs(Q' * Q - eye(6)))), norm(tril(double(R), -1))];"
        " fprintf('%g ', e); fprintf('%d ', size(Q), size(R)); fprintf('%.4g ', abs(diag(R)));"
    )
    found, report = run(code, "gpu")
    expected, _ = run(code, "cpu")
    ran = {op for group in report["groups"] if group["provider"] == "wgpu" for op in group["ops"]}
    assert "qr" in ran
    errors = [float(v) for v in found.split()[:3]]
    assert max(errors) < most
    assert found.split()[3:7] == ["20000", "6", "6", "6"]
    if "0 2" not in scale:  # of zeros R has rounding
        ours, theirs = ([float(v) for v in text.split()[7:]] for text in (found, expected))
        np.testing.assert_allclose(ours, theirs, rtol=2e-3)


@pytest.mark.parametrize("given", ["", "s."], ids=["variables", "fields"])
def test_passes_with_factors_of_few_columns_fetch_nothing(
    small: None, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setattr(factorisation_forms, "LEAST", 512)
    code = (
        "#A = sin((1:300)' * (1:400) * 0.7); #Q = cos((1:400)' * (1:5)); for k = 1:30,"
        " #Z = #A' * (#A * #Q); [#Q, #R] = qr(#Z, 0); #t = sqrt(abs(diag(#R))); end, fprintf('%.5g ', #t);"
    ).replace("#", given)
    found, report = run(code, "gpu")
    expected, _ = run(code, "cpu")
    ours, theirs = ([float(v) for v in text.split()] for text in (found, expected))
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)
    assert report["counters"]["downloads"] <= 2
    hosts = [group for group in report["groups"] if group["provider"] != "wgpu"]
    assert sum(group["executions"] for group in hosts) <= 1, "at most R of the last pass"


@pytest.mark.parametrize("given", ["", "s."], ids=["variables", "fields"])
def test_both_sides_of_a_system_are_fetched_together(given: str) -> None:
    require_adapter(adapters())
    code = (
        "#X = sin((1:9000)' * (1:40) * 0.7); #y = cos((1:9000)'); #A = #X' * #X; #c = #X' * #y;"
        " w = #A \\ #c;"
    ).replace("#", given)
    found, report = run(code + "fprintf('%.6g', norm(w));", "gpu")
    assert found == run(code + "fprintf('%.6g', norm(w));", "cpu")[0]
    asked = [row for row in report["transfers"] if row["direction"] == "down"]
    assert len(asked) == 2
    assert report["counters"]["plans"] == 1
