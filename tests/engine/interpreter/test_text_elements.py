"""Characters of texts by places, comparisons and joins: as arrays of their codes give them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.engine.interpreter.indexing import index_read
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.operators import arithmetic, comparison, concatenation
from app.engine.operators import operators as op
from app.engine.values import CharArray, Value, as_array, char_codes, char_value, class_of
from app.errors import MatlabError

TEXTS: tuple[Value, ...] = (
    "a",
    "abc",
    "xbc",
    "",
    "ü\ud800z",
    CharArray(np.array([[97, 98], [99, 100]])),
    CharArray(np.array([[97], [99]])),
    CharArray(np.zeros((1, 0))),
    CharArray(np.zeros((0, 3))),
    CharArray(np.full((1, 2, 2), 97)),
)
PLACES: tuple[Value, ...] = (
    *(1.0, 2.0, 4.0, 0.0, 1.5, -1.0, float("nan"), COLON, True),
    np.array([[1.0, 2.0]]),
    np.array([[2.0], [1.0]]),
    np.array([[2.0, 1.0], [1.0, 1.0]]),
    np.array([[1.0, 9.0]]),
    np.zeros((0, 0)),
    np.zeros((1, 0)),
    np.array([[True, False, True]]),
    np.array([[False, False, False]]),
    np.array([[True], [False]]),
    np.array([[1, 2]], np.int8),
)


def _outcome(call: object, *given: object) -> object:
    """What a call gives, with the size and class of it, or the error it ends with."""
    try:
        made = call(*given)  # type: ignore[operator]
    except MatlabError as problem:
        return str(problem)
    codes = as_array(made)
    return class_of(made), codes.shape, codes.astype(complex).ravel(order="F").tolist()


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_parts_of_texts_are_those_of_their_codes(text: Value) -> None:
    general = index_read._PAREN[type(text)]
    for sub in PLACES:
        assert _outcome(index_read.paren1, text, sub) == _outcome(general, text, (sub,)), sub
    for both in itertools.product(PLACES, PLACES):
        assert _outcome(index_read.paren2, text, *both) == _outcome(general, text, both), both


@pytest.mark.parametrize("relation", [comparison.EQ, comparison.NE, comparison.LT, comparison.GE])
def test_texts_compare_as_their_codes(relation: comparison.Relation) -> None:
    for a, b in itertools.product(TEXTS, TEXTS):
        general = comparison.host_relational, relation, as_array(a), as_array(b)
        assert _outcome(comparison.relational, relation, a, b) == _outcome(*general), (a, b)


def test_texts_count_as_numbers_in_arithmetic() -> None:
    numbers: tuple[Value, ...] = (2.0, np.array([[1.0, 2.0, 3.0]]), np.array([[4.0], [5.0]]))
    others: tuple[Value, ...] = (True, 1j, np.array([[1, 2, 3]], np.int8), np.float32([[1, 2, 3]]))
    for a, b in itertools.product(TEXTS, TEXTS + numbers + others):
        for x, y in ((a, b), (b, a)):
            for kind in (arithmetic.PLUS, arithmetic.TIMES, arithmetic.RDIVIDE):
                general = arithmetic.host_arithmetic, kind, as_array(x), as_array(y)
                assert _outcome(arithmetic.arithmetic, kind, x, y) == _outcome(*general), (x, y)


def test_texts_are_joined_as_their_codes() -> None:
    for axis, (a, b) in itertools.product((0, 1), itertools.product(TEXTS[:5], TEXTS[:5])):
        general = concatenation._numbers, axis, (a, b), ("char", "char")
        assert _outcome(concatenation.concatenate, axis, (a, b)) == _outcome(*general), (a, b)


def test_what_is_no_character_is_the_last_one() -> None:
    codes = np.array([[97, 0x110000, 0xD800]])
    assert char_value(codes) == "a\U0010ffff\ud800"
    assert char_codes("a\U0010ffff\ud800").tolist() == [[97, 0x10FFFF, 0xD800]]
    assert index_read.paren2(CharArray(codes.reshape(3, 1)), 2.0, 1.0) == "\U0010ffff"


SCALARS = (2.0, 0.0, -0.0, 1 + 2j, -3.5j, 5e-324j, 1e308 + 1e308j, complex("inf+nanj"), 3 - 1j)


@pytest.mark.parametrize("name", ["plus", "minus", "times", "mtimes", "rdivide", "mrdivide"])
def test_single_complex_numbers_are_rounded_as_in_arrays(name: str) -> None:
    operator = getattr(arithmetic, name.removeprefix("m").upper() if name != "minus" else "MINUS")
    for a, b in itertools.product(SCALARS, SCALARS):
        if type(a) is complex or type(b) is complex:
            general = arithmetic.host_arithmetic(operator, as_array(a), as_array(b))
            made = getattr(op, name)(a, b)
            assert type(made) is type(general), (a, b)
            assert np.array_equal(as_array(made), as_array(general), equal_nan=True), (a, b)


def test_products_and_solutions_of_few_complex_numbers() -> None:
    real, other = np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([[1 + 2j, 0], [3, 4 - 1j]])
    for a, b in itertools.product((real, other), repeat=2):
        product, solved, divided = op.mtimes(a, b), op.mldivide(a, b), op.mrdivide(a, b)
        assert np.allclose(as_array(product), a @ b)
        assert np.allclose(a @ as_array(solved), b)
        assert np.allclose(as_array(divided) @ b, a)
    back = op.mtimes(other, np.linalg.inv(other) + 0j)
    assert np.allclose(as_array(back), np.eye(2))
    assert as_array(op.mtimes(np.array([[1j, 1j]]), np.array([[1j], [2j]]))).tolist() == [[-3.0]]


@pytest.mark.parametrize("start", [0.0, 1.0, 5.0, 1020.0, -2.0, 2.5, 1023.0])
def test_ranges_of_whole_numbers(start: float) -> None:
    for step, stop in itertools.product((1.0, 2.0, -1.0, -3.0), (-1.0, 0.0, 5.0, 1023.0, 1030.5)):
        made = as_array(op.colon(start, step, stop)).ravel()
        span = int((stop - start) / step) + 1 if (stop - start) * step >= 0 else 0
        assert made.tolist() == [start + step * k for k in range(span)], (step, stop)
        assert made.flags.writeable or not made.size
