"""Single elements, sums and small systems of sparse matrices beside full ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from app.engine.interpreter.indexing.sparse import read, write
from app.engine.operators.sparse_arithmetic import sparse_sum
from app.engine.values import SparseMatrix, Value
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine


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


SMALL = """n = 6; e = ones(n, 1); A = spdiags([-e 4*e -e], -1:1, n, n); B = A + speye(n); D = full(A);
x = (1:n)'; k = A > 0; """
"""Small matrices, as textbooks build them."""


@pytest.mark.parametrize(
    "code",
    [
        "A(2:4, [1 3 3])|A(:, 2:3)|A(5, :)|A(:)|A(k)|A(end:-1:1, :)",
        "A(:, 3) = x|A(3, :) = 0|A(2:3, 2:3) = [1 2; 3 4]|A(k) = 7",
        "A .* D|D .* A|A * D|x' * A|A * x|A ^ 3|A .^ 2|-A",
        "[A B]|[A; B]|tril(A)|triu(A, 1)|max(A)|min(A, [], 2)|any(A)|all(A, 2)|mean(A)",
        "A \\ x|B \\ [x x]|chol(A)|norm(A, 1)|abs(A)|sqrt(A + 4*A)|spones(A)|sum(A(:))",
    ],
)
def test_small_matrices_are_worked_on_without_building_matrices_of_the_library(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Each that is built takes as long as a hundred operations on its few elements."""
    built: list[object] = []
    machine = Machine()
    machine.run(SMALL)
    assert from_dense(np.eye(1)).matrix.nnz == 1  # the one that all others are copies of
    for kind in (sparse.csc_matrix, sparse.csr_matrix, sparse.coo_matrix):
        begin = kind.__init__

        def noting(self: object, *args: object, _begin: Any = begin, **named: object) -> None:
            built.append(self)
            _begin(self, *args, **named)

        monkeypatch.setattr(kind, "__init__", noting)
    for statement in code.split("|"):
        machine.run(f"{statement};")
    assert not built


UNARY = """-A|~A|A'|abs(A)|sum(A)|sum(A,2)|sum(A(:))|any(A)|all(A,2)|tril(A)|triu(A,1)|A(:)|max(A)|min(A,[],2)
mean(A,2)|norm(A,1)|norm(A,Inf)|A.^2|A/2|A==0|diag(A)|find(A)|nonzeros(A)|floor(A)|exp(A)|[A;A]|[A A]|spones(A)
A(end:-1:1,:)|A(:,end:-1:1)|A(:,1)|A(1,:)|A(1:2:end,end)|A([1 end end],:)|A(:,[end 1 1])|A(end,[1 1])|A([end 1])
reshape(A,1,[])|reshape(A,[],1)|reshape(A,fliplr(size(A)))|repmat(A,2,3)|circshift(A,1)|fliplr(A)|flipud(A)
A(2:end,1:end-1)|A(1:end,end:-1:1)|A(:,2:end)|A(1:end-1,1)
mod(A,2)|logical(A)|double(A>1)|A*(1+2i)|(A*2i)'|numel(A(A>1))|0+A(1,1)|A(1,1)*D"""
BINARY = "A+B|A-B|A.*B|A>B|A==B|A|B|A.*D|D.*A|A*B'|D*A'|x*A|A*y|A.*x'|A.*y'|[A;D]|[B A]|A<=D"
SQUARE = "A^2|A^3|(A'*A+eye(size(A)))\\y|T\\y|T\\[y y]|P\\y|chol(A'*A+eye(size(A)))|trace(A)"
WRITES = """A(1,:)=5|A(:,end)=0|A(1:2,1)=7|A(end+1,end+2)=3|A(A>0)=9|A(:,1)=[]|A([1 1],1)=2|A(end,:)=A(1,:)
A(:)=1|A(1:end)=0|A(1,1)=NaN|A(:,1)=A(:,end)*2|A([])=[]|A(logical(A(:,1)),1)=4
A(A>1)=0|A(A<3)=A(A<3)*2|A(:,1)=1:size(A,1)|A(1,:)=[]|A(:,end)=D(:,1)|A(:,[end 1])=3|A(:,1)=ones(2)
for k=1:3, A(k,1)=A(k,1)+k; end"""


@pytest.mark.parametrize("small", [cc.SMALL, 0])
@pytest.mark.parametrize("seed", range(6))
def test_small_matrices_give_what_full_ones_give(
    seed: int, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cc, "SMALL", small)
    drawn = np.random.default_rng(seed)
    words = [w for t in (UNARY, BINARY) for line in t.splitlines() for w in line.split("|") if w]
    shape = [(3, 3), (1, 4), (5, 1), (4, 6), (6, 6), (30, 30)][seed]
    machine = Machine()
    a, b = (drawn.integers(-2, 5, shape) * (drawn.random(shape) < 0.5) * 1.0 for _ in range(2))
    n = shape[1]
    t = np.diag(np.full(n, 4.0)) + np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1), -1)
    p = t + np.diag(np.full(max(0, n - 2), 0.5), 2) if n > 2 else t
    given = {"A0": a, "B0": b, "T0": t, "P0": p}
    for name, value in given.items():
        text = "; ".join(" ".join(map(str, row)) for row in value.tolist())
        machine.run(f"{name} = [{text}];")
    if shape[0] == n:
        words += SQUARE.split("|")
    codes = [f"r = {w};" for w in words]
    codes += [f"{w}; r = A;" for line in WRITES.splitlines() for w in line.split("|")]
    for code in codes:
        found = []
        for form in ("full", "sparse"):
            begin = "; ".join(f"{k[0]} = {form}({k})" for k in given)
            machine.run(f"{begin}; D = full(B); x = 1:size(A, 1); y = (1:size(A, 2))';")
            machine.run(f"try, {code} r = full(r); s = 'fine'; catch e, r = 0; s = 'an error'; end")
            found.append((machine.value("s"), np.asarray(machine.value("r"), dtype=complex)))
        (first, full), (second, made) = found
        assert first == second, code
        assert full.shape == made.shape, code
        assert np.allclose(full, made, equal_nan=True), code


@pytest.mark.parametrize("seed", range(4))
def test_zeros_written_into_blocks_and_extremes_are_those_of_the_full_matrix(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    rows, columns = (int(n) for n in drawn.integers(1, 7, 2))
    text = f"D = zeros({rows}, {columns}); D(:) = floor(4*sin((1:{rows * columns})*{seed + 2}));"
    machine = Machine()
    machine.run(text + " D(abs(D) < 2) = 0; S = sparse(D);")
    statements = [
        *(f"Y({i}, {j}) = 0;" for i in ("1", ":", "end", "1:end") for j in ("[1 1]", ":", "end")),
        *("Y(Y > 1) = 0;", "Y([1 end 1]) = 0;", "Y(end:-1:1, 1) = 0;", "Y = any(Y, 2);"),
        *("Y = max(Y);", "Y = min(Y, [], 2);", "Y = any(Y);", "Y = [Y; 2*Y; Y];", "Y = [Y Y];"),
    ]
    for statement in statements:
        found = []
        for x in "DS":
            machine.run(f"Y = {x}; {statement}")
            found.append(machine.value("Y"))
        full, made = found
        assert np.array_equal(_checked(made), np.atleast_2d(full)), statement
