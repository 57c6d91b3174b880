"""Bytes of values as whos counts them: deep, shared, holding themselves, and very many."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.engine.values import Cell, NativeObject, StringArray, Struct, Value, n_bytes
from app.engine.values.byte_count import _SAMPLED, MOST


class Holder(NativeObject):
    """An object that holds something."""

    held: Value = 0.0

    def contents(self) -> Iterable[Value]:
        return [self.held]


def test_parts_and_what_holds_them_are_counted() -> None:
    assert n_bytes(Cell.of([1.0, "abc", np.zeros((2, 3))])) == 3 * 104 + 8 + 6 + 48
    assert n_bytes(Struct({"a": 1.0, "b": Cell.of([])})) == 2 * 168 + 8
    assert n_bytes(Cell.empty((0, 0))) == 0
    assert n_bytes(StringArray.scalar("abc")) == 60


def test_nothing_is_too_deep() -> None:
    cell, struct = Cell.of([1.0]), Struct({"a": 1.0})
    for _ in range(20_000):
        cell, struct = Cell.of([cell]), Struct({"a": struct})
    assert n_bytes(cell) == 20_001 * 104 + 8
    assert n_bytes(struct) == 20_001 * 168 + 8


def test_shared_parts_are_looked_into_once_and_counted_each_time() -> None:
    cell = Cell.of([1.0])
    for _ in range(20):
        cell = Cell.of([cell, cell])
    assert n_bytes(cell) == 2**20 * 112 + 208 * (2**20 - 1)
    for _ in range(100):
        cell = Cell.of([cell, cell])
    assert n_bytes(cell) == MOST


def test_what_holds_itself_has_an_end() -> None:
    holder = Holder()
    holder.held = Cell.of([holder, 1.0])
    assert n_bytes(holder) == 2 * 104 + 16


def test_many_elements_are_judged_by_some() -> None:
    data = np.empty((1, 2 * _SAMPLED), object)
    data.fill("ab")
    assert n_bytes(StringArray(data)) == 58 * data.size
