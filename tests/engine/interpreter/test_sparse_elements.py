"""Single elements, sums and small systems of sparse matrices beside full ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from app.engine.interpreter.indexing.sparse import read, write
from app.engine.operators.sparse_arithmetic import sparse_sum
from app.engine.values import SparseMatrix, Value
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError


def _checked(x: Value) -> np.ndarray:
    """The matrix in full; it is what SciPy makes of that, part by part."""
    assert isinstance(x, SparseMatrix)
    full = x.dense()
    made = sparse.csc_matrix(full)
    for name in ("data", "indices", "indptr"):
        found, wanted = getattr(x.matrix, name), getattr(made, name)
        assert np.array_equal(found, wanted, equal_nan=found.dtype.kind == "f"), name
        assert found.dtype == wanted.dtype, name
    x.matrix.check_format(full_check=True)
    return full


@pytest.mark.parametrize("kind", [np.float64, np.bool_])
@pytest.mark.parametrize("seed", range(5))
def test_elements_are_those_of_the_full_matrix(seed: int, kind: type) -> None:
    drawn = np.random.default_rng(seed)
    shape = tuple(int(n) for n in drawn.integers(1, 9, 2))
    full = np.where(drawn.random(shape) < 0.4, drawn.integers(1, 9, shape), 0).astype(kind)
    x: Value = from_dense(full)
    for _ in range(40):
        i, j = (int(drawn.integers(n)) for n in shape)
        number = kind(drawn.choice([0, 0, 1, 2, np.nan])).item()
        linear = drawn.random() < 0.5
        place = (float(j * shape[0] + i + 1),) if linear else (float(i + 1), float(j + 1))
        before = x.dense()
        made = write(x, place, number)
        assert np.array_equal(x.dense(), before, equal_nan=kind is np.float64), "is a value"
        full[i, j] = number
        assert np.array_equal(_checked(made), full, equal_nan=kind is np.float64)
        assert np.array_equal(
            _checked(read(made, place)), full[i : i + 1, j : j + 1], equal_nan=kind is np.float64
        )
        x = made
    for axis in (0, 1):
        sums = full.astype(float).sum(axis=axis, keepdims=True)
        assert np.array_equal(_checked(sparse_sum(x, (axis,))), sums, equal_nan=True)


@pytest.mark.parametrize(
    "place", [(1.0,), (1.0, 2.0), (3.0,), (np.array([[1.0, 2.0]]),), (2.0, 5.0)]
)
def test_what_is_assigned_to_truth_values_becomes_one(place: tuple[Value, ...]) -> None:
    x = from_dense(np.array([[True, False]]))
    made = write(x, place, 5.0)
    assert isinstance(made, SparseMatrix)
    assert made.matrix.dtype == np.bool_
    with pytest.raises(MatlabError, match="NaN"):
        write(x, place, np.nan)


@pytest.mark.parametrize("seed", range(40))
def test_blocks_are_written_as_into_a_full_matrix(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    shape = tuple(int(n) for n in drawn.integers(1, 9, 2))
    full = np.where(drawn.random(shape) < 0.4, drawn.integers(1, 9, shape), 0).astype(float)
    x: Value = from_dense(full)
    for _ in range(10):
        # The places may lie behind the matrix, come twice and in any order.
        rows, columns = (drawn.integers(1, n + 3, drawn.integers(1, 4)) for n in full.shape)
        block = drawn.integers(-1, 2, (rows.size, columns.size)).astype(float)
        grown = np.zeros((max(full.shape[0], rows.max()), max(full.shape[1], columns.max())))
        grown[: full.shape[0], : full.shape[1]] = full
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                grown[row - 1, column - 1] = block[i, j]
        given = from_dense(block) if drawn.random() < 0.5 else block
        x = write(
            x, (rows.reshape(1, -1).astype(float), columns.reshape(1, -1).astype(float)), given
        )
        full = grown
        assert np.array_equal(_checked(x), full)
