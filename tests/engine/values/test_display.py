"""Values displayed in MATLAB's layout."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine.values import (
    EMPTY,
    Cell,
    CharArray,
    FunctionHandle,
    StringArray,
    Struct,
    StructArray,
    Value,
    object_array,
)
from app.engine.values.display import DisplayFormat, disp, display


def row(*numbers: complex) -> Value:
    return np.array([numbers])


SHORT = [
    (5.0, "x =\n\n     5\n\n"),
    (math.pi, "x =\n\n    3.1416\n\n"),
    (100.5, "x =\n\n  100.5000\n\n"),
    (12345.678, "x =\n\n   1.2346e+04\n\n"),
    (0.001, "x =\n\n   1.0000e-03\n\n"),
    (100000.0, "x =\n\n      100000\n\n"),
    (math.nan, "x =\n\n   NaN\n\n"),
    (-math.inf, "x =\n\n  -Inf\n\n"),
    (True, "x =\n\n  logical\n\n   1\n\n"),
    (3 + 4j, "x =\n\n   3.0000 + 4.0000i\n\n"),
    (10 + 20j, "x =\n\n  10.0000 +20.0000i\n\n"),
    (row(1.0, 2.0, 3.0), "x =\n\n     1     2     3\n\n"),
    (row(1.0, -2.0), "x =\n\n     1    -2\n\n"),
    (row(1000.0, 2.0), "x =\n\n        1000           2\n\n"),
    (row(1000.5, 2.0), "x =\n\n   1.0e+03 *\n\n    1.0005    0.0020\n\n"),
    (row(1.5, math.nan), "x =\n\n    1.5000       NaN\n\n"),
    (row(0.0, 0.5), "x =\n\n         0    0.5000\n\n"),
    (row(1 + 2j, 3), "x =\n\n   1.0000 + 2.0000i   3.0000 + 0.0000i\n\n"),
    (EMPTY, "x =\n\n     []\n\n"),
    (np.zeros((0, 3)), "x =\n\n  0×3 empty double matrix\n\n"),
    (np.zeros((1, 0)), "x =\n\n  1×0 empty double row vector\n\n"),
    (np.array([[5]], dtype=np.int8), "x =\n\n  int8\n\n   5\n\n"),
    (np.array([[100, -3]], dtype=np.int16), "x =\n\n  1×2 int16 row vector\n\n   100    -3\n\n"),
    (np.array([[1.5]], dtype=np.float32), "x =\n\n  single\n\n    1.5000\n\n"),
    ("abc", "x =\n\n    'abc'\n\n"),
    ("", "x =\n\n  0×0 empty char array\n\n"),
    (CharArray(np.array([[65], [66]])), "x =\n\n  2×1 char array\n\n    'A'\n    'B'\n\n"),
    (StringArray.scalar("hi"), 'x = \n\n    "hi"\n\n'),
    (Cell.empty(), "x =\n\n  0×0 empty cell array\n\n"),
    (Cell.of([1.0, "ab"]), "x =\n\n  1×2 cell array\n\n    {[1]}    {'ab'}\n\n"),
    (
        Struct({"a": 1.0, "long": "t", "m": np.ones((2, 2))}),
        "x =\n\n  struct with fields:\n\n       a: 1\n    long: 't'\n       m: [2×2 double]\n\n",
    ),
    (
        StructArray({"a": object_array([1.0, 2.0])}, (1, 2)),
        "x =\n\n  1×2 struct array with fields:\n\n    a\n\n",
    ),
    (
        FunctionHandle("", None, "@(x)x+1"),
        "x =\n\n  function_handle with value:\n\n    @(x)x+1\n\n",
    ),
    (
        np.zeros((1, 2, 2)),
        "x(:,:,1) =\n\n     0     0\n\n\nx(:,:,2) =\n\n     0     0\n\n",
    ),
]


@pytest.mark.parametrize(("value", "text"), SHORT, ids=[repr(t)[:40] for _, t in SHORT])
def test_format_short(value: Value, text: str) -> None:
    assert display("x", value) == text


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("long", "   3.141592653589793\n"),
        ("shortg", "       3.1416\n"),
        ("longg", "          3.14159265358979\n"),
        ("shorte", "   3.1416e+00\n"),
        ("bank", "          3.14\n"),
        ("hex", "   400921fb54442d18\n"),
        ("rat", "       355/113\n"),
    ],
)
def test_other_styles(style: str, text: str) -> None:
    assert disp(math.pi, DisplayFormat(style)) == text


def test_compact_has_no_blank_lines() -> None:
    assert display("x", 5.0, DisplayFormat("short", compact=True)) == "x =\n     5\n"


def test_columns_wrap_at_eighty_characters() -> None:
    text = display("x", np.arange(20.0).reshape(1, -1) / 3)
    assert "  Columns 1 through 8\n\n" in text
    assert text.endswith("  Columns 17 through 20\n\n    5.3333    5.6667    6.0000    6.3333\n\n")


def test_numbers_in_cells_are_aligned_inside_their_brackets() -> None:
    cell = Cell.of([1.0, "text", 2.0, "x"], (2, 2))
    assert disp(cell) == "    {[   1]}    {[2]}\n    {'text'}    {'x'}\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [("abc", "abc\n"), (EMPTY, ""), (True, "   1\n"), (row(1.5, 2.0), "    1.5000    2.0000\n")],
)
def test_disp(value: Value, text: str) -> None:
    assert disp(value) == text
