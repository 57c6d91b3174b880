"""Functions of text applied to char arrays, string arrays and cellstrs alike."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.operators.number_text import char_rows
from app.engine.values import (
    Cell,
    CharArray,
    StringArray,
    Value,
    is_cellstr,
    object_array,
)
from app.errors import MatlabError


def map_text(function: Callable[[str], str], v: Value, name: str) -> Value:
    """``function`` of every text of ``v``, in a value of the same kind."""
    if type(v) is str:
        return function(v)
    if type(v) is CharArray:
        return char_rows([function(r) for r in v.rows() or [""]])
    if isinstance(v, StringArray):
        texts = [None if t is None else function(t) for t in v.data.ravel(order="F")]
        return StringArray(object_array(texts, v.shape))
    if isinstance(v, Cell):
        return Cell(object_array([map_text(function, x, name) for x in v.items()], v.shape))
    text = "First argument must be text: a character vector, string array or cell array of them."
    raise MatlabError(f"MATLAB:{name}:invalidInput", text)


def is_text(v: Value) -> bool:
    """True for char, string and cellstr."""
    return isinstance(v, str | CharArray | StringArray) or is_cellstr(v)


def same_kind(like: Value, text: str) -> Value:
    """``text`` as a string when ``like`` is one, else as char."""
    return StringArray.scalar(text) if type(like) is StringArray else text


def list_like(like: Value, texts: list[str], *, column: bool = False) -> Value:
    """Texts as a string array when ``like`` is a string, else as a cell."""
    shape = (len(texts), 1) if column else (1, len(texts))
    made = StringArray if type(like) is StringArray else Cell
    return made(object_array(texts, shape))
