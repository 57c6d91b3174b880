"""Small arrays of integers take quick ways: the same as elements one by one, and as exact numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from app.engine.operators import arithmetic as ar
from app.engine.operators import comparison as cm
from app.engine.operators import operators
from app.engine.values import class_of
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

CLASSES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
SHAPES = ((1, 1), (1, 3), (3, 1), (2, 3), (1, 65), (0, 3))


def _array(choose: random.Random, name: str, shape: tuple[int, int]) -> Any:
    info = np.iinfo(name)
    low, high = int(info.min), int(info.max)
    near = [low, low + 1, high, high - 1, 0, 1, 2, 3, 7, 100]
    numbers = [choose.choice(near) for _ in range(shape[0] * shape[1])]
    return np.array(numbers, dtype=name).reshape(shape, order="F")


def _outcome(action: Any, *args: Any) -> Any:
    try:
        made = action(*args)
    except MatlabError as problem:
        return problem.identifier
    data = np.asarray(made)
    return class_of(made), data.shape if data.ndim else (1, 1), data.reshape(-1).tolist()


@pytest.mark.parametrize("name", CLASSES)
def test_operators_are_those_of_arrays(name: str) -> None:
    choose = random.Random(name)
    of_arrays = {op: getattr(ar, op.upper()) for op in ("plus", "minus", "times", "rdivide")}
    relations = {r.name: r for r in vars(operators).values() if isinstance(r, cm.Relation)}
    for _ in range(70):
        a = _array(choose, name, choose.choice(SHAPES))
        others = [_array(choose, name, choose.choice((a.shape, (1, 1), (1, 3))))]
        others += [choose.choice((0.0, 1.0, -2.0, 0.5, 3.0, 1e10, -1e300, np.nan, np.inf, 0.1))]
        others += [_array(choose, choose.choice(CLASSES), a.shape), True]
        for b in others:
            for x, y in ((a, b), (b, a)):
                arrays = np.atleast_2d(x), np.atleast_2d(y)
                for word, op in of_arrays.items():
                    there = _outcome(ar.host_arithmetic, op, *arrays)
                    assert _outcome(getattr(operators, word), x, y) == there, (word, x, y)
                for word, relation in relations.items():
                    there = _outcome(cm.host_relational, relation, *arrays)
                    assert _outcome(getattr(operators, word), x, y) == there, (word, x, y)


PROGRAM = """
for name = {{'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'double'}}
  c = name{{1}}; lo = double(intmin('int8')); hi = 200;
  if strcmp(c, 'double'), big = 1e9; else, big = intmax(c); end
  for s = {{[1 3], [3 1], [2 3], [3 2], [1 1]}}
    sz = s{{1}};
    A = cast(mod((1:prod(sz)) * {seed}, 13) - 5, c); A = reshape(A, sz); B = A; B(end) = big;
    for M = {{A, B}}
      M = M{{1}};
      for d = 1:2
        [v, k] = max(M, [], d); [w, l] = min(M, [], d); t = sum(M, d);
        n = size(M, 3 - d);
        for q = 1:n
          if d == 1, line = M(:, q); else, line = M(q, :); end
          best = line(1); at = 1; low = line(1); where = 1; total = 0;
          for p = 1:numel(line)
            if line(p) > best, best = line(p); at = p; end
            if line(p) < low, low = line(p); where = p; end
            total = total + double(line(p));
          end
          assert(v(q) == best && k(q) == at && w(q) == low && l(q) == where)
          assert(t(q) == total)
          assert(strcmp(class(v), c) && strcmp(class(k), 'double') && strcmp(class(t), 'double'))
          assert(isequal(max(M, [], d), v) && isequal(min(M, [], d), w))
        end
      end
      if ~strcmp(c, 'double')
        assert(isequal(bitand(M, M), M), 'bits')
        for q = 1:numel(M), assert(bitxor(M(q), M(1)) == subsref(bitxor(M, M(1)), substruct('()', {{q}}))), end
      end
    end
  end
end
"""


@pytest.mark.parametrize("seed", [3, 7])
def test_lines_of_matrices(seed: int) -> None:
    machine = Machine()
    machine.run(PROGRAM.format(seed=seed))
    machine.run("[m, k] = max([1 NaN; NaN NaN; 3 4], [], 2); [p, q] = min([2 1; NaN 0]);")
    machine.run("assert(isequaln(m, [1; NaN; 4]) && isequal(k, [1; 1; 2]))")
    machine.run("assert(isequal(p, [2 0]) && isequal(q, [1 2]))")
    machine.run("assert(isequal(mod(7, [2 3 4]), [1 1 3]) && isequaln(mod(5, [0 NaN]), [5 NaN]))")
    machine.run("assert(isequal(mod([5 -5], [2.5 3]), [0 1]))")
