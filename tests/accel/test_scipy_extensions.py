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
from app.toolboxes.statistics.distribution_kinds import NORM

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


@pytest.mark.parametrize("function", ["pdf", "cdf", "sf"])
def test_normal_distributions_are_those_of_the_package(function: str) -> None:
    x = np.array([[-np.inf, -40.0, -1.5, 0.0, 0.3, 8.0, np.inf, np.nan]])
    for mu in (0.0, 2.5, np.nan):
        for sigma in (1.0, 0.5, 0.0, -1.0, np.nan):
            parameters = [np.array([[mu]]), np.array([[sigma]])]
            found = NORM.value(function, parameters, x)
            wanted = getattr(stats.norm, function)(x, mu, sigma)
            assert np.array_equal(found, wanted, equal_nan=True)


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
