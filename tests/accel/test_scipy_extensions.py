"""Single libraries of SciPy give what its packages give, without bringing them in."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import fft, sparse, special, stats
from scipy.sparse import linalg

from app.accel.numerics import superlu
from app.accel.numerics.scipy_extensions import special_function
from app.engine.builtins.signals.fourier import _transform
from app.engine.builtins.statistics.ranks import tied_ranks
from app.toolboxes.statistics import distribution_kinds
from app.toolboxes.statistics.distribution_formulas import FORMULAS
from app.toolboxes.statistics.distribution_kinds import Kind

KINDS = (np.float32, np.float64, np.complex64, np.complex128)


@pytest.mark.parametrize("name", ["gamma", "gammaln", "ndtr", "erfcx", "ellipk", "sici", "lpmv"])
def test_special_functions_are_those_of_the_package(name: str) -> None:
    assert special_function(name) is getattr(special, name)


@pytest.mark.parametrize("seed", range(40))
def test_transforms_are_those_of_the_package(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    shape = tuple(drawn.integers(1, 9, size=drawn.integers(2, 4)))
    x = drawn.normal(size=shape).astype(KINDS[drawn.integers(4)])
    axis = int(drawn.integers(len(shape)))
    length = None if drawn.integers(2) else float(drawn.integers(1, 12))
    whole = None if length is None else int(length)
    for name in ("fft", "ifft"):
        found = _transform(name, x, length, axis + 1.0)
        wanted = getattr(fft, name)(x, whole, axis=axis)
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)


def _rows(values: object, count: int) -> np.ndarray:
    """What a function gives, one or two numbers for each point, as a matrix."""
    parts = values if isinstance(values, tuple) else (values,)
    return np.array([np.broadcast_to(v, count) for v in parts])


BY_FORMULAS = [
    k for k in vars(distribution_kinds).values() if isinstance(k, Kind) and k.scipy in FORMULAS
]


@pytest.mark.parametrize("kind", BY_FORMULAS, ids=lambda kind: kind.words)
def test_distributions_by_formulas_are_those_of_the_package(kind: Kind) -> None:
    drawn = np.random.default_rng(7)
    count, whole = 26, [0, 1, 2, 10, 100, 2.5, -1, np.nan]
    shares = [0, 1, 0.5, 0.25, 0.9, -0.1, 1.1, np.nan]
    others = [0, -1, np.nan, np.inf, 1, 2, 5, 0.3, 0.5, 10, 1.5, 30]
    ends = [0, 1, 2, 3, 5, 10, -1, np.inf, -np.inf, np.nan, 0.5, 7, 40, 100, 1e300, 1e-300, -40, 8]
    x = np.concatenate([drawn.normal(size=8) * 5, ends])
    p = np.concatenate(
        [drawn.random(16), [0, 1, 0.5, -0.1, 1.1, np.nan, 1e-10, 1 - 1e-10, 0.25, 1]]
    )
    wanted_of = getattr(stats, kind.scipy)
    for turn in range(12):
        shapes = [
            drawn.choice({"n": whole, "p": shares}.get(name, others), count)
            if turn % 2 or name in "np"
            else drawn.random(count) * drawn.choice([1, 10, 100])
            for name in kind.parameters
        ]
        args, named = kind.translate(*shapes)
        for function in ("pmf" if kind.discrete else "pdf", "cdf", "sf", "ppf", "stats", "support"):
            points = {"ppf": (p,), "stats": (), "support": ()}.get(function, (x,))
            found = _rows(kind.value(function, shapes, *points), count)
            with np.errstate(all="ignore"):
                wanted = getattr(wanted_of, function)(*points, *args, **named)
            wanted = _rows(wanted, count)
            if function == "pdf":  # where SciPy says exp(Inf - Inf)
                wanted = np.where(np.isinf(x) & ~np.isnan(found), 0.0, wanted)
            np.testing.assert_allclose(found, wanted, rtol=4e-16, atol=0)


@pytest.mark.parametrize("seed", range(10))
def test_ranks_are_those_of_the_package(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    x = drawn.integers(0, 9, drawn.integers(0, 30)).astype(float)
    assert np.array_equal(tied_ranks(x), stats.rankdata(x))
    x[x == 3] = np.nan
    assert np.array_equal(tied_ranks(x), stats.rankdata(x), equal_nan=True)


def test_distributions_do_not_bring_the_package_of_all_in() -> None:
    text = (
        "x = norminv(0.3) + tcdf(1, 5) + chi2inv(0.9, 3) + binopdf(2, 5, 0.3) + poissrnd(3); "
        "y = exprnd(1) + gamcdf(1, 2) + betacdf(0.3, 2, 3) + fcdf(1, 2, 3) + wblrnd(1, 2); "
        "[h, q] = ttest([1 2 3 4]); [r, p] = corr([1 2 4 3]', [2 1 5 4]', 'Type', 'Spearman'); "
        "m = fitlm([1 2 3 4 5]', [2 4 5 4 5]'); t = m.Coefficients;"
    )
    code = (
        "import sys; from app.main import main; "
        f"assert main(['eval', {text!r}]) == 0; assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_first_calls_bring_no_package_in() -> None:
    text = (
        "x = fft([1 2 3 4]); y = ifft(x, 6); z = fft2(ones(3)); p = normcdf(1) + normpdf(1); "
        "g = gamma(2.5); d = diag(norm([1 2; 3 4])) + sum([1 2; 3 4] \\ [5; 6]); "
        "S = sparse([1 2], [1 2], [3 4]); T = S * S' + [S(:, 1), S(:, 2)]; r = full(sum(T)) + nnz(T); "
        "n = 60; A = sparse([1:n 2:n 1:n-6], [1:n 1:n-1 7:n], 1) + 9 * speye(n); x = A \\ (1:n)'; "
        "R = corrcoef([1 2 4], [2 1 5]); f = interpft([1 2 1 0], 8); e = expm([1 2; 3 4]) + expm(eye(2));"
    )
    code = (
        "import sys; from app.main import main; "
        f"assert main(['eval', {text!r}]) == 0; "
        "names = 'scipy scipy.fft scipy.stats scipy.special scipy.linalg scipy.sparse'; "
        "heavy = set(names.split()) & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", [np.float64, np.complex128])
def test_factors_are_those_of_the_package(seed: int, kind: type[np.inexact]) -> None:
    drawn = np.random.default_rng(seed)
    n = int(drawn.integers(1, 80))
    m = sparse.random_array((n, n), density=0.1, format="csc", rng=drawn).astype(kind)
    m = (m + m.T.conj() * (1j if kind is np.complex128 else 1) + sparse.eye_array(n)).tocsc()
    right = drawn.normal(size=(n, int(drawn.integers(1, 4)))).astype(kind)
    m.sum_duplicates()
    assert np.array_equal(superlu.factors(m).solve(right), linalg.splu(m).solve(right))


def test_a_singular_matrix_has_no_factors() -> None:
    m = sparse.csc_matrix(np.diag([1.0, 0.0, 2.0]))
    m.eliminate_zeros()
    with pytest.raises(RuntimeError, match="singular"):
        superlu.factors(m)


def test_packages_come_without_those_for_developers() -> None:
    code = (
        "import sys; from app.main import main; assert main(['eval', 'betainc(0.5, 2, 3);']) == 0; "
        "assert 'scipy.special' in sys.modules; heavy = {'numpy.f2py.crackfortran', 'unittest'}; "
        "assert not heavy & set(sys.modules), heavy & set(sys.modules); "
        "import numpy.testing; numpy.testing.assert_equal(1, 1); import numpy.f2py; "
        "assert numpy.f2py.get_include()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
