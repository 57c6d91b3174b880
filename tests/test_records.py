from __future__ import annotations

import pickle
import re
from dataclasses import field, fields, replace
from pathlib import Path

import pytest

import app
from app.records import mutable_record, record


@record
class Point:
    """A record of the tests."""

    x: int
    y: int = 2
    note: str = field(default="", compare=False)


@record
class Nothing:
    """A record without fields."""


@mutable_record
class Counted:
    """A record that changes, with every kind of field."""

    name: str
    items: list[int] = field(default_factory=list)
    step: int = 3
    size: int = field(init=False)
    seen: set[int] = field(default_factory=set, init=False)
    unit: str = field(default="s", init=False)

    def __post_init__(self) -> None:
        self.size = len(self.items)


def test_fields_get_their_values_from_arguments_defaults_and_factories() -> None:
    first, second = Counted("a"), Counted("b", [1, 2], step=5)
    first.items.append(7)
    assert (first.items, first.step, first.size) == ([7], 3, 0)
    assert (second.items, second.step, second.size) == ([1, 2], 5, 2)
    assert (second.seen, second.unit, Counted("b").items) == (set(), "s", [])
    assert Counted("c") == Counted("c") != Counted("c", step=4)
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        Counted()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="keyword-only"):
        mutable_record(type("Bad", (), {"__annotations__": {"x": "int"}, "x": field(kw_only=True)}))


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


APP = Path(app.__file__).parent
PLAIN = re.compile(r"^@dataclass(?:\((?:frozen=True)?(?:, )?(?:slots=True)?\))?$", re.MULTILINE)


@pytest.mark.parametrize(
    "package", ["accel", "engine/jit", "engine/interpreter", "engine/operators"]
)
def test_what_loads_with_the_first_loop_is_made_of_records(package: str) -> None:
    """A dataclass takes ten times as long to make; there were 90, a tenth of a first loop."""
    found = [
        path.relative_to(APP).as_posix()
        for path in (APP / package).rglob("*.py")
        if PLAIN.search(path.read_text(encoding="utf-8")) and "wgpu" not in path.parts
    ]
    kept_in_dictionaries = {"accel/ir/loop_node.py", "accel/ir/plan.py"}  # cached properties
    assert set(found) <= kept_in_dictionaries
