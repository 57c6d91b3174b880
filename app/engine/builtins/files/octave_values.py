"""Values as the readers of Octave's own files make them."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.files.portable import handle_form
from app.engine.operators.number_text import char_rows
from app.engine.operators.ranges import colon_of
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    canonical,
    char_value,
    object_array,
    trim_shape,
)
from app.errors import MatlabError


def refusal(what: str, why: str) -> MatlabError:
    """The error for a file that cannot be read."""
    return MatlabError("MATLAB:load:unableToReadOctaveFile", f"Unable to read {what}: {why}.")


def full(a: Array) -> Value:
    """A full array."""
    return canonical(np.asfortranarray(a))


def chars_of(text: str, shape: tuple[int, ...]) -> Value:
    """Characters of a size, given byte by byte in column-major order."""
    if len(shape) == 2 and shape[0] == 1:
        return _decoded(text)
    codes = np.frombuffer(text.encode("latin-1"), np.uint8).reshape(shape, order="F")
    if codes.ndim == 2 and (codes > 127).any():
        return rows_of_chars([row.tobytes().decode("latin-1") for row in codes])
    return char_value(codes.astype(np.uint32))


def rows_of_chars(rows: list[str]) -> Value:
    """Rows of text, each given byte by byte."""
    return char_rows([_decoded(row) for row in rows]) if rows else ""


def _decoded(text: str) -> str:
    data = text.encode("latin-1")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return text


def cell_of(items: list[Value], shape: tuple[int, ...]) -> Cell:
    """A cell of values in column-major order."""
    return Cell(object_array(items, trim_shape(shape)))


def structs_of(fields: dict[str, Value], shape: tuple[int, ...]) -> Value:
    """A struct array whose fields are cells of its size."""
    shape = trim_shape(shape)
    columns = {k: v.items() if isinstance(v, Cell) else [v] for k, v in fields.items()}
    if shape == (1, 1):
        return Struct({k: items[0] for k, items in columns.items()})
    return StructArray({k: object_array(items, shape) for k, items in columns.items()}, shape)


def sparse(numbers: Array, rows: Array, columns: Array, shape: tuple[int, int]) -> Value:
    """A sparse matrix of numbers at places that count from zero."""
    from scipy.sparse import csc_array

    return SparseMatrix(csc_array((numbers, (rows, columns)), shape=shape))


def range_of(base: float, limit: float, step: float) -> Value:
    """``base:step:limit`` as a row."""
    return colon_of(base, step, limit)


def diagonal(numbers: Array, shape: tuple[int, int]) -> Value:
    """A matrix with numbers on its diagonal."""
    made = np.zeros(shape, numbers.dtype, order="F")
    made[np.arange(numbers.size), np.arange(numbers.size)] = numbers
    return full(made)


def permutation(order: Array, *, by_rows: bool) -> Value:
    """The identity with its columns, or rows, in an order."""
    made = np.eye(order.size)
    return full(made[order] if by_rows else made[:, order])


def handle(text: str) -> Value:
    """The portable form of a handle by its text or name."""
    return handle_form(text if text.startswith("@") else f"@{text}")
