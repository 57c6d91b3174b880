"""Large factors and solutions are LAPACK's, and other threads go on meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import linalg

from app.accel.numerics import nogil_equations, nogil_functions, nogil_linalg, nogil_pairs
from app.engine.builtins.linear_algebra import matrix_functions
from app.engine.builtins.linear_algebra.basics import chol, eig, inv
from app.engine.operators.linear_solves import solve
from app.engine.operators.matrix_operators import matrix_power as power

SIZE = 40
rng = np.random.default_rng(1)
A = np.asfortranarray(rng.standard_normal((SIZE, SIZE)))
S = np.asfortranarray(A @ A.T + SIZE * np.eye(SIZE))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done to large matrices is done to small ones."""
    for module in (nogil_linalg, nogil_functions):
        monkeypatch.setattr(module, "LARGE", SIZE // 2)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("lower", [True, False])
def test_cholesky_is_lapacks(lower: bool) -> None:
    factor, info = nogil_linalg.cholesky(S, lower=lower)
    assert info == 0
    assert np.allclose(factor, linalg.cholesky(S, lower=lower), rtol=1e-12, atol=1e-12)
    broken = S.copy()
    broken[29, 29] = -1.0
    assert nogil_linalg.cholesky(broken, lower=lower)[1] == 30


def test_strips_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []

    def double(part: Any) -> Any:
        widths.append(part.shape[1])
        return 2 * part

    monkeypatch.setattr(nogil_linalg, "STRIP", 4 * 9)
    right = np.arange(30.0).reshape(3, 10)
    assert np.array_equal(nogil_linalg.in_strips(double, 3, right), 2 * right)
    assert widths == [4, 4, 2]


@pytest.mark.usefixtures("small")
def test_answers_solve_their_equations() -> None:
    b = rng.standard_normal((SIZE, 3))
    assert np.allclose(A @ solve(A, b), b, atol=1e-9)
    assert np.allclose(np.triu(S) @ solve(np.triu(S), b), b)
    assert np.allclose(A @ inv(A), np.eye(SIZE), atol=1e-9)
    factor = np.asarray(chol(S)[0])
    assert np.allclose(factor.T @ factor, S)
    vectors, values, _ = (np.asarray(v) for v in eig(A, nargout=2))
    assert np.allclose(A @ vectors, vectors @ values, atol=1e-8)


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("n", [0, 1, 2, 3, SIZE])
def test_factors_that_numpy_has_not_are_scipys(kind: str, n: int) -> None:
    a = (A[:n, :n] + (1j * S[:n, :n] if kind in "FD" else 0)).astype(kind)
    given = a.copy()
    t, u = nogil_linalg.schur(a)
    h, p = nogil_linalg.hessenberg(a)
    assert np.array_equal(a, given)
    assert {x.dtype.char for x in (t, u, h, p)} == {kind}
    if n:
        wanted = *linalg.schur(a), *linalg.hessenberg(a, calc_q=True)
        assert all(map(np.array_equal, (t, u, h, p), wanted))


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("n", [0, 1, 2, 3, SIZE])
def test_equations_and_pairs_hold(kind: str, n: int) -> None:
    a, b, c = (
        (m[:n, :n] + (1j * S[:n, :n] if kind in "FD" else 0)).astype(kind) for m in (A, S, A.T)
    )
    close = 1e-3 if kind in "fF" else 1e-10
    x = nogil_linalg.sylvester(a, b, c)
    aa, bb, q, z = nogil_linalg.qz(a, b)
    assert {m.dtype.char for m in (x, aa, bb, q, z)} == {kind}
    scale = np.linalg.norm(a) * np.linalg.norm(x) + 1
    assert np.linalg.norm(a @ x + x @ b - c) < 100 * close * scale
    assert np.allclose(q @ aa @ z.conj().T, a, atol=close * 10)
    assert np.allclose(q @ bb @ z.conj().T, b, atol=close * 100)
    assert not np.tril(aa, -1 if kind in "FD" else -2).any()
    assert not np.tril(bb, -1).any()


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("n", [0, 1, 2, 3, SIZE])
def test_vectors_of_pairs_and_symmetric_factors_hold(kind: str, n: int) -> None:
    a, b = ((m[:n, :n] + (1j * S[:n, :n] if kind in "FD" else 0)).astype(kind) for m in (A, A.T))
    hermitian = a + a.conj().T
    definite = (b @ b.conj().T + np.eye(n)).astype(kind)
    close = 1e-3 if kind in "fF" else 1e-9
    lower, d, order = nogil_pairs.ldl(hermitian)
    assert {lower.dtype.char, d.dtype.char} == {kind}
    assert not np.triu(lower, 1).any()
    assert np.allclose(lower @ d @ lower.conj().T, hermitian[order][:, order], atol=close)
    values, vectors = nogil_pairs.definite_pair(hermitian, definite)
    scale = np.linalg.norm(a) + np.linalg.norm(definite) + 1
    assert np.linalg.norm(hermitian @ vectors - definite @ vectors * values) < close * scale
    for other in (None, b):
        values, left, right = nogil_pairs.eigensystem(a, other)
        b_ = np.eye(n) if other is None else b
        assert values.dtype.kind == "c"
        if n:
            assert np.allclose(values, linalg.eig(a, other, right=False), rtol=100 * close)
        scale = (np.linalg.norm(a) + 1) * (np.abs(values).max(initial=0) + 1)
        assert np.linalg.norm(a @ right - b_ @ right * values) < close * scale
        assert np.linalg.norm(left.conj().T @ a - values[:, None] * (left.conj().T @ b_)) < (
            close * scale
        )


def test_a_pair_tells_infinite_and_undetermined_values() -> None:
    values, _, _ = nogil_pairs.eigensystem(np.diag([3.0, 2.0, 0.0]), np.diag([2.0, 0.0, 0.0]))
    assert values[0] == 1.5
    assert values[1] == np.inf
    assert np.isnan(values[2])
    with pytest.raises(np.linalg.LinAlgError, match="not definite"):
        nogil_pairs.definite_pair(np.eye(2), -np.eye(2))


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (2, 3), (SIZE, SIZE), (SIZE, 5)])
def test_values_without_vectors_are_numpys(kind: str, shape: tuple[int, int]) -> None:
    a = (
        A[: shape[0], : shape[1]] + (1j * S[: shape[0], : shape[1]] if kind in "FD" else 0)
    ).astype(kind)
    close = 1e-4 if kind in "fF" else 1e-10
    wanted = np.linalg.svd(a, compute_uv=False)
    assert np.allclose(nogil_linalg.singular_values(a), wanted, atol=close, rtol=close)
    if shape[0] == shape[1]:
        found = nogil_linalg.eigenvalues(a)
        assert np.allclose(found.sum(), np.trace(a), atol=10 * close)
        assert np.allclose(abs(found).max(), abs(np.linalg.eigvals(a)).max(), rtol=10 * close)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["logm", "sqrtm"])
