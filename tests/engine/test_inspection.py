from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.accel.ir import dtypes
from app.engine.builtins.containers.map_object import ContainersMap
from app.engine.builtins.containers.table_class import Table
from app.engine.inspected import InspectVariable
from app.engine.session import inspection
from app.engine.values import Cell, DeviceArray, Struct, Value, n_bytes
from app.engine.values.preview import preview
from tests.engine.builtins.engine_session import Session


class OneNode:
    """A lazy array's node and runtime in one: counts what is fetched."""

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self.data = data
        self.shape = data.shape
        self.dtype = dtypes.DType.F64
        self.fetched = 0

    def gather_elements(self, node: object, linear: Any, cause: str) -> Any:
        self.fetched += len(linear)
        return self.data.ravel(order="F")[linear]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.5, "3.5"),
        (True, "true"),
        (1 - 2j, "1-2i"),
        ("hi\n", "'hi↵'"),
        (np.array([[1.0, np.nan], [-np.inf, 4.0]]), "[1 NaN; -Inf 4]"),
        (np.zeros((100, 3)), "100×3 double"),
        (np.array([[7]], dtype=np.int8), "7"),
        (Cell.of([1.0, 2.0]), "1×2 cell"),
    ],
)
def test_preview(value: Value, text: str) -> None:
    assert preview(value) == text


def test_page_of_a_matrix_is_the_window_asked_for() -> None:
    matrix = np.arange(12.0).reshape(3, 4)
    found = inspection.page(InspectVariable("A", rows=(1, 3), columns=(2, 9)), matrix)
    assert found.values == ((6.0, 7.0), (10.0, 11.0))
    assert (found.kind, found.size, found.class_name) == ("numeric", (3, 4), "double")


def test_page_beyond_the_second_dimension() -> None:
    cube = np.arange(8.0).reshape(2, 2, 2)
    found = inspection.page(InspectVariable("A", page=(1,)), cube)
    assert found.values == ((1.0, 3.0), (5.0, 7.0))


def test_page_of_a_lazy_array_fetches_only_the_window() -> None:
    node = OneNode(np.arange(60.0).reshape(6, 10))
    lazy = DeviceArray(node, node)
    found = inspection.page(InspectVariable("A", rows=(4, 100), columns=(0, 2)), lazy)
    assert found.values == ((40.0, 41.0), (50.0, 51.0))
    assert node.fetched == 4


def test_page_digs_into_containers() -> None:
    value = Struct({"list": Cell.of(["a", np.eye(2)])})
    request = InspectVariable("s", path=(("field", "list"), ("cell", 1)))
    assert inspection.page(request, value).values == ((1.0, 0.0), (0.0, 1.0))
    assert inspection.page(InspectVariable("s"), value).row_names == ("list",)


def test_page_of_nothing_says_so() -> None:
    assert inspection.page(InspectVariable("gone"), None).kind == "missing"
    wrong = InspectVariable("s", path=(("field", "b"),))
    assert inspection.page(wrong, Struct({"a": 1.0})).kind == "missing"


def test_bytes_are_those_of_the_contents() -> None:
    map_, columns = ContainersMap(), {"a": np.zeros((4, 2)), "name": Cell.of(["xy"])}
    map_.data = {"one": 1.0, "self": map_}
    assert n_bytes(map_) == 2 * len("oneself") + 8 + 8
    assert n_bytes(Table(dict(columns))) == 64 + (4 + 104) + 2 * len("aname")
    assert n_bytes(Struct({"m": map_})) == n_bytes(map_) + 168


def test_a_map_is_a_page_of_keys_and_values() -> None:
    map_ = ContainersMap()
    map_.data = {"two": "text", "one": np.zeros((3, 3))}
    found = inspection.page(InspectVariable("m", rows=(0, 128)), map_)
    assert found.cells == (("'one'", "3×3 double"), ("'two'", "'text'"))
    assert (found.kind, found.column_names) == ("table", ("key", "value"))


def test_a_dictionary_has_all_its_entries_though_it_is_one_value() -> None:
    found = inspection.page(ASKED, Session().value('dictionary(["a" "b"], [1 2])'))
    assert (found.size, found.entries) == ((1, 1), 2)
    assert found.cells == (('"a"', "1"), ('"b"', "2"))


ASKED = InspectVariable("v", rows=(0, 128), columns=(0, 32))


@pytest.fixture
def classes(tmp_path: Path) -> Session:
    """A session that knows an enumeration and a class of numbers."""
    body = "enumeration\nRed (1)\nBlue (4)\nend\nend\n"
    (tmp_path / "Hue.m").write_text(f"classdef Hue < uint8\n{body}", encoding="utf-8")
    (tmp_path / "Span.m").write_text("classdef Span < double\nend\n", encoding="utf-8")
    spot = "classdef Spot\nproperties\nX = 1\nName = 'n'\nend\nend\n"
    (tmp_path / "Spot.m").write_text(spot, encoding="utf-8")
    session = Session()
    session.interpreter.path.set_current(str(tmp_path))
    return session


def test_members_of_an_enumeration_are_shown_by_their_names(classes: Session) -> None:
    assert preview(classes.value("Hue.Blue")) == "Blue"
    assert preview(classes.value("[Hue.Blue Hue.Red]")) == "Blue  Red"
    found = inspection.page(ASKED, classes.value("[Hue.Blue Hue.Red; Hue.Red Hue.Red]"))
    assert (found.kind, found.cells) == ("elements", (("Blue", "Red"), ("Red", "Red")))
    assert inspection.page(ASKED, classes.value("Hue.Red")).cells == (("Red",),)


def test_objects_are_shown_by_what_they_hold(classes: Session) -> None:
    assert inspection.page(ASKED, classes.value("Span(7)")).cells == (("7",),)
    one = inspection.page(ASKED, classes.value("Spot"))
    assert (one.kind, one.row_names) == ("object", ("X", "Name"))
    several = inspection.page(ASKED, classes.value("[Spot Spot]"))
    assert several.column_names == ("X", "Name")
    assert several.cells == (("1", "'n'"), ("1", "'n'"))


def test_the_rows_of_a_timetable_are_its_times() -> None:
    session = Session()
    session.run("t = timetable(hours(1:3)', [1; 2; 3]);")
    page = inspection.page(InspectVariable("t", rows=(1, 3)), session.value("t"))
    assert (page.row_names, page.column_names) == (("2 hr", "3 hr"), ("Var1",))
