from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.accel.ir import dtypes
from app.engine.builtins.containers.map_object import ContainersMap
from app.engine.builtins.containers.table_class import Table
from app.engine.protocol import InspectVariable
from app.engine.session import inspection
from app.engine.values import Cell, DeviceArray, Struct, Value, n_bytes
from app.engine.values.preview import preview


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