@pytest.mark.parametrize(
    "a", [A, S, np.triu(S), A + 1j * S], ids=["any", "real", "upper", "complex"]
)
def test_a_function_of_a_large_matrix_is_scipys(name: str, a: Any) -> None:
    found = np.asarray(getattr(matrix_functions, name)(a)[0])
    wanted = np.asarray(getattr(linalg, name)(a))
    assert found.dtype == wanted.dtype
    assert np.allclose(found, wanted, rtol=1e-8, atol=1e-8)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0])
def test_the_exponential_is_scipys(kind: str, size: float) -> None:
    a = (size / SIZE * (A + (1j * S if kind in "FD" else 0))).astype(kind)
    found, wanted = nogil_functions.exponential(a), linalg.expm(a)
    assert found.dtype == wanted.dtype
    allowed = 1e3 * np.finfo(a.dtype).eps * max(1.0, float(np.linalg.norm(a, 1)))
    assert abs(found - wanted).max() <= allowed * abs(wanted).max()


def test_the_exponential_of_a_huge_step_is_finite() -> None:
    found = nogil_functions.exponential(np.array([[0.0, 1e300], [0.0, 0.0]]))
    assert np.allclose(found, [[1.0, 1e300], [0.0, 1.0]], rtol=1e-14, atol=0)


