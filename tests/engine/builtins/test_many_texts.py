"""Texts in cells are compared as they are one by one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from app.engine.builtins.text import text_compare as tc
from app.engine.values import EMPTY, Cell, CharArray, StringArray, Value, as_array
from app.engine.values.value_predicates import is_cellstr

WORDS = (
    "",
    "w",
    "W7",
    "w7",
    "w77",
    "xw7",
    "w7\0",
    "\0",
    "STRASSE",
    "Straße",
    "İ",
    "i̇x",
    "ΑΣ",
    "ας",
)
OTHERS: tuple[Value, ...] = (5.0, EMPTY, StringArray.scalar("w7"), CharArray(np.zeros((1, 0))))


def _lists() -> list[list[Value]]:
    plain = [w for w in WORDS if "\0" not in w]
    ascii_words = [w for w in plain if w.isascii()]
    lists: list[list[Value]] = [
        [*words] * n for words in (plain, ascii_words, WORDS) for n in (2, 20)
    ]
    return [*lists, [*plain, *OTHERS], ["w7"] * 8, [*plain]]


@pytest.mark.parametrize("wanted", [*WORDS, "abcdefg"])
@pytest.mark.parametrize("texts", _lists(), ids=len)
def test_many_texts_are_compared_as_each(texts: list[Value], wanted: str) -> None:
    calls = [tc.strcmp, tc.strcmpi]
    calls += [partial(f, n=float(n)) for f in (tc.strncmp, tc.strncmpi) for n in (1, 2, 3, 9)]
    for shape in ((1, len(texts)), (len(texts), 1), (2, len(texts) // 2)):
        cell = Cell.of(texts[: shape[0] * shape[1]], shape)
        for call in calls:
            each = [bool(call(t, wanted)) for t in cell.items()]
            for made in (call(cell, wanted), call(wanted, cell)):
                found = as_array(made)
                assert found.shape == shape
                assert found.ravel(order="F").tolist() == each


@pytest.mark.parametrize("texts", _lists(), ids=len)
def test_cells_of_texts_are_known(texts: list[Value]) -> None:
    assert is_cellstr(Cell.of(texts)) == all(type(t) in (str, CharArray) for t in texts)
