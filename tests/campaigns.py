"""Tests of many seeds: the first ones always, the others with ``-m campaign``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

T = TypeVar("T")


def long_form(values: Iterable[T], always: int) -> list[T | ParameterSet]:
    """Values for `parametrize`: the first so many, and the rest for campaigns alone."""
    found = list(values)
    rest = [pytest.param(value, marks=pytest.mark.campaign) for value in found[always:]]
    return [*found[:always], *rest]