@pytest.mark.parametrize("scale", [0.5, 3.0, 7.0, 20.0])
@pytest.mark.parametrize("form", ["any", "symmetric", "upper", "far from normal"])
def test_the_exponential_has_all_its_digits(form: str, scale: float) -> None:
    drawn = np.random.default_rng(5).standard_normal((4, 4))
    a = {"symmetric": drawn + drawn.T, "upper": np.triu(drawn)}.get(form, drawn)
    a *= scale / np.linalg.norm(a, 1)
    if form == "far from normal":
        a = np.triu(a) + np.diag([1e6], 3)
    with mpmath.workdps(60):
        exact = mpmath.expm(mpmath.matrix(a.tolist()), method="taylor")
    wanted = np.array(exact.tolist(), dtype=float)
    error = np.linalg.norm(nogil_functions.exponential(a) - wanted) / np.linalg.norm(wanted)
    assert error < (1e-13 if form == "far from normal" else 3e-15)  # which has a large condition


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("exponent", [0.5, -0.5, 1 / 3, 2.7, -1.25])
@pytest.mark.parametrize("a", [A, S, np.triu(S)], ids=["any", "definite", "upper"])
def test_a_power_of_a_large_matrix_is_scipys(exponent: float, a: Any) -> None:
    found, wanted = np.asarray(power(a, exponent)), linalg.fractional_matrix_power(a, exponent)
    assert found.dtype == wanted.dtype
    assert np.allclose(found, wanted, rtol=1e-8, atol=1e-8 * abs(wanted).max())


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("crossed", [0.0, 0.1])
def test_equations_of_control_are_scipys(n: int, crossed: float) -> None:
    a, b, q = A[:n, :n], A[:n, n : n + 2], S[:n, :n]
    r, s = np.diag([2.0, 0.5]), crossed * A[:n, n + 2 : n + 4]
    found = nogil_equations.continuous_riccati(a, b, q, r, s)
    assert np.allclose(found, linalg.solve_continuous_are(a, b, q, r, s=s), rtol=1e-7)
    found = nogil_equations.discrete_riccati(a, b, q, r, s)
    assert np.allclose(found, linalg.solve_discrete_are(a, b, q, r, s=s), rtol=1e-6)
    slow = a / (1.1 * np.linalg.norm(a, 2))
    found = nogil_equations.discrete_lyapunov(slow, q)
    assert np.allclose(found, linalg.solve_discrete_lyapunov(slow, q), rtol=1e-9)
    found = nogil_equations.continuous_lyapunov(slow - 2 * np.eye(n), q)
    assert np.allclose(found, linalg.solve_continuous_lyapunov(slow - 2 * np.eye(n), -q))


@pytest.mark.parametrize(
    "solve", [nogil_equations.continuous_riccati, nogil_equations.discrete_riccati]
)
def test_what_cannot_be_stabilised_has_no_solution(solve: Callable[..., Any]) -> None:
    with pytest.raises(np.linalg.LinAlgError):
        solve(2 * np.eye(2), np.zeros((2, 1)), np.eye(2), np.eye(1), np.zeros((2, 1)))


def longest_gap(work: Callable[[], object]) -> tuple[float, float]:
    """How long ``work`` took, and the longest time in which another thread did not run."""
    gaps, stop = [0.0], threading.Event()

    def beat() -> None:
        last = time.perf_counter()
        while not stop.wait(0.001):
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    heart = threading.Thread(target=beat)
    heart.start()
    started = time.perf_counter()
    work()
    took = time.perf_counter() - started
    stop.set()
    heart.join()
    return took, max(gaps)


