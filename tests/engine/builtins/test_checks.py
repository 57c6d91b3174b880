"""Argument checks: which values pass, and the errors of those that do not."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.arguments import checks
from app.engine.arguments.checks import DIM, FLAG, NUMBERS, SCALAR, VECTOR, takes, within
from app.engine.values import EMPTY, Cell, Value, object_array
from app.errors import MatlabError


@takes(NUMBERS & VECTOR, FLAG)
def sample(a: Value, flag: Value = 0.0) -> Value:
    """A builtin with two checked arguments."""
    return a


def test_values_that_meet_the_requirements_pass() -> None:
    assert sample(np.ones((1, 3)), 1.0) is not None
    assert sample(True) is True
    assert sample(2.0, EMPTY) == 2.0


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("text",), "invalidType"),
        ((Cell(object_array([1.0], (1, 1))),), "invalidType"),
        ((np.ones((2, 2)),), "expectedVector"),
        ((1.0, 2.0), "notBinary"),
    ],
)
def test_errors_name_function_input_and_requirement(args: tuple[Value, ...], code: str) -> None:
    with pytest.raises(MatlabError) as caught:
        sample(*args)
    assert caught.value.identifier == f"MATLAB:sample:{code}"
    assert "of sample to be" in caught.value.message


@pytest.mark.parametrize("bad", [0.0, 1.5, -1.0, np.ones((1, 2)), 1j])
def test_a_dimension_is_a_positive_whole_scalar(bad: Value) -> None:
    with pytest.raises(MatlabError):
        DIM("f", 1, bad)


def test_nan_is_within_every_range_and_words_are_no_dimension() -> None:
    within(0, 1)("f", 1, float("nan"))
    DIM("f", 1, "all")
    with pytest.raises(MatlabError):
        (within(0, 1) & SCALAR)("f", 1, 1.5)


def test_common_shape_ignores_scalars() -> None:
    assert checks.common_shape("f", 1.0, np.ones((2, 3)), True) == (2, 3)
    with pytest.raises(MatlabError):
        checks.common_shape("f", np.ones((1, 3)), np.ones((3, 1)))
