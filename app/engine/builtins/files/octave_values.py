"""Values as the readers of Octave's own files make them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from app import memory
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

    return SparseMatrix.of(csc_array((numbers, (rows, columns)), shape=shape))


def range_of(base: float, limit: float, step: float) -> Value:
    """``base:step:limit`` as a row; a few bytes of a file may mean more than memory holds."""
    if step and math.isfinite((limit - base) / step):
        memory.require(8 * max((limit - base) / step, 0.0), "a range of a file")
    return colon_of(base, step, limit)


def diagonal(numbers: Array, shape: tuple[int, int]) -> Value:
    """A matrix with numbers on its diagonal."""
    memory.require_array(shape, numbers.itemsize)
    made = np.zeros(shape, numbers.dtype, order="F")
    made[np.arange(numbers.size), np.arange(numbers.size)] = numbers
    return full(made)


def permutation(order: Array, *, by_rows: bool) -> Value:
    """The identity with its columns, or rows, in an order."""
    memory.require_array((order.size, order.size), 8)
    made = np.eye(order.size)
    return full(made[order] if by_rows else made[:, order])


def handle(text: str, taken: dict[str, Value]) -> Value:
    """The portable form of a handle by its text or name, and what it has taken along."""
    return handle_form(text if text.startswith("@") else f"@{text}", taken)


def check_handle_kind(subtype: str) -> None:
    """Refuse handles of functions that only a file's inside, or an object, knows."""
    if subtype not in {"", "simple", "anonymous"}:
        raise ValueError(f"handles of the kind '{subtype}' cannot be read")


class ValueReader(Protocol):
    """What goes through a file; each method reads what some types are stored as, given the type."""

    def string(self, kind: str) -> Value:
        """Characters."""

    def cell(self, kind: str) -> Value:
        """A cell."""

    def struct(self, kind: str) -> Value:
        """A struct, or an array of them."""

    def sparse(self, kind: str) -> Value:
        """A sparse matrix."""

    def steps(self, kind: str) -> Value:
        """A range."""

    def logical(self, kind: str) -> Value:
        """Truth values."""

    def diagonal(self, kind: str) -> Value:
        """A matrix with numbers on its diagonal only."""

    def permutation(self, kind: str) -> Value:
        """A permutation matrix."""

    def function(self, kind: str) -> Value:
        """A handle."""


def readers_by_type(reader: ValueReader) -> dict[str, Callable[[str], Value]]:
    """The method for each of Octave's types but those of plain numbers."""
    return {
        "string": reader.string,
        "sq_string": reader.string,
        "cell": reader.cell,
        "struct": reader.struct,
        "scalar struct": reader.struct,
        "sparse matrix": reader.sparse,
        "sparse bool matrix": reader.sparse,
        "sparse complex matrix": reader.sparse,
        "range": reader.steps,
        "double_range": reader.steps,
        "bool": reader.logical,
        "bool matrix": reader.logical,
        "diagonal matrix": reader.diagonal,
        "complex diagonal matrix": reader.diagonal,
        "permutation matrix": reader.permutation,
        "function handle": reader.function,
    }