@pytest.mark.parametrize(
    "work",
    [
        *(inv, eig, nogil_linalg.schur, nogil_linalg.hessenberg),
        *(nogil_linalg.eigenvalues, nogil_linalg.singular_values),
        pytest.param(lambda a: nogil_linalg.qz(a[:300, :300], a[300:600, 300:600]), id="qz"),
        pytest.param(
            lambda a: nogil_linalg.sylvester(a[:300, :300], a[300:600, 300:600], a[:300, :300]),
            id="sylvester",
        ),
        pytest.param(
            lambda a: nogil_equations.continuous_riccati(
                a[:150, :150] / 20, *(np.eye(150) for _ in "bqr"), np.zeros((150, 150))
            ),
            id="riccati",
        ),
        pytest.param(lambda a: nogil_functions.exponential(a / 30), id="expm"),
        pytest.param(lambda a: power(a[:300, :300] @ a[:300, :300].T, 0.5), id="power"),
        pytest.param(lambda a: nogil_pairs.ldl(a + a.T), id="ldl"),
        pytest.param(
            lambda a: nogil_pairs.eigensystem(a[:300, :300], a[300:600, 300:600]), id="pair"
        ),
        pytest.param(
            lambda a: nogil_pairs.definite_pair((a + a.T)[:400, :400], 99 * np.eye(400)),
            id="definite",
        ),
    ],
)
def test_another_thread_goes_on(work: Callable[[Any], object]) -> None:
    n = 4 * nogil_linalg.LARGE  # long beside the time between two switches of threads
    a = np.asfortranarray(rng.standard_normal((n, n)))
    runs = (longest_gap(lambda: work(a)) for _ in range(20))
    assert any(gap < 0.9 * took for took, gap in runs)


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 1), (9, 9), (300, 4)])
def test_the_largest_eigenvalues_of_a_tridiagonal_matrix_are_scipys(n: int, count: int) -> None:
    diagonal, beside = rng.standard_normal(n), rng.standard_normal(n - 1)
    values, vectors = nogil_linalg.largest_of_tridiagonal(diagonal, beside, count)
    wanted = linalg.eigh_tridiagonal(diagonal, beside, eigvals_only=True)[n - count :]
    assert np.allclose(values, wanted, rtol=1e-12, atol=1e-12)
    matrix = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    assert np.allclose(matrix @ vectors, vectors * values, atol=1e-11)
    assert np.allclose(vectors.T @ vectors, np.eye(count), atol=1e-10)


TALL, SQUARE, OTHER = np.ones((3, 2)), np.eye(3), np.eye(2)
UNKNOWN = np.array([[np.nan, 1, 2], [1, np.inf, 3], [4, 5, 6]])


@pytest.mark.parametrize(
    ("function", "matrices"),
    [
        *((f, (m,)) for f in (nogil_linalg.schur, nogil_linalg.hessenberg) for m in (TALL, TALL.T)),
        *((nogil_linalg.eigenvalues, (m,)) for m in (TALL, UNKNOWN, np.ones((2, 2, 2)))),
        *((f, (UNKNOWN,)) for f in (nogil_linalg.singular_values, nogil_pairs.eigensystem)),
        *((nogil_pairs.ldl, (m,)) for m in (TALL.T, UNKNOWN)),
        *(
            (f, pair)
            for f in (nogil_linalg.qz, nogil_pairs.eigensystem, nogil_pairs.definite_pair)
            for pair in ((SQUARE, OTHER), (TALL, TALL), (UNKNOWN, SQUARE), (SQUARE, UNKNOWN))
        ),
        *(
            (nogil_linalg.sylvester, three)
            for three in ((TALL.T, TALL, np.ones((2, 3))), (SQUARE, OTHER, np.ones((2, 3))))
        ),
        (nogil_equations.continuous_lyapunov, (TALL, np.ones((3, 3)))),
    ],
)
def test_what_a_routine_would_write_beside_is_refused(
    function: Callable[..., Any], matrices: tuple[np.ndarray, ...]
) -> None:
    with pytest.raises(np.linalg.LinAlgError, match=r"square|finite|shape"):
        function(*matrices)
