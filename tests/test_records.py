from __future__ import annotations

import pickle
from dataclasses import field, fields, replace

import pytest

from app.records import record


@record
class Point:
    """A record of the tests."""

    x: int
    y: int = 2
    note: str = field(default="", compare=False)


@record
class Nothing:
    """A record without fields."""


def test_records_are_compared_hashed_and_shown_by_their_fields() -> None:
    assert Point(1) == Point(1, 2, "other note")
    assert Point(1) != Point(2)
    assert Point(1) != Nothing()
    assert Nothing() == Nothing()
    assert len({Point(1), Point(1, note="n"), Point(2)}) == 2
    assert repr(Point(1)) == "Point(x=1, y=2, note='')"


def test_records_are_dataclasses_with_slots() -> None:
    assert [f.name for f in fields(Point(1))] == ["x", "y", "note"]  # type: ignore[arg-type]
    assert replace(Point(1), x=5) == Point(5)  # type: ignore[type-var]
    assert pickle.loads(pickle.dumps(Point(1, 3))) == Point(1, 3)
    with pytest.raises(AttributeError):
        Point(1).z = 1  # type: ignore[attr-defined]
    match Point(1, 4):
        case Point(1, y):
            assert y == 4
