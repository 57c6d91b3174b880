from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from app.accel.numerics.lapack import routine


@pytest.mark.parametrize("kind", ["f", "d", "F", "D"])
def test_a_routine_is_the_one_of_scipy(kind: str) -> None:
    from scipy import linalg

    dtype = np.dtype(kind)
    assert routine("gesv", dtype) is linalg.get_lapack_funcs("gesv", dtype=dtype)


def test_solving_leaves_the_rest_of_scipy_alone() -> None:
    code = (
        "import sys; import numpy as np; from app.accel.numerics.lapack import routine\n"
        "x = routine('gesv', np.dtype('d'))(2 * np.eye(2), np.ones((2, 1)))[2]\n"
        "assert x.tolist() == [[0.5], [0.5]]\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "from scipy import linalg\n"
        "assert linalg.solve(np.eye(1), np.ones(1)).tolist() == [1.0]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
