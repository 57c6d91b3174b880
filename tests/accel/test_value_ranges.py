"""Range facts hold for every number that the operations of the graph make of numbers in a range."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node, make, make_leaf
from app.accel.ir.operations.spec import ANY, POSITIVE, UNSIGNED, Range
from app.accel.ir.ops import OPS
from app.accel.ir.value_ranges import least_of_number, transfer

NUMBERS = (-math.inf, -2.5, -1.0, -1e-310, -0.0, 0.0, 1e-310, 0.3, 1.0, 2.0, 40.0, math.inf)
RANGES: tuple[Range, ...] = (
    ANY,
    POSITIVE,
    UNSIGNED,
    (-1.0, 1.0),
    (1.0, math.inf),
    (UNSIGNED[0], 1.0),
)
RULED = sorted(
    name for name, spec in OPS.items() if spec.values and spec.host and spec.arity in {1, 2}
)


def applied(op: str, *operands: Node, dtype: DType = DType.F64) -> Node:
    """The node of an operation on single numbers."""
    return make(op, operands, (), dtype, (1, 1))


def inside(value: float, known: Range) -> bool:
    """Whether a number is in a range; a bound above 0 is one of the sign bit, too."""
    if math.isnan(value):
        return True
    if known[0] > 0 and math.copysign(1.0, value) < 0:
        return False
    low = 0.0 if 0 < known[0] < 1e-300 else known[0]
    return low <= value <= known[1]


def domain_holds(name: str, numbers: tuple[float, ...]) -> bool:
    """Whether an operation has a real answer to these."""
    domain = OPS[name].domain
    return domain is None or not domain.is_left([np.array([x]) for x in numbers])


@pytest.mark.parametrize("name", RULED)
def test_results_lie_in_the_range_that_a_rule_gives(name: str) -> None:
    spec = OPS[name]
    assert spec.host is not None
    node = applied(name, *[make_leaf(DType.F64, (1, 1)) for _ in range(spec.arity)])
    tried = 0
    for known in itertools.product(RANGES, repeat=spec.arity):
        result = transfer(node, list(known))
        for numbers in itertools.product(NUMBERS, repeat=spec.arity):
            fits = all(inside(x, r) for x, r in zip(numbers, known, strict=True))
            if not fits or not domain_holds(name, numbers):
                continue
            with np.errstate(all="ignore"):
                found = float(spec.host(*[np.array([x]) for x in numbers])[0])
            assert inside(found, result), (numbers, known, found, result)
            tried += 1
    assert tried > len(NUMBERS)


def test_a_number_times_itself_has_no_sign() -> None:
    leaf = make_leaf(DType.F64, (1, 1))
    low = transfer(applied("times", leaf, leaf), [ANY, ANY])[0]
    assert low > 0
    assert transfer(applied("rdivide", leaf, leaf), [UNSIGNED, (low, math.inf)]) == UNSIGNED


def test_the_square_of_a_complex_number_may_be_anything() -> None:
    leaf = make_leaf(DType.C128, (1, 1))
    square = applied("times", leaf, leaf, dtype=DType.C128)
    known = transfer(square, [ANY, ANY])
    assert transfer(applied("real", square), [known]) == ANY
    assert transfer(applied("abs", square), [known]) == UNSIGNED


@pytest.mark.parametrize(
    ("value", "least"), [(0.0, True), (2.5, True), (-0.0, False), (-1.0, False)]
)
def test_parameters_of_one_sign_share_a_bound(value: float, least: bool) -> None:
    assert (least_of_number(value) == UNSIGNED[0]) is least
    assert least_of_number(math.nan) == -math.inf
