"""Canonical values and questions about them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine import values
from app.engine.values import Cell, CharArray, StringArray, Value
from app.errors import MatlabError


def test_scalars_are_python_objects() -> None:
    assert type(values.canonical(np.array([[2.0]]))) is float
    assert type(values.canonical(np.array([[True]]))) is bool
    assert type(values.canonical(np.array([[1 + 2j]]))) is complex
    assert type(values.canonical(np.array([[1 + 0j]]))) is float


def test_single_and_integer_scalars_stay_arrays() -> None:
    for dtype in (np.float32, np.int8, np.uint64):
        assert values.canonical(np.ones((1, 1), dtype=dtype)).dtype == dtype


def test_trailing_ones_are_dropped() -> None:
    assert values.canonical(np.ones((2, 3, 1, 1))).shape == (2, 3)


def test_complex_without_imaginary_part_becomes_real() -> None:
    assert values.canonical(np.array([[1 + 0j, 2]])).dtype == np.float64


@pytest.mark.parametrize(
    ("value", "name", "size"),
    [
        (1.0, "double", (1, 1)),
        (True, "logical", (1, 1)),
        ("", "char", (0, 0)),
        ("abc", "char", (1, 3)),
        (CharArray(np.zeros((0, 4))), "char", (0, 4)),
        (StringArray.scalar("x"), "string", (1, 1)),
        (Cell.empty((2, 3)), "cell", (2, 3)),
        (np.ones((2, 2), dtype=np.float32), "single", (2, 2)),
    ],
)
def test_class_and_size(value: Value, name: str, size: tuple[int, ...]) -> None:
    assert values.class_of(value) == name
    assert values.size_of(value) == size


def test_char_round_trip_beyond_latin() -> None:
    text = "aé漢😀"
    assert values.char_value(values.char_codes(text)) == text


@pytest.mark.parametrize(
    ("value", "truth"),
    [
        (1.0, True),
        (0.0, False),
        (np.array([[1.0, 0.0]]), False),
        (np.zeros((0, 0)), False),
        ("a", True),
        ("", False),
        (np.array([[1.0, 2.0]]), True),
    ],
)
def test_truth(value: Value, truth: bool) -> None:
    assert values.true_value(value) is truth


def test_nan_has_no_truth() -> None:
    with pytest.raises(MatlabError, match="NaN values cannot be converted to logicals"):
        values.true_value(math.nan)
